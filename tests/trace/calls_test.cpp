// Callbacks, exceptions and nested calls, with targets in the test itself.
#include <gtest/gtest.h>
#include <pthread.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "tests/trace/traced.h"

namespace tracing {
namespace {

using Logger = void (*)(const char*);

Logger kept;
std::string logged;

int set_logger(Logger logger) {
  kept = logger;
  return 0;
}

int get_logger(Logger* logger) {
  *logger = kept;
  return 0;
}

void first(const char* text) { logged = std::string("first ") + text; }
void second(const char* text) { logged = std::string("second ") + text; }

TEST(Callback, ComesBackAsItWasSet) {
  const auto set = traced("libcublas.so.12", "cublasSetLoggerCallback", set_logger);
  const auto get = traced("libcublas.so.12", "cublasGetLoggerCallback", get_logger);
  for (const Logger logger : {first, second, first}) {
    ASSERT_EQ(0, set(logger));
    EXPECT_NE(logger, kept);  // Replaced by one that records.
    kept("text");
    EXPECT_EQ(logger == first ? "first text" : "second text", logged);
    Logger got = nullptr;
    ASSERT_EQ(0, get(&got));
    EXPECT_EQ(logger, got);
  }
  ASSERT_EQ(0, set(nullptr));
  EXPECT_EQ(nullptr, kept);
}

// The same function given twice is a single function for the callee too.
TEST(Callback, HasOneStandIn) {
  const auto set = traced("libcublas.so.12", "cublasSetLoggerCallback", set_logger);
  set(first);
  const Logger before = kept;
  set(second);
  EXPECT_NE(before, kept);
  set(first);
  EXPECT_EQ(before, kept);
}

int failing_get(Logger*) { return 1; }

TEST(Callback, NothingIsReadWhereNothingCameOut) {
  const auto get = traced("libcublas.so.13", "cublasGetLoggerCallback", failing_get);
  EXPECT_EQ(1, get(reinterpret_cast<Logger*>(8)));
}

// Exceptions and ends of threads pass through the frames of the tracer, which has its own C++
// library.
int throws(void*) { throw std::runtime_error("thrown"); }

int ends_thread(void*) { pthread_exit(nullptr); }

int returns(void*) { return 0; }

TEST(Unwinding, ExceptionsPass) {
  const auto free = traced("libcudart.so.12", "cudaFree", throws);
  while (next_call().is_object()) {
  }
  for (std::uintptr_t i = 1; i < 4; ++i) {
    EXPECT_THROW(free(reinterpret_cast<void*>(i)), std::runtime_error);
  }
  EXPECT_EQ(0, traced("libcudart.so.12", "cudaFreeHost", returns)(nullptr));
  for (const char* passed : {"0x1", "0x2", "0x3"}) {
    const nlohmann::json record = next_call();
    EXPECT_EQ("cudaFree", record["function"]);
    EXPECT_EQ(passed, record["arguments"]["devPtr"]);
    EXPECT_TRUE(record["unwound"]);
    EXPECT_TRUE(record["result"].is_null());
    EXPECT_EQ(0, record["depth"]);
  }
  const nlohmann::json last = next_call();
  EXPECT_EQ("cudaFreeHost", last["function"]);
  EXPECT_EQ(0, last["depth"]);
  EXPECT_FALSE(last.contains("unwound"));
}

TEST(Unwinding, EndsOfThreadsPass) {
  const auto free = traced("libcudart.so.13", "cudaFree", ends_thread);
  bool is_unwound = false;
  pthread_t thread;
  const auto body = [](void* data) -> void* {
    struct Guard {
      bool* is_unwound;
      ~Guard() { *is_unwound = true; }
    };
    const auto [function, flag] = *static_cast<std::pair<int (*)(void*), bool*>*>(data);
    const Guard guard{flag};
    function(nullptr);
    return data;
  };
  std::pair<int (*)(void*), bool*> words(free, &is_unwound);
  ASSERT_EQ(0, pthread_create(&thread, nullptr, body, &words));
  void* result = &words;
  pthread_join(thread, &result);
  EXPECT_EQ(nullptr, result);
  EXPECT_TRUE(is_unwound);
  EXPECT_TRUE(next_call()["unwound"]);
}

// A call within a call, like that of a MUSA that calls CUDA's names.
int (*inner)(void*);
int calls_inner(void* pointer) { return inner(pointer); }

TEST(Nesting, InnerCallsAreDeeper) {
  inner = traced("libcudart.so.12", "cudaFreeArray", returns);
  const auto outer = traced("libcudart.so.12", "cudaFreeAsync", calls_inner);
  while (next_call().is_object()) {
  }
  EXPECT_EQ(0, outer(nullptr));
  const nlohmann::json first = next_call(), second = next_call();
  EXPECT_EQ("cudaFreeArray", first["function"]);
  EXPECT_EQ(1, first["depth"]);
  EXPECT_EQ("cudaFreeAsync", second["function"]);
  EXPECT_EQ(0, second["depth"]);
  EXPECT_LE(second["start_ns"], first["start_ns"]);
}

}  // namespace
}  // namespace tracing
