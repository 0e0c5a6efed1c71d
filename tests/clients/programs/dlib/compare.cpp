// What dlib computes by CUDA against what it computes on the CPU.
#include <dlib/cuda/cpu_dlib.h>
#include <dlib/cuda/cuda_dlib.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

using dlib::resizable_tensor;

// What is elsewhere in dlib, mostly in what needs cuDNN. Nothing here calls it.
extern const int USER_ERROR__inconsistent_build_configuration__see_dlib_faq_1_ = 0;
extern const int USER_ERROR__inconsistent_build_configuration__see_dlib_faq_2 = 0;
namespace dlib {
namespace cuda {
void sigmoid(tensor&, const tensor&) { std::abort(); }
void softmax(tensor&, const tensor&) { std::abort(); }
tensor_descriptor::tensor_descriptor() : handle(nullptr) {}
tensor_descriptor::~tensor_descriptor() {}
void tensor_descriptor::set_size(int, int, int, int) {}
}  // namespace cuda
namespace tt {
void add(float, tensor&, float, const tensor&) { std::abort(); }
}  // namespace tt
}  // namespace dlib

namespace {

resizable_tensor filled(long long samples, long long k, long long rows, long long columns,
                        int seed) {
  resizable_tensor made(samples, k, rows, columns);
  float* const to = made.host();
  for (size_t i = 0; i < made.size(); ++i) to[i] = std::sin(static_cast<float>(i * (seed + 1))) * 2;
  return made;
}

int differs(const char* what, const resizable_tensor& one, const resizable_tensor& other) {
  const float* const a = one.host();
  const float* const b = other.host();
  for (size_t i = 0; i < one.size(); ++i) {
    if (!(std::fabs(a[i] - b[i]) <= 1e-4F * (1 + std::fabs(b[i])))) {
      std::fprintf(stderr, "%s: element %zu: %g, expected %g\n", what, i, a[i], b[i]);
      return 1;
    }
  }
  return 0;
}

}  // namespace

extern "C" int compare_all() {
  const resizable_tensor a = filled(3, 4, 9, 11, 1), b = filled(3, 4, 9, 11, 2);
  resizable_tensor one(3, 4, 9, 11), other(3, 4, 9, 11);
  int wrong = 0;
  dlib::cuda::multiply(false, one, a, b), dlib::cpu::multiply(false, other, a, b);
  wrong += differs("multiply", one, other);
  dlib::cuda::affine_transform(one, a, 2.5F, -1), dlib::cpu::affine_transform(other, a, 2.5F, -1);
  wrong += differs("affine_transform", one, other);
  dlib::cuda::leaky_relu(one, a, 0.1F), dlib::cpu::leaky_relu(other, a, 0.1F);
  wrong += differs("leaky_relu", one, other);
  dlib::cuda::gelu(one, a), dlib::cpu::gelu(other, a);
  wrong += differs("gelu", one, other);
  dlib::cuda::mish(one, a), dlib::cpu::mish(other, a);
  wrong += differs("mish", one, other);
  one = a, other = a;
  dlib::cuda::threshold(one, 0.3F), dlib::cpu::threshold(other, 0.3F);
  wrong += differs("threshold", one, other);
  resizable_tensor large(3, 4, 20, 17), large2(3, 4, 20, 17);
  dlib::cuda::resize_bilinear(large, a), dlib::cpu::resize_bilinear(large2, a);
  wrong += differs("resize_bilinear", large, large2);
  // A reduction by shuffles and an atomic addition.
  resizable_tensor sum(1), sum2(1);
  sum = 0, sum2 = 0;
  dlib::cuda::dot(a, b, sum, 0), dlib::cpu::dot(a, b, sum2, 0);
  wrong += differs("dot", sum, sum2);
  return wrong;
}
