// The second process of the tests. Prints its results. A failed expectation ends it with the line's
// number.
#include <musa.h>
#include <sys/resource.h>
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

// Of the device's properties and of its attribute.
int show_processors() {
  musaDeviceProp prop{};
  int processors = 0;
  REQUIRE(musaGetDeviceProperties(&prop, 0) == musaSuccess);
  REQUIRE(musaDeviceGetAttribute(&processors, musaDevAttrMultiProcessorCount, 0) == musaSuccess);
  std::printf("%d %d\n", prop.multiProcessorCount, processors);
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

size_t count_mappings() {
  std::ifstream maps("/proc/self/maps");
  size_t lines = 0;
  for (std::string line; std::getline(maps, line);) {
#ifdef __SANITIZE_THREAD__
    // Below lie its own mappings, several for each of ours.
    if (std::stoull(line, nullptr, 16) < 0x7e8000000000) continue;
#endif
    ++lines;
  }
  return lines;
}

struct MemoryCalls {
  musaError_t (*allocate)(void**, size_t);
  musaError_t (*free)(void*);
};

musaMemPool_t exportable_pool() {
  static const musaMemPool_t made = [] {
    musaMemPoolProps props{};
    props.allocType = musaMemAllocationTypePinned;
    props.handleTypes = musaMemHandleTypePosixFileDescriptor;
    props.location = {musaMemLocationTypeDevice, 0};
    musaMemPool_t pool = nullptr;
    static_cast<void>(musaMemPoolCreate(&pool, &props));
    return pool;
  }();
  return made;
}

constexpr size_t kPart = size_t{64} << 20;

MemoryCalls memory_calls(const std::string& kind) {
  const auto free_in_stream = [](void* memory) { return musaFreeAsync(memory, nullptr); };
  if (kind == "device") return {[](void** p, size_t n) { return musaMalloc(p, n); }, musaFree};
  if (kind == "host")
    return {[](void** p, size_t n) { return musaMallocHost(p, n); }, musaFreeHost};
  if (kind == "managed") {
    return {[](void** p, size_t n) { return musaMallocManaged(p, n); }, musaFree};
  }
  if (kind == "pool") {
    return {[](void** p, size_t n) { return musaMallocAsync(p, n, nullptr); }, free_in_stream};
  }
  return {
      [](void** p, size_t n) { return musaMallocFromPoolAsync(p, n, exportable_pool(), nullptr); },
      free_in_stream};
}

// More allocations at once than a process can have mappings, then gaps among them, filled again.
int many_allocations(const std::string& kind) {
  constexpr size_t kCount = 70000;
  const MemoryCalls calls = memory_calls(kind);
  std::vector<size_t*> all(kCount, nullptr);
  const auto allocate = [&](size_t i) {
    void* memory = nullptr;
    if (calls.allocate(&memory, 100) != musaSuccess) return false;
    all[i] = static_cast<size_t*>(memory);
    const bool zeroed = kind == "pool" || kind == "exportable" || *all[i] == 0;
    *all[i] = i;
    return zeroed;
  };
  const size_t before = count_mappings();
  for (size_t i = 0; i < kCount; ++i) REQUIRE(allocate(i));
  REQUIRE(count_mappings() < before + 100);
  for (size_t i = 0; i < kCount; i += 2) REQUIRE(calls.free(all[i]) == musaSuccess);
  REQUIRE(musaDeviceSynchronize() == musaSuccess);
  REQUIRE(count_mappings() < before + 1000);
  for (size_t i = 0; i < kCount; i += 2) REQUIRE(allocate(i));
  for (size_t i = 0; i < kCount; ++i) REQUIRE(*all[i] == i);
  for (size_t* memory : all) REQUIRE(calls.free(memory) == musaSuccess);
  REQUIRE(musaDeviceSynchronize() == musaSuccess);
  REQUIRE(count_mappings() < before + 400);
  return 0;
}

int launch_allocating_graph() {
  musaGraph_t graph = nullptr;
  musaGraphExec_t exec = nullptr;
  musaGraphNode_t allocated = nullptr;
  musaGraphNode_t freed = nullptr;
  musaMemAllocNodeParams params{};
  params.poolProps.allocType = musaMemAllocationTypePinned;
  params.poolProps.location = {musaMemLocationTypeDevice, 0};
  params.bytesize = kPart;
  REQUIRE(musaGraphCreate(&graph, 0) == musaSuccess);
  REQUIRE(musaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &params) == musaSuccess);
  REQUIRE(musaGraphAddMemFreeNode(&freed, graph, &allocated, 1, params.dptr) == musaSuccess);
  REQUIRE(musaGraphInstantiateWithFlags(&exec, graph, 0) == musaSuccess);
  REQUIRE(musaGraphLaunch(exec, nullptr) == musaSuccess);
  REQUIRE(musaDeviceSynchronize() == musaSuccess);
  REQUIRE(musaGraphExecDestroy(exec) == musaSuccess);
  REQUIRE(musaGraphDestroy(graph) == musaSuccess);
  return 0;
}

// Allocates and frees 64 MiB many times in a process that has room for three such pieces.
int limit_addresses(const std::string& kind) {
  REQUIRE(musaFree(nullptr) == musaSuccess);
  size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit limit{};
  REQUIRE(getrlimit(RLIMIT_AS, &limit) == 0);
  limit.rlim_cur = pages * static_cast<size_t>(sysconf(_SC_PAGESIZE)) + 3 * kPart + (kPart / 2);
  REQUIRE(setrlimit(RLIMIT_AS, &limit) == 0);
  const MemoryCalls calls = memory_calls(kind);
  for (int round = 0; round < 40; ++round) {
    if (kind == "graph") {
      REQUIRE(launch_allocating_graph() == 0);
      continue;
    }
    if (kind == "virtual") {
      void* freed = nullptr;
      MUdeviceptr address = 0;
      REQUIRE(musaMalloc(&freed, kPart) == musaSuccess && musaFree(freed) == musaSuccess);
      REQUIRE(muMemAddressReserve(&address, 3 * kPart, 0, 0, 0) == MUSA_SUCCESS);
      REQUIRE(muMemAddressFree(address, 3 * kPart) == MUSA_SUCCESS);
      continue;
    }
    void* memory[2] = {};
    for (void*& each : memory) REQUIRE(calls.allocate(&each, kPart) == musaSuccess);
    for (void* each : memory) REQUIRE(calls.free(each) == musaSuccess);
  }
  return 0;
}

int show_memory_left() {
  size_t free = 0;
  size_t total = 0;
  REQUIRE(musaMemGetInfo(&free, &total) == musaSuccess);
  std::printf("%zu\n", free);
  return 0;
}

// Says whether it got the memory, and keeps it until it is killed.
int hold(size_t size) {
  void* memory = nullptr;
  std::printf("%c", musaMalloc(&memory, size) == musaSuccess ? 'y' : 'n');
  std::fflush(stdout);
  pause();
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
  if (task == "processors") return show_processors();
  if (task == "memory-left") return show_memory_left();
  if (task == "hold" && argc == 3) return hold(std::stoul(argv[2]));
  if (task == "many-allocations" && argc == 3) return many_allocations(argv[2]);
  if (task == "address-limit" && argc == 3) return limit_addresses(argv[2]);
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
