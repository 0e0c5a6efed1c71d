// Functions for programs with a default stream per thread. All tests block another stream for which
// the legacy default stream would wait, so only the thread's own stream makes progress.
#include <atomic>
#include <functional>
#include <thread>

#include "musa_per_thread_api.h"
#include "tests/host/musart/support.h"

namespace {

constexpr size_t kRow = 8;
constexpr size_t kSize = kRow * kRow;

class PerThread;
struct Case {
  const char* name;
  std::function<void(PerThread&)> run;
};
void PrintTo(const Case& tried, std::ostream* out) { *out << tried.name; }

class PerThread : public ::testing::TestWithParam<Case> {
 public:
  void expect_arrived() {
    ASSERT_OK(musaStreamSynchronize(musaStreamPerThread));
    EXPECT_EQ(std::vector<char>(from, from + kSize), std::vector<char>(to, to + kSize));
  }
  void fill_array() {
    ASSERT_OK(musaMemcpy2DToArrayAsync(array, 0, 0, from, kRow, kRow, kRow, musaMemcpyDefault,
                                       musaStreamPerThread));
  }
  void read_array(musaArray_t source) {
    ASSERT_OK(musaMemcpy2DFromArrayAsync(to, kRow, source, 0, 0, kRow, kRow, musaMemcpyDefault,
                                         musaStreamPerThread));
    expect_arrived();
  }
  musaMemcpy3DPeerParms peer_box() const {
    musaMemcpy3DPeerParms parameters{};
    parameters.srcPtr = {from, kRow, kRow, kRow};
    parameters.dstPtr = {to, kRow, kRow, kRow};
    parameters.extent = {kRow, kRow, 1};
    return parameters;
  }
  // Checks that the event was recorded in the thread's own stream.
  void expect_recorded(const std::function<musaError_t()>& record) {
    Barrier own;
    own.hold(musaStreamPerThread);
    EXPECT_OK(record());
    EXPECT_EQ(musaErrorNotReady, musaEventQuery(event));
    own.open();
    ASSERT_OK(musaStreamSynchronize(musaStreamPerThread));
    EXPECT_OK(musaEventQuery(event));
  }

  char* from = nullptr;
  char* to = nullptr;
  musaArray_t array = nullptr;
  musaArray_t second = nullptr;
  musaStream_t other = nullptr;
  musaEvent_t event = nullptr;
  Barrier barrier;

