// ncclCommShrink, which no MCCL is known to have. The ranks that stay know each other from the
// list, and the others do not take part. So the first of them sends an identifier to each other one
// on the communicator that is being shrunk, and they start like any other communicator.
//
// Within a group nothing is sent until the group ends, so it is refused there, like a split.
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "facts.h"
#include "stubs/fallback.h"
#include "stubs/nccl/config.h"
#include "stubs/nccl/find_mccl.h"
#include "stubs/nccl/group.h"
#include "stubs/nccl/invitation.h"
#include "stubs/on_device.h"
#include "stubs/refusal.h"

namespace {

using torchada::fail;
using torchada::OnDevice;
using torchada::nccl::Config;
using torchada::nccl::Invitation;
namespace cuda = torchada::cuda;
namespace musa = torchada::musa;

constexpr const char* kName = "ncclCommShrink";
constexpr int kInvalidArgument = static_cast<int>(cuda::ncclInvalidArgument);
constexpr int kInvalidUsage = static_cast<int>(cuda::ncclInvalidUsage);
constexpr int kUnhandled = static_cast<int>(cuda::ncclUnhandledCudaError);
constexpr int kInProgress = static_cast<int>(cuda::ncclInProgress);
constexpr int kRemoteError = static_cast<int>(cuda::ncclRemoteError);
constexpr int kNotReady = static_cast<int>(musa::musaErrorNotReady);

// NCCL ends what the old communicator is doing. MCCL can only end it together with the
// communicator, so this is how long such work may still take.
constexpr int kSecondsToEnd = 10;

int refuse_abort(const char* reason) {
  return torchada::refuse_argument(kName, "shrinkFlags", "NCCL_SHRINK_ABORT (1)", reason,
                                   kInvalidUsage);
}

// Who stays, by the numbers of the old communicator.
struct Remainder {
  int size = 0;   // Ranks that stay.
  int rank = -1;  // This rank's new number; -1 if it is to leave.
  int root = -1;  // The first rank that stays.
};

bool is_listed(const int* list, int count, int rank) {
  for (int i = 0; i < count; ++i) {
    if (list[i] == rank) return true;
  }
  return false;
}

// False if the list names a rank that there is not, or one twice.
bool is_sound(const int* list, int count, int ranks) {
  for (int i = 0; i < count; ++i) {
    if (list[i] < 0 || list[i] >= ranks || is_listed(list, i, list[i])) return false;
  }
  return true;
}

Remainder remainder(const int* list, int count, int ranks, int own) {
  Remainder out;
  for (int rank = 0; rank < ranks; ++rank) {
    if (is_listed(list, count, rank)) continue;
    if (rank == own) out.rank = out.size;
    if (out.root < 0) out.root = rank;
    ++out.size;
  }
  return out;
}

// Device memory for the invitation, and a stream to send it on.
class Delivery {
 public:
  explicit Delivery(void* communicator) : communicator_(communicator) {}
  Delivery(const Delivery&) = delete;
  Delivery& operator=(const Delivery&) = delete;
  ~Delivery() {
    if (is_stuck_) return;  // Freeing would wait for the stream.
    if (stream_) musaStreamDestroy(stream_);
    if (memory_) musaFree(memory_);
  }

  int prepare() {
    if (musaStreamCreate(&stream_) != 0) return kUnhandled;
    return musaMalloc(&memory_, sizeof(Invitation)) == 0 ? 0 : kUnhandled;
  }
  // Enqueues it for all ranks that stay but this one.
  int send(const Invitation& invitation, const int* list, int count, int ranks, int own) {
    if (musaMemcpyAsync(memory_, &invitation, sizeof invitation, musa::musaMemcpyHostToDevice,
                        stream_) != 0) {
      return kUnhandled;
    }
    if (const int status = mcclGroupStart()) return status;
    int failed = 0;
    for (int rank = 0; rank < ranks && failed == 0; ++rank) {
      if (rank == own || is_listed(list, count, rank)) continue;
      failed = mcclSend(memory_, sizeof invitation, musa::mcclInt8, rank, communicator_, stream_);
    }
    return end_group(failed);
  }
  int receive(int from) {
    if (const int status = mcclGroupStart()) return status;
    return end_group(
        mcclRecv(memory_, sizeof(Invitation), musa::mcclInt8, from, communicator_, stream_));
  }
  // With a limit, waits no longer than kSecondsToEnd.
  int wait(bool has_limit) {
    if (!has_limit) return musaStreamSynchronize(stream_) == 0 ? 0 : kUnhandled;
    timespec start{};
    clock_gettime(CLOCK_MONOTONIC, &start);
    while (true) {
      const int status = musaStreamQuery(stream_);
      if (status == 0) return 0;
      if (status != kNotReady) return kUnhandled;
      timespec now{};
      clock_gettime(CLOCK_MONOTONIC, &now);
      if (now.tv_sec - start.tv_sec > kSecondsToEnd) break;
      usleep(1000);
    }
    musaGetLastError();  // MUSA may keep that the stream was not ready.
    is_stuck_ = true;
    return refuse_abort(
        "what the communicator is doing has not ended within 10 seconds, and MCCL is not known to "
        "end it and keep the communicator; abort it and make a new one with ncclCommInitRank");
  }
  int read(Invitation* invitation) {
    const bool done = musaMemcpyAsync(invitation, memory_, sizeof *invitation,
                                      musa::musaMemcpyDeviceToHost, stream_) == 0 &&
                      musaStreamSynchronize(stream_) == 0;
    return done ? 0 : kUnhandled;
  }

