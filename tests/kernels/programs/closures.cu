// Lambdas within a larger parameter, as Thrust and PyTorch hand them over. nvcc keeps a pointer in
// those for host and device that cannot become a function.
#include "program.h"

template <typename Function>
struct Step {
  Function function;
  char offset;
};

template <typename Function>
__global__ void closures(int* out, Step<Function> step) {
  *out = step.function(*out) + step.offset;
}

template <typename Function>
int result(Function function) {
  int* const out = upload(std::vector<int>{3});
  closures<<<1, 1>>>(out, Step<Function>{function, 5});
  return download(out, 1)[0];
}

int main() {
  int factor = 7;  // not constant, so that it is captured
  double half = 0.5;
  const std::vector<int> found = {result([=] __host__ __device__(int x) { return x * factor; }),
                                  result([=] __host__ __device__(int x) { return x * 2; }),
                                  result([] __host__ __device__(int x) { return x * 3; }),
                                  result([=] __device__(int x) { return x * factor; }),
                                  result([factor, half] __host__ __device__(int x) {
                                    return static_cast<int>(x * factor + 2 * half);
                                  })};
  return compare(found, {26, 11, 14, 26, 27});
}
