// Threads that wait for each other by libcu++: atomics, barriers, latches, semaphores, pipelines.
#include <cooperative_groups.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>

#include "../programs/program.h"

constexpr auto kDevice = cuda::thread_scope_device;
constexpr auto kBlock = cuda::thread_scope_block;

// A counter, its extremes, and a number that threads change only if it is what they have seen.
__global__ void atomics(int* numbers, unsigned long long* wide, float* real) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  cuda::atomic_ref<int, kDevice>(numbers[0]).fetch_add(1, cuda::std::memory_order_relaxed);
  cuda::atomic_ref<int, kDevice>(numbers[1]).fetch_max(i);
  cuda::atomic_ref<int, kDevice>(numbers[2]).fetch_min(-i);
  cuda::atomic_ref<unsigned long long, kDevice>(*wide).fetch_or(1ULL << i % 64);
  cuda::atomic_ref<float, kDevice>(*real).fetch_add(0.5F);
  cuda::atomic_ref<int, kDevice> product(numbers[3]);
  int seen = product.load();
  while (!product.compare_exchange_weak(seen, seen * 3 % 1009)) {
  }
}

// The last thread lets the first one go, and so on: each waits for a later one.
__global__ void in_turn(int* out) {
  __shared__ cuda::atomic<int, kBlock> turn;
  if (threadIdx.x == 0) turn.store(static_cast<int>(blockDim.x) - 1);
  __syncthreads();
  const int mine = static_cast<int>(threadIdx.x);
  if (threadIdx.x % 2 == 0) {
    while (turn.load(cuda::memory_order_acquire) != mine) {
    }
  } else {
    for (int now = turn.load(); now != mine; now = turn.load()) turn.wait(now);
  }
  out[mine] = static_cast<int>(blockDim.x) - 1 - mine;
  turn.store(mine - 1, cuda::memory_order_release);
  turn.notify_all();
}

// Flags in memory of the device, which a later block sets.
__global__ void blocks_in_turn(int* next, int* out) {
  cuda::atomic_ref<int, kDevice> turn(*next);
  if (threadIdx.x == 0) {
    while (turn.load(cuda::memory_order_acquire) != static_cast<int>(blockIdx.x)) __nanosleep(100);
    out[blockIdx.x] = static_cast<int>(blockIdx.x);
    turn.store(static_cast<int>(blockIdx.x) + 1, cuda::memory_order_release);
  }
}

__global__ void barriers(int* out) {
  __shared__ cuda::barrier<kBlock> barrier;
  __shared__ int numbers[64];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < 5; ++round) {
    numbers[threadIdx.x] = static_cast<int>(threadIdx.x) + round;
    barrier.arrive_and_wait();
    sum += numbers[(threadIdx.x + 1) % blockDim.x];
    auto token = barrier.arrive();
    barrier.wait(std::move(token));
  }
  out[threadIdx.x] = sum;
}

__global__ void latches(int* out) {
  struct Shared {
    cuda::latch<kBlock> latch;
    cuda::counting_semaphore<kBlock, 4> semaphore;
    cuda::binary_semaphore<kBlock> lock;
  };
  alignas(Shared) __shared__ char place[sizeof(Shared)];
  auto& [latch, semaphore, lock] = reinterpret_cast<Shared&>(place);
  __shared__ int inside, most, counted;
  if (threadIdx.x == 0) {
    new (place) Shared{cuda::latch<kBlock>(blockDim.x), cuda::counting_semaphore<kBlock, 4>(3),
                       cuda::binary_semaphore<kBlock>(1)};
    inside = most = counted = 0;
  }
  __syncthreads();
  latch.arrive_and_wait();
  semaphore.acquire();
  atomicMax(&most, atomicAdd(&inside, 1) + 1);
  lock.acquire();
  ++counted;  // one thread at a time
  lock.release();
  atomicSub(&inside, 1);
  semaphore.release();
  __syncthreads();
  if (threadIdx.x == 0) out[0] = counted, out[1] = most <= 3 && most > 0, out[2] = inside;
}

// Copies into shared memory, two stages ahead.
__global__ void pipelines(const int* in, int* out, int rounds) {
  __shared__ int buffers[2][64];
  __shared__ cuda::pipeline_shared_state<kBlock, 2> state;
  auto block = cooperative_groups::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const auto copy = [&](int round) {
    pipeline.producer_acquire();
    cuda::memcpy_async(block, buffers[round % 2], in + round * 64, sizeof(buffers[0]), pipeline);
    pipeline.producer_commit();
  };
  copy(0);
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    if (round + 1 < rounds) copy(round + 1);
    pipeline.consumer_wait();
    sum += buffers[round % 2][63 - threadIdx.x];
    pipeline.consumer_release();
  }
  out[threadIdx.x] = sum;
}

__global__ void copies(const int* in, int* out) {
  __shared__ cuda::barrier<kBlock> barrier;
  __shared__ int buffer[64];
  auto block = cooperative_groups::this_thread_block();
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  block.sync();
  cuda::memcpy_async(block, buffer, in, sizeof(buffer), barrier);
  barrier.arrive_and_wait();
  out[threadIdx.x] = buffer[63 - threadIdx.x];
}

int main() {
  int wrong = 0;
  int* const numbers = upload(std::vector<int>{0, -1, 1, 1});
  unsigned long long* const wide = upload(std::vector<unsigned long long>{0});
  float* const real = upload(std::vector<float>{0});
  atomics<<<4, 128>>>(numbers, wide, real);
  int power = 1;
  for (int i = 0; i < 512; ++i) power = power * 3 % 1009;
  wrong += compare(download(numbers, 4), std::vector<int>{512, 511, -511, power});
  wrong += download(wide, 1)[0] != ~0ULL;
  wrong += compare(download(real, 1), std::vector<float>{256});

  std::vector<int> in(64 * 8), up(64), expected(64);
  for (int i = 0; i < 64 * 8; ++i) in[i] = i * i;
  for (int i = 0; i < 64; ++i) up[i] = i;
  int* const from = upload(in);
  int* const out = upload(std::vector<int>(64));
  in_turn<<<1, 64>>>(out);
  wrong += compare(download(out, 64), std::vector<int>(up.rbegin(), up.rend()));
  blocks_in_turn<<<64, 32>>>(upload(std::vector<int>{0}), out);
  wrong += compare(download(out, 64), up);
  barriers<<<1, 64>>>(out);
  for (int i = 0; i < 64; ++i) expected[i] = 5 * ((i + 1) % 64) + 10;
  wrong += compare(download(out, 64), expected);
  latches<<<1, 64>>>(out);
  wrong += compare(download(out, 3), std::vector<int>{64, 1, 0});
  pipelines<<<1, 64>>>(from, out, 8);
  for (int i = 0; i < 64; ++i) {
    expected[i] = 0;
    for (int round = 0; round < 8; ++round) expected[i] += in[round * 64 + 63 - i];
  }
  wrong += compare(download(out, 64), expected);
  copies<<<1, 64>>>(from, out);
  for (int i = 0; i < 64; ++i) expected[i] = in[63 - i];
  wrong += compare(download(out, 64), expected);
  return wrong;
}
