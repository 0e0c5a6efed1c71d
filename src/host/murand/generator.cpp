#include "src/host/murand/generator.h"

#include <new>
#include <utility>

#include "src/host/shared/handle_table.h"
#include "src/host/shared/never_destroyed.h"

namespace host_murand {
namespace {

using Generators = host::HandleTable<host::HandleKind::kGenerator, murandGenerator_t, Generator>;

Generators& generators() { return host::never_destroyed<Generators>(); }

std::shared_ptr<Engine> make_engine(murandRngType_t type) {
  auto engine = std::make_shared<Engine>();
  if (type == MURAND_RNG_PSEUDO_MRG32K3A) engine->lanes.emplace<Mrg32k3a>();
  if (type == MURAND_RNG_PSEUDO_PHILOX4_32_10) engine->lanes.emplace<Philox>();
  return engine;
}

murandStatus_t create(murandGenerator_t* generator, murandRngType_t type) {
  if (generator == nullptr) return MURAND_STATUS_OUT_OF_RANGE;
  switch (type) {
    case MURAND_RNG_PSEUDO_DEFAULT:
    case MURAND_RNG_PSEUDO_XORWOW:
    case MURAND_RNG_PSEUDO_MRG32K3A:
    case MURAND_RNG_PSEUDO_PHILOX4_32_10:
      break;
    default:  // MTGP32, MT19937 and quasi-random generators are not implemented
      return MURAND_STATUS_TYPE_ERROR;
  }
  int device = 0;
  if (musaGetDevice(&device) != musaSuccess) return MURAND_STATUS_INITIALIZATION_FAILED;
  try {
    *generator = generators().insert(std::make_shared<Generator>(make_engine(type)));
  } catch (const std::bad_alloc&) {
    return MURAND_STATUS_ALLOCATION_FAILED;
  }
  return MURAND_STATUS_SUCCESS;
}

}  // namespace

Generator::Generator(std::shared_ptr<Engine> engine) { place_.engine = std::move(engine); }

// Restarts all lanes so that the next number comes from the present position.
void Generator::restart() {
  place_.origin.offset = place_.position;
  ++place_.start;
}

void Generator::set_stream(musaStream_t stream) {
  const std::lock_guard lock(mutex_);
  place_.stream = stream;
}

// As in cuRAND, a new seed does not change the position: offset 0 goes to the beginning. Setting
// the present seed again changes nothing at all.
void Generator::set_seed(std::uint64_t seed) {
  const std::lock_guard lock(mutex_);
  if (place_.origin.seed == seed) return;
  place_.origin.seed = seed;
  restart();
}

void Generator::set_offset(std::uint64_t offset) {
  const std::lock_guard lock(mutex_);
  place_.position = offset;
  restart();
}

std::shared_ptr<Generator> find_generator(murandGenerator_t generator) {
  return generators().find(generator);
}

}  // namespace host_murand

using namespace host_murand;

murandStatus_t murandCreateGenerator(murandGenerator_t* generator, murandRngType_t rng_type) {
  return create(generator, rng_type);
}

murandStatus_t murandDestroyGenerator(murandGenerator_t generator) {
  return generators().remove(generator) ? MURAND_STATUS_SUCCESS : MURAND_STATUS_NOT_INITIALIZED;
}

murandStatus_t murandSetStream(murandGenerator_t generator, musaStream_t stream) {
  const auto found = find_generator(generator);
  if (!found) return MURAND_STATUS_NOT_INITIALIZED;
  found->set_stream(stream);
  return MURAND_STATUS_SUCCESS;
}

murandStatus_t murandSetPseudoRandomGeneratorSeed(murandGenerator_t generator,
                                                  unsigned long long seed) {
  const auto found = find_generator(generator);
  if (!found) return MURAND_STATUS_NOT_INITIALIZED;
  found->set_seed(seed);
  return MURAND_STATUS_SUCCESS;
}

murandStatus_t murandSetGeneratorOffset(murandGenerator_t generator, unsigned long long offset) {
  const auto found = find_generator(generator);
  if (!found) return MURAND_STATUS_NOT_INITIALIZED;
  found->set_offset(offset);
  return MURAND_STATUS_SUCCESS;
}
