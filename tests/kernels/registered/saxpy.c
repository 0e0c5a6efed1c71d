#include "tests/kernels/registered/program.h"

static void saxpy(float a, const float* x, float* y, int n) {
  void* arguments[] = {&a, &x, &y, &n};
  launch((const void*)saxpy, arguments);
}

REGISTER { register_kernel((const void*)saxpy, "_Z5saxpyfPKfPfi"); }

int main(void) {
  enum { kCount = 1000 };
  float x[kCount], y[kCount];
  for (int i = 0; i < kCount; ++i) {
    x[i] = (float)i;
    y[i] = 1;
  }
  float* const in = upload(x, sizeof x);
  float* const out = upload(y, sizeof y);
  LAUNCH(SIZE(4, 1, 1), SIZE(256, 1, 1), 0, NULL) saxpy(3, in, out, kCount - 1);
  download(y, out, sizeof y);
  int wrong = 0;
  for (int i = 0; i < kCount - 1; ++i) wrong += y[i] != 3 * (float)i + 1;
  return RIGHT(wrong == 0) + RIGHT(y[kCount - 1] == 1);
}
