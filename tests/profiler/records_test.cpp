// Records that a program gets from our CUPTI, against the CPU stand-in.
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "tests/profiler/program.h"

namespace {

using namespace witness;

TEST_F(Profiler, calls_have_names_times_and_results) {
  enable({kRuntime});
  const std::uint64_t before = real_time();
  EXPECT_EQ(0, cudaMemset(memory_, 3, kBytes));
  EXPECT_EQ(1, cudaMemset(memory_, 3, kBytes + 1));  // cudaErrorInvalidValue
  EXPECT_EQ(0, cudaDeviceSynchronize());
  const std::uint64_t after = real_time();
  flush();
  const auto calls = all<Api>(kRuntime);
  ASSERT_EQ(3U, calls.size());
  EXPECT_EQ("cudaMemset_v3020", name_of(calls[0]));
  EXPECT_EQ("cudaMemset_v3020", name_of(calls[1]));
  EXPECT_EQ("cudaDeviceSynchronize_v3020", name_of(calls[2]));
  EXPECT_EQ(0U, calls[0].result);
  EXPECT_EQ(1U, calls[1].result);
  std::uint64_t last = before;
  for (const Api& call : calls) {
    EXPECT_LE(last, call.start);
    EXPECT_LE(call.start, call.end);
    EXPECT_EQ(static_cast<std::uint32_t>(getpid()), call.process);
    EXPECT_EQ(static_cast<std::uint32_t>(pthread_self()), call.thread);
    last = call.end;
  }
  EXPECT_LE(last, after);
  EXPECT_LT(calls[0].correlation, calls[1].correlation);
}

TEST_F(Profiler, copies_and_fills_lie_within_the_time_of_the_program) {
  enable({kRuntime, kMemcpy, kMemset});
  const std::uint64_t before = real_time();
  EXPECT_EQ(0, cudaMemset(memory_, 3, kBytes));
  EXPECT_EQ(0, cudaMemcpy(host_.data(), memory_, kBytes, 2));
  void* stream = nullptr;
  EXPECT_EQ(0, cudaStreamCreate(&stream));
  EXPECT_EQ(0, cudaMemcpyAsync(memory_, host_.data(), kBytes / 2, 1, stream));
  EXPECT_EQ(0, cudaStreamSynchronize(stream));
  EXPECT_EQ(0, cudaDeviceSynchronize());
  flush();
  const std::uint64_t after = real_time();
  const auto sets = all<Set>(kMemset);
  const auto copies = all<Copy>(kMemcpy);
  const auto calls = all<Api>(kRuntime);
  ASSERT_EQ(1U, sets.size());
  ASSERT_EQ(2U, copies.size());
  ASSERT_EQ(6U, calls.size());
  EXPECT_EQ(3U, sets[0].value);
  EXPECT_EQ(kBytes, sets[0].bytes);
  EXPECT_EQ(kDeviceToHost, copies[0].direction);
  EXPECT_EQ(kDevice, copies[0].from);
  EXPECT_EQ(kPageable, copies[0].to);
  EXPECT_EQ(kHostToDevice, copies[1].direction);
  EXPECT_EQ(kBytes / 2, copies[1].bytes);
  EXPECT_EQ(0, copies[0].flags);
  EXPECT_EQ(1, copies[1].flags);
  EXPECT_NE(copies[0].stream, copies[1].stream);
  EXPECT_EQ(calls[0].correlation, sets[0].correlation);
  EXPECT_EQ(calls[1].correlation, copies[0].correlation);
  EXPECT_EQ(calls[3].correlation, copies[1].correlation);
  for (const auto& [start, end] :
       {std::pair(sets[0].start, sets[0].end), std::pair(copies[0].start, copies[0].end),
        std::pair(copies[1].start, copies[1].end)}) {
    EXPECT_LE(before, start);
    EXPECT_LE(start, end);
    EXPECT_LE(end, after);
  }
  EXPECT_EQ(0, cudaStreamDestroy(stream));
}

TEST_F(Profiler, copies_between_devices_name_both) {
  void* other = nullptr;
  void* first = nullptr;
  void* second = nullptr;
  EXPECT_EQ(0, cuCtxGetCurrent(&first));
  ASSERT_EQ(0, cudaSetDevice(1));
  ASSERT_EQ(0, cudaMalloc(&other, kBytes));
  EXPECT_EQ(0, cuCtxGetCurrent(&second));
  EXPECT_EQ(0, cudaSetDevice(0));
  enable({kMemcpy, kMemcpyPeer});
  EXPECT_EQ(0, cudaMemcpyPeer(other, 1, memory_, 0, kBytes));
  EXPECT_EQ(0, cuMemcpyPeer(reinterpret_cast<unsigned long long>(memory_), first,
                            reinterpret_cast<unsigned long long>(other), second, kBytes / 2));
  EXPECT_EQ(0, cudaDeviceSynchronize());
  flush();
  EXPECT_TRUE(records[kMemcpy].empty());
  const auto copies = all<Peer>(kMemcpyPeer);
  ASSERT_EQ(2U, copies.size());
  EXPECT_EQ(kBetweenDevices, copies[0].direction);
  EXPECT_EQ(kBytes, copies[0].bytes);
  EXPECT_EQ(0U, copies[0].from_device);
  EXPECT_EQ(1U, copies[0].to_device);
  EXPECT_EQ(kBytes / 2, copies[1].bytes);
  EXPECT_EQ(1U, copies[1].from_device);
  EXPECT_EQ(0U, copies[1].to_device);
  EXPECT_NE(0U, copies[1].from_context);
  EXPECT_NE(copies[1].from_context, copies[1].to_context);
  for (const Peer& copy : copies) EXPECT_LE(copy.start, copy.end);
  EXPECT_EQ(0, cudaSetDevice(1));
  EXPECT_EQ(0, cudaFree(other));
  EXPECT_EQ(0, cudaSetDevice(0));
}

TEST_F(Profiler, kernels_have_their_names_and_shapes) {
  void* module = nullptr;
  void* function = nullptr;
  ASSERT_EQ(0, cuModuleLoad(&module, IMAGES "saxpy.image"));
  ASSERT_EQ(0, cuModuleGetFunction(&function, module, "_Z5saxpyfPKfPfi"));
  enable({kDriver, kConcurrentKernel});
  float factor = 2;
  void* other = static_cast<float*>(memory_) + 1024;
  int count = 256;
  void* parameters[] = {&factor, &memory_, &other, &count};
  EXPECT_EQ(0, cuLaunchKernel(function, 4, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
  EXPECT_EQ(0, cuModuleUnload(module));
  flush();
  const auto kernels = all<Kernel>(kConcurrentKernel);
  const auto calls = all<Api>(kDriver);
  ASSERT_EQ(1U, kernels.size());
  ASSERT_EQ(2U, calls.size());
  EXPECT_EQ("cuLaunchKernel", name_of(calls[0], kDriverApi));
  EXPECT_EQ(calls[0].correlation, kernels[0].correlation);
  EXPECT_STREQ("_Z5saxpyfPKfPfi", kernels[0].name);
  EXPECT_EQ(4, kernels[0].grid[0]);
  EXPECT_EQ(1, kernels[0].grid[1]);
  EXPECT_EQ(64, kernels[0].block[0]);
  EXPECT_LE(kernels[0].start, kernels[0].end);
}

TEST_F(Profiler, external_numbers_belong_to_the_calls_of_their_thread) {
  enable({kRuntime, kExternalCorrelation});
  ASSERT_EQ(kSuccess, cuptiActivityPushExternalCorrelationId(kCustomExternal, 7));
  ASSERT_EQ(kSuccess, cuptiActivityPushExternalCorrelationId(kCustomExternal, 8));
  EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
  std::thread([&] { EXPECT_EQ(0, cudaMemset(memory_, 0, 16)); }).join();
  std::uint64_t id = 0;
  EXPECT_EQ(kSuccess, cuptiActivityPopExternalCorrelationId(kCustomExternal, &id));
  EXPECT_EQ(8U, id);
  EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
  EXPECT_EQ(kSuccess, cuptiActivityPopExternalCorrelationId(kCustomExternal, &id));
  EXPECT_EQ(kQueueEmpty, cuptiActivityPopExternalCorrelationId(kCustomExternal, &id));
  EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
  flush();
  const auto calls = all<Api>(kRuntime);
  const auto externals = all<External>(kExternalCorrelation);
  ASSERT_EQ(4U, calls.size());
  ASSERT_EQ(2U, externals.size());
  EXPECT_EQ(8U, externals[0].id);
  EXPECT_EQ(calls[0].correlation, externals[0].correlation);
  EXPECT_EQ(7U, externals[1].id);
  EXPECT_EQ(calls[2].correlation, externals[1].correlation);
}

TEST_F(Profiler, what_nobody_asked_for_is_not_recorded) {
  enable({kRuntime});
  ASSERT_EQ(kSuccess, cuptiActivityDisable(kRuntime));
  EXPECT_EQ(0, cudaMemset(memory_, 0, 16));
  flush();
  EXPECT_TRUE(records.empty());
}

TEST_F(Profiler, a_library_that_is_loaded_later_is_seen_too) {
  enable({kRuntime});
  void* const older = dlopen("libcudart.so.12", RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(nullptr, older) << dlerror();
  const auto get_device = reinterpret_cast<int (*)(int*)>(dlsym(older, "cudaGetDevice"));
  int device = -1;
  EXPECT_EQ(0, get_device(&device));
  flush();
  const auto calls = all<Api>(kRuntime);
  ASSERT_EQ(1U, calls.size());
  EXPECT_EQ("cudaGetDevice_v3020", name_of(calls[0]));
}

TEST_F(Profiler, wrong_arguments_are_refused) {
  EXPECT_EQ(kInvalidKind, cuptiActivityEnable(0));
  EXPECT_EQ(kInvalidKind, cuptiActivityEnable(4000));
  EXPECT_EQ(kNotCompatible, cuptiActivityEnable(kMarker));
  EXPECT_EQ(kInvalidParameter, cuptiActivityRegisterCallbacks(nullptr, complete));
  EXPECT_EQ(kInvalidParameter, cuptiGetTimestamp(nullptr));
  EXPECT_EQ(kInvalidParameter,
            cuptiSubscribe(
                nullptr, [](void*, std::uint32_t, std::uint32_t, const void*) {}, nullptr));
  void* record = nullptr;
  std::uint8_t nothing[8] = {};
  EXPECT_EQ(kMaxLimitReached, cuptiActivityGetNextRecord(nothing, 0, &record));
  const char* name = nullptr;
  EXPECT_EQ(kInvalidParameter, cuptiGetCallbackName(kRuntimeApi, 100000, &name));
}

std::uint64_t ticks() { return 1000 + real_time() / 10; }

TEST_F(Profiler, the_program_gives_the_clock) {
  ASSERT_EQ(kSuccess, cuptiActivityRegisterTimestampCallback(ticks));
  enable({kMemset});
  const std::uint64_t before = ticks();
  EXPECT_EQ(0, cudaMemset(memory_, 0, kBytes));
  EXPECT_EQ(0, cudaDeviceSynchronize());
  flush();
  const std::uint64_t after = ticks();
  const auto sets = all<Set>(kMemset);
  ASSERT_EQ(1U, sets.size());
  EXPECT_LE(before, sets[0].start);
  EXPECT_LE(sets[0].start, sets[0].end);
  EXPECT_LE(sets[0].end, after);
}

}  // namespace
