// Communicators with a configuration. MCCL before 2.28.9 has none, and no public source gives the
// layout of the later mcclConfig_t. But everything a configuration asks for is a hint, except for
// the two things that config.cpp looks at. So mcclCommInitRank makes all communicators, except
// those that must not block.
#include <stddef.h>

#include "facts.h"
#include "stubs/adapting/on_device.h"
#include "stubs/nccl/config.h"
#include "stubs/nccl/find_mccl.h"
#include "stubs/nccl/group.h"
#include "stubs/reporting/fallback.h"

namespace {

using torchada::fail;
using torchada::mcclUniqueId;
using torchada::OnDevice;
using torchada::nccl::Config;
using torchada::nccl::find_mccl;

namespace cuda = torchada::cuda;

constexpr int kInvalidArgument = static_cast<int>(cuda::ncclInvalidArgument);
constexpr int kInvalidUsage = static_cast<int>(cuda::ncclInvalidUsage);

// Assumed: mcclConfig_t begins like ncclConfig_t, up to the one member that is used here. As in
// NCCL, its size says that no more follows.
struct ConfigHead {
  size_t size = cuda::ncclConfig_t_blocking + sizeof blocking;
  unsigned magic = static_cast<unsigned>(torchada::NCCL_API_MAGIC);
  unsigned version = 0;
  int blocking = 0;
};
static_assert(offsetof(ConfigHead, size) == cuda::ncclConfig_t_size);
static_assert(offsetof(ConfigHead, magic) == cuda::ncclConfig_t_magic);
static_assert(offsetof(ConfigHead, version) == cuda::ncclConfig_t_version);
static_assert(offsetof(ConfigHead, blocking) == cuda::ncclConfig_t_blocking);

// If MCCL can, returns ncclInProgress without waiting for the other ranks. Otherwise returns once
// all ranks have come, like a communicator that was ready at once. Within a group it always takes
// the second way, because a refusal by MCCL would spoil the group.
int start(void** communicator, int ranks, const mcclUniqueId& id, int rank, const char* function) {
  ConfigHead head;
  int version = 0;
  mcclGetVersion(&version);
  head.version = static_cast<unsigned>(version);
  if (!torchada::nccl::in_group()) {
    const int status = mcclCommInitRankConfig(communicator, ranks, id, rank, &head);
    // MCCL gives the first if it takes another configuration, the second if it lacks the function.
    if (status != kInvalidArgument && status != kInvalidUsage) return status;
  }
  torchada::nccl::say_blocking(function);
  return mcclCommInitRank(communicator, ranks, id, rank);
}

int init_rank(void** communicator, int ranks, const mcclUniqueId* id, int rank, const void* given,
              const char* function) {
  if (const int absent = find_mccl(function)) return absent;
  if (!communicator || !id || ranks < 1 || rank < 0 || rank >= ranks) return fail(kInvalidArgument);
  Config config;
  if (const int refused = torchada::nccl::read_config(given, &config)) return refused;
  if (const int refused = torchada::nccl::accept_config(config, function)) return refused;
  if (!config.is_blocking) return start(communicator, ranks, *id, rank, function);
  return mcclCommInitRank(communicator, ranks, *id, rank);
}

}  // namespace

extern "C" {

int torchada_adapter_ncclCommInitRankConfig(void** communicator, int ranks, mcclUniqueId id,
                                            int rank, const void* config) {
  return init_rank(communicator, ranks, &id, rank, config, "ncclCommInitRankConfig");
}

// All ranks pass the same identifiers, and NCCL spreads the work of starting over the ranks that
// made them. One identifier is enough to start; the others are not used.
int torchada_adapter_ncclCommInitRankScalable(void** communicator, int ranks, int rank, int ids,
                                              const mcclUniqueId* id, const void* config) {
  constexpr const char* kName = "ncclCommInitRankScalable";
  if (const int absent = find_mccl(kName)) return absent;
  if (ids < 1 || ids > ranks) return fail(kInvalidArgument);
  return init_rank(communicator, ranks, id, rank, config, kName);
}

// Finishes what was enqueued; mcclCommDestroy does the rest. That work is on a stream of the
// program's, so this waits for the whole device. A second call does nothing, where NCCL refuses it.
int torchada_adapter_ncclCommFinalize(void* communicator) {
  if (!communicator) return 0;
  int device = 0;
  if (const int status = mcclCommMuDevice(communicator, &device)) return status;
  const OnDevice on_device(device);
  if (!on_device.failed() && musaDeviceSynchronize() == 0) return 0;
  return fail(static_cast<int>(cuda::ncclUnhandledCudaError));
}

}  // extern "C"
