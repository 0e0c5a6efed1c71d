#include <gtest/gtest.h>
#include <mccl.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "tests/host/mccl/island.h"
#include "tests/host/mccl/one_rank.h"
#include "tests/host/shared/device.h"

namespace {

using Bytes = std::vector<std::uint8_t>;
using host_tests::DeviceArray;
using host_tests::Island;
using host_tests::Roadblock;
using host_tests::Stream;

constexpr int kElementBytes[mcclNumTypes] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
constexpr std::size_t kCount = 37;

mcclDataType_t type_number(int number) { return static_cast<mcclDataType_t>(number); }
mcclRedOp_t operator_number(int number) { return static_cast<mcclRedOp_t>(number); }

Bytes pattern(std::size_t size) {
  Bytes bytes(size);
  std::iota(bytes.begin(), bytes.end(), 1);
  return bytes;
}

class MCCLCollectives : public host_tests::OneRank {
 protected:
  // Runs `collective(from, to, type)` for every data type. Expects a copy of `kCount` elements and
  // nothing written after them.
  template <typename Collective>
  void expect_copies(Collective collective) {
    for (int type = 0; type < mcclNumTypes; ++type) {
      const std::size_t bytes = kCount * kElementBytes[type];
      const Bytes input = pattern(bytes + 8);
      const DeviceArray<std::uint8_t> from(input);
      const DeviceArray<std::uint8_t> to(Bytes(bytes + 8, 0xee));
      EXPECT_EQ(collective(from.data(), to.data(), type_number(type)), mcclSuccess) << type;
      stream_.wait();
      Bytes expected(input.begin(), input.begin() + bytes);
      expected.insert(expected.end(), 8, 0xee);
      EXPECT_EQ(to.values(), expected) << type;
      EXPECT_EQ(from.values(), input) << type;
    }
  }

