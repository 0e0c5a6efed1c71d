// What is compiled runs.
#include <musa.h>

#include "tests/host/mtrtc/compiled.h"
#include "tests/host/shared/device.h"

namespace {

using host_tests::DeviceArray;
using mtrtc_tests::contains;
using mtrtc_tests::Program;

// A module of the driver, in the context of the runtime.
class Module {
 public:
  explicit Module(const std::string& image) {
    EXPECT_EQ(musaFree(nullptr), musaSuccess);
    EXPECT_EQ(muModuleLoadData(&module_, image.data()), MUSA_SUCCESS);
  }
  ~Module() { EXPECT_EQ(muModuleUnload(module_), MUSA_SUCCESS); }
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  void launch(const std::string& name, unsigned int threads, std::vector<void*> arguments) const {
    MUfunction function = nullptr;
    ASSERT_EQ(muModuleGetFunction(&function, module_, name.c_str()), MUSA_SUCCESS) << name;
    EXPECT_EQ(
        muLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, nullptr, arguments.data(), nullptr),
        MUSA_SUCCESS);
    EXPECT_EQ(musaDeviceSynchronize(), musaSuccess);
  }
  void set(const std::string& name, const void* value, std::size_t size) const {
    MUdeviceptr memory = 0;
    std::size_t found = 0;
    ASSERT_EQ(muModuleGetGlobal_v2(&memory, &found, module_, name.c_str()), MUSA_SUCCESS) << name;
    EXPECT_EQ(found, size);
    EXPECT_EQ(muMemcpyHtoD_v2(memory, value, size), MUSA_SUCCESS);
  }

 private:
  MUmodule module_ = nullptr;
};

constexpr const char* kSource = R"(
namespace ns {
__constant__ float offset[2];
template <typename T, int N>
__global__ void fill(T* out, int n) {
  __shared__ T part[64];
  int i = threadIdx.x;
  part[i] = static_cast<T>(i * N);
  __syncthreads();
  if (i < n) out[i] = part[n - 1 - i] + static_cast<T>(offset[1]);
}
}
extern "C" __global__ void twice(int* data) { data[threadIdx.x] *= 2; }
)";

TEST(MtrtcCompile, mtrtcGetFatBin_and_mtrtcGetFatBinSize_give_what_muModuleLoadData_loads) {
  const Program program(kSource);
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  EXPECT_EQ(program.log(), "");
  const Module module(program.image());
  const DeviceArray<int> data({1, 2, 3, 4});
  int* pointer = data.data();
  module.launch("twice", 4, {&pointer});
  EXPECT_EQ(data.values(), (std::vector<int>{2, 4, 6, 8}));
}

TEST(MtrtcCompile, mtrtcAddNameExpression_and_mtrtcGetLoweredName_name_templates_and_variables) {
  const Program program(kSource);
  for (const char* const expression :
       {"ns::fill<float, 3>", "&ns::fill<int, 2>", "ns::offset", "twice"}) {
    program.add(expression);
  }
  program.add("twice");  // again
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  EXPECT_EQ(program.lowered("ns::fill<float, 3>"), "_ZN2ns4fillIfLi3EEEvPT_i");
  EXPECT_EQ(program.lowered("&ns::fill<int, 2>"), "_ZN2ns4fillIiLi2EEEvPT_i");
  EXPECT_EQ(program.lowered("ns::offset"), "_ZN2ns6offsetE");
  EXPECT_EQ(program.lowered("twice"), "twice");

  const Module module(program.image());
  const float offset[2] = {0, 10};
  module.set(program.lowered("ns::offset"), offset, sizeof offset);
  int n = 3;
  const DeviceArray<float> floats({0, 0, 0, 0});
  float* in_floats = floats.data();
  module.launch(program.lowered("ns::fill<float, 3>"), 4, {&in_floats, &n});
  EXPECT_EQ(floats.values(), (std::vector<float>{16, 13, 10, 0}));
  const DeviceArray<int> integers({0, 0, 0, 0});
  int* in_integers = integers.data();
  module.launch(program.lowered("&ns::fill<int, 2>"), 4, {&in_integers, &n});
  EXPECT_EQ(integers.values(), (std::vector<int>{14, 12, 10, 0}));
}

TEST(MtrtcCompile, mtrtcGetMUSA_and_mtrtcGetMUSASize_give_the_same_image) {
  const Program program(mtrtc_tests::kSmall);
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  std::size_t size = 0;
  EXPECT_EQ(mtrtcGetMUSASize(program.get(), &size), MTRTC_SUCCESS);
  std::string image(size, '\0');
  EXPECT_EQ(mtrtcGetMUSA(program.get(), image.data()), MTRTC_SUCCESS);
  EXPECT_EQ(image, program.image());
  EXPECT_TRUE(contains(image, "ELF"));
}

// The manual: a program may be compiled again, which ends what the last compilation gave.
TEST(MtrtcCompile, mtrtcCompileProgram_compiles_again_with_other_options) {
  const Program program("extern \"C\" __global__ void k(int* p) { *p = VALUE; }\n");
  EXPECT_EQ(program.compile(), MTRTC_ERROR_COMPILATION);
  std::size_t size = 0;
  EXPECT_EQ(mtrtcGetFatBinSize(program.get(), &size), MTRTC_ERROR_INVALID_PROGRAM);
  for (const int value : {4, 5}) {
    const std::string macro = "-DVALUE=" + std::to_string(value);
    ASSERT_EQ(program.compile({macro.c_str()}), MTRTC_SUCCESS) << program.log();
    const Module module(program.image());
    const DeviceArray<int> data({0});
    int* pointer = data.data();
    module.launch("k", 1, {&pointer});
    EXPECT_EQ(data.values(), std::vector<int>{value});
  }
}

TEST(MtrtcCompile, mtrtcCompileProgram_takes_a_source_without_a_kernel) {
  const Program program("__device__ int number = 3;\n");
  program.add("number");
  ASSERT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  const Module module(program.image());
  const int value = 4;
  module.set("number", &value, sizeof value);
}

}  // namespace
