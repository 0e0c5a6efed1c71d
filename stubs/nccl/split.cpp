// ncclCommSplit, which no MCCL is known to have. The ranks tell each other their wishes and then
// the identifiers of the parts, in two all-gathers on the communicator that is being split. Each
// part then starts like any other communicator. These steps need what NCCL demands of a split: all
// ranks call it, and none has outstanding work.
//
// Within a group nothing is sent until the group ends, so a split is refused there. NCCL would run
// it at the end of the group.
#include <string.h>

#include "facts.h"
#include "stubs/adapting/on_device.h"
#include "stubs/nccl/config.h"
#include "stubs/nccl/exchange.h"
#include "stubs/nccl/find_mccl.h"
#include "stubs/nccl/group.h"
#include "stubs/nccl/split_plan.h"
#include "stubs/reporting/fallback.h"

namespace {

using torchada::fail;
using torchada::OnDevice;
using torchada::nccl::Config;
using torchada::nccl::Exchange;
using torchada::nccl::Invitation;
using torchada::nccl::SplitPlan;
using torchada::nccl::SplitWish;
namespace cuda = torchada::cuda;
namespace musa = torchada::musa;

constexpr int kInvalidArgument = static_cast<int>(cuda::ncclInvalidArgument);
constexpr int kUnhandled = static_cast<int>(cuda::ncclUnhandledCudaError);
constexpr int kRemoteError = static_cast<int>(cuda::ncclRemoteError);

// One part to send, and behind it one part from every rank.
class AllGather {
 public:
  AllGather(void* communicator, int ranks) : exchange_(communicator), ranks_(ranks) {}

  int prepare(size_t largest) {
    return exchange_.prepare(largest * (static_cast<size_t>(ranks_) + 1));
  }
  int run(const void* own, size_t size) {
    size_ = size;
    if (const int status = exchange_.put(own, size)) return status;
    char* const memory = exchange_.memory();
    const int status = exchange_.settle(mcclAllGather(
        memory, memory + size, size, musa::mcclInt8, exchange_.communicator(), exchange_.stream()));
    return status != 0 ? status : exchange_.wait();
  }
  // Reads `count` parts from rank `first` on. Each has the size given to run().
  int read(void* parts, int first, int count) {
    return exchange_.get(parts, (static_cast<size_t>(first) + 1) * size_,
                         static_cast<size_t>(count) * size_);
  }

 private:
  Exchange exchange_;
  int ranks_;
  size_t size_ = 0;
};

int gather_wishes(AllGather* gather, SplitWish own, int ranks, SplitPlan* plan) {
  constexpr int kAtOnce = 128;
  if (const int status = gather->run(&own, sizeof own)) return status;
  SplitWish wishes[kAtOnce];
  for (int first = 0; first < ranks; first += kAtOnce) {
    const int count = ranks - first < kAtOnce ? ranks - first : kAtOnce;
    if (const int status = gather->read(wishes, first, count)) return status;
    for (int i = 0; i < count; ++i) plan->add(first + i, wishes[i]);
  }
  return 0;
}

int split(void* communicator, SplitWish own, void** made) {
  int ranks = 0, rank = 0, device = 0;
  if (const int status = mcclCommCount(communicator, &ranks)) return status;
  if (const int status = mcclCommUserRank(communicator, &rank)) return status;
  if (const int status = mcclCommMuDevice(communicator, &device)) return status;
  const OnDevice on_device(device);
  if (on_device.failed()) return kUnhandled;
  AllGather gather(communicator, ranks);
  if (const int status = gather.prepare(sizeof(Invitation))) return status;
  SplitPlan plan(own, rank);
  if (const int status = gather_wishes(&gather, own, ranks, &plan)) return status;

  const bool has_color = own.color != static_cast<int>(torchada::NCCL_SPLIT_NOCOLOR);
  Invitation invitation;
  memset(&invitation, 0, sizeof invitation);
  if (has_color && plan.rank() == 0) invitation.status = mcclGetUniqueId(&invitation.id);
  // Ranks that get no communicator take part too: the others wait for them.
  if (const int status = gather.run(&invitation, sizeof invitation)) return status;
  if (!has_color) return 0;
  if (const int status = gather.read(&invitation, plan.root(), 1)) return status;
  if (invitation.status != 0) return plan.rank() == 0 ? invitation.status : kRemoteError;
  return mcclCommInitRank(made, plan.size(), invitation.id, plan.rank());
}

}  // namespace

extern "C" int torchada_adapter_ncclCommSplit(void* communicator, int color, int key, void** made,
                                              const void* given) {
  if (const int absent = torchada::nccl::find_mccl("ncclCommSplit")) return absent;
  if (!communicator || !made) return fail(kInvalidArgument);
  Config config;
  if (const int refused = torchada::nccl::read_config(given, &config)) return refused;
  if (const int refused = torchada::nccl::accept_config(config, "ncclCommSplit")) return refused;
  if (!config.is_blocking) torchada::nccl::say_blocking("ncclCommSplit");
  static uint8_t said;
  if (const int refused = torchada::nccl::refuse_in_group("ncclCommSplit", &said)) return refused;
  // As in NCCL: null until the split is done, and for a rank that asked for no part.
  *made = nullptr;
  void* part = nullptr;
  const int status = split(communicator, {color, key}, &part);
  if (status == 0) *made = part;
  return status;
}
