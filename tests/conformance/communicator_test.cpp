// NCCL communicators with one rank: configurations, splitting, memory, texts. tests/ranks/ tests
// several ranks.
#include <chrono>
#include <climits>
#include <cstddef>
#include <cstring>
#include <thread>

#include "tests/conformance/support.h"

namespace {

constexpr int kUndefined = INT_MIN;
constexpr int kNoColor = -1;

// The macro NCCL_CONFIG_INITIALIZER, with only the fields of the oldest configuration. In newer
// ones, the fields after them are undefined.
ncclConfig_t initialized() {
  ncclConfig_t config{};
  config.size = offsetof(ncclConfig_t, splitShare) + sizeof config.splitShare;
  config.magic = 0xcafebeef;
  config.version = 22105;
  config.blocking = config.cgaClusterSize = config.minCTAs = config.maxCTAs = kUndefined;
  config.netName = nullptr;
  config.splitShare = kUndefined;
  return config;
}

class Configured : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(ncclSuccess, ncclGetUniqueId(&id_)); }

  // The result of making a communicator with `config`.
  ncclResult_t make(ncclConfig_t* config) const {
    ncclUniqueId id;  // each id serves only once
    EXPECT_EQ(ncclSuccess, ncclGetUniqueId(&id));
    ncclComm_t made = nullptr;
    const ncclResult_t status = ncclCommInitRankConfig(&made, 1, id, 0, config);
    EXPECT_EQ(status == ncclSuccess, made != nullptr);
    if (made != nullptr) {
      EXPECT_EQ(ncclSuccess, ncclCommDestroy(made));
    }
    return status;
  }

  ncclUniqueId id_{};
};

TEST_F(Configured, ncclCommInitRankConfig_takes_hints) {
  ncclConfig_t config = initialized();
  EXPECT_EQ(ncclSuccess, make(nullptr));
  EXPECT_EQ(ncclSuccess, make(&config));
  config.blocking = 1;
  config.cgaClusterSize = 2;
  config.minCTAs = 1;
  config.maxCTAs = 16;
  config.splitShare = 1;
  EXPECT_EQ(ncclSuccess, make(&config));
}

TEST_F(Configured, ncclCommInitRankConfig_refuses_what_nccl_refuses) {
  const auto refused = [&](int ncclConfig_t::*field, int value) {
    ncclConfig_t config = initialized();
    config.*field = value;
    EXPECT_EQ(ncclInvalidArgument, make(&config)) << value;
  };
  refused(&ncclConfig_t::blocking, 2);
  refused(&ncclConfig_t::blocking, -1);
  refused(&ncclConfig_t::cgaClusterSize, -1);
  refused(&ncclConfig_t::minCTAs, 0);
  refused(&ncclConfig_t::minCTAs, 4);  // without a maximum, as in NCCL
  refused(&ncclConfig_t::maxCTAs, 0);
  refused(&ncclConfig_t::splitShare, 2);
}

TEST_F(Configured, ncclCommInitRankConfig_wants_the_initializer) {
  ncclConfig_t config = initialized();
  config.magic = 0;
  EXPECT_EQ(ncclInvalidArgument, make(&config));
  config = initialized();
  config.size = 0;
  EXPECT_EQ(ncclInvalidArgument, make(&config));
  config.size = 11;  // ends within the magic number
  EXPECT_EQ(ncclInvalidArgument, make(&config));
}

// Fields beyond the given size do not count, whatever they contain.
TEST_F(Configured, ncclCommInitRankConfig_reads_as_much_as_there_is) {
  struct {
    ncclConfig_t config;
    char beyond[256];
  } given;
  memset(&given, 0x7f, sizeof given);
  given.config = initialized();
  given.config.size = offsetof(ncclConfig_t, blocking);
  given.config.blocking = 77;
  EXPECT_EQ(ncclSuccess, make(&given.config));
  // A configuration from a future release.
  given.config = initialized();
  memset(reinterpret_cast<char*>(&given) + given.config.size, 0, sizeof given - given.config.size);
  given.config.size = sizeof given;
  EXPECT_EQ(ncclInvalidArgument, make(&given.config));  // nvlsCTAs is 0, which is invalid
}

