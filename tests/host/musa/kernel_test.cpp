// Device code that the stand-in runs: device_code.c is the image.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "tests/host/musa/support.h"

namespace {

struct Xyz {
  unsigned int x, y, z;
  bool operator==(const Xyz&) const = default;
};

class DriverKernel : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    image_ = contents_of(DEVICE_CODE);
    ASSERT_FALSE(image_.empty());
    ASSERT_MU(muModuleLoadData(&module_, image_.data()));
  }

  MUfunction function(const char* name) {
    MUfunction found = nullptr;
    EXPECT_MU(muModuleGetFunction(&found, module_, name));
    return found;
  }
  static MUresult launch(MUfunction function, Xyz grid, Xyz block, std::vector<void*> arguments,
                         MUstream stream = nullptr, unsigned int shared = 0) {
    return muLaunchKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared,
                          stream, arguments.data(), nullptr);
  }
  template <typename T>
  static std::vector<T> read_all(MUdeviceptr from, std::size_t count) {
    std::vector<T> all(count);
    EXPECT_MU(muMemcpyDtoH_v2(all.data(), from, count * sizeof(T)));
    return all;
  }
  template <typename T>
  static MUdeviceptr upload(const std::vector<T>& values) {
    const MUdeviceptr memory = allocate(values.size() * sizeof(T));
    EXPECT_MU(muMemcpyHtoD_v2(memory, values.data(), values.size() * sizeof(T)));
    return memory;
  }

  std::string image_;
  MUmodule module_ = nullptr;
};

TEST_F(DriverKernel, muLaunchKernel_runs_every_thread_of_every_block) {
  const MUdeviceptr out = allocate(4 * 3 * 2 * 3 * 5 * 2 * 2 * sizeof(Xyz));
  MUdeviceptr argument = out;
  EXPECT_MU(launch(function("position"), {4, 3, 2}, {3, 5, 2}, {&argument}));
  const auto told = read_all<Xyz>(out, 4 * 3 * 2 * 30 * 2);
  std::size_t at = 0;
  for (unsigned int block = 0; block < 24; ++block) {
    for (unsigned int thread = 0; thread < 30; ++thread) {
      ASSERT_EQ(told[at], (Xyz{block % 4, block / 4 % 3, block / 12})) << at;
      ASSERT_EQ(told[at + 1], (Xyz{thread % 3, thread / 3 % 5, thread / 15})) << at;
      at += 2;
    }
  }
}

TEST_F(DriverKernel, muLaunchKernel_copies_the_arguments_at_once) {
  MUdeviceptr data = upload(std::vector<float>(5000, 1.5F));
  float factor = 2;
  int count = 4999;
  MUstream stream = nullptr;
  ASSERT_MU(muStreamCreate(&stream, 0));
  for (int i = 0; i < 3; ++i) {
    EXPECT_MU(launch(function("scale"), {20, 1, 1}, {256, 1, 1}, {&data, &factor, &count}, stream));
  }
  const MUdeviceptr kept = data;
  data = 0;
  factor = -1;
  count = 0;
  EXPECT_MU(muStreamSynchronize(stream));
  const auto result = read_all<float>(kept, 5000);
  EXPECT_EQ(result[0], 12);
  EXPECT_EQ(result[4998], 12);
  EXPECT_EQ(result[4999], 1.5F);
  EXPECT_MU(muStreamDestroy_v2(stream));
}

