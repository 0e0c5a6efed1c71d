// Fourier transforms and random numbers.
#include <cmath>

#include "tests/long_run/work.h"

void use_cufft(unsigned seed) {
  // A transform forwards and backwards gives the values times their number; the first value
  // forwards is their sum.
  constexpr int kCount = 60;
  const Numbers values = numbers(2 * kCount, seed);
  Numbers first(2), expected(values);
  for (int i = 0; i < 2 * kCount; ++i) {
    first[i % 2] += values[i];
    expected[i] *= kCount;
  }
  const Memory memory(values);
  const Stream stream;
  auto* const complex = reinterpret_cast<cufftComplex*>(memory.get());
  cufftHandle plan{};
  OK(cufftPlan1d(&plan, kCount, CUFFT_C2C, 1));
  OK(cufftSetStream(plan, stream));
  OK(cufftExecC2C(plan, complex, complex, -1));
  stream.wait();
  compare("cuFFT forwards", first, memory.values(), 1e-2F);
  OK(cufftExecC2C(plan, complex, complex, 1));
  stream.wait();
  compare("cuFFT forwards and backwards", expected, memory.values(), 1e-2F);
  OK(cufftDestroy(plan));
}

namespace {
Numbers draw(unsigned seed, std::size_t count) {
  const Memory memory(count);
  const Stream stream;
  curandGenerator_t generator = nullptr;
  OK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
  OK(curandSetStream(generator, stream));
  OK(curandSetPseudoRandomGeneratorSeed(generator, seed));
  OK(curandGenerateUniform(generator, memory.get(), count));
  stream.wait();
  OK(curandDestroyGenerator(generator));
  return memory.values();
}
}  // namespace

void use_curand(unsigned seed) {
  constexpr std::size_t kCount = 4000;
  const Numbers drawn = draw(seed, kCount);
  compare("cuRAND with the same seed", drawn, draw(seed, kCount));
  float sum = 0;
  for (const float value : drawn) {
    if (!(value > 0 && value <= 1)) compare("cuRAND, a value in (0, 1]", {0.5F}, {value}, 0.5F);
    sum += value;
  }
  // Six standard deviations of the mean.
  compare("cuRAND, the mean", {0.5F}, {sum / kCount},
          6 * 0.2887F / std::sqrt(static_cast<float>(kCount)));
}
