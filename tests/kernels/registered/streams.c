#include "tests/kernels/registered/program.h"

static void add(int* values, int n, int by) {
  void* arguments[] = {&values, &n, &by};
  launch((const void*)add, arguments);
}

/* The kernel is static, which nvcc's name does not say. */
REGISTER { register_kernel((const void*)add, "_Z3addPiii"); }

int main(void) {
  enum { kCount = 1000 };
  int values[2][kCount];
  for (int i = 0; i < kCount; ++i) {
    values[0][i] = 1;
    values[1][i] = 2;
  }
  int* memory[2];
  cudaStream_t streams[2];
  for (int i = 0; i < 2; ++i) {
    memory[i] = upload(values[i], sizeof values[i]);
    CHECK(cudaStreamCreate(&streams[i]));
  }
  for (int i = 0; i < 40; ++i) {
    LAUNCH(SIZE(1, 1, 1), SIZE(64, 1, 1), 0, streams[i % 2])
    add(memory[i % 2], kCount, i % 2 == 0 ? 1 : 10);
  }
  /* Waits for one stream by an event, for the other by itself. */
  cudaEvent_t done;
  CHECK(cudaEventCreate(&done));
  CHECK(cudaEventRecord(done, streams[1]));
  CHECK(cudaEventSynchronize(done));
  CHECK(cudaStreamSynchronize(streams[0]));
  int wrong = 0;
  for (int i = 0; i < 2; ++i) {
    download(values[i], memory[i], sizeof values[i]);
    for (int j = 0; j < kCount; ++j) wrong += values[i][j] != (i == 0 ? 21 : 202);
    CHECK(cudaStreamDestroy(streams[i]));
  }
  return RIGHT(wrong == 0);
}
