// Memory shared between processes.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include "tests/conformance/support.h"

namespace {

constexpr size_t kSize = 4096;

std::string to_hex(const char* bytes, size_t size) {
  std::string text;
  for (size_t i = 0; i < size; ++i) {
    std::array<char, 3> digits{};
    std::snprintf(digits.data(), digits.size(), "%02x", static_cast<unsigned char>(bytes[i]));
    text += digits.data();
  }
  return text;
}

// Runs the program beside this one and returns its exit status.
int helper(std::vector<std::string> arguments) {
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe");
  arguments.insert(arguments.begin(), own.parent_path() / CONFORMANCE_HELPER);
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    execv(words[0], words.data());
    _exit(254);
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

struct Handle {
  cudaIpcMemHandle_t handle;
  unsigned char behind[64];  // a client passes 128 bytes; the handle has 64
};

std::string exported(void* memory) {
  Handle out;
  std::memset(&out, 0xee, sizeof(out));
  EXPECT_OK(cudaIpcGetMemHandle(&out.handle, memory));
  for (const unsigned char byte : out.behind) EXPECT_EQ(0xee, byte);
  return to_hex(out.handle.reserved, sizeof(out.handle.reserved));
}

TEST(Ipc, cudaIpcOpenMemHandle_gives_another_process_the_same_memory) {
  const Buffer memory(kSize);
  ASSERT_OK(cudaMemset(memory, 0x5a, kSize));
  ASSERT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(0, helper({"use", exported(memory), std::to_string(kSize)}));
  EXPECT_EQ(bytes_of(kSize, 0xa5), contents(memory, kSize));
}

TEST(Ipc, cudaIpcOpenMemHandle_refuses_bad_arguments) {
  const Buffer memory(kSize);
  cudaIpcMemHandle_t handle{};
  void* opened = nullptr;
  ASSERT_OK(cudaIpcGetMemHandle(&handle, memory));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaIpcOpenMemHandle(nullptr, handle, cudaIpcMemLazyEnablePeerAccess));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaIpcOpenMemHandle(&opened, handle, 0x40));
  // Not in the process that exported it.
  EXPECT_NE(cudaSuccess, cudaIpcOpenMemHandle(&opened, handle, cudaIpcMemLazyEnablePeerAccess));
  EXPECT_NE(cudaSuccess, cudaGetLastError());
}

TEST(Ipc, cudaIpcOpenMemHandle_refuses_what_was_freed) {
  void* memory = nullptr;
  ASSERT_OK(cudaMalloc(&memory, kSize));
  const std::string handle = exported(memory);
  ASSERT_OK(cudaFree(memory));
  EXPECT_EQ(0, helper({"refuse", handle}));
}

TEST(Ipc, cudaIpcGetMemHandle_only_of_device_memory) {
  cudaIpcMemHandle_t handle{};
  const Pinned pinned(kSize);
  const Buffer memory(kSize);
  EXPECT_NE(std::string(128, '0'), exported(memory));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaIpcGetMemHandle(&handle, pinned));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaIpcGetMemHandle(&handle, not_an_object));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaIpcGetMemHandle(nullptr, memory));
}

TEST(Ipc, cudaIpcCloseMemHandle_only_what_was_opened) {
  const Buffer memory(kSize);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaIpcCloseMemHandle(memory));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaIpcCloseMemHandle(not_an_object));
}

}  // namespace
