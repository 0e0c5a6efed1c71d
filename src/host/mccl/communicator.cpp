#include "communicator.h"

#include <handle_table.h>

#include <cstdio>

#include "errors.h"
#include "unique_id.h"

namespace host_mccl {
namespace {

using Communicators = host::HandleTable<mcclComm_t, Communicator>;

Communicators& communicators() {
  static auto& instance = *new Communicators;  // never destroyed: destructors may still call us
  return instance;
}

// Not silent, unlike other errors: the caller did nothing wrong, this library lacks something.
mcclResult_t refuse_ranks(const char* caller, int ranks) {
  const mcclResult_t result =
      fail(mcclInvalidUsage, "%s: %d ranks asked for, but this libmccl stand-in has one rank",
           caller, ranks);
  std::fprintf(stderr, "mccl: %s\n", mcclGetLastError(nullptr));
  return result;
}

mcclResult_t check_config(const mcclConfig_t& config) {
  if (config.magic != MCCL_CONFIG_MAGIC || config.size < offsetof(mcclConfig_t, netName)) {
    return fail(mcclInvalidArgument,
                "mcclCommInitRankConfig: config was not set to MCCL_CONFIG_INITIALIZER");
  }
  const auto unset = [](int value) { return value == MCCL_CONFIG_UNDEF_INT; };
  const auto within = [&](int value, int least, int most) {
    return unset(value) || (value >= least && value <= most);
  };
  if (!within(config.blocking, 0, 1)) {
    return fail(mcclInvalidArgument, "mcclCommInitRankConfig: config.blocking is neither 0 nor 1");
  }
  if (!within(config.cgaClusterSize, 0, 8)) {
    return fail(mcclInvalidArgument, "mcclCommInitRankConfig: config.cgaClusterSize not in 0..8");
  }
  const bool crossed =
      !unset(config.minCTAs) && !unset(config.maxCTAs) && config.minCTAs > config.maxCTAs;
  if (!within(config.minCTAs, 1, INT_MAX) || !within(config.maxCTAs, 1, INT_MAX) || crossed) {
    return fail(mcclInvalidArgument, "mcclCommInitRankConfig: config.minCTAs or maxCTAs is wrong");
  }
  return mcclSuccess;
}

mcclResult_t init_rank(const char* caller, mcclComm_t* comm, int ranks, const mcclUniqueId& id,
                       int rank) {
  if (comm == nullptr) return fail(mcclInvalidArgument, "%s: comm is null", caller);
  *comm = nullptr;
  if (ranks < 1 || rank < 0 || rank >= ranks) {
    return fail(mcclInvalidArgument, "%s: rank %d of %d does not exist", caller, rank, ranks);
  }
  if (!is_ours(id)) {
    return fail(mcclInvalidArgument, "%s: the id was not made by mcclGetUniqueId", caller);
  }
  if (ranks > Communicator::kRanks) return refuse_ranks(caller, ranks);
  int device = 0;
  const auto status = check_musa(musaGetDevice(&device), "musaGetDevice");
  if (status != mcclSuccess) return status;
  *comm = communicators().insert(std::make_shared<Communicator>(device));
  return mcclSuccess;
}

// Work already in a stream holds all it needs, so a communicator can go at any time.
mcclResult_t release(const char* caller, mcclComm_t comm) {
  if (communicators().remove(comm)) return mcclSuccess;
  return fail(mcclInvalidArgument, "%s: %p is not a live communicator", caller,
              static_cast<void*>(comm));
}

template <typename Value, typename Read>
mcclResult_t report(const char* caller, mcclComm_t comm, Value* out, Read read) {
  const auto communicator = find_communicator(comm, caller);
  if (!communicator) return mcclInvalidArgument;
  if (out == nullptr) return fail(mcclInvalidArgument, "%s: the result pointer is null", caller);
  *out = read(*communicator);
  return mcclSuccess;
}

}  // namespace

CommunicatorPtr find_communicator(mcclComm_t comm, const char* caller) {
  auto communicator = communicators().find(comm);
  if (!communicator) {
    fail(mcclInvalidArgument, "%s: %p is not a live communicator", caller,
         static_cast<void*>(comm));
  }
  return communicator;
}

}  // namespace host_mccl

using namespace host_mccl;

extern "C" {

mcclResult_t mcclCommInitRank(mcclComm_t* comm, int nranks, mcclUniqueId commId, int rank) {
  return init_rank("mcclCommInitRank", comm, nranks, commId, rank);
}

mcclResult_t mcclCommInitRankConfig(mcclComm_t* comm, int nranks, mcclUniqueId commId, int rank,
                                    mcclConfig_t* config) {
  if (config != nullptr) {
    const auto status = check_config(*config);
    if (status != mcclSuccess) return status;
  }
  return init_rank("mcclCommInitRankConfig", comm, nranks, commId, rank);
}

mcclResult_t mcclCommInitAll(mcclComm_t* comm, int ndev, const int* devlist) {
  constexpr auto kCaller = "mcclCommInitAll";
  if (comm == nullptr || ndev < 1) {
    return fail(mcclInvalidArgument, "%s: comm is null or ndev is %d", kCaller, ndev);
  }
  int devices = 0;
  const auto status = check_musa(musaGetDeviceCount(&devices), "musaGetDeviceCount");
  if (status != mcclSuccess) return status;
  for (int i = 0; i < ndev; ++i) {
    const int device = devlist == nullptr ? i : devlist[i];
    if (device < 0 || device >= devices) {
      return fail(mcclInvalidArgument, "%s: there is no device %d", kCaller, device);
    }
  }
  if (ndev > Communicator::kRanks) return refuse_ranks(kCaller, ndev);
  const int device = devlist == nullptr ? 0 : devlist[0];
  *comm = communicators().insert(std::make_shared<Communicator>(device));
  return mcclSuccess;
}

mcclResult_t mcclCommDestroy(mcclComm_t comm) { return release("mcclCommDestroy", comm); }

mcclResult_t mcclCommAbort(mcclComm_t comm) { return release("mcclCommAbort", comm); }

mcclResult_t mcclCommGetAsyncError(mcclComm_t comm, mcclResult_t* asyncError) {
  return report("mcclCommGetAsyncError", comm, asyncError,
                [](const Communicator&) { return mcclSuccess; });
}

mcclResult_t mcclCommCount(const mcclComm_t comm, int* count) {
  return report("mcclCommCount", comm, count,
                [](const Communicator&) { return Communicator::kRanks; });
}

mcclResult_t mcclCommMuDevice(const mcclComm_t comm, int* device) {
  return report("mcclCommMuDevice", comm, device,
                [](const Communicator& communicator) { return communicator.device; });
}

mcclResult_t mcclCommUserRank(const mcclComm_t comm, int* rank) {
  return report("mcclCommUserRank", comm, rank,
                [](const Communicator&) { return Communicator::kRank; });
}

}  // extern "C"
