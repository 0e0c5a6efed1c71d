// Every atomic function.
#include "program.h"

__global__ void atomics(int* ints, unsigned int* words, unsigned long long* longs, float* reals,
                        double* doubles) {
  const int i = threadIdx.x;
  atomicAdd(&ints[0], 2);
  atomicSub(&ints[1], 1);
  atomicMin(&ints[2], -i);
  atomicMax(&ints[3], i);
  atomicAnd(&words[0], ~(1U << (i % 32)));
  atomicOr(&words[1], 1U << (i % 32));
  atomicXor(&words[2], 1U << (i % 32));
  atomicInc(&words[3], 9);
  atomicDec(&words[4], 9);
  atomicAdd(&longs[0], 1ULL << 32);
  atomicAdd(&reals[0], 0.5F);
  atomicAdd(&doubles[0], 0.25);
  // A lock: one thread after the other.
  while (atomicCAS(&ints[4], 0, 1) != 0) continue;
  ints[5] += 1;
  __threadfence();
  atomicExch(&ints[4], 0);
}

int main() {
  int* ints = upload(std::vector<int>{0, 0, 0, 0, 0, 0});
  unsigned int* words = upload(std::vector<unsigned int>{~0U, 0, 0, 0, 0});
  unsigned long long* longs = upload(std::vector<unsigned long long>{0});
  float* reals = upload(std::vector<float>{0});
  double* doubles = upload(std::vector<double>{0});
  atomics<<<4, 64>>>(ints, words, longs, reals, doubles);
  return compare(download(ints, 6), {512, -256, -63, 63, 0, 256}) +
         compare(download(words, 5), {0U, ~0U, 0U, 6U, 4U}) +
         compare(download(longs, 1), {256ULL << 32}) + compare(download(reals, 1), {128.0F}) +
         compare(download(doubles, 1), {64.0});
}
