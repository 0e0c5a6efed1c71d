// What a fresh process is told by the libraries of one tree: probe LIBMUSA LIBMUSART QUESTION
// [NAME...]
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

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

void after_fork() {
  call(musa, "muInit", 0U);
  void* context = nullptr;
  call(musa, "muDevicePrimaryCtxRetain", &context, 0);
  call(musa, "muCtxSetCurrent", context);
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
  return 0;
}
