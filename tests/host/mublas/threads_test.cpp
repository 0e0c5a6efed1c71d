// Handles of several threads compute at once, and each is right.
#include <thread>

#include "tests/host/mublas/trial.h"

namespace blas_tests {
namespace {

// Every function once, from another one on in each thread.
void run_all_cases(unsigned thread) {
  const auto& cases = all_cases();
  Trial trial(Random::at_edges(0));
  for (std::size_t i = 0; i < cases.size() && !testing::Test::HasFailure(); ++i) {
    const Case& one = cases[(i + thread * 31) % cases.size()];
    SCOPED_TRACE(one.name);
    trial.next(Random::at_edges(static_cast<unsigned>(i) * 8 + thread));
    one.run(trial);
  }
}

TEST(MublasThreads, SeveralAtOnceAreRight) {
  ASSERT_FALSE(all_cases().empty());
  for (const unsigned count : {1U, 2U, 4U}) {
    SCOPED_TRACE(std::to_string(count) + " threads");
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < count; ++i) threads.emplace_back(run_all_cases, i);
    for (auto& thread : threads) thread.join();
  }
}

}  // namespace
}  // namespace blas_tests
