// What nvcc emits for a program's kernels, by hand, and the kernel libraries of these tests.
#ifndef TORCHADA_TESTS_KERNEL_LIBRARIES_PROGRAM_H_
#define TORCHADA_TESTS_KERNEL_LIBRARIES_PROGRAM_H_

#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>
#include <vector>

#include "tests/conformance/support.h"
#include "tests/device_code/registering.h"
#include "tests/kernel_libraries/kernel_gate.h"

// Addresses that stand for the functions nvcc generates for kernels, and for variables.
inline char add, both, shape, unpack, reverse, hidden, unnamed, sum, second, wait_for, trap,
    nowhere;
inline int table[4];
inline int limit;

class Program : public testing::Test {
 protected:
  // ctest runs each test in its own process, so the variable is read after this.
  static void use(const std::string& libraries) {
    setenv("TORCHADA_KERNELS", libraries.c_str(), 1);
  }

  void SetUp() override {
    use(FIRST_IMAGE ":" SECOND_IMAGE);
    module_.kernel(&add, "_Z3addPii");
    module_.kernel(&both, "_Z4bothPi");
    module_.kernel(&shape, "_Z5shapePj");
    module_.kernel(&unpack, "_Z6unpack3BoxPd");
    module_.kernel(&reverse, "_Z7reversePi");
    module_.kernel(&hidden, "_Z6hiddenPi");
    module_.kernel(&unnamed, "_ZN32_GLOBAL__N__fbaae8a4_4_a_cu_main7unnamedEPi");
    module_.kernel(&sum, "_Z3sumPi");
    module_.kernel(&second, "_Z6secondPi");
    module_.kernel(&wait_for, "_Z8wait_forPi");
    module_.kernel(&trap, "_Z4trapPi");
    module_.kernel(&nowhere, "_Z7nowherePi");
    module_.variable(table, "table", sizeof table);
    module_.variable(&limit, "_ZN30_INTERNAL_fbaae8a4_4_a_cu_main2ns5limitE", sizeof limit);
  }

  template <typename... Arguments>
  static cudaError_t start(const void* kernel, dim3 grid, dim3 block, size_t shared,
                           cudaStream_t stream, Arguments... arguments) {
    void* pointers[] = {&arguments...};
    return cudaLaunchKernel(kernel, grid, block, pointers, shared, stream);
  }
  template <typename... Arguments>
  static cudaError_t start(const void* kernel, Arguments... arguments) {
    return start(kernel, {1, 1, 1}, {1, 1, 1}, 0, nullptr, arguments...);
  }

  template <typename T>
  static std::vector<T> read(const void* memory, size_t count) {
    std::vector<T> values(count);
    EXPECT_OK(cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
  static int read_int(const void* memory) { return read<int>(memory, 1)[0]; }

  // What a kernel that takes one address leaves there.
  static int result_of(const void* kernel) {
    const Buffer out(sizeof(int));
    EXPECT_OK(start(kernel, out.bytes()));
    return read_int(out);
  }

  Module module_;
};

#endif  // TORCHADA_TESTS_KERNEL_LIBRARIES_PROGRAM_H_
