// Programs from many threads.
#include <atomic>
#include <cstdlib>
#include <thread>

#include "tests/host/mtrtc/compiled.h"

namespace {

using mtrtc_tests::Folder;
using mtrtc_tests::Program;
using mtrtc_tests::Variable;

std::size_t open_descriptors() {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

// MTRTC_PROGRAMS=1000 compiles more of them.
TEST(MtrtcThreads, mtrtcCompileProgram_from_32_threads) {
  constexpr int kThreads = 32;
  const char* const set = std::getenv("MTRTC_PROGRAMS");
  const int programs = set != nullptr ? std::atoi(set) : 32;
  const Folder scratch;
  const Variable temporary("TMPDIR", scratch.path().c_str());
  const Variable cache("TORCHADA_HOST_COMPILE_CACHE", "off");
  const std::size_t before = open_descriptors();
  std::atomic<int> next{0}, good{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int number; (number = next++) < programs;) {
        // Every fourth has an error.
        const bool wrong = number % 4 == 3;
        const std::string name = "k" + std::to_string(number);
        const Program program((wrong ? "#include <no" + name + ">\n" : "") +
                              "template <int N> __global__ void " + name +
                              "(int* p) { *p = N; }\n");
        const std::string expression = name + "<" + std::to_string(number) + ">";
        program.add(expression.c_str());
        const mtrtcResult result = program.compile();
        EXPECT_EQ(result, wrong ? MTRTC_ERROR_COMPILATION : MTRTC_SUCCESS) << program.log();
        if (wrong) {
          EXPECT_NE(program.log().find("no" + name), std::string::npos) << program.log();
        } else {
          EXPECT_NE(program.image().find(program.lowered(expression.c_str())), std::string::npos);
        }
        ++good;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, programs);
  EXPECT_EQ(scratch.entries(), 0U);
  EXPECT_EQ(open_descriptors(), before);
}

TEST(MtrtcThreads, mtrtcCompileProgram_of_one_program_from_several_threads) {
  const Program program("extern \"C\" __global__ void k(int* p) { *p = VALUE; }\n");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&program] {
      EXPECT_EQ(program.compile({"-DVALUE=1"}), MTRTC_SUCCESS);
      EXPECT_GT(program.image().size(), 1000U);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
