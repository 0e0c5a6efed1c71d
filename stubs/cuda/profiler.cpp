// Where a profiler begins and ends to look.
#include "facts.h"
#include "stubs/cuda/runtime.h"

extern "C" {

int torchada_adapter_cuProfilerStart() {
  return torchada::driver::by_runtime({"cuProfilerStart", "musaProfilerStart"},
                                      [] { return musaProfilerStart(); });
}

int torchada_adapter_cuProfilerStop() {
  return torchada::driver::by_runtime({"cuProfilerStop", "musaProfilerStop"},
                                      [] { return musaProfilerStop(); });
}

}  // extern "C"
