#include "src/host/mccl/proof.h"

#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <sys/random.h>

namespace host_mccl {

bool fill_randomly(void* bytes, std::size_t size) { return getentropy(bytes, size) == 0; }

Proof make_proof(const Secret& secret, std::string_view role, const Nonce& nonce, const void* said,
                 std::size_t size) {
  hmac_sha256_ctx context;
  hmac_sha256_set_key(&context, secret.size(), secret.data());
  // Each part has a fixed size for a given role, so no two messages are read as the same.
  hmac_sha256_update(&context, role.size(), reinterpret_cast<const std::uint8_t*>(role.data()));
  hmac_sha256_update(&context, nonce.size(), nonce.data());
  hmac_sha256_update(&context, size, static_cast<const std::uint8_t*>(said));
  Proof proof;
  hmac_sha256_digest(&context, proof.size(), proof.data());
  return proof;
}

bool are_equal(const Proof& left, const Proof& right) {
  return memeql_sec(left.data(), right.data(), left.size()) != 0;
}

}  // namespace host_mccl
