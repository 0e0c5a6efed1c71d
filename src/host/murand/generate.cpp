// The generating calls. Each takes its part of the sequence when it is called and fills the buffer
// when the stream reaches it.
#include <murand.h>
#include <stream_work.h>

#include <cstddef>
#include <type_traits>
#include <variant>

#include "distributions.h"
#include "generator.h"
#include "layout.h"

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
    fill_from_lanes<Distribution::kWords, kNumbers>(lanes, lanes.lanes(place.origin.ordering),
                                                    place.position, out, n, of_words);
  } else {
    fill_from_lanes<Distribution::kFractions, kNumbers>(
        lanes, lanes.lanes(place.origin.ordering), place.position, out, n,
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

template <typename Distribution>
murandStatus_t generate(murandGenerator_t handle, typename Distribution::Number* out, std::size_t n,
                        const Distribution& distribution) {
  const auto generator = find_generator(handle);
  if (!generator) return MURAND_STATUS_NOT_INITIALIZED;
  if (n % Distribution::kNumbers != 0) return MURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (n == 0) return MURAND_STATUS_SUCCESS;
  if (out == nullptr || n > PTRDIFF_MAX / sizeof(*out)) return MURAND_STATUS_OUT_OF_RANGE;
  const Place place = generator->take([=](const Place& now) {
    return std::holds_alternative<Philox>(now.engine->lanes) ? n : n / Distribution::kNumbers;
  });
  const auto work = [=] { fill(place, distribution, out, n); };
  if (place.on_host) {
    work();
    return MURAND_STATUS_SUCCESS;
  }
  const musaError_t status = host::enqueue(place.stream, work);
  return status == musaSuccess ? MURAND_STATUS_SUCCESS : MURAND_STATUS_LAUNCH_FAILURE;
}

}  // namespace
}  // namespace host_murand

using namespace host_murand;

extern "C" {

murandStatus_t murandGenerate(murandGenerator_t generator, unsigned int* output_data, size_t n) {
  return generate(generator, output_data, n, Words{});
}

// 64 bit integers come from 64 bit generators only, and none of those here is one.
murandStatus_t murandGenerateLongLong(murandGenerator_t generator, unsigned long long*, size_t) {
  return find_generator(generator) ? MURAND_STATUS_TYPE_ERROR : MURAND_STATUS_NOT_INITIALIZED;
}

murandStatus_t murandGenerateUniform(murandGenerator_t generator, float* output_data, size_t n) {
  return generate(generator, output_data, n, Uniform{});
}

murandStatus_t murandGenerateUniformDouble(murandGenerator_t generator, double* output_data,
                                           size_t n) {
  return generate(generator, output_data, n, UniformDouble{});
}

murandStatus_t murandGenerateNormal(murandGenerator_t generator, float* output_data, size_t n,
                                    float mean, float stddev) {
  return generate(generator, output_data, n, Normal{mean, stddev});
}

murandStatus_t murandGenerateNormalDouble(murandGenerator_t generator, double* output_data,
                                          size_t n, double mean, double stddev) {
  return generate(generator, output_data, n, NormalDouble{mean, stddev});
}

murandStatus_t murandGenerateLogNormal(murandGenerator_t generator, float* output_data, size_t n,
                                       float mean, float stddev) {
  return generate(generator, output_data, n, LogNormal{{mean, stddev}});
}

murandStatus_t murandGenerateLogNormalDouble(murandGenerator_t generator, double* output_data,
                                             size_t n, double mean, double stddev) {
  return generate(generator, output_data, n, LogNormalDouble{{mean, stddev}});
}

}  // extern "C"