 protected:
  void SetUp() override {
    ASSERT_OK(musaMallocManaged(reinterpret_cast<void**>(&from), kSize));
    ASSERT_OK(musaMallocManaged(reinterpret_cast<void**>(&to), kSize));
    for (size_t i = 0; i < kSize; ++i) from[i] = static_cast<char>(i + 1);
    const musaChannelFormatDesc bytes =
        musaCreateChannelDesc(8, 0, 0, 0, musaChannelFormatKindUnsigned);
    ASSERT_OK(musaMallocArray(&array, &bytes, kRow, kRow));
    ASSERT_OK(musaMallocArray(&second, &bytes, kRow, kRow));
    ASSERT_OK(musaEventCreate(&event));
    ASSERT_OK(musaStreamCreate(&other));
    barrier.hold(other);
  }
  void TearDown() override {
    barrier.open();
    EXPECT_OK(musaEventDestroy(event));
    EXPECT_OK(musaStreamDestroy(other));
    EXPECT_OK(musaFreeArray(array));
    EXPECT_OK(musaFreeArray(second));
    EXPECT_OK(musaFree(from));
    EXPECT_OK(musaFree(to));
    EXPECT_OK(musaGetLastError());
  }
};

TEST_P(PerThread, BelongsToTheThreadsOwnStream) { GetParam().run(*this); }

std::string name_of(const ::testing::TestParamInfo<Case>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Copies, PerThread,
    ::testing::Values(
        Case{"musaMemcpy3DPeer_ptds",
             [](PerThread& test) {
               const auto parameters = test.peer_box();
               EXPECT_OK(musaMemcpy3DPeer_ptds(&parameters));
               test.expect_arrived();
             }},
        Case{"musaMemcpy3DPeerAsync_ptsz",
             [](PerThread& test) {
               const auto parameters = test.peer_box();
               EXPECT_OK(musaMemcpy3DPeerAsync_ptsz(&parameters, nullptr));
               test.expect_arrived();
             }},
        Case{"musaMemcpy2DToArray_ptds",
             [](PerThread& test) {
               EXPECT_OK(musaMemcpy2DToArray_ptds(test.array, 0, 0, test.from, kRow, kRow, kRow,
                                                  musaMemcpyDefault));
               test.read_array(test.array);
             }},
        Case{"musaMemcpy2DToArrayAsync_ptsz",
             [](PerThread& test) {
               EXPECT_OK(musaMemcpy2DToArrayAsync_ptsz(test.array, 0, 0, test.from, kRow, kRow,
                                                       kRow, musaMemcpyDefault, nullptr));
               test.read_array(test.array);
             }},
        Case{"musaMemcpy2DFromArray_ptds",
             [](PerThread& test) {
               test.fill_array();
               EXPECT_OK(musaMemcpy2DFromArray_ptds(test.to, kRow, test.array, 0, 0, kRow, kRow,
                                                    musaMemcpyDefault));
               test.expect_arrived();
             }},
        Case{"musaMemcpy2DFromArrayAsync_ptsz",
             [](PerThread& test) {
               test.fill_array();
               EXPECT_OK(musaMemcpy2DFromArrayAsync_ptsz(test.to, kRow, test.array, 0, 0, kRow,
                                                         kRow, musaMemcpyDefault, nullptr));
               test.expect_arrived();
             }},
        Case{"musaMemcpy2DArrayToArray_ptds",
             [](PerThread& test) {
               test.fill_array();
               EXPECT_OK(musaMemcpy2DArrayToArray_ptds(test.second, 0, 0, test.array, 0, 0, kRow,
                                                       kRow, musaMemcpyDeviceToDevice));
               test.read_array(test.second);
             }},
        Case{"musaMemcpyBatchAsync_ptsz",
             [](PerThread& test) {
               void* to = test.to;
               void* from = test.from;
               size_t size = kSize;
               size_t start = 0;
               musaMemcpyAttributes attributes{};
               attributes.srcAccessOrder = musaMemcpySrcAccessOrderStream;
               EXPECT_OK(musaMemcpyBatchAsync_ptsz(&to, &from, &size, 1, &attributes, &start, 1,
                                                   nullptr, nullptr));
               test.expect_arrived();
             }},
        Case{"musaMemcpy3DBatchAsync_ptsz",
             [](PerThread& test) {
               musaMemcpy3DBatchOp op{};
               op.src.type = op.dst.type = musaMemcpyOperandTypePointer;
               op.src.op.ptr.ptr = test.from;
               op.dst.op.ptr.ptr = test.to;
               op.extent = {kRow, kRow, 1};
               op.srcAccessOrder = musaMemcpySrcAccessOrderStream;
               EXPECT_OK(musaMemcpy3DBatchAsync_ptsz(1, &op, nullptr, 0, nullptr));
               test.expect_arrived();
             }},
        Case{"musaMemcpyToSymbol_ptds",
             [](PerThread& test) {
               EXPECT_ERROR(
                   musaErrorInvalidSymbol,
                   musaMemcpyToSymbol_ptds(test.to, test.from, 1, 0, musaMemcpyHostToDevice));
             }},
        Case{"musaMemcpyToSymbolAsync_ptsz",
             [](PerThread& test) {
               EXPECT_ERROR(musaErrorInvalidSymbol,
                            musaMemcpyToSymbolAsync_ptsz(test.to, test.from, 1, 0,
                                                         musaMemcpyHostToDevice, nullptr));
             }},
        Case{"musaMemcpyFromSymbol_ptds",
             [](PerThread& test) {
               EXPECT_ERROR(
                   musaErrorInvalidSymbol,
                   musaMemcpyFromSymbol_ptds(test.to, test.from, 1, 0, musaMemcpyDeviceToHost));
             }},
        Case{"musaMemcpyFromSymbolAsync_ptsz",
             [](PerThread& test) {
               EXPECT_ERROR(musaErrorInvalidSymbol,
                            musaMemcpyFromSymbolAsync_ptsz(test.to, test.from, 1, 0,
                                                           musaMemcpyDeviceToHost, nullptr));
             }}),
    name_of);

INSTANTIATE_TEST_SUITE_P(Fills, PerThread, ::testing::Values(), name_of);

void set_flag(void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; }

INSTANTIATE_TEST_SUITE_P(
    Streams, PerThread,
    ::testing::Values(
        Case{"musaEventRecord_ptsz",
             [](PerThread& test) {
               test.expect_recorded([&] { return musaEventRecord_ptsz(test.event, nullptr); });
             }},
        Case{"musaEventRecordWithFlags_ptsz",
             [](PerThread& test) {
               test.expect_recorded(
                   [&] { return musaEventRecordWithFlags_ptsz(test.event, nullptr, 0); });
             }},
        Case{"musaStreamAddCallback_ptsz",
             [](PerThread&) {
               std::atomic<bool> flag{false};
               EXPECT_OK(musaStreamAddCallback_ptsz(
                   nullptr, [](musaStream_t, musaError_t, void* data) { set_flag(data); }, &flag,
                   0));
               ASSERT_OK(musaStreamSynchronize(musaStreamPerThread));
               EXPECT_TRUE(flag);
             }},
        Case{"musaStreamSynchronize_ptsz",
             [](PerThread&) {
               std::atomic<bool> flag{false};
               Barrier own;
               own.hold(musaStreamPerThread);
               ASSERT_OK(musaLaunchHostFunc(musaStreamPerThread, set_flag, &flag));
               std::thread opener([&] {
                 std::this_thread::sleep_for(std::chrono::milliseconds(10));
                 own.open();
               });
               EXPECT_OK(musaStreamSynchronize_ptsz(nullptr));
               EXPECT_TRUE(flag);
               opener.join();
               ASSERT_OK(musaStreamSynchronize(musaStreamPerThread));
             }},
        Case{"musaStreamGetId_ptsz",
             [](PerThread&) {
               unsigned long long id = 0;
               unsigned long long expected = 0;
               EXPECT_OK(musaStreamGetId_ptsz(nullptr, &id));
               ASSERT_OK(musaStreamGetId(musaStreamPerThread, &expected));
               EXPECT_EQ(expected, id);
             }},
        Case{"musaStreamGetDevice_ptsz",
             [](PerThread&) {
               int device = -1;
               EXPECT_OK(musaStreamGetDevice_ptsz(nullptr, &device));
               EXPECT_EQ(0, device);
             }},
        Case{"musaStreamGetFlags_ptsz",
             [](PerThread&) {
               unsigned int flags = 99;
               EXPECT_OK(musaStreamGetFlags_ptsz(nullptr, &flags));
               EXPECT_EQ(0u, flags);
             }},
        Case{"musaStreamGetPriority_ptsz",
             [](PerThread&) {
               int priority = 99;
               EXPECT_OK(musaStreamGetPriority_ptsz(nullptr, &priority));
               EXPECT_EQ(0, priority);
             }},
        Case{"musaStreamGetAttribute_ptsz",
             [](PerThread&) {
               musaLaunchAttributeValue value{};
               EXPECT_OK(musaStreamGetAttribute_ptsz(
                   nullptr, musaLaunchAttributeSynchronizationPolicy, &value));
               EXPECT_EQ(musaSyncPolicyAuto, value.syncPolicy);
             }},
        Case{"musaStreamSetAttribute_ptsz",
             [](PerThread&) {
               std::thread([] {
                 musaLaunchAttributeValue value{};
                 value.syncPolicy = musaSyncPolicyYield;
                 EXPECT_OK(musaStreamSetAttribute_ptsz(
                     nullptr, musaLaunchAttributeSynchronizationPolicy, &value));
                 value = {};
                 EXPECT_OK(musaStreamGetAttribute(
                     musaStreamPerThread, musaLaunchAttributeSynchronizationPolicy, &value));
                 EXPECT_EQ(musaSyncPolicyYield, value.syncPolicy);
               }).join();
             }},
        Case{"musaStreamCopyAttributes_ptsz",
             [](PerThread& test) {
               std::thread([&] {
                 musaLaunchAttributeValue value{};
                 value.syncPolicy = musaSyncPolicySpin;
                 ASSERT_OK(musaStreamSetAttribute(
                     test.other, musaLaunchAttributeSynchronizationPolicy, &value));
                 EXPECT_OK(musaStreamCopyAttributes_ptsz(nullptr, test.other));
                 value = {};
                 EXPECT_OK(musaStreamGetAttribute(
                     musaStreamPerThread, musaLaunchAttributeSynchronizationPolicy, &value));
                 EXPECT_EQ(musaSyncPolicySpin, value.syncPolicy);
               }).join();
             }},
        Case{"musaStreamAttachMemAsync_ptsz",
             [](PerThread& test) {
               // The plain function refuses the default stream; this one uses the thread's own.
               EXPECT_ERROR(musaErrorInvalidValue,
                            musaStreamAttachMemAsync(nullptr, test.to, 0, musaMemAttachSingle));
               EXPECT_OK(musaStreamAttachMemAsync_ptsz(nullptr, test.to, 0, musaMemAttachSingle));
               EXPECT_ERROR(
                   musaErrorInvalidValue,
                   musaStreamAttachMemAsync_ptsz(nullptr, test.to + 1, 0, musaMemAttachSingle));
             }}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Memory, PerThread,
    ::testing::Values(
        Case{"musaMallocFromPoolAsync_ptsz",
             [](PerThread&) {
               musaMemPool_t pool = nullptr;
               ASSERT_OK(musaDeviceGetDefaultMemPool(&pool, 0));
               void* memory = nullptr;
               EXPECT_OK(musaMallocFromPoolAsync_ptsz(&memory, 10, pool, nullptr));
               ASSERT_NE(nullptr, memory);
               EXPECT_OK(musaFreeAsync(memory, musaStreamPerThread));
               EXPECT_OK(musaStreamSynchronize(musaStreamPerThread));
             }},
        Case{"musaMemPrefetchAsync_ptsz",
             [](PerThread& test) {
               EXPECT_OK(musaMemPrefetchAsync_ptsz(test.to, kSize, musaCpuDeviceId, nullptr));
               int where = 99;
               EXPECT_OK(musaMemRangeGetAttribute(
                   &where, sizeof(where), musaMemRangeAttributeLastPrefetchLocation, test.to, 1));
               EXPECT_EQ(musaCpuDeviceId, where);
             }},
        Case{"musaMemPrefetchAsync_v2_ptsz",
             [](PerThread& test) {
               EXPECT_OK(musaMemPrefetchAsync_v2_ptsz(test.to, kSize, {musaMemLocationTypeHost, 0},
                                                      0, nullptr));
               int where = 99;
               EXPECT_OK(musaMemRangeGetAttribute(
                   &where, sizeof(where), musaMemRangeAttributeLastPrefetchLocation, test.to, 1));
               EXPECT_EQ(musaCpuDeviceId, where);
             }}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Functions, PerThread,
    ::testing::Values(Case{"musaLaunchKernel_ptsz",
                           [](PerThread& test) {
                             EXPECT_ERROR(musaErrorInvalidDeviceFunction,
                                          musaLaunchKernel_ptsz(test.from, dim3(1), dim3(1),
                                                                nullptr, 0, nullptr));
                           }},
                      Case{"musaLaunchKernelExC_ptsz",
                           [](PerThread& test) {
                             musaLaunchConfig_t config{};
                             config.gridDim = config.blockDim = dim3(1);
                             EXPECT_ERROR(musaErrorInvalidDeviceFunction,
                                          musaLaunchKernelExC_ptsz(&config, test.from, nullptr));
                             EXPECT_ERROR(musaErrorInvalidValue,
                                          musaLaunchKernelExC_ptsz(nullptr, test.from, nullptr));
                           }},
                      Case{"musaLaunchCooperativeKernel_ptsz",
                           [](PerThread& test) {
                             EXPECT_ERROR(musaErrorInvalidDeviceFunction,
                                          musaLaunchCooperativeKernel_ptsz(
                                              test.from, dim3(1), dim3(1), nullptr, 0, nullptr));
                           }}),
    name_of);

}  // namespace
