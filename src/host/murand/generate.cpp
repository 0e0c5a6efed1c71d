// The generating calls. Each takes its part of the sequence when it is called and fills the buffer
// when the stream reaches it.
#include <murand.h>
#include <stream_work.h>

#include <cstddef>

#include "distributions.h"
#include "generator.h"
#include "philox.h"
#include "xorwow.h"

namespace host_murand {
namespace {

template <typename T, typename Fill>
murandStatus_t generate(murandGenerator_t handle, T* out, std::size_t n, Fill fill) {
  const auto generator = find_generator(handle);
  if (!generator) return MURAND_STATUS_NOT_INITIALIZED;
  if (n == 0) return MURAND_STATUS_SUCCESS;
  if (out == nullptr || n > PTRDIFF_MAX / sizeof(T)) return MURAND_STATUS_OUT_OF_RANGE;
  const Place place = generator->take(n * kWordsPer<T>);
  const musaError_t status = host::enqueue(place.stream, [=] {
    if (place.type == MURAND_RNG_PSEUDO_PHILOX4_32_10) {
      Philox source(place.seed, place.position);
      fill(source, out, n);
    } else {
      Xorwow source(place.seed, place.position);
      fill(source, out, n);
    }
  });
  return status == musaSuccess ? MURAND_STATUS_SUCCESS : MURAND_STATUS_LAUNCH_FAILURE;
}

template <typename T>
murandStatus_t generate_uniform(murandGenerator_t generator, T* output_data, std::size_t n) {
  return generate(generator, output_data, n, [](auto& source, T* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) uniform(source, out[i]);
  });
}

template <typename T>
murandStatus_t generate_normal(murandGenerator_t generator, T* output_data, std::size_t n, T mean,
                               T stddev) {
  if (find_generator(generator) && n % 2 != 0) return MURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return generate(generator, output_data, n, [=](auto& source, T* out, std::size_t count) {
    for (std::size_t i = 0; i < count; i += 2) normal_pair(source, mean, stddev, out + i);
  });
}

}  // namespace
}  // namespace host_murand

using namespace host_murand;

extern "C" {

murandStatus_t murandGenerate(murandGenerator_t generator, unsigned int* output_data, size_t n) {
  return generate(generator, output_data, n,
                  [](auto& source, unsigned int* out, std::size_t count) {
                    for (std::size_t i = 0; i < count; ++i) out[i] = source.next();
                  });
}

// 64 bit integers come from 64 bit generators only, and neither of those here is one.
murandStatus_t murandGenerateLongLong(murandGenerator_t generator, unsigned long long*, size_t) {
  return find_generator(generator) ? MURAND_STATUS_TYPE_ERROR : MURAND_STATUS_NOT_INITIALIZED;
}

murandStatus_t murandGenerateUniform(murandGenerator_t generator, float* output_data, size_t n) {
  return generate_uniform(generator, output_data, n);
}

murandStatus_t murandGenerateUniformDouble(murandGenerator_t generator, double* output_data,
                                           size_t n) {
  return generate_uniform(generator, output_data, n);
}

murandStatus_t murandGenerateNormal(murandGenerator_t generator, float* output_data, size_t n,
                                    float mean, float stddev) {
  return generate_normal(generator, output_data, n, mean, stddev);
}

murandStatus_t murandGenerateNormalDouble(murandGenerator_t generator, double* output_data,
                                          size_t n, double mean, double stddev) {
  return generate_normal(generator, output_data, n, mean, stddev);
}

}  // extern "C"
