// The least that each function must do, by name: its other tests are about what several of them do
// together. Every one of these fails if the function just returns 0.
#include <atomic>
#include <functional>
#include <thread>

#include "support.h"

namespace {

struct Case {
  const char* name;
  std::function<void()> run;
};
void PrintTo(const Case& tried, std::ostream* out) { *out << tried.name; }

class EachFunction : public ::testing::TestWithParam<Case> {};
TEST_P(EachFunction, DoesItsJob) { GetParam().run(); }
std::string name_of(const ::testing::TestParamInfo<Case>& info) { return info.param.name; }

int nothing = 0;
auto* const kBadStream = reinterpret_cast<musaStream_t>(&nothing);
auto* const kBadEvent = reinterpret_cast<musaEvent_t>(&nothing);
auto* const kBadPool = reinterpret_cast<musaMemPool_t>(&nothing);
void set_flag(void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; }

// Managed memory, so that the test can look at it.
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

// What a call does with a stream that is none, and how it comes to a stream's turn.
template <typename Call>
void expect_in_order(Call&& call, const Pair& pair) {
  musaStream_t stream = nullptr;
  ASSERT_OK(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  void* pinned = nullptr;
  ASSERT_OK(musaMalloc(&pinned, 64));
  ASSERT_OK(musaMemcpy(pinned, pair.from, 64, musaMemcpyDefault));
  Barrier barrier;
  barrier.hold(stream);
  // From device memory to device memory, so that nobody waits.
  void* target = nullptr;
  ASSERT_OK(musaMalloc(&target, 64));
  ASSERT_OK(musaMemset(target, 0, 64));
  EXPECT_OK(call(static_cast<char*>(target), static_cast<char*>(pinned), stream));
  char first = -1;
  ASSERT_OK(musaMemcpy(&first, target, 1, musaMemcpyDefault));
  EXPECT_EQ(0, first);
  barrier.open();
  ASSERT_OK(musaStreamSynchronize(stream));
  ASSERT_OK(musaMemcpy(pair.to, target, 64, musaMemcpyDefault));
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               call(static_cast<char*>(target), static_cast<char*>(pinned), kBadStream));
  EXPECT_OK(musaFree(pinned));
  EXPECT_OK(musaFree(target));
  EXPECT_OK(musaStreamDestroy(stream));
}

musaMemcpy3DParms box(char* to, char* from) {
  musaMemcpy3DParms parameters{};
  parameters.srcPtr = {from, 8, 8, 8};
  parameters.dstPtr = {to, 8, 8, 8};
  parameters.extent = {8, 8, 1};
  parameters.kind = musaMemcpyDefault;
  return parameters;
}

musaMemcpy3DPeerParms peer_box(char* to, char* from) {
  musaMemcpy3DPeerParms parameters{};
  parameters.srcPtr = {from, 8, 8, 8};
  parameters.dstPtr = {to, 8, 8, 8};
  parameters.extent = {8, 8, 1};
  return parameters;
}

INSTANTIATE_TEST_SUITE_P(
    Copies, EachFunction,
    ::testing::Values(
        Case{"musaMemcpy",
             [] {
               const Pair pair;
               EXPECT_OK(musaMemcpy(pair.to, pair.from, 64, musaMemcpyDefault));
               pair.expect_arrived();
               EXPECT_ERROR(musaErrorInvalidMemcpyDirection,
                            musaMemcpy(pair.to, pair.from, 64, static_cast<musaMemcpyKind>(9)));
             }},
        Case{"musaMemcpyAsync",
             [] {
               const Pair pair;
               expect_in_order(
                   [](char* to, char* from, musaStream_t stream) {
                     return musaMemcpyAsync(to, from, 64, musaMemcpyDefault, stream);
                   },
                   pair);
               pair.expect_arrived();
             }},
        Case{"musaMemcpy2D",
             [] {
               const Pair pair;
               EXPECT_OK(musaMemcpy2D(pair.to, 8, pair.from, 8, 8, 8, musaMemcpyDefault));
               pair.expect_arrived();
             }},
        Case{"musaMemcpy2DAsync",
             [] {
               const Pair pair;
               expect_in_order(
                   [](char* to, char* from, musaStream_t stream) {
                     return musaMemcpy2DAsync(to, 8, from, 8, 8, 8, musaMemcpyDefault, stream);
                   },
                   pair);
               pair.expect_arrived();
             }},
        Case{"musaMemcpy3D",
             [] {
               const Pair pair;
               const auto parameters = box(pair.to, pair.from);
               EXPECT_OK(musaMemcpy3D(&parameters));
               pair.expect_arrived();
               EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3D(nullptr));
             }},
        Case{"musaMemcpy3DAsync",
             [] {
               const Pair pair;
               expect_in_order(
                   [](char* to, char* from, musaStream_t stream) {
                     const auto parameters = box(to, from);
                     return musaMemcpy3DAsync(&parameters, stream);
                   },
                   pair);
               pair.expect_arrived();
               EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3DAsync(nullptr));
             }},
        Case{"musaMemcpyPeer",
             [] {
               const Pair pair;
               EXPECT_OK(musaMemcpyPeer(pair.to, 0, pair.from, 0, 64));
               pair.expect_arrived();
               EXPECT_ERROR(musaErrorInvalidDevice, musaMemcpyPeer(pair.to, 0, pair.from, 9, 64));
             }},
        Case{"musaMemcpyPeerAsync",
             [] {
               const Pair pair;
               expect_in_order(
                   [](char* to, char* from, musaStream_t stream) {
                     return musaMemcpyPeerAsync(to, 0, from, 0, 64, stream);
                   },
                   pair);
               pair.expect_arrived();
             }},
        Case{"musaMemcpy3DPeer",
             [] {
               const Pair pair;
               const auto parameters = peer_box(pair.to, pair.from);
               EXPECT_OK(musaMemcpy3DPeer(&parameters));
               pair.expect_arrived();
               EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3DPeer(nullptr));
             }},
        Case{"musaMemcpy3DPeerAsync",
             [] {
               const Pair pair;
               expect_in_order(
                   [](char* to, char* from, musaStream_t stream) {
                     const auto parameters = peer_box(to, from);
                     return musaMemcpy3DPeerAsync(&parameters, stream);
                   },
                   pair);
               pair.expect_arrived();
             }}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Fills, EachFunction,
    ::testing::Values(
        Case{"musaMemset",
             [] {
               const Pair pair;
               EXPECT_OK(musaMemset(pair.to, 7, 64));
               pair.expect_filled();
               EXPECT_ERROR(musaErrorInvalidValue, musaMemset(pair.to, 7, 65));
             }},
        Case{"musaMemsetAsync",
             [] {
               const Pair pair;
               EXPECT_OK(musaMemsetAsync(pair.to, 7, 64, nullptr));
               pair.expect_filled();
               EXPECT_ERROR(musaErrorInvalidResourceHandle,
                            musaMemsetAsync(pair.to, 7, 64, kBadStream));
             }},
        Case{"musaMemset2D",
             [] {
               const Pair pair;
               EXPECT_OK(musaMemset2D(pair.to, 8, 7, 8, 8));
               pair.expect_filled();
               EXPECT_ERROR(musaErrorInvalidPitchValue, musaMemset2D(pair.to, 7, 7, 8, 8));
             }},
        Case{"musaMemset2DAsync",
             [] {
               const Pair pair;
               EXPECT_OK(musaMemset2DAsync(pair.to, 8, 7, 8, 8, nullptr));
               pair.expect_filled();
               EXPECT_ERROR(musaErrorInvalidPitchValue,
                            musaMemset2DAsync(pair.to, 7, 7, 8, 8, nullptr));
             }},
        Case{"musaMemset3D",
             [] {
               const Pair pair;
               EXPECT_OK(musaMemset3D(pair.pitched(pair.to), 7, {8, 8, 1}));
               pair.expect_filled();
               EXPECT_ERROR(musaErrorInvalidValue,
                            musaMemset3D(pair.pitched(pair.to), 7, {8, 8, 2}));
             }},
        Case{"musaMemset3DAsync",
             [] {
               const Pair pair;
               EXPECT_OK(musaMemset3DAsync(pair.pitched(pair.to), 7, {8, 8, 1}, nullptr));
               pair.expect_filled();
               EXPECT_ERROR(musaErrorInvalidResourceHandle,
                            musaMemset3DAsync(pair.pitched(pair.to), 7, {8, 8, 1}, kBadStream));
             }}),
    name_of);

