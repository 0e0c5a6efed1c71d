// What threads keep while they wait: values, arrays, what is aligned, and places in nested loops.
#include "expected.h"
#include "program.h"

struct alignas(32) Eight {
  int values[8];
};

// Threads leave at different times, and others wait for those that are left.
__global__ void keep(int* out, int rounds) {
  __shared__ int sum;
  int mine[5];
  Eight eight;
  for (int i = 0; i < 5; ++i) mine[(i + threadIdx.x) % 5] = threadIdx.x + i;
  for (int i = 0; i < 8; ++i) eight.values[i] = i * threadIdx.x;
  int counted = 0;
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    if (threadIdx.x >= blockDim.x - round) return;
    atomicAdd(&sum, mine[round % 5] + eight.values[round % 8]);
    counted += __syncthreads_count(threadIdx.x % 2);
    mine[round % 5] += sum;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = mine[0] + 1000 * counted;
}

// The first waits for the last in a loop, before all of them meet.
__global__ void follow(int* out) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1) flag = 7;
  while (threadIdx.x == 0 && flag != 7) __threadfence_block();
  __syncthreads();
  out[threadIdx.x] = flag + threadIdx.x;
}

// Each thread is where it was.
__global__ void stay(int* out) {
  __syncthreads();
  const int at = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[at] = threadIdx.x + 100 * threadIdx.y + 10000 * threadIdx.z;
}

// Writes to a parameter, of which each thread has its own, and some threads end while others wait.
struct Values {
  int of[8];
};
__global__ void leave(int* out, Values values) {
  values.of[threadIdx.x % 8] += threadIdx.x;
  const int all = __syncthreads_count(1);
  if (threadIdx.x % 3 == 0) asm volatile("exit;");
  const int left = __syncthreads_count(1);
  const int sum = values.of[threadIdx.x % 8] + 10 * values.of[(threadIdx.x + 1) % 8];
  out[threadIdx.x] = sum + 1000 * (all + left);
}

// What needs a stack: waits in another function, the question what is local, variables that a frame
// has no place for.
__device__ __noinline__ int count_in(int depth, int vote) {
  return depth == 0 ? __syncthreads_count(vote) : count_in(depth - 1, vote) + 1;
}
__global__ void descend(int* out) {
  const int mine = threadIdx.x;
  out[mine] = count_in(threadIdx.x % 4, mine < 40) + mine;
}
__global__ void ask(int* out) {
  int mine[4] = {};
  mine[threadIdx.x % 4] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = mine[threadIdx.x % 4] + __isLocal(mine) + !__isLocal(out);
}

struct alignas(256) Wide {
  int values[64];
};
__global__ void widen(int* out) {
  Wide mine;
  for (int i = 0; i < 64; ++i) mine.values[i] = i + threadIdx.x;
  const int misplaced = reinterpret_cast<unsigned long long>(&mine) % 256 != 0 ? 1000 : 0;
  __syncthreads();
  out[threadIdx.x] = mine.values[out[threadIdx.x] % 64] + misplaced;
}

// Ends while others wait.
__global__ void fail(int* out, int thread) {
  out[threadIdx.x] = __syncthreads_count(1);
  if (threadIdx.x == thread) __trap();
  if (thread < 0 && threadIdx.x == 0) __syncwarp();
  if (thread == -2) *reinterpret_cast<volatile int*>(4096) = 0;
  __syncthreads();
}
// No thread of it returns.
__global__ void end() {
  __syncthreads();
  __trap();
}
// More than a thread's stack holds, kept while it waits.
__global__ void grow(int* out) {
  int mine[20000];
  for (int i = 0; i < 20000; ++i) mine[i] = out[i % 96] + i;
  __syncthreads();
  out[threadIdx.x] = mine[out[threadIdx.x]];
}

int main() {
  int* out = upload(std::vector<int>(96));
  keep<<<1, 96>>>(out, 6);
  if (compare(download(out, 96), kept(96, 6)) != 0) return 1;
  follow<<<1, 96>>>(out);
  std::vector<int> expected(96);
  for (int t = 0; t < 96; ++t) expected[t] = 7 + t;
  if (compare(download(out, 96), expected) != 0) return 1;
  stay<<<2, dim3(8, 4, 3)>>>(out);
  for (int t = 0; t < 96; ++t) expected[t] = t % 8 + t / 8 % 4 * 100 + t / 32 * 10000;
  if (compare(download(out, 96), expected) != 0) return 1;
  out = upload(std::vector<int>(96));
  leave<<<1, 96>>>(out, Values{{0, 1, 2, 3, 4, 5, 6, 7}});
  for (int t = 0; t < 96; ++t) expected[t] = left(t);
  if (compare(download(out, 96), expected) != 0) return 1;
  descend<<<1, 96>>>(out);
  for (int t = 0; t < 96; ++t) expected[t] = 40 + t % 4 + t;
  if (compare(download(out, 96), expected) != 0) return 1;
  ask<<<1, 96>>>(out);
  for (int t = 0; t < 96; ++t) expected[t] = t + 2;
  if (compare(download(out, 96), expected) != 0) return 1;
  widen<<<1, 96>>>(out);
  for (int t = 0; t < 96; ++t) expected[t] = (t + 2) % 64 + t;
  return compare(download(out, 96), expected);
}
