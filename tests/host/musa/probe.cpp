// What a fresh process is told by the libraries of one tree: probe LIBMUSA LIBMUSART QUESTION
// [NAME...]
#include <dlfcn.h>
#include <musa.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/host/musa/descriptors.h"

namespace {

void* musa = nullptr;
void* musart = nullptr;

// Every function of both libraries returns its status as an int.
template <typename... Arguments>
int call(void* library, const char* name, Arguments... arguments) {
  const auto function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library, name));
  if (function == nullptr) {
    std::fprintf(stderr, "%s: missing\n", name);
    std::exit(2);
  }
  return function(arguments...);
}

bool has_current() {
  void* context = nullptr;
  call(musa, "muCtxGetCurrent", &context);
  return context != nullptr;
}

void before_init(char** names) {
  for (; *names != nullptr; ++names) {
    const long zero = 0;
    const int status =
        call(musa, *names, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero);
    if (status != 3) std::printf("%s %d\n", *names, status);
  }
}

void set_device() {
  call(musa, "muInit", 0U);
  std::printf("start %d", has_current());
  call(musart, "musaSetDevice", 1);
  std::printf(", chosen %d", has_current());
  call(musart, "musaFree", static_cast<void*>(nullptr));
  void* memory = nullptr;
  call(musart, "musaMalloc", &memory, size_t{1});
  int device = -1;
  call(musa, "muCtxGetDevice", &device);
  std::printf(", used %d on %d\n", has_current(), device);
}

// Opens the context of device 0.
void begin() {
  call(musa, "muInit", 0U);
  MUcontext context = nullptr;
  call(musa, "muDevicePrimaryCtxRetain", &context, 0);
  call(musa, "muCtxSetCurrent", context);
}

void change_no_graph() {
  begin();
  void* const none = nullptr;
  std::printf("update %d, parameters %d\n", call(musa, "muGraphExecUpdate", none, none, none, none),
              call(musa, "muGraphExecHostNodeSetParams", none, none, none));
}

// Maps the allocation at an address of its own. 0 if that fails.
MUdeviceptr map(MUmemGenericAllocationHandle handle, size_t size) {
  MUdeviceptr address = 0;
  const MUmemAccessDesc access{{MU_MEM_LOCATION_TYPE_DEVICE, 0},
                               MU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  const bool mapped =
      call(musa, "muMemAddressReserve", &address, size, size_t{0}, MUdeviceptr{0}, 0ULL) == 0 &&
      call(musa, "muMemMap", address, size, size_t{0}, handle, 0ULL) == 0 &&
      call(musa, "muMemSetAccess", address, size, &access, size_t{1}) == 0;
  return mapped ? address : 0;
}

// Takes an allocation from the socket, reads and overwrites its text, and sends one of its own.
void share(int socket, size_t size) {
  begin();
  const int theirs = receive_descriptor(socket);
  MUmemGenericAllocationHandle imported = 0;
  call(musa, "muMemImportFromShareableHandle", &imported,
       reinterpret_cast<void*>(static_cast<intptr_t>(theirs)),
       static_cast<int>(MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  close(theirs);
  const MUdeviceptr shared = map(imported, size);
  char text[7] = "";
  call(musa, "muMemcpyDtoH_v2", static_cast<void*>(text), shared, size_t{6});
  call(musa, "muMemcpyHtoD_v2", shared, static_cast<const void*>("answer"), size_t{6});
  MUmemAllocationProp prop{};
  prop.type = MU_MEM_ALLOCATION_TYPE_PINNED;
  prop.requestedHandleTypes = MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  prop.location = {MU_MEM_LOCATION_TYPE_DEVICE, 0};
  MUmemGenericAllocationHandle handle = 0;
  call(musa, "muMemCreate", &handle, size, &prop, 0ULL);
  const MUdeviceptr own = map(handle, size);
  call(musa, "muMemcpyHtoD_v2", own, static_cast<const void*>(text), size_t{6});
  int exported = -1;
  call(musa, "muMemExportToShareableHandle", &exported, handle,
       static_cast<int>(MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR), 0ULL);
  send_descriptor(socket, exported);
}

void after_fork() {
  begin();
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    size_t free = 0;
    size_t total = 0;
    int version = 0;
    std::printf("memory %d, init %d, version %d\n", call(musa, "muMemGetInfo_v2", &free, &total),
                call(musa, "muInit", 0U), call(musa, "muDriverGetVersion", &version));
    std::fflush(stdout);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  setenv("TORCHADA_HOST_DEVICES", "2", 1);
  musa = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
  musart = dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL);
  if (musa == nullptr || musart == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  if (std::strcmp(argv[3], "before-init") == 0) before_init(argv + 4);
  if (std::strcmp(argv[3], "set-device") == 0) set_device();
  if (std::strcmp(argv[3], "fork") == 0) after_fork();
  if (std::strcmp(argv[3], "graph") == 0) change_no_graph();
  if (std::strcmp(argv[3], "share") == 0 && argc == 6) {
    share(std::atoi(argv[4]), std::strtoull(argv[5], nullptr, 10));
  }
  return 0;
}
