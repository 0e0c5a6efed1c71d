// The second process of the tests. Prints its results. A failed expectation ends it with the line's
// number.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <type_traits>
#include <vector>

#include "musa_runtime.h"

#define REQUIRE(condition)                                \
  do {                                                    \
    if (!(condition)) {                                   \
      std::printf("line %d: %s\n", __LINE__, #condition); \
      return 1;                                           \
    }                                                     \
  } while (false)

namespace {

int show_devices() {
  int count = -1;
  const musaError_t status = musaGetDeviceCount(&count);
  std::printf("%d %d", status, count);
  for (int device = 0; device < count; ++device) {
    int bus = -1;
    REQUIRE(musaDeviceGetAttribute(&bus, musaDevAttrPciBusId, device) == musaSuccess);
    std::printf(" %d", bus);
  }
  std::printf("\n");
  return 0;
}

int show_memory() {
  size_t free = 0;
  size_t total = 0;
  REQUIRE(musaMemGetInfo(&free, &total) == musaSuccess);
  std::printf("%zu\n", total);
  return 0;
}

int without_devices() {
  int device = -1;
  void* pointer = nullptr;
  REQUIRE(musaGetDevice(&device) == musaErrorNoDevice);
  REQUIRE(musaSetDevice(0) == musaErrorNoDevice);
  REQUIRE(musaMalloc(&pointer, 1) == musaErrorNoDevice);
  REQUIRE(musaDeviceSynchronize() == musaErrorNoDevice);
  REQUIRE(musaGetLastError() == musaErrorNoDevice);
  return 0;
}

template <typename Handle = musaIpcMemHandle_t>
Handle from_hex(const char* text) {
  Handle handle{};
  for (auto& byte : handle.reserved) {
    const std::string digits(text, 2);
    byte = static_cast<std::decay_t<decltype(byte)>>(std::strtol(digits.c_str(), nullptr, 16));
    text += 2;
  }
  return handle;
}

// Expects i % 251 in the memory and replaces it by the complement.
int use_shared(const char* hex, size_t size) {
  const musaIpcMemHandle_t handle = from_hex(hex);
  void* memory = nullptr;
  void* again = nullptr;
  REQUIRE(musaIpcOpenMemHandle(&memory, handle, musaIpcMemLazyEnablePeerAccess) == musaSuccess);
  REQUIRE(musaIpcOpenMemHandle(&again, handle, musaIpcMemLazyEnablePeerAccess) == musaSuccess);
  REQUIRE(again == memory);

  musaPointerAttributes attributes{};
  REQUIRE(musaPointerGetAttributes(&attributes, memory) == musaSuccess);
  REQUIRE(attributes.type == musaMemoryTypeDevice);

  std::vector<unsigned char> contents(size);
  REQUIRE(musaMemcpy(contents.data(), memory, size, musaMemcpyDeviceToHost) == musaSuccess);
  for (size_t i = 0; i < size; ++i) REQUIRE(contents[i] == i % 251);
  REQUIRE(musaMemcpy(contents.data(), memory, size + 1, musaMemcpyDeviceToHost) ==
          musaErrorInvalidValue);
  for (unsigned char& byte : contents) byte = static_cast<unsigned char>(~byte);
  REQUIRE(musaMemcpy(memory, contents.data(), size, musaMemcpyHostToDevice) == musaSuccess);

  // Memory of another process can neither be freed nor exported again.
  musaIpcMemHandle_t other{};
  REQUIRE(musaFree(memory) == musaErrorInvalidValue);
  REQUIRE(musaIpcGetMemHandle(&other, memory) == musaErrorInvalidValue);

  REQUIRE(musaIpcCloseMemHandle(memory) == musaSuccess);
  REQUIRE(musaMemcpy(contents.data(), memory, size, musaMemcpyDeviceToHost) == musaSuccess);
  REQUIRE(musaIpcCloseMemHandle(memory) == musaSuccess);
  REQUIRE(musaIpcCloseMemHandle(memory) == musaErrorInvalidValue);
  REQUIRE(musaMemset(memory, 1, 1) == musaErrorInvalidValue);
  return 0;
}

int try_shared(const char* hex) {
  void* memory = nullptr;
  std::printf("%d\n", musaIpcOpenMemHandle(&memory, from_hex(hex), 1));
  return 0;
}

// Exports memory, prints the handle, and exits without freeing the memory.
int export_and_exit() {
  void* memory = nullptr;
  musaIpcMemHandle_t handle{};
  REQUIRE(musaMalloc(&memory, 100) == musaSuccess);
  REQUIRE(musaIpcGetMemHandle(&handle, memory) == musaSuccess);
  std::printf("%d ", static_cast<int>(getpid()));
  for (const char byte : handle.reserved) std::printf("%02x", static_cast<unsigned char>(byte));
  std::printf("\n");
  return 0;
}

// Inherits the pool's descriptor. Expects i % 251 in the block and replaces it by the complement.
int use_pool(const char* descriptor, const char* hex, size_t size) {
  musaMemPool_t pool = nullptr;
  auto* const fd = reinterpret_cast<void*>(std::strtol(descriptor, nullptr, 10));
  REQUIRE(musaMemPoolImportFromShareableHandle(&pool, fd, musaMemHandleTypePosixFileDescriptor,
                                               0) == musaSuccess);
  auto data = from_hex<musaMemPoolPtrExportData>(hex);
  void* memory = nullptr;
  REQUIRE(musaMemPoolImportPointer(&memory, pool, &data) == musaSuccess);
  std::vector<unsigned char> contents(size);
  REQUIRE(musaMemcpy(contents.data(), memory, size, musaMemcpyDeviceToHost) == musaSuccess);
  for (size_t i = 0; i < size; ++i) REQUIRE(contents[i] == i % 251);
  for (unsigned char& byte : contents) byte = static_cast<unsigned char>(~byte);
  REQUIRE(musaMemcpy(memory, contents.data(), size, musaMemcpyHostToDevice) == musaSuccess);
  REQUIRE(musaMemset(memory, 0, size + 1) == musaErrorInvalidValue);

  // An imported pool allocates nothing and cannot be exported again.
  void* other = nullptr;
  int exported = -1;
  REQUIRE(musaMallocFromPoolAsync(&other, 10, pool, nullptr) == musaErrorInvalidValue);
  REQUIRE(musaDeviceSetMemPool(0, pool) == musaErrorInvalidValue);
  REQUIRE(musaMemPoolExportToShareableHandle(&exported, pool, musaMemHandleTypePosixFileDescriptor,
                                             0) == musaErrorInvalidValue);
  REQUIRE(musaMemPoolExportPointer(&data, memory) == musaErrorInvalidValue);
  REQUIRE(musaFreeAsync(memory, nullptr) == musaSuccess);
  REQUIRE(musaDeviceSynchronize() == musaSuccess);
  REQUIRE(musaFree(memory) == musaErrorInvalidValue);
  REQUIRE(musaMemPoolDestroy(pool) == musaSuccess);
  return 0;
}

int try_pool_pointer(const char* descriptor, const char* hex) {
  musaMemPool_t pool = nullptr;
  auto* const fd = reinterpret_cast<void*>(std::strtol(descriptor, nullptr, 10));
  REQUIRE(musaMemPoolImportFromShareableHandle(&pool, fd, musaMemHandleTypePosixFileDescriptor,
                                               0) == musaSuccess);
  auto data = from_hex<musaMemPoolPtrExportData>(hex);
  void* memory = nullptr;
  std::printf("%d\n", musaMemPoolImportPointer(&memory, pool, &data));
  return 0;
}

int query_event(const char* hex) {
  musaEvent_t event = nullptr;
  const musaError_t status = musaIpcOpenEventHandle(&event, from_hex<musaIpcEventHandle_t>(hex));
  if (status != musaSuccess) {
    std::printf("%d\n", status);
    return 0;
  }
  musaIpcEventHandle_t again{};
  REQUIRE(musaIpcGetEventHandle(&again, event) == musaErrorInvalidResourceHandle);
  std::printf("%d\n", musaEventQuery(event));
  REQUIRE(musaEventDestroy(event) == musaSuccess);
  return 0;
}

// Makes a stream wait for the other process's event.
int wait_for_event(const char* hex) {
  musaEvent_t event = nullptr;
  musaStream_t stream = nullptr;
  REQUIRE(musaIpcOpenEventHandle(&event, from_hex<musaIpcEventHandle_t>(hex)) == musaSuccess);
  REQUIRE(musaStreamCreate(&stream) == musaSuccess);
  REQUIRE(musaStreamWaitEvent(stream, event, 0) == musaSuccess);
  REQUIRE(musaStreamSynchronize(stream) == musaSuccess);
  REQUIRE(musaEventSynchronize(event) == musaSuccess);
  REQUIRE(musaEventQuery(event) == musaSuccess);
  return 0;
}

// Records the other process's event: either it completes (`reached`), or it waits behind work that
// never ends.
int record_event(const char* hex, bool reached) {
  musaEvent_t event = nullptr;
  musaStream_t stream = nullptr;
  REQUIRE(musaIpcOpenEventHandle(&event, from_hex<musaIpcEventHandle_t>(hex)) == musaSuccess);
  REQUIRE(musaStreamCreate(&stream) == musaSuccess);
  if (!reached) {
    REQUIRE(musaLaunchHostFunc(
                stream, [](void*) { pause(); }, nullptr) == musaSuccess);
  }
  REQUIRE(musaEventRecord(event, stream) == musaSuccess);
  if (reached) REQUIRE(musaStreamSynchronize(stream) == musaSuccess);
  std::printf("%d\n", musaEventQuery(event));
  return 0;
}

int export_event_and_exit() {
  musaEvent_t event = nullptr;
  musaIpcEventHandle_t handle{};
  REQUIRE(musaEventCreateWithFlags(&event, musaEventInterprocess | musaEventDisableTiming) ==
          musaSuccess);
  REQUIRE(musaIpcGetEventHandle(&handle, event) == musaSuccess);
  for (const char byte : handle.reserved) std::printf("%02x", static_cast<unsigned char>(byte));
  return 0;
}

int stream_threads() {
  int count = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::getline(std::ifstream(task.path() / "comm"), name);
    if (name == "musa-stream") ++count;
  }
  return count;
}

// A stream costs a thread only once it is used. The legacy stream costs none while nothing is
// pending.
int count_stream_threads() {
  musaStream_t stream = nullptr;
  void* memory = nullptr;
  REQUIRE(musaStreamCreate(&stream) == musaSuccess);
  REQUIRE(musaMalloc(&memory, 10) == musaSuccess);
  REQUIRE(musaMemset(memory, 0, 10) == musaSuccess);
  REQUIRE(musaDeviceSynchronize() == musaSuccess);
  REQUIRE(stream_threads() == 0);
  REQUIRE(musaMemsetAsync(memory, 0, 10, stream) == musaSuccess);
  REQUIRE(musaStreamSynchronize(stream) == musaSuccess);
  REQUIRE(stream_threads() == 1);
  return 0;
}

// Exits while a stream is busy and more work is waiting.
int exit_while_busy() {
  musaStream_t stream = nullptr;
  REQUIRE(musaStreamCreate(&stream) == musaSuccess);
  REQUIRE(musaLaunchHostFunc(
              stream, [](void*) { pause(); }, nullptr) == musaSuccess);
  REQUIRE(musaLaunchHostFunc(
              nullptr, [](void*) { std::abort(); }, nullptr) == musaSuccess);
  REQUIRE(musaLaunchHostFunc(
              musaStreamPerThread, [](void*) { std::abort(); }, nullptr) == musaSuccess);
  return 0;
}

// A static destructor that still uses the runtime.
struct LateUser {
  bool active = false;
  ~LateUser() {
    void* memory = nullptr;
    if (!active) return;
    const bool worked = musaMalloc(&memory, 64) == musaSuccess &&
                        musaMemsetAsync(memory, 1, 64, musaStreamPerThread) == musaSuccess &&
                        musaStreamSynchronize(musaStreamPerThread) == musaSuccess &&
                        musaFree(memory) == musaSuccess;
    if (!worked) _exit(1);
  }
} late_user;

}  // namespace

