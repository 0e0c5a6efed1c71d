// Starts a kernel that never ends, says "running" when it does, and waits for it or, with the
// argument "exit", exits: endless DEVICE_CODE wait|exit
#include <musa.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#if defined(__SANITIZE_ADDRESS__)
// What the kernel's launch refers to is never freed, and is found on no stack that is looked at:
// the kernel runs on a stack of its own.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }
#endif

namespace {

void check(MUresult status, const char* what) {
  if (status == MUSA_SUCCESS) return;
  std::fprintf(stderr, "%s: %d\n", what, static_cast<int>(status));
  std::exit(1);
}

}  // namespace

#define CHECK(call) check(call, #call)

int main(int count, char** arguments) {
  if (count != 3) return 2;
  MUcontext context = nullptr;
  MUmodule module = nullptr;
  MUfunction kernel = nullptr;
  MUdeviceptr flags = 0;  // What the kernel waits for, and whether it runs.
  CHECK(muInit(0));
  CHECK(muDevicePrimaryCtxRetain(&context, 0));
  CHECK(muCtxSetCurrent(context));
  CHECK(muModuleLoad(&module, arguments[1]));
  CHECK(muModuleGetFunction(&kernel, module, "wait_for"));
  CHECK(muMemAlloc_v2(&flags, 2 * sizeof(int)));
  CHECK(muMemsetD32_v2(flags, 0, 2));
  MUstream kernels = nullptr;
  MUstream copies = nullptr;
  CHECK(muStreamCreate(&kernels, MU_STREAM_NON_BLOCKING));
  CHECK(muStreamCreate(&copies, MU_STREAM_NON_BLOCKING));
  void* parameters[] = {&flags};
  CHECK(muLaunchKernel(kernel, 8, 1, 1, 32, 1, 1, 0, kernels, parameters, nullptr));
  for (int runs = 0; runs == 0;) {
    CHECK(muMemcpyDtoHAsync_v2(&runs, flags + sizeof(int), sizeof runs, copies));
    CHECK(muStreamSynchronize(copies));
  }
  std::puts("running");
  std::fflush(stdout);
  if (std::strcmp(arguments[2], "exit") == 0) std::exit(5);
  CHECK(muCtxSynchronize());
}