template <typename Make>
void expect_stream(Make&& make, unsigned int flags, int priority) {
  musaStream_t stream = nullptr;
  ASSERT_OK(make(&stream));
  ASSERT_NE(nullptr, stream);
  unsigned int found_flags = 99;
  int found_priority = 99;
  EXPECT_OK(musaStreamGetFlags(stream, &found_flags));
  EXPECT_OK(musaStreamGetPriority(stream, &found_priority));
  EXPECT_EQ(flags, found_flags);
  EXPECT_EQ(priority, found_priority);
  EXPECT_OK(musaStreamDestroy(stream));
  EXPECT_ERROR(musaErrorInvalidValue, make(nullptr));
}

template <typename Check>
void with_held_stream(Check&& check) {
  musaStream_t stream = nullptr;
  musaEvent_t event = nullptr;
  ASSERT_OK(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  ASSERT_OK(musaEventCreate(&event));
  {
    Barrier barrier;
    barrier.hold(stream);
    check(stream, event, barrier);
  }
  EXPECT_OK(musaStreamDestroy(stream));
  EXPECT_OK(musaEventDestroy(event));
}

INSTANTIATE_TEST_SUITE_P(
    Streams, EachFunction,
    ::testing::Values(
        Case{"musaStreamCreate",
             [] { expect_stream([](musaStream_t* s) { return musaStreamCreate(s); }, 0, 0); }},
        Case{"musaStreamCreateWithFlags",
             [] {
               expect_stream([](musaStream_t* s) { return musaStreamCreateWithFlags(s, 1); }, 1, 0);
             }},
        Case{"musaStreamCreateWithPriority",
             [] {
               expect_stream([](musaStream_t* s) { return musaStreamCreateWithPriority(s, 1, -1); },
                             1, -1);
             }},
        Case{"musaStreamDestroy",
             [] {
               musaStream_t stream = nullptr;
               ASSERT_OK(musaStreamCreate(&stream));
               EXPECT_OK(musaStreamDestroy(stream));
               EXPECT_ERROR(musaErrorInvalidResourceHandle, musaStreamDestroy(stream));
               EXPECT_ERROR(musaErrorInvalidResourceHandle, musaStreamDestroy(nullptr));
             }},
        Case{"musaStreamQuery",
             [] {
               with_held_stream([](musaStream_t stream, musaEvent_t, Barrier&) {
                 EXPECT_EQ(musaErrorNotReady, musaStreamQuery(stream));
               });
               EXPECT_ERROR(musaErrorInvalidResourceHandle, musaStreamQuery(kBadStream));
             }},
        Case{"musaStreamSynchronize",
             [] {
               with_held_stream([](musaStream_t stream, musaEvent_t, Barrier& barrier) {
                 std::atomic<bool> flag{false};
                 ASSERT_OK(musaLaunchHostFunc(stream, set_flag, &flag));
                 std::thread opener([&] { barrier.open(); });
                 EXPECT_OK(musaStreamSynchronize(stream));
                 EXPECT_TRUE(flag);
                 opener.join();
               });
               EXPECT_ERROR(musaErrorInvalidResourceHandle, musaStreamSynchronize(kBadStream));
             }},
        Case{"musaDeviceSynchronize",
             [] {
               with_held_stream([](musaStream_t stream, musaEvent_t, Barrier& barrier) {
                 std::atomic<bool> flag{false};
                 ASSERT_OK(musaLaunchHostFunc(stream, set_flag, &flag));
                 std::thread opener([&] {
                   std::this_thread::sleep_for(std::chrono::milliseconds(5));
                   barrier.open();
                 });
                 EXPECT_OK(musaDeviceSynchronize());
                 EXPECT_TRUE(flag);
                 opener.join();
                 ASSERT_OK(musaStreamSynchronize(stream));
               });
             }},
        Case{"musaStreamWaitEvent",
             [] {
               with_held_stream([](musaStream_t stream, musaEvent_t event, Barrier& barrier) {
                 musaStream_t waiting = nullptr;
                 ASSERT_OK(musaStreamCreateWithFlags(&waiting, musaStreamNonBlocking));
                 ASSERT_OK(musaEventRecord(event, stream));
                 EXPECT_OK(musaStreamWaitEvent(waiting, event));
                 EXPECT_EQ(musaErrorNotReady, musaStreamQuery(waiting));
                 barrier.open();
                 EXPECT_OK(musaStreamSynchronize(waiting));
                 EXPECT_ERROR(musaErrorInvalidResourceHandle,
                              musaStreamWaitEvent(waiting, kBadEvent));
                 EXPECT_OK(musaStreamDestroy(waiting));
               });
             }},
        Case{"musaStreamGetFlags",
             [] {
               unsigned int flags = 99;
               EXPECT_OK(musaStreamGetFlags(nullptr, &flags));
               EXPECT_EQ(0u, flags);
               EXPECT_ERROR(musaErrorInvalidValue, musaStreamGetFlags(nullptr, nullptr));
             }},
        Case{"musaStreamGetPriority",
             [] {
               int priority = 99;
               EXPECT_OK(musaStreamGetPriority(nullptr, &priority));
               EXPECT_EQ(0, priority);
               EXPECT_ERROR(musaErrorInvalidResourceHandle,
                            musaStreamGetPriority(kBadStream, &priority));
             }},
        Case{"musaStreamGetId",
             [] {
               unsigned long long id = 0;
               EXPECT_OK(musaStreamGetId(nullptr, &id));
               EXPECT_EQ(1u, id);
             }},
        Case{"musaStreamGetDevice",
             [] {
               int device = 99;
               EXPECT_OK(musaStreamGetDevice(nullptr, &device));
               EXPECT_EQ(0, device);
             }},
        Case{"musaDeviceGetStreamPriorityRange",
             [] {
               int least = 99;
               int greatest = 99;
               EXPECT_OK(musaDeviceGetStreamPriorityRange(&least, &greatest));
               EXPECT_EQ(0, least);
               EXPECT_EQ(-1, greatest);
             }},
        Case{"musaLaunchHostFunc",
             [] {
               std::atomic<bool> flag{false};
               EXPECT_OK(musaLaunchHostFunc(nullptr, set_flag, &flag));
               EXPECT_OK(musaStreamSynchronize(nullptr));
               EXPECT_TRUE(flag);
               EXPECT_ERROR(musaErrorInvalidValue, musaLaunchHostFunc(nullptr, nullptr, nullptr));
             }},
        Case{"musaStreamAddCallback",
             [] {
               std::atomic<bool> flag{false};
               EXPECT_OK(musaStreamAddCallback(
                   nullptr, [](musaStream_t, musaError_t, void* data) { set_flag(data); }, &flag,
                   0));
               EXPECT_OK(musaStreamSynchronize(nullptr));
               EXPECT_TRUE(flag);
               EXPECT_ERROR(musaErrorInvalidValue,
                            musaStreamAddCallback(nullptr, nullptr, nullptr, 0));
             }},
        Case{"musaStreamAttachMemAsync",
             [] {
               const Pair pair;
               EXPECT_OK(musaStreamAttachMemAsync(nullptr, pair.to, 0, musaMemAttachGlobal));
               EXPECT_ERROR(musaErrorInvalidValue,
                            musaStreamAttachMemAsync(nullptr, &nothing, 0, musaMemAttachGlobal));
             }}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Events, EachFunction,
    ::testing::Values(
        Case{"musaEventCreate",
             [] {
               musaEvent_t event = nullptr;
               ASSERT_OK(musaEventCreate(&event));
               ASSERT_NE(nullptr, event);
               EXPECT_OK(musaEventDestroy(event));
               EXPECT_ERROR(musaErrorInvalidValue, musaEventCreate(nullptr));
             }},
        Case{"musaEventCreateWithFlags",
             [] {
               musaEvent_t event = nullptr;
               ASSERT_OK(musaEventCreateWithFlags(&event, musaEventBlockingSync));
               ASSERT_NE(nullptr, event);
               EXPECT_OK(musaEventDestroy(event));
               EXPECT_ERROR(musaErrorInvalidValue, musaEventCreateWithFlags(&event, 0x80));
             }},
        Case{"musaEventDestroy",
             [] {
               musaEvent_t event = nullptr;
               ASSERT_OK(musaEventCreate(&event));
               EXPECT_OK(musaEventDestroy(event));
               EXPECT_ERROR(musaErrorInvalidResourceHandle, musaEventDestroy(event));
             }},
        Case{"musaEventRecord",
             [] {
               with_held_stream([](musaStream_t stream, musaEvent_t event, Barrier&) {
                 EXPECT_OK(musaEventRecord(event, stream));
                 EXPECT_EQ(musaErrorNotReady, musaEventQuery(event));
               });
               EXPECT_ERROR(musaErrorInvalidResourceHandle, musaEventRecord(kBadEvent));
             }},
        Case{"musaEventRecordWithFlags",
             [] {
               with_held_stream([](musaStream_t stream, musaEvent_t event, Barrier&) {
                 EXPECT_OK(musaEventRecordWithFlags(event, stream, musaEventRecordDefault));
                 EXPECT_EQ(musaErrorNotReady, musaEventQuery(event));
               });
               EXPECT_ERROR(musaErrorInvalidResourceHandle, musaEventRecordWithFlags(kBadEvent));
             }},
        Case{"musaEventQuery",
             [] {
               with_held_stream([](musaStream_t stream, musaEvent_t event, Barrier&) {
                 EXPECT_OK(musaEventQuery(event));
                 ASSERT_OK(musaEventRecord(event, stream));
                 EXPECT_EQ(musaErrorNotReady, musaEventQuery(event));
               });
               EXPECT_ERROR(musaErrorInvalidResourceHandle, musaEventQuery(kBadEvent));
             }},
        Case{"musaEventSynchronize",
             [] {
               with_held_stream([](musaStream_t stream, musaEvent_t event, Barrier& barrier) {
                 std::atomic<bool> flag{false};
                 ASSERT_OK(musaLaunchHostFunc(stream, set_flag, &flag));
                 ASSERT_OK(musaEventRecord(event, stream));
                 std::thread opener([&] { barrier.open(); });
                 EXPECT_OK(musaEventSynchronize(event));
                 EXPECT_TRUE(flag);
                 opener.join();
                 ASSERT_OK(musaStreamSynchronize(stream));
               });
               EXPECT_ERROR(musaErrorInvalidResourceHandle, musaEventSynchronize(kBadEvent));
             }},
        Case{"musaEventElapsedTime",
             [] {
               float ms = 0;
               EXPECT_ERROR(musaErrorInvalidResourceHandle,
                            musaEventElapsedTime(&ms, kBadEvent, kBadEvent));
             }}),
    name_of);

template <typename Get, typename Set, typename Value>
void expect_setting(Get&& get, Set&& set, Value value, Value bad, musaError_t error) {
  Value before{};
  Value found{};
  ASSERT_OK(get(&before));
  ASSERT_NE(value, before);
  ASSERT_OK(set(value));
  ASSERT_OK(get(&found));
  EXPECT_EQ(value, found);
  EXPECT_ERROR(error, set(bad));
  EXPECT_ERROR(musaErrorInvalidValue, get(nullptr));
  ASSERT_OK(set(before));
}

void limits() {
  expect_setting([](size_t* v) { return musaDeviceGetLimit(v, musaLimitStackSize); },
                 [](size_t v) {
                   return v == 0 ? musaDeviceSetLimit(static_cast<musaLimit>(99), 1)
                                 : musaDeviceSetLimit(musaLimitStackSize, v);
                 },
                 size_t{4096}, size_t{0}, musaErrorUnsupportedLimit);
}
void caches() {
  expect_setting(musaDeviceGetCacheConfig, musaDeviceSetCacheConfig, musaFuncCachePreferL1,
                 static_cast<musaFuncCache>(9), musaErrorInvalidValue);
}
void banks() {
  expect_setting(musaDeviceGetSharedMemConfig, musaDeviceSetSharedMemConfig,
                 musaSharedMemBankSizeEightByte, static_cast<musaSharedMemConfig>(9),
                 musaErrorInvalidValue);
}
void flags() {
  expect_setting(musaGetDeviceFlags, musaSetDeviceFlags,
                 static_cast<unsigned>(musaDeviceScheduleSpin | musaDeviceMapHost), 0x1000u,
                 musaErrorInvalidValue);
}
void pci() {
  char id[16] = {};
  int device = -1;
  ASSERT_OK(musaDeviceGetPCIBusId(id, sizeof(id), 0));
  EXPECT_STREQ("ffff:00:00.0", id);
  ASSERT_OK(musaDeviceGetByPCIBusId(&device, id));
  EXPECT_EQ(0, device);
  EXPECT_ERROR(musaErrorInvalidValue, musaDeviceGetPCIBusId(id, 3, 0));
  EXPECT_ERROR(musaErrorInvalidDevice, musaDeviceGetByPCIBusId(&device, "0:1:0"));
}

INSTANTIATE_TEST_SUITE_P(
    Devices, EachFunction,
    ::testing::Values(
        Case{"musaGetDeviceCount",
             [] {
               int count = 99;
               EXPECT_OK(musaGetDeviceCount(&count));
               EXPECT_EQ(1, count);
             }},
        Case{"musaGetDevice",
             [] {
               int device = 99;
               EXPECT_OK(musaGetDevice(&device));
               EXPECT_EQ(0, device);
             }},
        Case{"musaSetDevice", [] { EXPECT_ERROR(musaErrorInvalidDevice, musaSetDevice(1)); }},
        Case{"musaInitDevice",
             [] { EXPECT_ERROR(musaErrorInvalidDevice, musaInitDevice(1, 0, 0)); }},
        Case{"musaSetValidDevices",
             [] {
               int device = 3;
               EXPECT_ERROR(musaErrorInvalidDevice, musaSetValidDevices(&device, 1));
             }},
        Case{"musaChooseDevice",
             [] {
               const musaDeviceProp wanted{};
               int device = 99;
               EXPECT_OK(musaChooseDevice(&device, &wanted));
               EXPECT_EQ(0, device);
             }},
        Case{"musaDeviceGetAttribute",
             [] {
               int value = 0;
               EXPECT_OK(musaDeviceGetAttribute(&value, musaDevAttrWarpSize, 0));
               EXPECT_EQ(32, value);
             }},
        Case{"musaGetDeviceProperties",
             [] {
               musaDeviceProp prop{};
               EXPECT_OK(musaGetDeviceProperties(&prop, 0));
               EXPECT_EQ(32, prop.warpSize);
             }},
        Case{"musaDeviceGetLimit", limits}, Case{"musaDeviceSetLimit", limits},
        Case{"musaDeviceGetCacheConfig", caches}, Case{"musaDeviceSetCacheConfig", caches},
        Case{"musaDeviceGetSharedMemConfig", banks}, Case{"musaDeviceSetSharedMemConfig", banks},
        Case{"musaGetDeviceFlags", flags}, Case{"musaSetDeviceFlags", flags},
        Case{"musaDeviceGetPCIBusId", pci}, Case{"musaDeviceGetByPCIBusId", pci},
        Case{"musaDeviceCanAccessPeer",
             [] {
               int can = 99;
               EXPECT_OK(musaDeviceCanAccessPeer(&can, 0, 0));
               EXPECT_EQ(0, can);
             }},
        Case{"musaDeviceEnablePeerAccess",
             [] { EXPECT_ERROR(musaErrorInvalidDevice, musaDeviceEnablePeerAccess(1, 0)); }},
        Case{"musaDeviceDisablePeerAccess",
             [] { EXPECT_ERROR(musaErrorPeerAccessNotEnabled, musaDeviceDisablePeerAccess(0)); }},
        Case{"musaDeviceGetP2PAttribute",
             [] {
               int value = 0;
               EXPECT_ERROR(musaErrorInvalidDevice,
                            musaDeviceGetP2PAttribute(&value, musaDevP2PAttrAccessSupported, 0, 1));
             }}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Errors, EachFunction,
    ::testing::Values(Case{"musaGetLastError",
                           [] {
                             EXPECT_EQ(musaErrorInvalidValue, musaGetDeviceCount(nullptr));
                             EXPECT_EQ(musaErrorInvalidValue, musaGetLastError());
                             EXPECT_EQ(musaSuccess, musaGetLastError());
                           }},
                      Case{"musaPeekAtLastError",
                           [] {
                             EXPECT_EQ(musaErrorInvalidValue, musaGetDeviceCount(nullptr));
                             EXPECT_EQ(musaErrorInvalidValue, musaPeekAtLastError());
                             EXPECT_EQ(musaErrorInvalidValue, musaGetLastError());
                           }},
                      Case{"musaGetErrorName",
                           [] {
                             EXPECT_STREQ("musaErrorInvalidValue",
                                          musaGetErrorName(musaErrorInvalidValue));
                           }},
                      Case{"musaGetErrorString",
                           [] { EXPECT_STREQ("no error", musaGetErrorString(musaSuccess)); }},
                      Case{"musaRuntimeGetVersion",
                           [] {
                             int version = 0;
                             EXPECT_OK(musaRuntimeGetVersion(&version));
                             EXPECT_GE(version, 10000);
                           }},
                      Case{"musaDriverGetVersion",
                           [] {
                             int version = 0;
                             EXPECT_OK(musaDriverGetVersion(&version));
                             EXPECT_GE(version, 10000);
                           }}),
    name_of);

template <typename Allocate, typename Free>
void expect_memory(Allocate&& allocate, Free&& give_back) {
  void* memory = nullptr;
  ASSERT_OK(allocate(&memory));
  ASSERT_NE(nullptr, memory);
  EXPECT_TRUE(is_readable(memory));
  EXPECT_OK(give_back(memory));
  EXPECT_ERROR(musaErrorInvalidValue, give_back(memory));
}

void host_memory() {
  void* memory = nullptr;
  ASSERT_OK(musaHostAlloc(&memory, 100, musaHostAllocMapped));
  unsigned int found = 99;
  EXPECT_OK(musaHostGetFlags(&found, memory));
  EXPECT_EQ(static_cast<unsigned>(musaHostAllocMapped), found);
  void* device = nullptr;
  EXPECT_OK(musaHostGetDevicePointer(&device, memory, 0));
  EXPECT_EQ(memory, device);
  EXPECT_OK(musaFreeHost(memory));
}

musaMemPoolProps usual_pool() {
  musaMemPoolProps wanted{};
  wanted.allocType = musaMemAllocationTypePinned;
  wanted.location = {musaMemLocationTypeDevice, 0};
  return wanted;
}

void pools() {
  const musaMemPoolProps wanted = usual_pool();
  musaMemPool_t pool = nullptr;
  musaMemPool_t found = nullptr;
  musaMemPool_t standard = nullptr;
  ASSERT_OK(musaMemPoolCreate(&pool, &wanted));
  ASSERT_OK(musaDeviceGetDefaultMemPool(&standard, 0));
  ASSERT_NE(nullptr, standard);
  ASSERT_OK(musaDeviceSetMemPool(0, pool));
  ASSERT_OK(musaDeviceGetMemPool(&found, 0));
  EXPECT_EQ(pool, found);
  uint64_t threshold = 12345;
  ASSERT_OK(musaMemPoolSetAttribute(pool, musaMemPoolAttrReleaseThreshold, &threshold));
  threshold = 0;
  ASSERT_OK(musaMemPoolGetAttribute(pool, musaMemPoolAttrReleaseThreshold, &threshold));
  EXPECT_EQ(12345u, threshold);
  musaMemLocation here{musaMemLocationTypeDevice, 0};
  auto access = musaMemAccessFlagsProtNone;
  EXPECT_OK(musaMemPoolGetAccess(&access, pool, &here));
  EXPECT_EQ(musaMemAccessFlagsProtReadWrite, access);
  const musaMemAccessDesc none{here, musaMemAccessFlagsProtNone};
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolSetAccess(pool, &none, 1));
  void* memory = nullptr;
  ASSERT_OK(musaMallocFromPoolAsync(&memory, 100, pool, nullptr));
  ASSERT_NE(nullptr, memory);
  ASSERT_OK(musaFreeAsync(memory, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaFreeAsync(memory, nullptr));
  EXPECT_OK(musaMemPoolDestroy(pool));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolDestroy(pool));
  ASSERT_OK(musaDeviceGetMemPool(&found, 0));
  EXPECT_EQ(standard, found);
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolTrimTo(kBadPool, 0));
}

void ranges() {
  const Pair pair;
  const auto read = [&](musaMemRangeAttribute attribute) {
    int value = 99;
    EXPECT_OK(musaMemRangeGetAttribute(&value, sizeof(value), attribute, pair.to, 64));
    return value;
  };
  EXPECT_EQ(musaMemLocationTypeInvalid, read(musaMemRangeAttributePreferredLocationType));
  ASSERT_OK(musaMemAdvise(pair.to, 64, musaMemAdviseSetPreferredLocation, 0));
  EXPECT_EQ(musaMemLocationTypeDevice, read(musaMemRangeAttributePreferredLocationType));
  EXPECT_EQ(0, read(musaMemRangeAttributePreferredLocationId));
  ASSERT_OK(musaMemAdvise_v2(pair.to, 64, musaMemAdviseSetPreferredLocation,
                             {musaMemLocationTypeHost, 0}));
  EXPECT_EQ(musaMemLocationTypeHost, read(musaMemRangeAttributePreferredLocationType));
  ASSERT_OK(musaMemPrefetchAsync(pair.to, 64, musaCpuDeviceId, nullptr));
  EXPECT_EQ(musaCpuDeviceId, read(musaMemRangeAttributeLastPrefetchLocationId));
  ASSERT_OK(musaMemPrefetchAsync_v2(pair.to, 64, {musaMemLocationTypeDevice, 0}, 0, nullptr));
  EXPECT_EQ(0, read(musaMemRangeAttributeLastPrefetchLocationId));
  EXPECT_EQ(musaMemLocationTypeDevice, read(musaMemRangeAttributeLastPrefetchLocationType));

  int preferred = 99;
  int prefetched = 99;
  void* data[] = {&preferred, &prefetched};
  size_t sizes[] = {sizeof(int), sizeof(int)};
  musaMemRangeAttribute wanted[] = {musaMemRangeAttributePreferredLocation,
                                    musaMemRangeAttributeLastPrefetchLocation};
  ASSERT_OK(musaMemRangeGetAttributes(data, sizes, wanted, 2, pair.to, 64));
  EXPECT_EQ(musaCpuDeviceId, preferred);
  EXPECT_EQ(0, prefetched);
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemRangeGetAttributes(data, sizes, wanted, 0, pair.to, 64));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemRangeGetAttributes(nullptr, sizes, wanted, 2, pair.to, 64));
  sizes[1] = 2;
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemRangeGetAttributes(data, sizes, wanted, 2, pair.to, 64));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemPrefetchAsync_v2(pair.to, 64, {musaMemLocationTypeDevice, 0}, 1, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemPrefetchAsync_v2(pair.to, 64, {musaMemLocationTypeInvalid, 0}, 0, nullptr));
  EXPECT_ERROR(musaErrorInvalidDevice,
               musaMemPrefetchAsync_v2(pair.to, 64, {musaMemLocationTypeDevice, 7}, 0, nullptr));
  EXPECT_ERROR(musaErrorInvalidDevice,
               musaMemAdvise_v2(pair.to, 64, musaMemAdviseSetPreferredLocation,
                                {musaMemLocationTypeDevice, 7}));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemAdvise_v2(pair.to, 64, musaMemAdviseSetPreferredLocation,
                                {musaMemLocationTypeInvalid, 0}));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemAdvise(pair.to, 65, musaMemAdviseSetPreferredLocation, 0));
}