int main(int argc, char** argv) {
  const std::string task = argc > 1 ? argv[1] : "";
  if (task == "devices") return show_devices();
  if (task == "memory") return show_memory();
  if (task == "without-devices") return without_devices();
  if (task == "use-shared" && argc == 4) return use_shared(argv[2], std::stoul(argv[3]));
  if (task == "try-shared" && argc == 3) return try_shared(argv[2]);
  if (task == "export-and-exit") return export_and_exit();
  if (task == "use-pool" && argc == 5) return use_pool(argv[2], argv[3], std::stoul(argv[4]));
  if (task == "try-pool-pointer" && argc == 4) return try_pool_pointer(argv[2], argv[3]);
  if (task == "query-event" && argc == 3) return query_event(argv[2]);
  if (task == "wait-for-event" && argc == 3) return wait_for_event(argv[2]);
  if (task == "record-event" && argc == 3) return record_event(argv[2], true);
  if (task == "record-event-and-die" && argc == 3) return record_event(argv[2], false);
  if (task == "export-event-and-exit") return export_event_and_exit();
  if (task == "stream-threads") return count_stream_threads();
  if (task == "exit-while-busy") return exit_while_busy();
  if (task == "late-use") {
    late_user.active = true;
    return musaStreamSynchronize(musaStreamPerThread) == musaSuccess ? 0 : 1;
  }
  return 2;
}