TEST_F(Configured, ncclCommInitRankConfig_cannot_choose_a_network) {
  ncclConfig_t config = initialized();
  config.netName = "Socket";
  EXPECT_EQ(ncclInvalidUsage, make(&config));
}

// The communicator becomes ready during the call or later. Queries report this as documented.
TEST_F(Configured, ncclCommInitRankConfig_not_blocking_gets_ready) {
  ncclConfig_t config = initialized();
  config.blocking = 0;
  ncclComm_t made = nullptr;
  ncclResult_t state = ncclCommInitRankConfig(&made, 1, id_, 0, &config);
  ASSERT_TRUE(state == ncclSuccess || state == ncclInProgress) << state;
  ASSERT_NE(nullptr, made);
  for (int tries = 0; tries < 10000 && state == ncclInProgress; ++tries) {
    EXPECT_EQ(ncclSuccess, ncclCommGetAsyncError(made, &state));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(ncclSuccess, state);
  EXPECT_EQ(ncclSuccess, ncclCommFinalize(made));
  EXPECT_EQ(ncclSuccess, ncclCommGetAsyncError(made, &state));
  EXPECT_EQ(ncclSuccess, state);
  EXPECT_EQ(ncclSuccess, ncclCommDestroy(made));
}

TEST_F(Configured, ncclCommInitRankConfig_bad_arguments) {
  ncclComm_t made = nullptr;
  EXPECT_EQ(ncclInvalidArgument, ncclCommInitRankConfig(nullptr, 1, id_, 0, nullptr));
  EXPECT_EQ(ncclInvalidArgument, ncclCommInitRankConfig(&made, 1, id_, 1, nullptr));
  EXPECT_EQ(ncclInvalidArgument, ncclCommInitRankConfig(&made, 0, id_, 0, nullptr));
  EXPECT_EQ(nullptr, made);
}

class OneRank : public testing::Test {
 protected:
  void SetUp() override {
    ncclUniqueId id{};
    ASSERT_EQ(ncclSuccess, ncclGetUniqueId(&id));
    ASSERT_EQ(ncclSuccess, ncclCommInitRank(&all_, 1, id, 0));
  }
  void TearDown() override { EXPECT_EQ(ncclSuccess, ncclCommDestroy(all_)); }

  ncclComm_t all_ = nullptr;
};

TEST_F(OneRank, ncclCommSplit_of_one_rank_works_like_it) {
  ncclComm_t part = nullptr;
  ASSERT_EQ(ncclSuccess, ncclCommSplit(all_, 3, -5, &part, nullptr));
  ASSERT_NE(nullptr, part);
  EXPECT_NE(all_, part);
  Stream stream;
  const Buffer in(64);
  const Buffer out(64);
  ASSERT_OK(cudaMemset(in, 7, 64));
  EXPECT_EQ(ncclSuccess, ncclAllReduce(in, out, 64, ncclUint8, ncclSum, part, stream));
  EXPECT_EQ(ncclSuccess, ncclCommFinalize(part));
  EXPECT_EQ(bytes_of(64, 7), contents(out, 64));
  EXPECT_EQ(ncclSuccess, ncclCommDestroy(part));
}

TEST_F(OneRank, ncclCommSplit_without_color_gives_none) {
  ncclComm_t part = all_;
  EXPECT_EQ(ncclSuccess, ncclCommSplit(all_, kNoColor, 0, &part, nullptr));
  EXPECT_EQ(nullptr, part);
}

TEST_F(OneRank, ncclCommSplit_leaves_device_and_errors_alone) {
  ncclComm_t part = nullptr;
  ASSERT_OK(cudaSetDevice(1));
  ASSERT_EQ(ncclSuccess, ncclCommSplit(all_, 0, 0, &part, nullptr));
  int device = -1;
  EXPECT_OK(cudaGetDevice(&device));
  EXPECT_EQ(1, device);
  EXPECT_OK(cudaGetLastError());
  EXPECT_EQ(ncclSuccess, ncclCommCuDevice(part, &device));
  EXPECT_EQ(0, device);
  EXPECT_EQ(ncclSuccess, ncclCommDestroy(part));
  ASSERT_OK(cudaSetDevice(0));
}

TEST_F(OneRank, ncclCommFinalize_waits_for_the_work) {
  Stream stream;
  Journal journal;
  Gate gate;
  gate.hold(stream);
  journal.write(stream, 'w');
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    gate.open();
  });
  EXPECT_EQ(ncclSuccess, ncclCommFinalize(all_));
  EXPECT_EQ("w", journal.text());
  opener.join();
  EXPECT_EQ(ncclSuccess, ncclCommFinalize(nullptr));
}

