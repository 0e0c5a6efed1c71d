#include "unique_id.h"

#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>

#include "errors.h"

namespace host_mccl {
namespace {

constexpr std::array<char, 8> kMagic = {'M', 'C', 'C', 'L', 'h', 'o', 's', 't'};

struct Contents {
  std::array<char, 8> magic;
  std::int64_t process;
  std::array<unsigned char, MCCL_UNIQUE_ID_BYTES - 16> random;
};
static_assert(sizeof(Contents) == sizeof(mcclUniqueId));

}  // namespace

bool is_ours(const mcclUniqueId& id) {
  return std::memcmp(id.internal, kMagic.data(), kMagic.size()) == 0;
}

}  // namespace host_mccl

extern "C" mcclResult_t mcclGetUniqueId(mcclUniqueId* uniqueId) {
  using namespace host_mccl;
  if (uniqueId == nullptr) return fail(mcclInvalidArgument, "mcclGetUniqueId: id is null");
  Contents contents{kMagic, getpid(), {}};
  if (getentropy(contents.random.data(), contents.random.size()) != 0) {
    return fail(mcclSystemError, "mcclGetUniqueId: the system gives no random bytes");
  }
  std::memcpy(uniqueId, &contents, sizeof(contents));
  return mcclSuccess;
}
