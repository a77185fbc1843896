// Processing blocks of items with several threads. Any thread may take any block, so results must not depend on it:
// each item writes to its own place, or results are sums of integers.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace wordorder::base {

// Calls work(first, last, thread) for blocks that cover 0 .. size - 1. Rethrows the first exception.
template <class Work>
void parallel_blocks(int64_t size, int64_t block, int threads, Work work) {
  const int64_t blocks = (size + block - 1) / block;
  threads = static_cast<int>(std::max<int64_t>(1, std::min<int64_t>(threads, blocks)));
  std::atomic<int64_t> next{0};
  std::exception_ptr problem;
  std::mutex lock;
  const auto run = [&](int thread) {
    try {
      for (int64_t b; (b = next.fetch_add(1)) < blocks;) work(b * block, std::min(size, (b + 1) * block), thread);
    } catch (...) {
      const std::lock_guard<std::mutex> hold(lock);
      if (!problem) problem = std::current_exception();
      next = blocks;
    }
  };
  std::vector<std::thread> others;
  others.reserve(threads);
  try {
    for (int t = 1; t < threads; ++t) others.emplace_back(run, t);
  } catch (const std::system_error &) {
    // The system has no room for more threads; those that there are do all the work.
  }
  run(0);
  for (std::thread &other : others) other.join();
  if (problem) std::rethrow_exception(problem);
}

}  // namespace wordorder::base
