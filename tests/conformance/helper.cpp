// The second process of the tests. Exits with 0, or with the number of the line that failed.
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "tests/conformance/cuda.h"

#define REQUIRE(condition)                       \
  do {                                           \
    if (!(condition)) return __LINE__ % 250 + 1; \
  } while (false)

namespace {

cudaIpcMemHandle_t from_hex(const char* text) {
  cudaIpcMemHandle_t handle{};
  for (char& byte : handle.reserved) {
    byte = static_cast<char>(std::strtol(std::string(text, 2).c_str(), nullptr, 16));
    text += 2;
  }
  return handle;
}

// Expects 0x5a in the memory and replaces it by 0xa5.
int use(const char* hex, size_t size) {
  void* memory = nullptr;
  const cudaIpcMemHandle_t handle = from_hex(hex);
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
  REQUIRE(cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess);
  std::vector<unsigned char> bytes(size);
  REQUIRE(cudaMemcpy(bytes.data(), memory, size, cudaMemcpyDefault) == cudaSuccess);
  for (const unsigned char byte : bytes) REQUIRE(byte == 0x5a);
  REQUIRE(cudaMemset(memory, 0xa5, size) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  // Memory of another process is closed, not freed.
  REQUIRE(cudaFree(memory) == cudaErrorInvalidValue);
  REQUIRE(cudaIpcCloseMemHandle(memory) == cudaSuccess);
  REQUIRE(cudaIpcCloseMemHandle(memory) == cudaErrorInvalidValue);
  return 0;
}

int refuse(const char* hex) {
  void* memory = nullptr;
  REQUIRE(cudaIpcOpenMemHandle(&memory, from_hex(hex), cudaIpcMemLazyEnablePeerAccess) !=
          cudaSuccess);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "use") == 0) return use(argv[2], std::stoul(argv[3]));
  if (argc == 3 && std::strcmp(argv[1], "refuse") == 0) return refuse(argv[2]);
  return 255;
}
