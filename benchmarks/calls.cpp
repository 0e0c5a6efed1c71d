// Compiled once per design, with
//   BENCH_DESIGN  the name in calls.h
//   BENCH_LIST    the list of functions
//   BENCH_PREFIX  the prefix of their names, may be empty
// Every call goes through the program's PLT, like calls into a linked library.
#include "benchmarks/calls.h"

#define BENCH_PASTE_(a, b) a##b
#define BENCH_PASTE(a, b) BENCH_PASTE_(a, b)
#define BENCH_CALLEE(name) BENCH_PASTE(BENCH_PREFIX, name)

extern "C" {
#define BENCH_FUNCTION(index, name) int BENCH_CALLEE(name)(int*);
#include BENCH_LIST
#undef BENCH_FUNCTION
}

namespace bench {
namespace {

__attribute__((noinline)) void call_all() {
#define BENCH_FUNCTION(index, name) BENCH_CALLEE(name)(nullptr);
#include BENCH_LIST
#undef BENCH_FUNCTION
}

// All with the same alignment, so that no design gains by the position of its loop.
#define BENCH_FUNCTION(index, name)                                     \
  __attribute__((aligned(64))) void loop_##index(std::uint64_t calls) { \
    for (; calls != 0; --calls) BENCH_CALLEE(name)(nullptr);            \
  }
#include BENCH_LIST
#undef BENCH_FUNCTION

constexpr Loop kLoops[] = {
#define BENCH_FUNCTION(index, name) loop_##index,
#include BENCH_LIST
#undef BENCH_FUNCTION
};

int (*const kFunctions[])(int*) = {
#define BENCH_FUNCTION(index, name) BENCH_CALLEE(name),
#include BENCH_LIST
#undef BENCH_FUNCTION
};

constexpr const char* kNames[] = {
#define BENCH_FUNCTION(index, name) #name,
#include BENCH_LIST
#undef BENCH_FUNCTION
};

}  // namespace

const Calls BENCH_DESIGN = {sizeof kLoops / sizeof *kLoops, call_all, kLoops, kFunctions, kNames};

}  // namespace bench
