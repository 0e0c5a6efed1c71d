// Communicators with a configuration. MCCL before 2.28.9 has none, and of the later mcclConfig_t no
// public source tells the layout; but all that a configuration asks for are hints, except for the
// two things config.cpp looks at. So every communicator is made by mcclCommInitRank.
#include "config.h"
#include "coverage.h"
#include "facts.h"
#include "fallback.h"
#include "on_device.h"

namespace {

using torchada::fail;
using torchada::mcclUniqueId;
using torchada::OnDevice;
using torchada::nccl::Config;

constexpr int kInvalidArgument = static_cast<int>(torchada::cuda::ncclInvalidArgument);

// NCCL looks for a device before it looks at its arguments.
int find_mccl(const char* function) {
  int version = 0;
  const int absent = mcclGetVersion(&version);
  if (absent) torchada::report_absence(function);
  return absent;
}

int init_rank(void** communicator, int ranks, const mcclUniqueId* id, int rank, const void* given,
              const char* function) {
  if (const int absent = find_mccl(function)) return absent;
  if (!communicator || !id || ranks < 1 || rank < 0 || rank >= ranks) return fail(kInvalidArgument);
  Config config;
  if (const int refused = torchada::nccl::read_config(given, &config)) return refused;
  if (const int refused = torchada::nccl::accept_config(config, function)) return refused;
  return mcclCommInitRank(communicator, ranks, *id, rank);
}

}  // namespace

extern "C" {

int torchada_adapter_ncclCommInitRankConfig(void** communicator, int ranks, mcclUniqueId id,
                                            int rank, const void* config) {
  return init_rank(communicator, ranks, &id, rank, config, "ncclCommInitRankConfig");
}

// All ranks pass the same identifiers, and NCCL spreads the work of starting over those who made
// them. One of them is enough to start; the others are never asked.
int torchada_adapter_ncclCommInitRankScalable(void** communicator, int ranks, int rank, int ids,
                                              const mcclUniqueId* id, const void* config) {
  constexpr const char* kName = "ncclCommInitRankScalable";
  if (const int absent = find_mccl(kName)) return absent;
  if (ids < 1 || ids > ranks) return fail(kInvalidArgument);
  return init_rank(communicator, ranks, id, rank, config, kName);
}

// Finishes what was enqueued; what is left, mcclCommDestroy does. The stream of that work is the
// program's, so all of the device is waited for. A second call does nothing, where NCCL refuses it.
int torchada_adapter_ncclCommFinalize(void* communicator) {
  if (!communicator) return 0;
  int device = 0;
  if (const int status = mcclCommMuDevice(communicator, &device)) return status;
  const OnDevice on_device(device);
  if (!on_device.failed() && musaDeviceSynchronize() == 0) return 0;
  return fail(static_cast<int>(torchada::cuda::ncclUnhandledCudaError));
}

// MCCL keeps no text that public evidence knows of. NCCL's is empty until something has failed.
const char* torchada_adapter_ncclGetLastError() { return ""; }

}  // extern "C"
