#include <gtest/gtest.h>
#include <mccl.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "tests/host/mccl/one_rank.h"

namespace {

class MCCLCommunicator : public host_tests::OneRank {};

mcclUniqueId new_id() {
  mcclUniqueId id{};
  EXPECT_EQ(mcclGetUniqueId(&id), mcclSuccess);
  return id;
}

TEST(MCCLVersion, mcclGetVersion_is_numbered_as_the_header) {
  int version = 0;
  EXPECT_EQ(mcclGetVersion(&version), mcclSuccess);
  EXPECT_EQ(version, MCCL_VERSION_CODE);
  EXPECT_EQ(mcclGetVersion(nullptr), mcclInvalidArgument);
}

TEST(MCCLUniqueId, mcclGetUniqueId_differs_every_time_and_names_its_process) {
  const mcclUniqueId first = new_id();
  const mcclUniqueId second = new_id();
  EXPECT_NE(std::memcmp(&first, &second, sizeof(first)), 0);
  long process = 0;
  std::memcpy(&process, first.internal + 8, sizeof(process));
  EXPECT_EQ(process, getpid());
  EXPECT_EQ(mcclGetUniqueId(nullptr), mcclInvalidArgument);
}

TEST(MCCLErrors, mcclGetErrorString_has_a_text_whatever_the_number) {
  for (int code = -2; code <= mcclNumResults + 1; ++code) {
    const char* text = mcclGetErrorString(static_cast<mcclResult_t>(code));
    ASSERT_NE(text, nullptr) << code;
    EXPECT_GT(std::strlen(text), 0U) << code;
  }
  EXPECT_STREQ(mcclGetErrorString(static_cast<mcclResult_t>(9999)),
               mcclGetErrorString(static_cast<mcclResult_t>(-1)));
}

TEST_F(MCCLCommunicator, KnowsItself) {
  int value = -1;
  EXPECT_EQ(mcclCommCount(comm_, &value), mcclSuccess);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(mcclCommUserRank(comm_, &value), mcclSuccess);
  EXPECT_EQ(value, 0);
  int current = -1;
  EXPECT_EQ(musaGetDevice(&current), musaSuccess);
  EXPECT_EQ(mcclCommMuDevice(comm_, &value), mcclSuccess);
  EXPECT_EQ(value, current);
  mcclResult_t error = mcclInternalError;
  EXPECT_EQ(mcclCommGetAsyncError(comm_, &error), mcclSuccess);
  EXPECT_EQ(error, mcclSuccess);
}

TEST_F(MCCLCommunicator, RefusesNullResults) {
  EXPECT_EQ(mcclCommCount(comm_, nullptr), mcclInvalidArgument);
  EXPECT_EQ(mcclCommUserRank(comm_, nullptr), mcclInvalidArgument);
  EXPECT_EQ(mcclCommMuDevice(comm_, nullptr), mcclInvalidArgument);
  EXPECT_EQ(mcclCommGetAsyncError(comm_, nullptr), mcclInvalidArgument);
}

TEST_F(MCCLCommunicator, ForeignHandlesAreErrors) {
  int value = 0;
  int not_a_communicator = 0;
  const auto foreign = reinterpret_cast<mcclComm_t>(&not_a_communicator);
  for (const mcclComm_t comm : {mcclComm_t{nullptr}, foreign}) {
    EXPECT_EQ(mcclCommCount(comm, &value), mcclInvalidArgument);
    EXPECT_EQ(mcclCommDestroy(comm), mcclInvalidArgument);
    EXPECT_EQ(mcclCommAbort(comm), mcclInvalidArgument);
  }
}

TEST_F(MCCLCommunicator, SecondDestroyIsAnErrorAndHitsNobodyElse) {
  const mcclComm_t first = make();
  EXPECT_EQ(mcclCommDestroy(first), mcclSuccess);
  const mcclComm_t second = make();
  EXPECT_EQ(mcclCommDestroy(first), mcclInvalidArgument);
  EXPECT_EQ(mcclCommAbort(first), mcclInvalidArgument);
  EXPECT_EQ(mcclCommAbort(second), mcclSuccess);
}

TEST_F(MCCLCommunicator, mcclGetLastError_says_what_was_wrong) {
  EXPECT_EQ(mcclCommCount(nullptr, nullptr), mcclInvalidArgument);
  EXPECT_NE(std::string(mcclGetLastError(comm_)).find("mcclCommCount"), std::string::npos);
}

TEST(MCCLInitRank, RefusesWrongArguments) {
  mcclComm_t comm = nullptr;
  EXPECT_EQ(mcclCommInitRank(nullptr, 1, new_id(), 0), mcclInvalidArgument);
  EXPECT_EQ(mcclCommInitRank(&comm, 0, new_id(), 0), mcclInvalidArgument);
  EXPECT_EQ(mcclCommInitRank(&comm, 1, new_id(), 1), mcclInvalidArgument);
  EXPECT_EQ(mcclCommInitRank(&comm, 1, new_id(), -1), mcclInvalidArgument);
  EXPECT_EQ(mcclCommInitRank(&comm, 1, mcclUniqueId{}, 0), mcclInvalidArgument);
  EXPECT_EQ(comm, nullptr);
}

TEST(MCCLInitRankConfig, mcclCommInitRankConfig_takes_defaults_and_valid_fields) {
  mcclComm_t comm = nullptr;
  EXPECT_EQ(mcclCommInitRankConfig(&comm, 1, new_id(), 0, nullptr), mcclSuccess);
  EXPECT_EQ(mcclCommDestroy(comm), mcclSuccess);
  mcclConfig_t config = MCCL_CONFIG_INITIALIZER;
  config.blocking = 1;
  config.cgaClusterSize = 4;
  config.minCTAs = 1;
  config.maxCTAs = 8;
  EXPECT_EQ(mcclCommInitRankConfig(&comm, 1, new_id(), 0, &config), mcclSuccess);
  EXPECT_EQ(mcclCommDestroy(comm), mcclSuccess);
}

TEST(MCCLInitRankConfig, RefusesWrongFields) {
  const mcclConfig_t good = MCCL_CONFIG_INITIALIZER;
  const auto refused = [&](auto change) {
    mcclConfig_t config = good;
    change(config);
    mcclComm_t comm = nullptr;
    return mcclCommInitRankConfig(&comm, 1, new_id(), 0, &config) == mcclInvalidArgument;
  };
  EXPECT_TRUE(refused([](mcclConfig_t& config) { config.magic = 1; }));
  EXPECT_TRUE(refused([](mcclConfig_t& config) { config.size = 8; }));
  EXPECT_TRUE(refused([](mcclConfig_t& config) { config.blocking = 2; }));
  EXPECT_TRUE(refused([](mcclConfig_t& config) { config.cgaClusterSize = 9; }));
  EXPECT_TRUE(refused([](mcclConfig_t& config) { config.minCTAs = 0; }));
  EXPECT_TRUE(refused([](mcclConfig_t& config) { config.minCTAs = 3, config.maxCTAs = 2; }));
}

TEST(MCCLInitAll, mcclCommInitAll_takes_one_device) {
  mcclComm_t comm = nullptr;
  const int device = 0;
  EXPECT_EQ(mcclCommInitAll(&comm, 1, &device), mcclSuccess);
  int value = -1;
  EXPECT_EQ(mcclCommMuDevice(comm, &value), mcclSuccess);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(mcclCommDestroy(comm), mcclSuccess);
  EXPECT_EQ(mcclCommInitAll(&comm, 1, nullptr), mcclSuccess);
  EXPECT_EQ(mcclCommDestroy(comm), mcclSuccess);
}

TEST(MCCLInitAll, RefusesWrongDevicesAndOneTwice) {
  mcclComm_t comms[2] = {};
  const int missing = 1000;
  EXPECT_EQ(mcclCommInitAll(nullptr, 1, nullptr), mcclInvalidArgument);
  EXPECT_EQ(mcclCommInitAll(comms, 0, nullptr), mcclInvalidArgument);
  EXPECT_EQ(mcclCommInitAll(comms, 1, &missing), mcclInvalidArgument);
  const int twice[2] = {0, 0};
  EXPECT_EQ(mcclCommInitAll(comms, 2, twice), mcclInvalidUsage);
}

TEST_F(MCCLCommunicator, mcclCommMuDevice_is_the_device_that_was_current) {
  int device = -1;
  EXPECT_EQ(mcclCommMuDevice(comm_, &device), mcclSuccess);
  EXPECT_EQ(device, 0);
}

TEST_F(MCCLCommunicator, mcclCommUserRank_is_zero) {
  int rank = -1;
  EXPECT_EQ(mcclCommUserRank(comm_, &rank), mcclSuccess);
  EXPECT_EQ(rank, 0);
}

TEST_F(MCCLCommunicator, mcclCommCount_is_one) {
  int count = -1;
  EXPECT_EQ(mcclCommCount(comm_, &count), mcclSuccess);
  EXPECT_EQ(count, 1);
}

TEST_F(MCCLCommunicator, mcclMemAlloc_gives_device_memory) {
  void* memory = nullptr;
  ASSERT_EQ(mcclMemAlloc(&memory, 4096), mcclSuccess);
  EXPECT_EQ(musaMemset(memory, 1, 4096), musaSuccess);
  EXPECT_EQ(mcclMemFree(memory), mcclSuccess);
  EXPECT_EQ(mcclMemAlloc(nullptr, 16), mcclInvalidArgument);
  EXPECT_EQ(mcclMemAlloc(&memory, 0), mcclInvalidArgument);
}

TEST_F(MCCLCommunicator, mcclMemFree_frees_it_once) {
  void* memory = nullptr;
  ASSERT_EQ(mcclMemAlloc(&memory, 4096), mcclSuccess);
  EXPECT_EQ(mcclMemFree(memory), mcclSuccess);
  EXPECT_EQ(mcclMemFree(memory), mcclUnhandledMusaError);
  EXPECT_EQ(musaGetLastError(), musaErrorInvalidValue);
  EXPECT_EQ(mcclMemFree(nullptr), mcclSuccess);
}

TEST_F(MCCLCommunicator, mcclCommRegister_gives_a_handle) {
  int memory[4] = {};
  void* handle = nullptr;
  EXPECT_EQ(mcclCommRegister(comm_, memory, sizeof memory, &handle), mcclSuccess);
  EXPECT_NE(handle, nullptr);
  EXPECT_EQ(mcclCommDeregister(comm_, handle), mcclSuccess);
  EXPECT_EQ(mcclCommRegister(comm_, nullptr, 16, &handle), mcclInvalidArgument);
  EXPECT_EQ(mcclCommRegister(comm_, memory, 0, &handle), mcclInvalidArgument);
  EXPECT_EQ(mcclCommRegister(comm_, memory, 16, nullptr), mcclInvalidArgument);
  EXPECT_EQ(mcclCommRegister(nullptr, memory, 16, &handle), mcclInvalidArgument);
}

TEST_F(MCCLCommunicator, mcclCommDeregister_knows_handles_of_this_communicator_once) {
  int memory[4] = {};
  void* handle = nullptr;
  EXPECT_EQ(mcclCommRegister(comm_, memory, sizeof memory, &handle), mcclSuccess);
  const mcclComm_t other = make();
  EXPECT_EQ(mcclCommDeregister(other, handle), mcclInvalidArgument);
  EXPECT_EQ(mcclCommDestroy(other), mcclSuccess);
  EXPECT_EQ(mcclCommDeregister(comm_, handle), mcclSuccess);
  EXPECT_EQ(mcclCommDeregister(comm_, handle), mcclInvalidArgument);
}

TEST_F(MCCLCommunicator, mcclCommWindowRegister_gives_a_window) {
  int memory[4] = {};
  mcclWindow_t window = nullptr;
  EXPECT_EQ(mcclCommWindowRegister(comm_, memory, sizeof memory, &window, MCCL_WIN_COLL_SYMMETRIC),
            mcclSuccess);
  EXPECT_NE(window, nullptr);
  EXPECT_EQ(mcclCommWindowDeregister(comm_, window), mcclSuccess);
  EXPECT_EQ(mcclCommWindowRegister(comm_, memory, 16, &window, 0x80), mcclInvalidArgument);
  EXPECT_EQ(mcclCommWindowRegister(comm_, nullptr, 16, &window, 0), mcclInvalidArgument);
  EXPECT_EQ(mcclCommWindowRegister(comm_, memory, 16, nullptr, 0), mcclInvalidArgument);
  EXPECT_EQ(mcclCommWindowRegister(nullptr, memory, 16, &window, 0), mcclInvalidArgument);
}

TEST_F(MCCLCommunicator, mcclCommWindowDeregister_knows_a_window_once) {
  int memory[4] = {};
  mcclWindow_t window = nullptr;
  EXPECT_EQ(mcclCommWindowRegister(comm_, memory, sizeof memory, &window, MCCL_WIN_DEFAULT),
            mcclSuccess);
  EXPECT_EQ(mcclCommDeregister(comm_, window), mcclInvalidArgument);  // not a registration any more
  EXPECT_EQ(mcclCommWindowDeregister(comm_, window), mcclSuccess);
  EXPECT_EQ(mcclCommWindowDeregister(comm_, window), mcclInvalidArgument);
  EXPECT_EQ(mcclCommWindowDeregister(comm_, nullptr), mcclInvalidArgument);
}

}  // namespace
