// Candidate translations with their features, collected from many lists without repetitions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/words.h"

namespace wordorder::tune {

class CandidateTable {
 public:
  using Feature = std::pair<std::string, std::vector<double>>;

  // Adds lines of an n-best list, `sentence ||| text ||| name= value ...`, from the byte `begin` on. Stops before the
  // first line that is anything but plain, and returns where it begins; the caller reads it and adds its candidate, or
  // reports what is wrong with it. Returns `size` if all lines were added.
  int64_t add_lines(const char *text, int64_t size, int64_t begin);
  // Adds one candidate. Returns the first feature that had another number of values before, or that is there twice, or
  // -1 if the candidate could be added. Candidates with the same sentence, text and features are added once.
  int64_t add(int64_t sentence, std::string_view text, const std::vector<Feature> &features);

  int64_t size() const { return static_cast<int64_t>(candidates_.size()); }
  // The number of values that a feature has had so far; 0 if it is new.
  int64_t values_of(std::string_view name) { return name_facts(names_.number(name)).size; }

  // All candidates in the order of their sentences, and the distinct texts of each sentence. Empties the table.
  struct Sorted {
    std::vector<int64_t> sentence, text;  // of each candidate
    std::vector<int64_t> rows;            // where its features begin
    std::vector<int32_t> columns;
    std::vector<double> values;
    std::vector<std::string> texts;
    std::vector<std::pair<std::string, int64_t>> features;  // names, and their number of values
  };
  Sorted sorted();

 private:
  // Numbers of things by their hash; what is equal is for the caller to say.
  class Index {
   public:
    // The number of an equal item, or -1 after the new one was noted under the next number.
    template <class Equal>
    int64_t find_or_add(uint64_t hash, Equal equal);

   private:
    struct Slot {
      uint64_t hash;
      int64_t number;
    };
    void grow();
    std::vector<Slot> slots_;
    int64_t count_ = 0;
  };
  struct Text {
    int64_t sentence, begin, size;
  };
  struct Candidate {
    int64_t text, row;  // the row ends where the next one begins
  };
  struct NameFacts {
    int64_t size = 0;  // number of values; 0 if the name has not been used
    int32_t column = 0;
    int64_t used_by = -1;  // the candidate that used the name last
  };

  NameFacts &name_facts(int32_t name);
  bool parse_line(std::string_view line);
  bool parse_features(std::string_view field);
  int64_t bad_feature();
  void keep(int64_t sentence, std::string_view text);

  text::WordTable names_;
  std::vector<NameFacts> facts_;
  int32_t columns_ = 0;
  std::string pool_;
  std::vector<Text> texts_;
  std::vector<Candidate> candidates_;
  std::vector<int32_t> column_;
  std::vector<double> value_;
  Index text_index_, candidate_index_;
  // The candidate at hand: its words, its features and the end of the values of each feature.
  std::string words_;
  std::vector<int32_t> used_;
  std::vector<int64_t> ends_;
  std::vector<double> read_;
  std::vector<std::pair<int32_t, double>> row_;
  int64_t attempts_ = 0;
};

}  // namespace wordorder::tune
