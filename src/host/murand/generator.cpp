#include "generator.h"

#include <handle_table.h>

namespace host_murand {
namespace {

using Generators = host::HandleTable<murandGenerator_t, Generator>;

Generators& generators() {
  static auto& instance = *new Generators;  // never destroyed: destructors may still call us
  return instance;
}

template <typename Change>
murandStatus_t change(murandGenerator_t handle, Change change) {
  const auto generator = find_generator(handle);
  if (!generator) return MURAND_STATUS_NOT_INITIALIZED;
  change(*generator);
  return MURAND_STATUS_SUCCESS;
}

}  // namespace

void Generator::set_stream(musaStream_t stream) {
  const std::lock_guard lock(mutex_);
  place_.stream = stream;
}

// A new seed and a new offset both start the sequence again, the former at the offset set before.
void Generator::set_seed(std::uint64_t seed) {
  const std::lock_guard lock(mutex_);
  place_.seed = seed;
  place_.position = offset_;
}

void Generator::set_offset(std::uint64_t offset) {
  const std::lock_guard lock(mutex_);
  offset_ = offset;
  place_.position = offset;
}

Place Generator::take(std::uint64_t words) {
  const std::lock_guard lock(mutex_);
  const Place taken = place_;
  place_.position += words;
  return taken;
}

std::shared_ptr<Generator> find_generator(murandGenerator_t generator) {
  return generators().find(generator);
}

}  // namespace host_murand

using namespace host_murand;

extern "C" {

murandStatus_t murandCreateGenerator(murandGenerator_t* generator, murandRngType_t rng_type) {
  if (generator == nullptr) return MURAND_STATUS_OUT_OF_RANGE;
  int device = 0;
  switch (rng_type) {
    case MURAND_RNG_PSEUDO_DEFAULT:
      rng_type = MURAND_RNG_PSEUDO_XORWOW;
      break;
    case MURAND_RNG_PSEUDO_XORWOW:
    case MURAND_RNG_PSEUDO_PHILOX4_32_10:
      break;
    default:  // MRG32K3A and MTGP32 are not implemented here, other numbers are no generators
      return MURAND_STATUS_TYPE_ERROR;
  }
  if (musaGetDevice(&device) != musaSuccess) return MURAND_STATUS_INITIALIZATION_FAILED;
  *generator = generators().insert(std::make_shared<Generator>(rng_type));
  return MURAND_STATUS_SUCCESS;
}

murandStatus_t murandDestroyGenerator(murandGenerator_t generator) {
  return generators().remove(generator) ? MURAND_STATUS_SUCCESS : MURAND_STATUS_NOT_INITIALIZED;
}

murandStatus_t murandSetStream(murandGenerator_t generator, musaStream_t stream) {
  return change(generator, [=](Generator& found) { found.set_stream(stream); });
}

murandStatus_t murandSetPseudoRandomGeneratorSeed(murandGenerator_t generator,
                                                  unsigned long long seed) {
  return change(generator, [=](Generator& found) { found.set_seed(seed); });
}

murandStatus_t murandSetGeneratorOffset(murandGenerator_t generator, unsigned long long offset) {
  return change(generator, [=](Generator& found) { found.set_offset(offset); });
}

}  // extern "C"
