// ncclGetLastError: what went wrong last. MCCL's own text if it has one, otherwise the line about
// the last call that was refused here.
#include "facts.h"
#include "stubs/backend.h"
#include "stubs/report.h"

extern "C" const char* torchada_adapter_ncclGetLastError(void* communicator) {
  constexpr const char* kName = "mcclGetLastError";
  const torchada::Target target = {0, 0, torchada::kNewestSdk};
  // No public source shows that every MCCL has it, and without it there is no text to return.
  const torchada::Lookup found =
      torchada::find_in_backend(torchada::BackendLibrary::kMccl, &target, 1, kName);
  if (found.result == torchada::Lookup::kFound) {
    const char* const text = mcclGetLastError(communicator);
    if (text && *text) return text;
  }
  return torchada::last_refusal();
}
