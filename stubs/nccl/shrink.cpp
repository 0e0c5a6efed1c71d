// ncclCommShrink, which no MCCL is known to have. The ranks that stay know each other from the
// list, and the others do not take part. So the first of them sends an identifier to each other one
// on the communicator that is being shrunk, and they start like any other communicator.
//
// Within a group nothing is sent until the group ends, so it is refused there, like a split.
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "facts.h"
#include "stubs/adapting/on_device.h"
#include "stubs/nccl/config.h"
#include "stubs/nccl/exchange.h"
#include "stubs/nccl/find_mccl.h"
#include "stubs/nccl/group.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"

namespace {

using torchada::fail;
using torchada::OnDevice;
using torchada::nccl::Config;
using torchada::nccl::Exchange;
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

// Called after a failure too, or the group would stay open.
int end_group(Exchange* exchange, int failed) {
  const int status = mcclGroupEnd();
  return failed != 0 ? failed : exchange->settle(status);
}

// Enqueues the invitation for all ranks that stay but this one.
int send(Exchange* exchange, const Invitation& invitation, const int* list, int count, int ranks,
         int own) {
  if (const int status = exchange->put(&invitation, sizeof invitation)) return status;
  if (const int status = mcclGroupStart()) return status;
  int failed = 0;
  for (int rank = 0; rank < ranks && failed == 0; ++rank) {
    if (rank == own || is_listed(list, count, rank)) continue;
    failed = mcclSend(exchange->memory(), sizeof invitation, musa::mcclInt8, rank,
                      exchange->communicator(), exchange->stream());
  }
  return end_group(exchange, failed);
}

int receive(Exchange* exchange, int from) {
  if (const int status = mcclGroupStart()) return status;
  return end_group(exchange, mcclRecv(exchange->memory(), sizeof(Invitation), musa::mcclInt8, from,
                                      exchange->communicator(), exchange->stream()));
}

// As Exchange::wait, but no longer than kSecondsToEnd.
int wait_for_end(Exchange* exchange) {
  timespec start{};
  clock_gettime(CLOCK_MONOTONIC, &start);
  while (true) {
    const int status = musaStreamQuery(exchange->stream());
    if (status == 0) return 0;
    if (status != kNotReady) return kUnhandled;
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec - start.tv_sec > kSecondsToEnd) break;
    usleep(1000);
  }
  musaGetLastError();  // MUSA may keep that the stream was not ready.
  exchange->give_up();
  return refuse_abort(
      "what the communicator is doing has not ended within 10 seconds, and MCCL is not known to "
      "end it and keep the communicator; abort it and make a new one with ncclCommInitRank");
}

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
  Exchange exchange(communicator);
  if (const int status = exchange.prepare(sizeof(Invitation))) return status;
  Invitation invitation;
  memset(&invitation, 0, sizeof invitation);
  const bool is_root = rank == rest.root;
  if (is_root) invitation.status = mcclGetUniqueId(&invitation.id);
  const int enqueued = is_root ? send(&exchange, invitation, list, count, ranks, rank)
                               : receive(&exchange, rest.root);
  if (enqueued != 0) return enqueued;
  if (const int status = aborts ? wait_for_end(&exchange) : exchange.wait()) return status;
  if (!is_root) {
    if (const int status = exchange.get(&invitation, 0, sizeof invitation)) return status;
  }
  if (invitation.status != 0) return is_root ? invitation.status : kRemoteError;
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