  Stream stream_;
};

TEST_F(MCCLCollectives, AllReduceOfOneRankIsACopyForEveryOperator) {
  for (int op = 0; op < mcclNumOps; ++op) {
    expect_copies([&](void* from, void* to, mcclDataType_t type) {
      return mcclAllReduce(from, to, kCount, type, operator_number(op), comm_, stream_.get());
    });
  }
}

TEST_F(MCCLCollectives, TheOthersAreCopiesToo) {
  expect_copies([&](void* from, void* to, mcclDataType_t type) {
    return mcclReduce(from, to, kCount, type, mcclMax, 0, comm_, stream_.get());
  });
  expect_copies([&](void* from, void* to, mcclDataType_t type) {
    return mcclReduceScatter(from, to, kCount, type, mcclAvg, comm_, stream_.get());
  });
  expect_copies([&](void* from, void* to, mcclDataType_t type) {
    return mcclBroadcast(from, to, kCount, type, 0, comm_, stream_.get());
  });
  expect_copies([&](void* from, void* to, mcclDataType_t type) {
    return mcclAllGather(from, to, kCount, type, comm_, stream_.get());
  });
  expect_copies([&](void* from, void* to, mcclDataType_t type) {
    const std::size_t counts[] = {kCount};
    const std::size_t places[] = {0};
    return mcclAllToAllv(from, counts, places, to, counts, places, type, comm_, stream_.get());
  });
}

TEST_F(MCCLCollectives, AllToAllvPlacesElements) {
  const DeviceArray<std::int32_t> from({10, 11, 12, 13});
  const DeviceArray<std::int32_t> to({0, 0, 0, 0});
  const std::size_t counts[] = {2};
  const std::size_t from_place[] = {1};
  const std::size_t to_place[] = {2};
  EXPECT_EQ(mcclAllToAllv(from.data(), counts, from_place, to.data(), counts, to_place, mcclInt32,
                          comm_, stream_.get()),
            mcclSuccess);
  stream_.wait();
  EXPECT_EQ(to.values(), (std::vector<std::int32_t>{0, 0, 11, 12}));
  const std::size_t others[] = {3};
  EXPECT_EQ(mcclAllToAllv(from.data(), counts, from_place, to.data(), others, to_place, mcclInt32,
                          comm_, stream_.get()),
            mcclInvalidArgument);
  EXPECT_EQ(mcclAllToAllv(from.data(), nullptr, from_place, to.data(), counts, to_place, mcclInt32,
                          comm_, stream_.get()),
            mcclInvalidArgument);
}

TEST_F(MCCLCollectives, WorkInPlace) {
  const DeviceArray<float> values({1, 2, 3});
  EXPECT_EQ(
      mcclAllReduce(values.data(), values.data(), 3, mcclFloat32, mcclSum, comm_, stream_.get()),
      mcclSuccess);
  EXPECT_EQ(mcclBcast(values.data(), 3, mcclFloat32, 0, comm_, stream_.get()), mcclSuccess);
  stream_.wait();
  EXPECT_EQ(values.values(), (std::vector<float>{1, 2, 3}));
}

TEST_F(MCCLCollectives, RunInTheDefaultStream) {
  const DeviceArray<float> from({1, 2, 3});
  const DeviceArray<float> to({0, 0, 0});
  EXPECT_EQ(mcclAllReduce(from.data(), to.data(), 3, mcclFloat, mcclSum, comm_, nullptr),
            mcclSuccess);
  EXPECT_EQ(musaStreamSynchronize(nullptr), musaSuccess);
  EXPECT_EQ(to.values(), from.values());
}

TEST_F(MCCLCollectives, WaitForTheStreamAndNotInTheCall) {
  const DeviceArray<int> from({1, 2, 3});
  const DeviceArray<int> to({0, 0, 0});
  Roadblock block(stream_);
  EXPECT_EQ(mcclAllReduce(from.data(), to.data(), 3, mcclInt, mcclSum, comm_, stream_.get()),
            mcclSuccess);
  EXPECT_EQ(to.data()[0], 0);
  block.release();
  EXPECT_EQ(to.values(), from.values());
}

TEST_F(MCCLCollectives, EndBeforeTheirCommunicator) {
  const DeviceArray<int> from({1, 2, 3});
  const DeviceArray<int> to({0, 0, 0});
  const mcclComm_t brief = make();
  Roadblock block(stream_);
  EXPECT_EQ(mcclAllReduce(from.data(), to.data(), 3, mcclInt, mcclSum, brief, stream_.get()),
            mcclSuccess);
  std::thread releasing([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    block.release();
  });
  EXPECT_EQ(mcclCommDestroy(brief), mcclSuccess);
  EXPECT_EQ(to.values(), from.values());
  releasing.join();
}

TEST_F(MCCLCollectives, OfNothingSucceedWithoutBuffers) {
  EXPECT_EQ(mcclAllReduce(nullptr, nullptr, 0, mcclFloat, mcclSum, comm_, stream_.get()),
            mcclSuccess);
}

// Work on such memory would end the process.
TEST_F(MCCLCollectives, RefuseMemoryThatIsNotTheirs) {
  const Island island;
  char* const data = island.data();
  const std::size_t bytes = Island::kBytes;
  char* freed = nullptr;
  ASSERT_EQ(musaMalloc(reinterpret_cast<void**>(&freed), 64 << 20), musaSuccess);
  ASSERT_EQ(musaFree(freed), musaSuccess);
  const auto all_reduce = [&](const void* from, void* to, std::size_t count) {
    return mcclAllReduce(from, to, count, mcclInt8, mcclSum, comm_, stream_.get());
  };
  for (char* const wrong : {freed, data + bytes, data - 1}) {
    EXPECT_EQ(all_reduce(wrong, data, 1), mcclInvalidArgument);
    EXPECT_EQ(all_reduce(data, wrong, 1), mcclInvalidArgument);
  }
  EXPECT_NE(std::string(mcclGetLastError(comm_)).find("recvbuff"), std::string::npos);
  EXPECT_EQ(all_reduce(data, data, bytes), mcclSuccess);
  EXPECT_EQ(all_reduce(data, data, bytes + 1), mcclInvalidArgument);
  EXPECT_EQ(all_reduce(data + 1, data, bytes), mcclInvalidArgument);
  EXPECT_EQ(all_reduce(data, data + bytes - 1, 1), mcclSuccess);
  stream_.wait();
}

TEST_F(MCCLCollectives, mcclAllToAllv_refuses_memory_that_is_not_its_own) {
  const Island from;
  const Island to;
  const auto exchange = [&](std::size_t count, std::size_t send_place, std::size_t receive_place) {
    return mcclAllToAllv(from.data(), &count, &send_place, to.data(), &count, &receive_place,
                         mcclInt, comm_, stream_.get());
  };
  EXPECT_EQ(exchange(1, 1023, 1023), mcclSuccess);
  EXPECT_EQ(exchange(1, 1024, 1023), mcclInvalidArgument);
  EXPECT_EQ(exchange(1, 1023, 1024), mcclInvalidArgument);
  EXPECT_EQ(exchange(2, 1023, 0), mcclInvalidArgument);
  EXPECT_EQ(exchange(2, 0, 1023), mcclInvalidArgument);
  EXPECT_EQ(exchange(0, 5000, 5000), mcclSuccess);
  stream_.wait();
}

// Memory that is not of the device serves as well, if MUSA knows it.
TEST_F(MCCLCollectives, TakePinnedAndManagedMemory) {
  int* pinned = nullptr;
  int* managed = nullptr;
  ASSERT_EQ(musaMallocHost(reinterpret_cast<void**>(&pinned), 3 * sizeof(int)), musaSuccess);
  ASSERT_EQ(
      musaMallocManaged(reinterpret_cast<void**>(&managed), 3 * sizeof(int), musaMemAttachGlobal),
      musaSuccess);
  std::iota(pinned, pinned + 3, 1);
  EXPECT_EQ(mcclAllReduce(pinned, managed, 3, mcclInt, mcclSum, comm_, stream_.get()), mcclSuccess);
  stream_.wait();
  EXPECT_TRUE(std::equal(pinned, pinned + 3, managed));
  EXPECT_EQ(musaFreeHost(pinned), musaSuccess);
  EXPECT_EQ(musaFree(managed), musaSuccess);
}

TEST_F(MCCLCollectives, RefuseWrongArguments) {
  const DeviceArray<float> buffer({1, 2, 3});
  void* const data = buffer.data();
  const auto all_reduce = [&](const void* from, void* to, std::size_t count, int type, int op,
                              mcclComm_t comm) {
    return mcclAllReduce(from, to, count, type_number(type), operator_number(op), comm,
                         stream_.get());
  };
  EXPECT_EQ(all_reduce(nullptr, data, 3, mcclFloat, mcclSum, comm_), mcclInvalidArgument);
  EXPECT_EQ(all_reduce(data, nullptr, 3, mcclFloat, mcclSum, comm_), mcclInvalidArgument);
  EXPECT_EQ(all_reduce(data, data, SIZE_MAX, mcclFloat, mcclSum, comm_), mcclInvalidArgument);
  EXPECT_EQ(all_reduce(data, data, 3, mcclNumTypes, mcclSum, comm_), mcclInvalidArgument);
  EXPECT_EQ(all_reduce(data, data, 3, -1, mcclSum, comm_), mcclInvalidArgument);
  EXPECT_EQ(all_reduce(data, data, 3, mcclFloat, mcclNumOps, comm_), mcclInvalidArgument);
  EXPECT_EQ(all_reduce(data, data, 3, mcclFloat, -1, comm_), mcclInvalidArgument);
  EXPECT_EQ(all_reduce(data, data, 3, mcclFloat, mcclSum, nullptr), mcclInvalidArgument);
  for (const int root : {-1, 1}) {
    EXPECT_EQ(mcclReduce(data, data, 3, mcclFloat, mcclSum, root, comm_, stream_.get()),
              mcclInvalidArgument);
    EXPECT_EQ(mcclBcast(data, 3, mcclFloat, root, comm_, stream_.get()), mcclInvalidArgument);
    EXPECT_EQ(mcclBroadcast(data, data, 3, mcclFloat, root, comm_, stream_.get()),
              mcclInvalidArgument);
  }
}

}  // namespace
