#include "tests/kernels/registered/program.h"

int cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset, int kind);
int cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, int kind);
int cudaGetSymbolAddress(void** address, const void* symbol);

/* The host's shadows of the variables. */
static float weights[4];
static int launches;
static double total;

static void weigh(const float* values, float* out) {
  void* arguments[] = {&values, &out};
  launch((const void*)weigh, arguments);
}
static void read_total(double* out) {
  void* arguments[] = {&out};
  launch((const void*)read_total, arguments);
}

REGISTER {
  register_kernel((const void*)weigh, "_Z5weighPKfPf");
  register_kernel((const void*)read_total, "_Z10read_totalPd");
  register_variable(weights, "_ZN8settings7weightsE", sizeof weights, 1);
  register_variable(&launches, "launches", sizeof launches, 0);
  register_variable(&total, "total", sizeof total, 0);
}

int main(void) {
  const float new_weights[4] = {2, 4, 6, 8};
  CHECK(cudaMemcpyToSymbol(weights, new_weights, sizeof new_weights, 0, kHostToDevice));
  float values[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  float* const in = upload(values, sizeof values);
  float* const out = upload(values, sizeof values);
  double sum = 0;
  double* const device_sum = upload(&sum, sizeof sum);
  LAUNCH(SIZE(1, 1, 1), SIZE(8, 1, 1), 0, NULL) weigh(in, out);
  LAUNCH(SIZE(1, 1, 1), SIZE(1, 1, 1), 0, NULL) read_total(device_sum);
  download(values, out, sizeof values);
  download(&sum, device_sum, sizeof sum);
  int launched = 0;
  CHECK(cudaMemcpyFromSymbol(&launched, &launches, sizeof launched, 0, kDeviceToHost));
  /* total has internal linkage. Its address is that of what the kernel wrote. */
  void* address = NULL;
  double there = 0;
  CHECK(cudaGetSymbolAddress(&address, &total));
  download(&there, address, sizeof there);
  int wrong = 0;
  for (int i = 0; i < 8; ++i) wrong += values[i] != new_weights[i % 4];
  return RIGHT(wrong == 0) + RIGHT(sum == 40) + RIGHT(launched == 41) + RIGHT(there == 40);
}
