// How ranks that make a new communicator tell each other of it, on the one that they have.
#pragma once

#include <stddef.h>
#include <unistd.h>

#include "facts.h"

namespace torchada::nccl {

// What the first rank of a new communicator tells the others.
struct Invitation {
  int status;  // Of creating the identifier.
  mcclUniqueId id;
};

// Device memory for what is sent and received, and a stream for it. All return a status of NCCL's.
class Exchange {
 public:
  explicit Exchange(void* communicator) : communicator_(communicator) {}
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange() {
    if (is_stuck_) return;  // Freeing would wait for the stream.
    if (stream_) musaStreamDestroy(stream_);
    if (memory_) musaFree(memory_);
  }

  void* communicator() const { return communicator_; }
  void* stream() const { return stream_; }
  char* memory() const { return static_cast<char*>(memory_); }

  int prepare(size_t size) {
    if (musaStreamCreate(&stream_) != 0) return kUnhandled;
    return musaMalloc(&memory_, size) == 0 ? 0 : kUnhandled;
  }
  // Enqueues the copy to the beginning of the memory.
  int put(const void* from, size_t size) {
    return musaMemcpyAsync(memory_, from, size, musa::musaMemcpyHostToDevice, stream_) == 0
               ? 0
               : kUnhandled;
  }
  int get(void* to, size_t offset, size_t size) {
    const bool done =
        musaMemcpyAsync(to, memory() + offset, size, musa::musaMemcpyDeviceToHost, stream_) == 0 &&
        musaStreamSynchronize(stream_) == 0;
    return done ? 0 : kUnhandled;
  }
  // What a call of MCCL's that returned `status` comes to. Only one on a communicator that does not
  // block is still in progress.
  int settle(int status) {
    while (status == static_cast<int>(cuda::ncclInProgress)) {
      usleep(100);
      if (const int failed = mcclCommGetAsyncError(communicator_, &status)) return failed;
    }
    return status;
  }
  int wait() { return musaStreamSynchronize(stream_) == 0 ? 0 : kUnhandled; }
  // What is enqueued may never end, so memory and stream are left.
  void give_up() { is_stuck_ = true; }

 private:
  static constexpr int kUnhandled = static_cast<int>(cuda::ncclUnhandledCudaError);

  void* communicator_;
  void* stream_ = nullptr;
  void* memory_ = nullptr;
  bool is_stuck_ = false;
};

}  // namespace torchada::nccl
