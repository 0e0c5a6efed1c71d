#include "tests/host/musart/support.h"

namespace {

int open_elsewhere(const musaIpcMemHandle_t& handle) {
  const Outcome run = run_helper("try-shared " + to_hex(handle));
  EXPECT_EQ(0, run.status);
  return std::stoi(run.output);
}

class Ipc : public ::testing::TestWithParam<size_t> {};

TEST_P(Ipc, BothProcessesSeeTheSameMemory) {
  const size_t size = GetParam();
  void* memory = nullptr;
  std::vector<unsigned char> contents(size);
  for (size_t i = 0; i < size; ++i) contents[i] = static_cast<unsigned char>(i % 251);
  ASSERT_OK(musaMalloc(&memory, size));
  ASSERT_OK(musaMemcpy(memory, contents.data(), size, musaMemcpyHostToDevice));

  musaIpcMemHandle_t handle{};
  ASSERT_OK(musaIpcGetMemHandle(&handle, memory));
  std::vector<unsigned char> after(size);
  ASSERT_OK(musaMemcpy(after.data(), memory, size, musaMemcpyDeviceToHost));
  EXPECT_EQ(contents, after);

  const Outcome run = run_helper("use-shared " + to_hex(handle) + " " + std::to_string(size));
  EXPECT_EQ(0, run.status) << run.output;
  ASSERT_OK(musaMemcpy(after.data(), memory, size, musaMemcpyDeviceToHost));
  for (size_t i = 0; i < size; ++i) {
    ASSERT_EQ(static_cast<unsigned char>(~contents[i]), after[i]) << i;
  }
  EXPECT_OK(musaFree(memory));
}

INSTANTIATE_TEST_SUITE_P(Sizes, Ipc, ::testing::Values(1, 4096, 5000, 3000000));

TEST(IpcHandle, NamesTheWholeAllocationAndStaysTheSame) {
  void* memory = nullptr;
  ASSERT_OK(musaMalloc(&memory, 10000));
  musaIpcMemHandle_t handle{};
  musaIpcMemHandle_t again{};
  ASSERT_OK(musaIpcGetMemHandle(&handle, memory));
  ASSERT_OK(musaIpcGetMemHandle(&again, static_cast<char*>(memory) + 5000));
  EXPECT_EQ(0, std::memcmp(&handle, &again, sizeof(handle)));
  EXPECT_OK(musaFree(memory));
}

TEST(IpcHandle, CannotBeOpenedWhereItComesFrom) {
  void* memory = nullptr;
  void* opened = nullptr;
  musaIpcMemHandle_t handle{};
  ASSERT_OK(musaMalloc(&memory, 100));
  ASSERT_OK(musaIpcGetMemHandle(&handle, memory));
  EXPECT_ERROR(musaErrorDeviceUninitialized,
               musaIpcOpenMemHandle(&opened, handle, musaIpcMemLazyEnablePeerAccess));
  EXPECT_ERROR(musaErrorInvalidValue, musaIpcOpenMemHandle(nullptr, handle, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaIpcOpenMemHandle(&opened, handle, 4));
  EXPECT_ERROR(musaErrorInvalidValue, musaIpcCloseMemHandle(memory));
  EXPECT_OK(musaFree(memory));
}

TEST(IpcHandle, FreedOrForeignHandlesCannotBeOpened) {
  void* memory = nullptr;
  musaIpcMemHandle_t handle{};
  ASSERT_OK(musaMalloc(&memory, 100));
  ASSERT_OK(musaIpcGetMemHandle(&handle, memory));
  EXPECT_EQ(musaSuccess, open_elsewhere(handle));
  musaIpcMemHandle_t changed = handle;
  changed.reserved[20] = static_cast<char>(~changed.reserved[20]);
  EXPECT_EQ(musaErrorInvalidResourceHandle, open_elsewhere(changed));
  EXPECT_OK(musaFree(memory));
  EXPECT_EQ(musaErrorInvalidResourceHandle, open_elsewhere(handle));
  EXPECT_EQ(musaErrorInvalidResourceHandle, open_elsewhere(musaIpcMemHandle_t{}));
}

TEST(IpcHandle, NothingIsLeftAtExit) {
  const Outcome run = run_helper("export-and-exit");
  ASSERT_EQ(0, run.status) << run.output;
  const size_t space = run.output.find(' ');
  const Outcome attempt = run_helper("try-shared " + run.output.substr(space + 1, 128));
  EXPECT_EQ(musaErrorInvalidResourceHandle, std::stoi(attempt.output));
}

TEST(IpcHandle, OnlyDeviceMemoryIsExported) {
  musaIpcMemHandle_t handle{};
  void* pinned = nullptr;
  void* managed = nullptr;
  void* pooled = nullptr;
  int local = 0;
  ASSERT_OK(musaMallocHost(&pinned, 10));
  ASSERT_OK(musaMallocManaged(&managed, 10));
  ASSERT_OK(musaMallocAsync(&pooled, 10, nullptr));
  for (void* memory :
       {pinned, managed, pooled, static_cast<void*>(&local), static_cast<void*>(nullptr)}) {
    EXPECT_ERROR(musaErrorInvalidValue, musaIpcGetMemHandle(&handle, memory));
  }
  EXPECT_ERROR(musaErrorInvalidValue, musaIpcGetMemHandle(nullptr, pinned));
  EXPECT_OK(musaFreeHost(pinned));
  EXPECT_OK(musaFree(managed));
  EXPECT_OK(musaFree(pooled));
}

TEST(IpcHandle, ExportWhileStreamsWrite) {
  constexpr size_t kSize = size_t{4} << 20;
  void* memory = nullptr;
  musaStream_t stream = nullptr;
  ASSERT_OK(musaMalloc(&memory, kSize));
  ASSERT_OK(musaStreamCreate(&stream));
  for (int value = 0; value < 50; ++value) ASSERT_OK(musaMemsetAsync(memory, value, kSize, stream));
  musaIpcMemHandle_t handle{};
  ASSERT_OK(musaIpcGetMemHandle(&handle, memory));
  ASSERT_OK(musaStreamSynchronize(stream));
  std::vector<unsigned char> contents(kSize);
  ASSERT_OK(musaMemcpy(contents.data(), memory, kSize, musaMemcpyDeviceToHost));
  EXPECT_EQ(std::vector<unsigned char>(kSize, 49), contents);
  EXPECT_OK(musaStreamDestroy(stream));
  EXPECT_OK(musaFree(memory));
}

}  // namespace
