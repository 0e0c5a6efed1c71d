// What kernels of these programs compute, for the programs themselves and for tests beside this
// folder.
#pragma once

#include <vector>

// keep() of frames.cu, by thread.
inline std::vector<int> kept(int threads, int rounds) {
  std::vector<std::vector<int>> mine(threads, std::vector<int>(5));
  std::vector<int> counted(threads);
  for (int t = 0; t < threads; ++t) {
    for (int i = 0; i < 5; ++i) mine[t][(i + t) % 5] = t + i;
  }
  for (int round = 0; round < rounds; ++round) {
    int sum = 0;
    for (int t = 0; t < threads - round; ++t) sum += mine[t][round % 5] + round % 8 * t;
    for (int t = 0; t < threads - round; ++t) {
      counted[t] += (threads - round) / 2;
      mine[t][round % 5] += sum;
    }
  }
  std::vector<int> out(threads);
  for (int t = 0; t < threads - rounds + 1; ++t) out[t] = mine[t][0] + 1000 * counted[t];
  return out;
}

// leave() of frames.cu in thread t of 96.
inline int left(int t) { return t % 3 == 0 ? 0 : t % 8 + t + (t + 1) % 8 * 10 + 160000; }

// meet() of rounds.cu in thread t.
inline int met(int t) {
  const int lane = t % 32;
  if (lane == 31) return 0;
  const int value = (t ^ 1) + (lane < 8 ? 1000 * (t - lane + ((7 - lane) ^ 1)) : 0);
  return value + (lane % 2 == 0 ? 100000 : 0) + 20000000;
}

// votes() of votes.cu in lane i.
inline std::vector<unsigned int> voted(unsigned int i) {
  return {0x49249249U,
          3,
          50,
          i < 3 ? i : i - 3,
          i ^ 1,
          i % 8 < 4 ? i + 4 : i,
          i < 16 ? 0xffffU : 0xffff0000U,
          496,
          i < 8 ? 7U : 0,
          i < 8 ? 0xffU : 0};
}

// same_digits() of votes.cu in thread t.
inline unsigned int same_digit(int t, int threads) {
  unsigned int same = 0;
  for (int other = t / 32 * 32; other < threads && other / 32 == t / 32; ++other) {
    same |= (other * 37 % 24 == t * 37 % 24 ? 1u : 0u) << other % 32;
  }
  return same;
}
// ways() of votes.cu in each thread, with these limits.
inline constexpr unsigned int kAllWays = 0xf + 0xff00 + 0xffff0000;
inline const std::vector<int> kLimits{4, 8, 16, 4, 8, 16, 4, 8, 16};