TEST_F(DriverKernel, muLaunchKernel_takes_the_arguments_from_a_buffer) {
  struct {
    MUdeviceptr data;
    float factor;
    int count;
    char more[16];
  } arguments{upload(std::vector<float>{1, 2}), 3, 2, {}};
  std::size_t size = 16;
  void* extra[] = {reinterpret_cast<void*>(1), &arguments, reinterpret_cast<void*>(2), &size,
                   nullptr};
  const MUfunction scale = function("scale");
  const auto launch_extra = [&](void** parameters) {
    return muLaunchKernel(scale, 1, 1, 1, 2, 1, 1, 0, nullptr, parameters, extra);
  };
  EXPECT_MU(launch_extra(nullptr));
  EXPECT_EQ(read_all<float>(arguments.data, 2), (std::vector<float>{3, 6}));
  void* parameters[] = {&arguments.data, &arguments.factor, &arguments.count};
  EXPECT_EQ(launch_extra(parameters), MUSA_ERROR_INVALID_VALUE);
  for (const std::size_t wrong : {std::size_t{0}, std::size_t{12}, std::size_t{32}}) {
    size = wrong;
    EXPECT_EQ(launch_extra(nullptr), MUSA_ERROR_INVALID_VALUE) << wrong;
  }
  extra[0] = reinterpret_cast<void*>(9);
  EXPECT_EQ(launch_extra(nullptr), MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverKernel, muLaunchKernel_refuses_what_does_not_fit) {
  MUdeviceptr memory = allocate(64);
  int value = 1;
  const MUfunction store = function("store");
  const std::vector<void*> good{&memory, &value};
  EXPECT_EQ(launch(store, {1, 1, 1}, {65, 1, 1}, good), MUSA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  EXPECT_EQ(launch(store, {1, 1, 1}, {1025, 1, 1}, good), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(store, {1, 1, 1}, {1, 1, 1}, {&memory, nullptr}), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
            MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(store, {1, 1, 1}, {1, 1, 1}, good, nullptr, (47 << 10) + 1),
            MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(launch(store, {1, 1, 1}, {64, 1, 1}, good, nullptr, 47 << 10));
  EXPECT_MU(muCtxSynchronize());
}

TEST_F(DriverKernel, muLaunchKernelEx_has_no_clusters) {
  MUdeviceptr memory = allocate(64);
  int value = 7;
  void* parameters[] = {&memory, &value};
  MUlaunchAttribute attribute{};
  MUlaunchConfig config{1, 1, 1, 1, 1, 1, 0, nullptr, &attribute, 1};
  attribute.id = MU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim = {2, 1, 1};
  EXPECT_EQ(muLaunchKernelEx(&config, function("store"), parameters, nullptr),
            MUSA_ERROR_NOT_SUPPORTED);
  attribute.id = MU_LAUNCH_ATTRIBUTE_PRIORITY;
  EXPECT_MU(muLaunchKernelEx(&config, function("store"), parameters, nullptr));
  EXPECT_EQ(read_all<int>(memory, 1)[0], 7);
  attribute.id = static_cast<MUlaunchAttributeID>(99);
  EXPECT_EQ(muLaunchKernelEx(&config, function("store"), parameters, nullptr),
            MUSA_ERROR_INVALID_VALUE);
}

TEST_F(DriverKernel, threads_of_a_block_meet_at_a_barrier) {
  std::vector<int> values(100 * 1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i);
  MUdeviceptr data = upload(values);
  EXPECT_MU(launch(function("reverse"), {100, 1, 1}, {1000, 1, 1}, {&data}, nullptr, 4000));
  for (auto block = values.begin(); block != values.end(); block += 1000) {
    std::reverse(block, block + 1000);
  }
  EXPECT_EQ(read_all<int>(data, values.size()), values);
}

TEST_F(DriverKernel, muModuleGetFunction_and_muFuncGetModule) {
  const MUfunction scale = function("scale");
  EXPECT_EQ(function("scale"), scale);
  MUmodule told = nullptr;
  EXPECT_MU(muFuncGetModule(&told, scale));
  EXPECT_EQ(told, module_);
  MUfunction none = nullptr;
  EXPECT_EQ(muModuleGetFunction(&none, module_, "none"), MUSA_ERROR_NOT_FOUND);
  EXPECT_EQ(muModuleGetFunction(&none, module_, "table"), MUSA_ERROR_NOT_FOUND);
  MUtexref texture = nullptr;
  EXPECT_EQ(muModuleGetTexRef(&texture, module_, "table"), MUSA_ERROR_NOT_FOUND);
}

TEST_F(DriverKernel, each_module_has_variables_of_its_own) {
  MUmodule other = nullptr;
  ASSERT_MU(muModuleLoadData(&other, image_.data()));
  MUdeviceptr table = 0;
  std::size_t size = 0;
  EXPECT_MU(muModuleGetGlobal_v2(&table, &size, module_, "table"));
  EXPECT_EQ(size, 16U);
  EXPECT_MU(muMemsetD32_v2(table, 100, 4));
  MUdeviceptr out = allocate(8);
  MUdeviceptr second = out + 4;
  EXPECT_MU(launch(function("sum_table"), {1, 1, 1}, {1, 1, 1}, {&out}));
  MUfunction others = nullptr;
  ASSERT_MU(muModuleGetFunction(&others, other, "sum_table"));
  EXPECT_MU(launch(others, {1, 1, 1}, {1, 1, 1}, {&second}));
  EXPECT_EQ(read_all<int>(out, 2), (std::vector<int>{400, 10}));
  // A copy past the end of the variable is refused, as of any memory.
  EXPECT_EQ(muMemsetD8_v2(table, 0, 17), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muModuleUnload(other));
  EXPECT_EQ(launch(others, {1, 1, 1}, {1, 1, 1}, {&second}), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muModuleUnload(other), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(muModuleGetGlobal_v2(&table, &size, module_, "none"), MUSA_ERROR_NOT_FOUND);
  EXPECT_EQ(muMemFree_v2(table), MUSA_ERROR_INVALID_VALUE);
}

// Descriptors that the program uses in between must not make two modules one.
TEST_F(DriverKernel, many_modules_stay_apart) {
  std::vector<MUmodule> modules(20);
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const int other = open("/dev/null", O_RDONLY);
    ASSERT_MU(muModuleLoadData(&modules[i], image_.data()));
    if (i % 3 == 0) {
      ASSERT_MU(muModuleUnload(modules[i]));
      ASSERT_MU(muModuleLoadData(&modules[i], image_.data()));
    }
    close(other);
    MUdeviceptr table = 0;
    ASSERT_MU(muModuleGetGlobal_v2(&table, nullptr, modules[i], "table"));
    EXPECT_EQ(read_all<int>(table, 1)[0], 1) << i;
    EXPECT_MU(muMemsetD32_v2(table, 7, 4));
  }
  for (MUmodule module : modules) EXPECT_MU(muModuleUnload(module));
}

TEST_F(DriverKernel, muFuncGetAttribute_and_muFuncSetAttribute) {
  const MUfunction store = function("store");
  const auto attribute = [&](MUfunction_attribute which) {
    int value = -1;
    EXPECT_MU(muFuncGetAttribute(&value, which, store));
    return value;
  };
  EXPECT_EQ(attribute(MU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 64);
  EXPECT_EQ(attribute(MU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), 1024);
  EXPECT_EQ(attribute(MU_FUNC_ATTRIBUTE_BINARY_VERSION), 70);
  EXPECT_EQ(attribute(MU_FUNC_ATTRIBUTE_PTX_VERSION), 70);
  EXPECT_EQ(attribute(MU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES), 47 << 10);
  const auto most = MU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
  EXPECT_EQ(muFuncSetAttribute(store, most, (47 << 10) + 1), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muFuncSetAttribute(store, most, 100));
  MUdeviceptr memory = allocate(64);
  int value = 1;
  EXPECT_EQ(launch(store, {1, 1, 1}, {1, 1, 1}, {&memory, &value}, nullptr, 101),
            MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muFuncSetAttribute(store, MU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50));
  EXPECT_EQ(attribute(MU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT), 50);
  EXPECT_EQ(muFuncSetAttribute(store, MU_FUNC_ATTRIBUTE_NUM_REGS, 1), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(muFuncGetAttribute(&value, MU_FUNC_ATTRIBUTE_MAX, store), MUSA_ERROR_INVALID_VALUE);
  EXPECT_MU(muFuncSetCacheConfig(store, MU_FUNC_CACHE_PREFER_L1));
  EXPECT_MU(muFuncSetSharedMemConfig(store, MU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE));
}

TEST_F(DriverKernel, muOccupancy_counts_one_block_for_each_core) {
  const MUfunction store = function("store");
  int blocks = -1;
  EXPECT_MU(muOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 64, 47 << 10));
  EXPECT_EQ(blocks, 1);
  EXPECT_MU(muOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, store, 65, 0, 0));
  EXPECT_EQ(blocks, 0);
  EXPECT_EQ(muOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 0, 0),
            MUSA_ERROR_INVALID_VALUE);
  int grid = 0;
  int block = 0;
  EXPECT_MU(muOccupancyMaxPotentialBlockSize(&grid, &block, function("scale"), nullptr, 0, 0));
  EXPECT_EQ(block, 1024);
  EXPECT_GE(grid, 1);
  EXPECT_MU(muOccupancyMaxPotentialBlockSizeWithFlags(
      &grid, &block, function("scale"), [](int threads) { return std::size_t{100} * threads; }, 0,
      0, 0));
  EXPECT_EQ(block, 480);  // the largest number of warps whose memory fits into 48 KiB
  EXPECT_MU(muOccupancyMaxPotentialBlockSize(&grid, &block, store, nullptr, 0, 50));
  EXPECT_EQ(block, 50);
}

TEST_F(DriverKernel, a_captured_launch_becomes_a_node_of_the_graph) {
  MUdeviceptr data = upload(std::vector<float>{1, 2});
  float factor = 3;
  int count = 2;
  MUstream stream = nullptr;
  ASSERT_MU(muStreamCreate(&stream, 0));
  ASSERT_MU(muStreamBeginCapture_v2(stream, MU_STREAM_CAPTURE_MODE_GLOBAL));
  EXPECT_MU(launch(function("scale"), {1, 1, 1}, {2, 1, 1}, {&data, &factor, &count}, stream));
  MUgraph graph = nullptr;
  ASSERT_MU(muStreamEndCapture(stream, &graph));
  factor = 100;
  MUgraphExec exec = nullptr;
  ASSERT_MU(muGraphInstantiate_v2(&exec, graph, nullptr, nullptr, 0));
  EXPECT_MU(muGraphLaunch(exec, stream));
  EXPECT_MU(muGraphLaunch(exec, stream));
  EXPECT_MU(muStreamSynchronize(stream));
  EXPECT_EQ(read_all<float>(data, 2), (std::vector<float>{9, 18}));
  MUgraphNode node = nullptr;
  std::size_t nodes = 1;
  ASSERT_MU(muGraphGetNodes(graph, &node, &nodes));
  MUSA_KERNEL_NODE_PARAMS params{};
  EXPECT_MU(muGraphKernelNodeGetParams(node, &params));
  EXPECT_EQ(params.func, function("scale"));
  EXPECT_EQ(params.blockDimX, 2U);
  EXPECT_EQ(*static_cast<float*>(params.kernelParams[1]), 3);
  // What it gives can be given back.
  EXPECT_MU(muGraphKernelNodeSetParams(node, &params));
  EXPECT_MU(muGraphExecKernelNodeSetParams(exec, node, &params));
  EXPECT_MU(muGraphExecDestroy(exec));
  EXPECT_MU(muGraphDestroy(graph));
  EXPECT_MU(muStreamDestroy_v2(stream));
}

TEST_F(DriverKernel, kernel_nodes_run_and_change) {
  MUdeviceptr memory = allocate(64);
  int value = 5;
  void* arguments[] = {&memory, &value};
  MUSA_KERNEL_NODE_PARAMS params{function("store"), 1, 1, 1, 1, 1, 1, 0, arguments, nullptr};
  MUgraph graph = nullptr;
  ASSERT_MU(muGraphCreate(&graph, 0));
  MUgraphNode node = nullptr;
  ASSERT_MU(muGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  MUgraphExec exec = nullptr;
  ASSERT_MU(muGraphInstantiate_v2(&exec, graph, nullptr, nullptr, 0));
  EXPECT_MU(muGraphLaunch(exec, nullptr));
  EXPECT_EQ(read_all<int>(memory, 1)[0], 5);
  value = 6;
  EXPECT_MU(muGraphExecKernelNodeSetParams(exec, node, &params));
  EXPECT_MU(muGraphLaunch(exec, nullptr));
  EXPECT_EQ(read_all<int>(memory, 1)[0], 6);
  value = 8;
  EXPECT_MU(muGraphKernelNodeSetParams(node, &params));
  MUgraphExecUpdateResult result{};
  EXPECT_MU(muGraphExecUpdate(exec, graph, nullptr, &result));
  EXPECT_MU(muGraphLaunch(exec, nullptr));
  EXPECT_EQ(read_all<int>(memory, 1)[0], 8);
  params.blockDimX = 65;
  EXPECT_EQ(muGraphExecKernelNodeSetParams(exec, node, &params),
            MUSA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  EXPECT_MU(muGraphExecDestroy(exec));
  EXPECT_MU(muGraphDestroy(graph));
}

// Programs build the graph first and say later how much there is to do.
TEST_F(DriverKernel, a_node_may_have_no_blocks_until_it_is_launched) {
  MUdeviceptr memory = allocate(64);
  int value = 5;
  void* arguments[] = {&memory, &value};
  const MUfunction store = function("store");
  MUgraph graph = nullptr;
  ASSERT_MU(muGraphCreate(&graph, 0));
  for (const unsigned int y : {0U, 1U}) {
    MUSA_KERNEL_NODE_PARAMS params{store, 0, y, 1, 1, 1, 1, 0, arguments, nullptr};
    MUgraphNode node = nullptr;
    ASSERT_MU(muGraphAddKernelNode(&node, graph, nullptr, 0, &params));
    MUSA_KERNEL_NODE_PARAMS told{};
    EXPECT_MU(muGraphKernelNodeGetParams(node, &told));
    EXPECT_EQ(told.gridDimX, 0U);
    EXPECT_EQ(told.gridDimY, y);
    EXPECT_MU(muGraphKernelNodeSetParams(node, &params));
    MUgraphExec exec = nullptr;
    ASSERT_MU(muGraphInstantiate_v2(&exec, graph, nullptr, nullptr, 0));
    EXPECT_EQ(muGraphLaunch(exec, nullptr), MUSA_ERROR_INVALID_VALUE);
    EXPECT_MU(muGraphExecKernelNodeSetParams(exec, node, &params));
    params.gridDimX = params.gridDimY = 1;
    EXPECT_MU(muGraphExecKernelNodeSetParams(exec, node, &params));
    EXPECT_MU(muGraphLaunch(exec, nullptr));
    EXPECT_EQ(read_all<int>(memory, 1)[0], value);
    EXPECT_MU(muGraphExecDestroy(exec));
    params.blockDimX = 0;
    EXPECT_EQ(muGraphKernelNodeSetParams(node, &params), MUSA_ERROR_INVALID_VALUE);
    EXPECT_MU(muGraphDestroyNode(node));
    ++value;
  }
  EXPECT_MU(muGraphDestroy(graph));
}

TEST_F(DriverKernel, ten_thousand_launches_wait_in_the_queue) {
  std::vector<float> ones(16, 1);
  MUdeviceptr data = upload(ones);
  float factor = 1.0001F;
  int count = 16;
  const MUfunction scale = function("scale");
  for (int i = 0; i < 10000; ++i) {
    ASSERT_MU(launch(scale, {1, 1, 1}, {16, 1, 1}, {&data, &factor, &count}));
  }
  EXPECT_NEAR(read_all<float>(data, 16)[15], 2.718, 0.01);
}

TEST_F(DriverKernel, unloading_waits_for_what_runs) {
  MUdeviceptr flag = upload(std::vector<int>{0, 0});
  MUstream other = nullptr;
  ASSERT_MU(muStreamCreate(&other, MU_STREAM_NON_BLOCKING));
  MUstream stream = nullptr;
  ASSERT_MU(muStreamCreate(&stream, MU_STREAM_NON_BLOCKING));
  EXPECT_MU(launch(function("wait_for"), {1, 1, 1}, {1, 1, 1}, {&flag}, stream));
  EXPECT_EQ(muStreamQuery(stream), MUSA_ERROR_NOT_READY);
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ASSERT_MU(muCtxPushCurrent_v2(context_));
    EXPECT_MU(muMemsetD32Async(flag, 1, 1, other));
  });
  EXPECT_MU(muModuleUnload(module_));
  EXPECT_MU(muStreamQuery(stream));
  writer.join();
}

TEST_F(DriverKernel, a_function_belongs_to_its_context) {
  MUcontext other = nullptr;
  ASSERT_MU(muCtxCreate_v2(&other, 0, 0));
  MUdeviceptr memory = allocate(64);
  int value = 1;
  EXPECT_EQ(launch(function("store"), {1, 1, 1}, {1, 1, 1}, {&memory, &value}),
            MUSA_ERROR_INVALID_HANDLE);
  MUmodule module = nullptr;
  EXPECT_MU(muModuleLoadData(&module, image_.data()));
  MUfunction own = nullptr;
  EXPECT_MU(muModuleGetFunction(&own, module, "store"));
  EXPECT_MU(launch(own, {1, 1, 1}, {1, 1, 1}, {&memory, &value}));
  EXPECT_MU(muCtxDestroy_v2(other));
  EXPECT_EQ(muModuleUnload(module), MUSA_ERROR_INVALID_HANDLE);
  EXPECT_MU(launch(function("store"), {1, 1, 1}, {1, 1, 1}, {&memory, &value}));
  EXPECT_MU(muMemFree_v2(memory));
}

TEST_F(DriverKernel, muModuleLoad_reads_a_file_and_other_files_are_refused) {
  MUmodule module = nullptr;
  EXPECT_MU(muModuleLoad(&module, DEVICE_CODE));
  EXPECT_MU(muModuleUnload(module));
  testing::internal::CaptureStderr();
  EXPECT_EQ(muModuleLoad(&module, "/proc/self/exe"), MUSA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "torchada host: an image of device code is refused: torchada kernels build "
            "--backend=host has not made it\n");
  std::string gpu = image_;
  gpu[18] = '\x57';  // e_machine: another one
  testing::internal::CaptureStderr();
  EXPECT_EQ(muModuleLoadData(&module, gpu.data()), MUSA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("another machine"), std::string::npos);
  // Half an image: its table of sections is not there, nor is any memory.
  constexpr std::size_t kHalf = 4096;
  void* const half =
      mmap(nullptr, 2 * kHalf, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(half, MAP_FAILED);
  ASSERT_EQ(munmap(static_cast<char*>(half) + kHalf, kHalf), 0);
  std::memcpy(half, image_.data(), kHalf);
  EXPECT_EQ(muModuleLoadData(&module, half), MUSA_ERROR_INVALID_IMAGE);
  munmap(half, kHalf);
}

// Errors that stay until the context ends. Each test has a process of its own.
class DriverKernelFault : public DriverKernel {
 protected:
  // What the kernel leaves behind, seen by everything that comes later.
  void expect_stuck(MUresult error) {
    EXPECT_EQ(muCtxSynchronize(), error);
    MUdeviceptr memory = 0;
    EXPECT_EQ(muMemAlloc_v2(&memory, 64), error);
    EXPECT_EQ(launch(function("fail"), {1, 1, 1}, {1, 1, 1}, {&memory}), error);
    EXPECT_MU(muDevicePrimaryCtxReset_v2(0));
  }
  std::string fail(int how) {
    testing::internal::CaptureStderr();
    EXPECT_MU(launch(function("fail"), {4, 1, 1}, {64, 1, 1}, {&how}));
    static_cast<void>(muCtxSynchronize());
    return testing::internal::GetCapturedStderr();
  }
};

TEST_F(DriverKernelFault, illegal_address) {
  MUdeviceptr nowhere = 0x1000;
  int value = 1;
  testing::internal::CaptureStderr();
  EXPECT_MU(launch(function("store"), {1, 1, 1}, {1, 1, 1}, {&nowhere, &value}));
  EXPECT_EQ(muCtxSynchronize(), MUSA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "torchada host: kernel store: block (0, 0, 0), thread (0, 0, 0): illegal address "
            "0x1000\n");
  expect_stuck(MUSA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(DriverKernelFault, trap) {
  EXPECT_NE(fail(0).find(": trap\n"), std::string::npos);
  expect_stuck(MUSA_ERROR_LAUNCH_FAILED);
}

TEST_F(DriverKernelFault, assertion) {
  EXPECT_NE(fail(1).find("assertion `no' failed\n"), std::string::npos);
  expect_stuck(MUSA_ERROR_ASSERT);
}

TEST_F(DriverKernelFault, the_compilers_trap) {
  EXPECT_NE(fail(2).find(": trap\n"), std::string::npos);
  expect_stuck(MUSA_ERROR_LAUNCH_FAILED);
}

TEST_F(DriverKernelFault, division_by_zero) {
  EXPECT_NE(fail(3).find("division of an integer by 0\n"), std::string::npos);
  expect_stuck(MUSA_ERROR_LAUNCH_FAILED);
}

TEST_F(DriverKernelFault, too_deep) {
  EXPECT_NE(fail(4).find("64 KiB of stack"), std::string::npos);
  expect_stuck(MUSA_ERROR_LAUNCH_FAILED);
}

TEST_F(DriverKernelFault, threads_that_wait_for_each_other) {
  int unused = 0;
  void* none[] = {&unused};
  testing::internal::CaptureStderr();
  EXPECT_MU(muLaunchKernel(function("split"), 1, 1, 1, 32, 1, 1, 0, nullptr, none, nullptr));
  EXPECT_EQ(muCtxSynchronize(), MUSA_ERROR_LAUNCH_FAILED);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("wait for each other"), std::string::npos);
}

// After a reset the device runs kernels again, with the fibers of those that failed.
TEST_F(DriverKernelFault, the_device_works_again_after_a_reset) {
  fail(0);
  EXPECT_MU(muDevicePrimaryCtxReset_v2(0));
  MUmodule module = nullptr;
  ASSERT_MU(muDevicePrimaryCtxRetain(&context_, 0));
  ASSERT_MU(muModuleLoadData(&module, image_.data()));
  module_ = module;
  MUdeviceptr data = upload(std::vector<int>{1, 2, 3});
  EXPECT_MU(launch(function("reverse"), {1, 1, 1}, {3, 1, 1}, {&data}, nullptr, 12));
  EXPECT_EQ(read_all<int>(data, 3), (std::vector<int>{3, 2, 1}));
  EXPECT_MU(muDevicePrimaryCtxRelease_v2(0));
}

// A program that is killed while a kernel never ends, and one that ends by itself.
TEST_F(DriverKernel, an_endless_kernel_does_not_keep_the_process) {
  for (const bool killed : {true, false}) {
    int ends[2];
    ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      dup2(ends[1], STDOUT_FILENO);
      execl(ENDLESS, "endless", DEVICE_CODE, killed ? "wait" : "exit", nullptr);
      _exit(99);
    }
    close(ends[1]);
    char said[16] = {};
    EXPECT_EQ(::read(ends[0], said, sizeof said), 8);
    EXPECT_STREQ(said, "running\n");
    close(ends[0]);
    if (killed) kill(child, SIGINT);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    if (killed) {
      EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
    } else {
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 5) << status;
    }
  }
}

}  // namespace
