// Uses device 1 as its input says, one command a line, and answers each with a line:
//   hold BYTES   allocates memory
//   work         allocates, fills, launches, copies back and frees, and looks at what came out
//   busy         keeps a stream busy from now on
//   idle         ends that, and waits for the stream
//   exec         becomes another copy of this program
#include <musa_runtime.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

namespace {

std::atomic<bool> busy{false};

musaError_t start(musaStream_t stream) {
  busy = true;
  return musaLaunchHostFunc(
      stream,
      [](void*) {
        while (busy) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      },
      nullptr);
}

musaError_t stop(musaStream_t stream) {
  busy = false;
  return musaStreamSynchronize(stream);
}

// An error, or musaErrorUnknown if something else came out.
musaError_t work(musaStream_t stream) {
  constexpr std::size_t kSize = 1 << 20;
  constexpr int kFill = 0x5a;
  void* memory = nullptr;
  std::vector<unsigned char> back(kSize);
  std::atomic<int> ran{0};
  const auto check = [](musaError_t status) { return status == musaSuccess; };
  bool done = check(musaMalloc(&memory, kSize)) &&
              check(musaMemsetAsync(memory, kFill, kSize, stream)) &&
              check(musaLaunchHostFunc(
                  stream, [](void* count) { ++*static_cast<std::atomic<int>*>(count); }, &ran)) &&
              check(musaMemcpyAsync(back.data(), memory, kSize, musaMemcpyDefault, stream));
  done = check(musaStreamSynchronize(stream)) && done;
  done = check(musaFree(memory)) && done;
  if (!done) return musaGetLastError();
  const bool right = ran == 1 && back == std::vector<unsigned char>(kSize, kFill);
  return right ? musaSuccess : musaErrorUnknown;
}

}  // namespace

int main(int, char** arguments) {
  musaStream_t stream = nullptr;
  if (musaSetDevice(1) != musaSuccess || musaStreamCreate(&stream) != musaSuccess) return 1;
  std::cout << "ready" << std::endl;
  for (std::string command; std::cin >> command;) {
    musaError_t status = musaErrorInvalidValue;
    if (command == "hold") {
      std::size_t bytes = 0;
      void* memory = nullptr;
      std::cin >> bytes;
      status = musaMalloc(&memory, bytes);
    } else if (command == "work") {
      status = work(stream);
    } else if (command == "busy") {
      status = start(stream);
    } else if (command == "idle") {
      status = stop(stream);
    } else if (command == "exec") {
      execl(arguments[0], arguments[0], nullptr);
    }
    std::cout << status << std::endl;
  }
  busy = false;
}
