#include "src/host/mccl/make_unique_id.h"

#include <sys/random.h>
#include <unistd.h>

#include <cstring>

#include "src/host/mccl/errors.h"
#include "src/host/mccl/rendezvous_server.h"

namespace host_mccl {

mcclResult_t make_unique_id(mcclUniqueId& id, const char* caller) {
  UniqueId contents{};
  if (getentropy(&contents.token, sizeof contents.token) != 0) {
    return fail(mcclSystemError, "%s: cannot get random bytes from the system", caller);
  }
  contents.magic = kUniqueIdMagic;
  contents.process = getpid();
  contents.host = host_key();
  const mcclResult_t result = per_process<RendezvousServer>().open(contents, caller);
  if (result == mcclSuccess) std::memcpy(&id, &contents, sizeof contents);
  return result;
}

}  // namespace host_mccl

extern "C" mcclResult_t mcclGetUniqueId(mcclUniqueId* uniqueId) {
  using namespace host_mccl;
  if (uniqueId == nullptr) return fail(mcclInvalidArgument, "mcclGetUniqueId: id is null");
  return make_unique_id(*uniqueId, "mcclGetUniqueId");
}