 private:
  // Called after a failure too, or the group would stay open.
  int end_group(int failed) {
    int status = mcclGroupEnd();
    if (failed != 0) return failed;
    // Only a communicator that does not block returns this.
    while (status == kInProgress) {
      usleep(100);
      if (const int error = mcclCommGetAsyncError(communicator_, &status)) return error;
    }
    return status;
  }

  void* communicator_;
  void* stream_ = nullptr;
  void* memory_ = nullptr;
  bool is_stuck_ = false;
};

int shrink(void* communicator, const int* list, int count, bool aborts, void** made) {
  int ranks = 0, rank = 0, device = 0;
  if (const int status = mcclCommCount(communicator, &ranks)) return status;
  if (const int status = mcclCommUserRank(communicator, &rank)) return status;
  if (const int status = mcclCommMuDevice(communicator, &device)) return status;
  if (!is_sound(list, count, ranks) || is_listed(list, count, rank)) return fail(kInvalidArgument);
  if (aborts) {
    int error = 0;
    if (const int status = mcclCommGetAsyncError(communicator, &error)) return status;
    if (error != 0 && error != kInProgress) {
      return refuse_abort(
          "the communicator has failed, and MCCL is not known to repair one; abort it and make a "
          "new one with ncclCommInitRank");
    }
  }
  const Remainder rest = remainder(list, count, ranks, rank);
  const OnDevice on_device(device);
  if (on_device.failed()) return kUnhandled;
  Delivery delivery(communicator);
  if (const int status = delivery.prepare()) return status;
  Invitation invitation;
  memset(&invitation, 0, sizeof invitation);
  if (rank == rest.root) {
    invitation.status = mcclGetUniqueId(&invitation.id);
    if (const int status = delivery.send(invitation, list, count, ranks, rank)) return status;
    if (const int status = delivery.wait(aborts)) return status;
  } else {
    if (const int status = delivery.receive(rest.root)) return status;
    if (const int status = delivery.wait(aborts)) return status;
    if (const int status = delivery.read(&invitation)) return status;
  }
  if (invitation.status != 0) return rank == rest.root ? invitation.status : kRemoteError;
  return mcclCommInitRank(made, rest.size, invitation.id, rest.rank);
}

}  // namespace

extern "C" int torchada_adapter_ncclCommShrink(void* communicator, const int* list, int count,
                                               void** made, const void* given, int flags) {
  if (const int absent = torchada::nccl::find_mccl(kName)) return absent;
  if (!communicator || !made || !list || count < 1) return fail(kInvalidArgument);
  // As in NCCL: null until it is done.
  *made = nullptr;
  Config config;
  if (const int refused = torchada::nccl::read_config(given, &config)) return refused;
  if (const int refused = torchada::nccl::accept_config(config, kName)) return refused;
  if (!config.is_blocking) torchada::nccl::say_blocking(kName);
  static uint8_t said;
  if (const int refused = torchada::nccl::refuse_in_group(kName, &said)) return refused;
  const bool aborts = (flags & static_cast<int>(torchada::NCCL_SHRINK_ABORT)) != 0;
  void* rest = nullptr;
  const int status = shrink(communicator, list, count, aborts, &rest);
  if (status == 0) *made = rest;
  return status;
}
