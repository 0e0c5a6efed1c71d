#include <fcntl.h>

#include "tests/host/musart/support.h"

namespace {

constexpr size_t kSize = 10000;

class PoolSharing : public ::testing::Test {
 protected:
  void SetUp() override {
    musaMemPoolProps wanted{};
    wanted.allocType = musaMemAllocationTypePinned;
    wanted.handleTypes = musaMemHandleTypePosixFileDescriptor;
    wanted.location = {musaMemLocationTypeDevice, 0};
    ASSERT_OK(musaMemPoolCreate(&pool_, &wanted));
    ASSERT_OK(musaMallocFromPoolAsync(&block_, kSize, pool_, nullptr));
    std::vector<unsigned char> contents(kSize);
    for (size_t i = 0; i < kSize; ++i) contents[i] = static_cast<unsigned char>(i % 251);
    ASSERT_OK(musaMemcpy(block_, contents.data(), kSize, musaMemcpyHostToDevice));
    ASSERT_OK(musaMemPoolExportToShareableHandle(&descriptor_, pool_,
                                                 musaMemHandleTypePosixFileDescriptor, 0));
    // The helper inherits the descriptor, so nothing needs to send it.
    ASSERT_EQ(0, fcntl(descriptor_, F_SETFD, 0));
  }
  void TearDown() override {
    EXPECT_OK(musaFree(block_));
    EXPECT_OK(musaMemPoolDestroy(pool_));
    close(descriptor_);
  }
  void* shareable() const { return reinterpret_cast<void*>(static_cast<intptr_t>(descriptor_)); }

  musaMemPool_t pool_ = nullptr;
  void* block_ = nullptr;
  int descriptor_ = -1;
};

TEST_F(PoolSharing, musaMemPoolExportPointer_shares_a_block_between_processes) {
  musaMemPoolPtrExportData data{};
  ASSERT_OK(musaMemPoolExportPointer(&data, block_));
  const Outcome run = run_helper("use-pool " + std::to_string(descriptor_) + " " + to_hex(data) +
                                 " " + std::to_string(kSize));
  ASSERT_EQ(0, run.status) << run.output;
  std::vector<unsigned char> after(kSize);
  ASSERT_OK(musaMemcpy(after.data(), block_, kSize, musaMemcpyDeviceToHost));
  for (size_t i = 0; i < kSize; ++i) {
    ASSERT_EQ(static_cast<unsigned char>(~(i % 251)), after[i]) << i;
  }
  // Freed blocks cannot be imported, not even after reuse.
  ASSERT_OK(musaFreeAsync(block_, nullptr));
  ASSERT_OK(musaStreamSynchronize(nullptr));
  ASSERT_OK(musaMallocFromPoolAsync(&block_, kSize, pool_, nullptr));
  const Outcome late =
      run_helper("try-pool-pointer " + std::to_string(descriptor_) + " " + to_hex(data));
  EXPECT_EQ(0, late.status) << late.output;
  EXPECT_EQ("1\n", late.output);
}

TEST_F(PoolSharing, musaMemPoolExportPointer_needs_a_block_of_a_shareable_pool) {
  musaMemPoolPtrExportData data{};
  void* other = nullptr;
  ASSERT_OK(musaMallocAsync(&other, 100, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolExportPointer(&data, other));
  EXPECT_OK(musaFree(other));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolExportPointer(&data, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolExportPointer(nullptr, block_));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemPoolExportPointer(&data, static_cast<char*>(block_) + 1));
}

TEST_F(PoolSharing, musaMemPoolExportToShareableHandle_is_checked) {
  int fd = -1;
  constexpr auto kType = musaMemHandleTypePosixFileDescriptor;
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolExportToShareableHandle(nullptr, pool_, kType, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolExportToShareableHandle(&fd, pool_, kType, 1));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemPoolExportToShareableHandle(&fd, pool_, musaMemHandleTypeWin32, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolExportToShareableHandle(&fd, nullptr, kType, 0));
  musaMemPool_t standard = nullptr;
  ASSERT_OK(musaDeviceGetDefaultMemPool(&standard, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolExportToShareableHandle(&fd, standard, kType, 0));
}

TEST_F(PoolSharing, musaMemPoolImportFromShareableHandle_takes_only_descriptors_of_pools) {
  musaMemPool_t imported = nullptr;
  constexpr auto kType = musaMemHandleTypePosixFileDescriptor;
  ASSERT_OK(musaMemPoolImportFromShareableHandle(&imported, shareable(), kType, 0));
  ASSERT_NE(nullptr, imported);
  EXPECT_OK(musaMemPoolDestroy(imported));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemPoolImportFromShareableHandle(nullptr, shareable(), kType, 0));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemPoolImportFromShareableHandle(&imported, shareable(), kType, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolImportFromShareableHandle(
                                          &imported, shareable(), musaMemHandleTypeWin32, 0));
  auto* const none = reinterpret_cast<void*>(intptr_t{-1});
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemPoolImportFromShareableHandle(&imported, none, kType, 0));
  std::array<int, 2> ends{};
  ASSERT_EQ(0, pipe(ends.data()));
  auto* const other = reinterpret_cast<void*>(static_cast<intptr_t>(ends[0]));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaMemPoolImportFromShareableHandle(&imported, other, kType, 0));
  close(ends[0]);
  close(ends[1]);
}

TEST_F(PoolSharing, musaMemPoolImportPointer_maps_the_same_memory) {
  musaMemPool_t imported = nullptr;
  ASSERT_OK(musaMemPoolImportFromShareableHandle(&imported, shareable(),
                                                 musaMemHandleTypePosixFileDescriptor, 0));
  musaMemPoolPtrExportData data{};
  ASSERT_OK(musaMemPoolExportPointer(&data, block_));
  void* mapped = nullptr;
  ASSERT_OK(musaMemPoolImportPointer(&mapped, imported, &data));
  EXPECT_NE(block_, mapped);
  ASSERT_OK(musaMemset(mapped, 7, kSize));
  unsigned char last = 0;
  ASSERT_OK(musaMemcpy(&last, static_cast<char*>(block_) + kSize - 1, 1, musaMemcpyDeviceToHost));
  EXPECT_EQ(7, last);
  EXPECT_OK(musaFree(mapped));
  EXPECT_ERROR(musaErrorInvalidValue, musaFree(mapped));

  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolImportPointer(nullptr, imported, &data));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolImportPointer(&mapped, imported, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolImportPointer(&mapped, pool_, &data));
  musaMemPoolPtrExportData changed = data;
  changed.reserved[20] = static_cast<unsigned char>(~changed.reserved[20]);
  EXPECT_ERROR(musaErrorInvalidValue, musaMemPoolImportPointer(&mapped, imported, &changed));
  EXPECT_OK(musaMemPoolDestroy(imported));
}

}  // namespace
