// The functions that create, query and destroy communicators.
#include <mccl.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "src/host/mccl/communicator.h"
#include "src/host/mccl/errors.h"
#include "src/host/mccl/group.h"
#include "src/host/mccl/make_unique_id.h"
#include "src/host/mccl/per_process.h"
#include "src/host/mccl/threads.h"
#include "src/host/shared/forward.h"
#include "src/host/shared/handle_table.h"

namespace host_mccl {
namespace {

using Communicators = host::HandleTable<host::HandleKind::kCommunicator, mcclComm_t, Communicator>;

// Programs built for an earlier version pass a shorter struct. The missing fields keep their
// initial values.
mcclResult_t read_config(const mcclConfig_t& given, mcclConfig_t& config) {
  config = MCCL_CONFIG_INITIALIZER;
  std::size_t size = 0;
  std::memcpy(&size, &given, sizeof size);
  if (size >= offsetof(mcclConfig_t, blocking)) {
    std::memcpy(&config, &given, std::min(size, sizeof config));
    if (config.magic == MCCL_CONFIG_MAGIC) return mcclSuccess;
  }
  return fail(mcclInvalidArgument,
              "mcclCommInitRankConfig: config must be initialised with MCCL_CONFIG_INITIALIZER");
}

mcclResult_t check_config(const mcclConfig_t& config) {
  const auto unset = [](int value) { return value == MCCL_CONFIG_UNDEF_INT; };
  const auto within = [&](int value, int least, int most) {
    return unset(value) || (value >= least && value <= most);
  };
  if (!within(config.blocking, 0, 1)) {
    return fail(mcclInvalidArgument, "mcclCommInitRankConfig: config.blocking: expected 0 or 1");
  }
  if (!within(config.cgaClusterSize, 0, 8)) {
    return fail(mcclInvalidArgument,
                "mcclCommInitRankConfig: config.cgaClusterSize: expected 0 to 8");
  }
  const bool crossed =
      !unset(config.minCTAs) && !unset(config.maxCTAs) && config.minCTAs > config.maxCTAs;
  if (!within(config.minCTAs, 1, INT_MAX) || !within(config.maxCTAs, 1, INT_MAX) || crossed) {
    return fail(mcclInvalidArgument, "mcclCommInitRankConfig: config.minCTAs or maxCTAs is wrong");
  }
  return mcclSuccess;
}

// Sets `*comm` at once. The ranks meet in another thread.
mcclResult_t begin(const CommunicatorPtr& communicator, const UniqueId& id, const char* caller,
                   mcclComm_t* comm) {
  communicator->expect_connection();
  std::thread thread =
      quiet_thread("mccl-init", [=] { static_cast<void>(communicator->connect(id, caller)); });
  if (!thread.joinable()) return fail(mcclSystemError, "%s: cannot start a thread", caller);
  thread.detach();
  *comm = per_process<Communicators>().insert(communicator);
  return mcclInProgress;
}

// Sets `*comm` when all ranks have met, or at once if not `blocking`. In a group this happens when
// the group ends.
mcclResult_t make(const char* caller, mcclComm_t* comm, int device, int ranks, const UniqueId& id,
                  int rank, bool blocking = true) {
  return submit([=] {
    const auto communicator = std::make_shared<Communicator>(device, ranks, rank);
    if (!blocking) return begin(communicator, id, caller, comm);
    const mcclResult_t result = communicator->connect(id, caller);
    if (result == mcclSuccess) *comm = per_process<Communicators>().insert(communicator);
    return result;
  });
}

mcclResult_t init_rank(const char* caller, mcclComm_t* comm, int ranks, const mcclUniqueId& id,
                       int rank, bool blocking = true) {
  if (comm == nullptr) return fail(mcclInvalidArgument, "%s: comm is null", caller);
  *comm = nullptr;
  if (ranks < 1 || rank < 0 || rank >= ranks) {
    return fail(mcclInvalidArgument, "%s: rank %d of %d does not exist", caller, rank, ranks);
  }
  const auto contents = contents_of(id);
  if (!contents) {
    return fail(mcclInvalidArgument, "%s: the id was not made by mcclGetUniqueId", caller);
  }
  int device = 0;
  const auto status = check_musa(musaGetDevice(&device), "musaGetDevice");
  if (status != mcclSuccess) return status;
  return make(caller, comm, device, ranks, *contents, rank, blocking);
}

mcclResult_t init_all(mcclComm_t* comm, int ndev, const int* devlist) {
  constexpr auto kCaller = "mcclCommInitAll";
  if (comm == nullptr || ndev < 1) {
    return fail(mcclInvalidArgument, "%s: comm is null or ndev is %d", kCaller, ndev);
  }
  int devices = 0;
  auto status = check_musa(musaGetDeviceCount(&devices), "musaGetDeviceCount");
  if (status != mcclSuccess) return status;
  std::set<int> used;
  for (int i = 0; i < ndev; ++i) {
    const int device = devlist == nullptr ? i : devlist[i];
    if (device < 0 || device >= devices) {
      return fail(mcclInvalidArgument, "%s: device %d does not exist", kCaller, device);
    }
    if (!used.insert(device).second) {
      return fail(mcclInvalidUsage, "%s: device %d is listed twice", kCaller, device);
    }
  }
  mcclUniqueId id;
  status = make_unique_id(id, kCaller);
  const auto contents = contents_of(id);
  mcclGroupStart();
  for (int i = 0; i < ndev && status == mcclSuccess; ++i) {
    comm[i] = nullptr;
    const int device = devlist == nullptr ? i : devlist[i];
    status = make(kCaller, &comm[i], device, ndev, *contents, i);
  }
  const mcclResult_t ended = mcclGroupEnd();
  return status == mcclSuccess ? ended : status;
}

template <typename Value>
mcclResult_t tell(const char* caller, Value* out, Value value) {
  if (out == nullptr) return fail(mcclInvalidArgument, "%s: the result pointer is null", caller);
  *out = value;
  return mcclSuccess;
}

mcclResult_t report(const char* caller, mcclComm_t comm, int* out, const int Communicator::*what) {
  const auto communicator = find_communicator(comm, caller);
  if (!communicator) return mcclInvalidArgument;
  return tell(caller, out, (*communicator).*what);
}

// Returns `found`; reports an error if it is null.
CommunicatorPtr expect_live(CommunicatorPtr found, mcclComm_t comm, const char* caller) {
  if (!found) {
    fail(mcclInvalidArgument, "%s: %p is not a live communicator", caller,
         static_cast<void*>(comm));
  }
  return found;
}

CommunicatorPtr remove(const char* caller, mcclComm_t comm) {
  return expect_live(per_process<Communicators>().remove(comm), comm, caller);
}

}  // namespace

CommunicatorPtr find_communicator(mcclComm_t comm, const char* caller) {
  auto communicator = expect_live(per_process<Communicators>().find(comm), comm, caller);
  if (!communicator || !communicator->is_connecting()) return communicator;
  fail(mcclInvalidArgument,
       "%s: the communicator is not ready; ask mcclCommGetAsyncError until it is", caller);
  return nullptr;
}

}  // namespace host_mccl

