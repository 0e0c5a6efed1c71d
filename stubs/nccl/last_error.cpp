// ncclGetLastError: what went wrong last. MCCL's own text if it has one, otherwise the line about
// the last call that was refused here. Calls that MCCL fails do not pass through here, so without
// MCCL's text there is only advice.
#include "facts.h"
#include "stubs/reporting/report.h"
#include "stubs/resolving/backend.h"

extern "C" const char* torchada_adapter_ncclGetLastError(void* communicator) {
  constexpr const char* kName = "mcclGetLastError";
  const torchada::Target target = {0, 0, torchada::kNoSdkEnd};
  // No public source shows that every MCCL has it, and without it there is no text to return.
  const torchada::Lookup found =
      torchada::find_in_backend(torchada::BackendLibrary::kMccl, &target, 1, kName);
  if (found.result == torchada::Lookup::kFound) {
    const char* const text = mcclGetLastError(communicator);
    if (text && *text) return text;
  }
  const char* const refusal = torchada::last_refusal();
  if (*refusal || found.result != torchada::Lookup::kMissing) return refusal;
  return "the opened MCCL keeps no text of its last error (it has no mcclGetLastError); run with "
         "NCCL_DEBUG=WARN to see what went wrong";
}