INSTANTIATE_TEST_SUITE_P(
    Memory, EachFunction,
    ::testing::Values(
        Case{"musaMalloc",
             [] { expect_memory([](void** p) { return musaMalloc(p, 100); }, musaFree); }},
        Case{"musaFree",
             [] { expect_memory([](void** p) { return musaMalloc(p, 100); }, musaFree); }},
        Case{"musaMallocHost",
             [] { expect_memory([](void** p) { return musaMallocHost(p, 100); }, musaFreeHost); }},
        Case{"musaMallocManaged",
             [] { expect_memory([](void** p) { return musaMallocManaged(p, 100); }, musaFree); }},
        Case{"musaMallocAsync",
             [] {
               expect_memory([](void** p) { return musaMallocAsync(p, 100, nullptr); }, musaFree);
             }},
        Case{"musaMallocPitch",
             [] {
               size_t pitch = 0;
               expect_memory([&](void** p) { return musaMallocPitch(p, &pitch, 100, 3); },
                             musaFree);
               EXPECT_GE(pitch, 100u);
             }},
        Case{"musaMalloc3D",
             [] {
               musaPitchedPtr memory{};
               ASSERT_OK(musaMalloc3D(&memory, {100, 3, 2}));
               EXPECT_NE(nullptr, memory.ptr);
               EXPECT_OK(musaFree(memory.ptr));
             }},
        Case{"musaMemGetInfo",
             [] {
               size_t free = 0;
               size_t total = 0;
               EXPECT_OK(musaMemGetInfo(&free, &total));
               EXPECT_EQ(size_t{256} << 20, total);
             }},
        Case{"musaHostAlloc", host_memory}, Case{"musaHostGetFlags", host_memory},
        Case{"musaHostGetDevicePointer", host_memory},
        Case{"musaHostRegister",
             [] {
               std::vector<char> buffer(100);
               ASSERT_OK(musaHostRegister(buffer.data(), 100, 0));
               EXPECT_OK(musaHostUnregister(buffer.data()));
               EXPECT_ERROR(musaErrorInvalidValue, musaHostRegister(buffer.data(), 0, 0));
             }},
        Case{"musaPointerGetAttributes",
             [] {
               const Pair pair;
               musaPointerAttributes attributes{};
               EXPECT_OK(musaPointerGetAttributes(&attributes, pair.to + 63));
               EXPECT_EQ(musaMemoryTypeManaged, attributes.type);
               EXPECT_EQ(pair.to + 63, attributes.devicePointer);
             }},
        Case{"musaMemAdvise", ranges}, Case{"musaMemAdvise_v2", ranges},
        Case{"musaMemPrefetchAsync", ranges}, Case{"musaMemPrefetchAsync_v2", ranges},
        Case{"musaMemRangeGetAttribute", ranges}, Case{"musaMemRangeGetAttributes", ranges}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Pools, EachFunction,
    ::testing::Values(Case{"musaMemPoolCreate", pools}, Case{"musaMemPoolDestroy", pools},
                      Case{"musaMemPoolTrimTo", pools}, Case{"musaMemPoolGetAttribute", pools},
                      Case{"musaMemPoolSetAttribute", pools}, Case{"musaMemPoolGetAccess", pools},
                      Case{"musaMemPoolSetAccess", pools}, Case{"musaDeviceGetMemPool", pools},
                      Case{"musaDeviceSetMemPool", pools},
                      Case{"musaDeviceGetDefaultMemPool", pools},
                      Case{"musaMallocFromPoolAsync", pools}, Case{"musaFreeAsync", pools}),
    name_of);

void share_with_helper() {
  void* memory = nullptr;
  std::array<unsigned char, 100> contents{};
  for (size_t i = 0; i < contents.size(); ++i) contents[i] = static_cast<unsigned char>(i);
  ASSERT_OK(musaMalloc(&memory, contents.size()));
  ASSERT_OK(musaMemcpy(memory, contents.data(), contents.size(), musaMemcpyHostToDevice));
  musaIpcMemHandle_t handle{};
  ASSERT_OK(musaIpcGetMemHandle(&handle, memory));
  // It opens, uses and closes the memory.
  const Outcome run = run_helper("use-shared " + to_hex(handle) + " 100");
  EXPECT_EQ(0, run.status) << run.output;
  EXPECT_OK(musaFree(memory));
}

INSTANTIATE_TEST_SUITE_P(Sharing, EachFunction,
                         ::testing::Values(Case{"musaIpcGetMemHandle", share_with_helper},
                                           Case{"musaIpcOpenMemHandle", share_with_helper},
                                           Case{"musaIpcCloseMemHandle", share_with_helper}),
                         name_of);

}  // namespace
