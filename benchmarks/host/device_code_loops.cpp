// What the kernels of device_code.cu compute, as loops on all cores.
#include "benchmarks/host/device_code_loops.h"

#include <algorithm>
#include <cmath>

void saxpy_loop(float a, const float* x, float* y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

void naive_product(const float* a, const float* b, float* c, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  }
}

namespace {

// Between four elements, with the weights of a texture: 8 bits behind the point.
float filtered(const float* picture, int width, float x, float y) {
  const auto fixed_x = static_cast<int>(std::lrint((x - 0.5F) * 256));
  const auto fixed_y = static_cast<int>(std::lrint((y - 0.5F) * 256));
  const auto inside = [=](int at) { return std::clamp(at, 0, width - 1); };
  const int left = inside(fixed_x >> 8);
  const int right = inside((fixed_x >> 8) + 1);
  const float* const above = picture + inside(fixed_y >> 8) * width;
  const float* const below = picture + inside((fixed_y >> 8) + 1) * width;
  const float across = static_cast<float>(fixed_x & 255) / 256;
  const float down = static_cast<float>(fixed_y & 255) / 256;
  return (1 - down) * ((1 - across) * above[left] + across * above[right]) +
         down * ((1 - across) * below[left] + across * below[right]);
}

}  // namespace

void turn_loop(const float* picture, float* out, int width, float cosine, float sine) {
#pragma omp parallel for
  for (int y = 0; y < width; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto across = static_cast<float>(x);
      const auto down = static_cast<float>(y);
      out[y * width + x] =
          filtered(picture, width, across * cosine - down * sine, across * sine + down * cosine);
    }
  }
}