TEST_F(OneRank, ncclMemAlloc_gives_memory_to_communicate_with) {
  void* memory = nullptr;
  ASSERT_EQ(ncclSuccess, ncclMemAlloc(&memory, 256));
  void* handle = nullptr;
  EXPECT_EQ(ncclSuccess, ncclCommRegister(all_, memory, 256, &handle));
  ASSERT_OK(cudaMemset(memory, 9, 256));
  EXPECT_EQ(ncclSuccess, ncclAllReduce(memory, memory, 256, ncclUint8, ncclMax, all_, nullptr));
  EXPECT_EQ(bytes_of(256, 9), contents(memory, 256));
  EXPECT_EQ(ncclSuccess, ncclCommDeregister(all_, handle));
  EXPECT_EQ(ncclSuccess, ncclMemFree(memory));
}

TEST(Texts, ncclGetLastError_is_never_null) {
  EXPECT_NE(nullptr, ncclGetLastError(nullptr));
  EXPECT_NE(nullptr, ncclGetErrorString(ncclSuccess));
  EXPECT_STREQ("no error", ncclGetErrorString(ncclSuccess));
  EXPECT_STREQ("invalid usage (run with NCCL_DEBUG=WARN for details)",
               ncclGetErrorString(ncclInvalidUsage));
  EXPECT_STREQ("unknown result code", ncclGetErrorString(static_cast<ncclResult_t>(4711)));
  EXPECT_STREQ("unknown result code", ncclGetErrorString(static_cast<ncclResult_t>(-1)));
}

// The second names of the same functions.
TEST_F(OneRank, pncclCommSplit_and_others_are_the_same) {
  ncclComm_t part = nullptr;
  ASSERT_EQ(ncclSuccess, pncclCommSplit(all_, 0, 0, &part, nullptr));
  EXPECT_EQ(ncclSuccess, pncclCommFinalize(part));
  EXPECT_EQ(ncclSuccess, pncclCommDestroy(part));
  int one = 0, other = 1;
  EXPECT_EQ(ncclSuccess, ncclGetVersion(&one));
  EXPECT_EQ(ncclSuccess, pncclGetVersion(&other));
  EXPECT_EQ(one, other);
  EXPECT_EQ(ncclInvalidArgument, ncclGetVersion(nullptr));
}

#if CUDA_MAJOR >= 12
TEST_F(OneRank, ncclAlltoAll_ncclGather_ncclScatter_of_one_rank_copy) {
  Stream stream;
  const Buffer in(40);
  const Buffer out(40);
  ASSERT_OK(cudaMemset(in, 3, 40));
  EXPECT_EQ(ncclSuccess, ncclAlltoAll(in, out, 10, ncclFloat32, all_, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(bytes_of(40, 3), contents(out, 40));
  ASSERT_OK(cudaMemset(in, 4, 40));
  EXPECT_EQ(ncclSuccess, ncclGather(in, out, 5, ncclFloat64, 0, all_, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(bytes_of(40, 4), contents(out, 40));
  ASSERT_OK(cudaMemset(in, 5, 40));
  EXPECT_EQ(ncclSuccess, ncclScatter(in, out, 20, ncclFloat16, 0, all_, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(bytes_of(40, 5), contents(out, 40));
}
#endif

}  // namespace
