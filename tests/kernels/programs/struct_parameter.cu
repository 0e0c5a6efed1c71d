// Structs by value, with padding, and a functor.
#include "program.h"

namespace shapes {
struct Box {
  char tag;
  double low, high;
  short counts[3];
};
struct Scale {
  float by;
  __device__ float operator()(float x) const { return x * by; }
};
}  // namespace shapes

template <typename F>
__global__ void apply(F f, char before, shapes::Box box, float* values) {
  const int i = threadIdx.x;
  values[i] = f(values[i]) + box.counts[i % 3] + static_cast<float>(box.high - box.low) + before;
}

int main() {
  float* values = upload(std::vector<float>{1, 2, 3, 4});
  apply<<<1, 4>>>(shapes::Scale{10}, static_cast<char>(5), shapes::Box{'x', 1, 3, {1, 2, 3}}, values);
  return compare(download(values, 4), {18.0F, 29.0F, 40.0F, 48.0F});
}
