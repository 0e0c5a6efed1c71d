// The generating calls. A call reserves its part of the sequence at once, and fills the buffer when
// the stream reaches the work.
#include <murand.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>

#include "src/host/murand/distributions.h"
#include "src/host/murand/generator.h"
#include "src/host/murand/layout.h"
#include "src/host/shared/forward.h"
#include "src/host/shared/operands.h"
#include "src/host/shared/stream_work.h"

namespace host_murand {
namespace {

template <typename Distribution, typename Lanes>
void fill_from(Lanes& lanes, const Place& place, const Distribution& distribution,
               typename Distribution::Number* out, std::size_t n) {
  constexpr int kNumbers = Distribution::kNumbers;
  const auto of_words = [&](const std::uint32_t* words, auto* to) { distribution.of(words, to); };
  if constexpr (std::is_same_v<Lanes, Philox>) {
    fill_from_philox<Distribution::kWords, kNumbers>(lanes, place.position, out, n, of_words);
  } else if constexpr (std::is_same_v<Lanes, Xorwow>) {
    fill_from_lanes<Distribution::kWords, kNumbers>(lanes, place.position, out, n, of_words);
  } else {
    fill_from_lanes<Distribution::kFractions, kNumbers>(
        lanes, place.position, out, n,
        [&](const std::uint32_t* words, auto* to) { distribution.of_fractions(words, to); });
  }
}

template <typename Distribution>
void fill(const Place& place, const Distribution& distribution, typename Distribution::Number* out,
          std::size_t n) {
  Engine& engine = *place.engine;
  const std::lock_guard lock(engine.mutex);
  std::visit(
      [&](auto& lanes) {
        if (engine.start != place.start) lanes.start(place.origin);
        engine.start = place.start;
        fill_from(lanes, place, distribution, out, n);
      },
      engine.lanes);
}

// How many positions a call takes. Null if its length is not allowed.
template <typename Distribution, typename Lanes>
std::optional<std::uint64_t> units_of(const Lanes&, std::size_t n) {
  if (n % Distribution::kNumbers != 0) return std::nullopt;
  return std::is_same_v<Lanes, Philox> ? n : n / Distribution::kNumbers;
}

template <typename Distribution>
murandStatus_t generate(murandGenerator_t handle, typename Distribution::Number* out, std::size_t n,
                        const Distribution& distribution) {
  const auto generator = find_generator(handle);
  if (!generator) return MURAND_STATUS_NOT_INITIALIZED;
  Place place;
  const murandStatus_t taken = generator->take(&place, [&](const Place& now, std::uint64_t* units) {
    return std::visit(
        [&](const auto& lanes) {
          const auto found = units_of<Distribution>(lanes, n);
          if (!found) return MURAND_STATUS_LENGTH_NOT_MULTIPLE;
          if (n != 0 && (out == nullptr || n > PTRDIFF_MAX / sizeof(*out))) {
            return MURAND_STATUS_OUT_OF_RANGE;
          }
          *units = *found;
          return MURAND_STATUS_SUCCESS;
        },
        now.engine->lanes);
  });
  if (taken != MURAND_STATUS_SUCCESS || n == 0) return taken;
  const musaError_t status = host::enqueue(place.stream, [=] {
    if (host::may_use(host::array(out, static_cast<std::int64_t>(n)))) {
      fill(place, distribution, out, n);
    }
  });
  return status == musaSuccess ? MURAND_STATUS_SUCCESS : MURAND_STATUS_LAUNCH_FAILURE;
}

}  // namespace
}  // namespace host_murand

using namespace host_murand;

#define MURAND_GENERATE(count, function, distribution) \
  HOST_ANSWER(murandStatus_t, count, function, generate(a0, a1, a2, distribution))
MURAND_GENERATE(3, murandGenerate, Words{})
MURAND_GENERATE(3, murandGenerateUniform, Uniform{})
MURAND_GENERATE(3, murandGenerateUniformDouble, UniformDouble{})
MURAND_GENERATE(5, murandGenerateNormal, (Normal{a3, a4}))
MURAND_GENERATE(5, murandGenerateNormalDouble, (NormalDouble{a3, a4}))

// Only quasi-random generators of 64 bits make 64-bit integers, and there are none here.
murandStatus_t murandGenerateLongLong(murandGenerator_t generator, unsigned long long*, size_t) {
  return find_generator(generator) ? MURAND_STATUS_TYPE_ERROR : MURAND_STATUS_NOT_INITIALIZED;
}