using namespace host_mccl;

mcclResult_t mcclCommInitRank(mcclComm_t* comm, int nranks, mcclUniqueId commId, int rank) {
  return note(init_rank("mcclCommInitRank", comm, nranks, commId, rank));
}

mcclResult_t mcclCommInitRankConfig(mcclComm_t* comm, int nranks, mcclUniqueId commId, int rank,
                                    mcclConfig_t* config) {
  mcclConfig_t read = MCCL_CONFIG_INITIALIZER;
  auto status = config == nullptr ? mcclSuccess : read_config(*config, read);
  if (status == mcclSuccess) status = check_config(read);
  if (status != mcclSuccess) return note(status);
  return note(init_rank("mcclCommInitRankConfig", comm, nranks, commId, rank, read.blocking != 0));
}

mcclResult_t mcclCommInitAll(mcclComm_t* comm, int ndev, const int* devlist) {
  return note(init_all(comm, ndev, devlist));
}

// As NCCL's documentation says, completes what was started first. The process may end after that.
mcclResult_t mcclCommDestroy(mcclComm_t comm) {
  constexpr auto kCaller = "mcclCommDestroy";
  if (!find_communicator(comm, kCaller)) return mcclInvalidArgument;
  const auto communicator = remove(kCaller, comm);
  if (!communicator) return mcclInvalidArgument;
  communicator->leave();
  return mcclSuccess;
}

mcclResult_t mcclCommAbort(mcclComm_t comm) {
  const auto communicator = remove("mcclCommAbort", comm);
  if (!communicator) return mcclInvalidArgument;
  communicator->abort();
  return mcclSuccess;
}

mcclResult_t mcclCommGetAsyncError(mcclComm_t comm, mcclResult_t* asyncError) {
  constexpr auto kCaller = "mcclCommGetAsyncError";
  const auto communicator = expect_live(per_process<Communicators>().find(comm), comm, kCaller);
  if (!communicator) return mcclInvalidArgument;
  return tell(kCaller, asyncError, communicator->async_error());
}

#define MCCL_NUMBER(function, member) \
  HOST_ANSWER(mcclResult_t, 2, function, report(#function, a0, a1, &Communicator::member))
MCCL_NUMBER(mcclCommCount, ranks)
MCCL_NUMBER(mcclCommMuDevice, device)
MCCL_NUMBER(mcclCommUserRank, rank)
