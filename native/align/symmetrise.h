// One alignment from the alignments of both directions (Och and Ney 2003; Koehn, Och and Marcu 2003).
#pragma once

#include <cstdint>
#include <vector>

namespace wordorder::align {

enum class Symmetry : int {
  posterior,  // uses posteriors instead of two alignments (see Aligner::align)
  forward,
  reverse,
  intersection,
  unite,
  grow_diag,
  grow_diag_final,
  grow_diag_final_and,
};

struct Link {
  int32_t source, target;
  bool operator<(const Link &o) const { return source != o.source ? source < o.source : target < o.target; }
  bool operator==(const Link &o) const { return source == o.source && target == o.target; }
};

class Symmetriser {
 public:
  // Takes the links of both directions in any order; `out` is sorted. Memory is linear in the number of links.
  void run(const std::vector<Link> &forward, const std::vector<Link> &reverse, Symmetry how, std::vector<Link> &out);

 private:
  struct Point {
    Link link;
    bool in[2];  // whether each direction has the link
    bool chosen;
  };
  Point *find(Link link);
  void choose(Point &point);
  void grow();
  void finish(int direction, bool both);

  std::vector<Point> points_;              // the union, sorted
  std::vector<uint8_t> source_, target_;   // whether each word has a link
  std::vector<Point *> pass_, next_pass_;  // points to be visited (grow)
};

}  // namespace wordorder::align
