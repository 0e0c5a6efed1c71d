// Shared by each_function_*_test.cpp: the minimum that each function must do, by name. Every one of
// these tests fails if the function just returns 0. The other tests cover functions that work
// together.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "tests/host/musart/support.h"

struct Case {
  const char* name;
  std::function<void()> run;
};
inline void PrintTo(const Case& tried, std::ostream* out) { *out << tried.name; }

class EachFunction : public ::testing::TestWithParam<Case> {};
inline std::string name_of(const ::testing::TestParamInfo<Case>& info) { return info.param.name; }

inline int nothing = 0;
inline auto* const kBadStream = reinterpret_cast<musaStream_t>(&nothing);
inline auto* const kBadEvent = reinterpret_cast<musaEvent_t>(&nothing);
inline auto* const kBadPool = reinterpret_cast<musaMemPool_t>(&nothing);
inline void set_flag(void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; }

// In managed memory, so that the test can read it.
struct Pair {
  Pair() {
    EXPECT_OK(musaMallocManaged(reinterpret_cast<void**>(&from), 64));
    EXPECT_OK(musaMallocManaged(reinterpret_cast<void**>(&to), 64));
    for (int i = 0; i < 64; ++i) from[i] = static_cast<char>(i + 1);
  }
  ~Pair() {
    EXPECT_OK(musaFree(from));
    EXPECT_OK(musaFree(to));
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;
  void expect_arrived() const {
    ASSERT_OK(musaDeviceSynchronize());
    EXPECT_EQ(std::string(from, 64), std::string(to, 64));
  }
  void expect_filled() const {
    ASSERT_OK(musaDeviceSynchronize());
    EXPECT_EQ(std::string(64, 7), std::string(to, 64));
  }
  musaPitchedPtr pitched(char* memory) const { return {memory, 8, 8, 8}; }
  char* from = nullptr;
  char* to = nullptr;
};
