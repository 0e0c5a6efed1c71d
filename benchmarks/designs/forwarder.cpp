// For comparison: the obvious solution in C++. A table in a function-local static, filled by the
// first call, and one forwarder per function.
#include <stdexcept>
#include <string>

#include "benchmarks/designs/open_backend.h"

namespace {

using Function = int (*)(int*);

Function find(void* backend, const std::string& name) {
  void* address = dlsym(backend, name.c_str());
  if (!address) throw std::runtime_error("no " + name);
  return reinterpret_cast<Function>(address);
}

struct Table {
#define BENCH_FUNCTION(index, target) Function target;
#include "functions.inc"
#undef BENCH_FUNCTION

  Table() {
    void* backend = open_backend();
#define BENCH_FUNCTION(index, target) target = find(backend, #target);
#include "functions.inc"
#undef BENCH_FUNCTION
  }
};

const Table& table() {
  static const Table instance;
  return instance;
}

}  // namespace

#define BENCH_FUNCTION(index, target) \
  extern "C" int forwarder_##target(int* argument) { return table().target(argument); }
#include "functions.inc"
