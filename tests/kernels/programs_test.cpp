#include <chrono>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "musa_runtime.h"
#include "tests/kernels/launched_programs.h"
#include "tests/kernels/programs/expected.h"

namespace {

TEST_F(Programs, saxpy) {
  load("saxpy");
  const MUdeviceptr x = upload(repeat(1000, 2.0F));
  const MUdeviceptr y = upload(repeat(1000, 1.0F));
  launch("_Z5saxpyfPKfPfi", {4}, {256}, 0, 3.0F, x, y, 999);
  auto expected = repeat(1000, 7.0F);
  expected.back() = 1;
  EXPECT_EQ(download<float>(y, 1000), expected);
}

TEST_F(Programs, block_sum) {
  load("block_sum");
  const MUdeviceptr floats = upload(repeat(2560, 2.0F));
  const MUdeviceptr sums = allocate(80);
  launch("_Z9block_sumIfLi256EEvPKT_PS0_", {10}, {256}, 0, floats, sums);
  EXPECT_EQ(download<float>(sums, 10), repeat(10, 512.0F));
  // The program launches this one in a template of host code, and instantiates the other.
  launch("_Z9block_sumIiLi256EEvPKT_PS0_", {1}, {256}, 0, upload(repeat(256, 3)), sums);
  EXPECT_EQ(download<int>(sums, 1)[0], 768);
  launch("_Z9block_sumIdLi64EEvPKT_PS0_", {1}, {64}, 0, upload(repeat(64, 0.5)), sums);
  EXPECT_EQ(download<double>(sums, 1)[0], 32);
  EXPECT_EQ(attribute("_Z9block_sumIdLi64EEvPKT_PS0_", MU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), 512);
  EXPECT_EQ(attribute("_Z9block_sumIdLi64EEvPKT_PS0_", MU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
            256);
}

TEST_F(Programs, warp_sum) {
  load("warp_sum");
  std::vector<int> values(20 * 512);
  std::iota(values.begin(), values.end(), 0);
  const MUdeviceptr sum = upload(std::vector<int>{0});
  launch("_Z8warp_sumPKiPi", {20}, {512}, 0, upload(values), sum);
  EXPECT_EQ(download<int>(sum, 1)[0], std::accumulate(values.begin(), values.end(), 0));
}

TEST_F(Programs, whole_warps) {
  load("whole_warps");
  int warp = 0;
  ASSERT_MU(muDeviceGetAttribute(&warp, MU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
  const MUdeviceptr out = allocate(1024);
  launch("_Z11whole_warpsPi", {1}, {256}, 0, out);
  std::vector<int> expected(256);
  for (int i = 0; i < 256; ++i) expected[i] = warp * 100000 + (warp - 1 - i % warp) * 7;
  EXPECT_EQ(download<int>(out, 256), expected);
}

TEST_F(Programs, plain) {
  load("plain");
  const auto expect = [](MUdeviceptr out, int n, auto expected) {
    std::vector<int> wanted(n);
    for (int i = 0; i < n; ++i) wanted[i] = expected(i);
    EXPECT_EQ(download<int>(out, wanted.size()), wanted);
  };
  MUdeviceptr out = upload(repeat(7000, 0));
  launch("corner", {5, 13}, {16, 8}, 0, out, 100, 70);
  expect(out, 7000, [](int i) { return 3 * i; });
  out = upload(repeat(1024, 0));
  launch("_Z6thirdsPii", {4}, {256}, 0, out, 1024);
  expect(out, 1024, [](int i) { return i % 3 == 1 ? 0 : i; });
  out = upload(repeat(12000, 0));
  launch("_ZL7numbersPi", {3, 50, 20}, {4}, 0, out);
  expect(out, 12000, [](int i) { return i / 4 % 3 + 100 * (i / 12 % 50) + 10000 * (i / 600); });
  std::vector<int> turns(64);
  std::iota(turns.begin(), turns.end(), 0);
  launch("_ZN12_GLOBAL__N_110own_arraysEPKiPi", {1}, {64}, 0, upload(turns), out);
  expect(out, 64, [](int i) { return std::vector<int>{123, 3012, 2301, 1230}[i % 4]; });
  launch("_Z9elsewherePi", {4}, {128}, 0, out);
  expect(out, 512, [](int i) { return i; });
  launch("_Z10at_the_endPi", {1}, {64}, 0, out);
  expect(out, 64, [](int i) { return 63 - i; });
  out = upload(repeat(64, 0));
  launch("_Z6add_toILi7EEvPi", {1}, {64}, 0, out);
  launch("_Z6add_toILi9EEvPi", {1}, {64}, 0, out);
  launch("_Z9add_macroPi", {1}, {64}, 0, out);
  expect(out, 64, [](int) { return 5709; });
  const MUdeviceptr count = upload(std::vector<unsigned int>{0});
  launch("_Z4widePj", {0x200001}, {1}, 0, count);
  EXPECT_EQ(download<unsigned int>(count, 1)[0], 1U);
}

// A kernel that takes whole blocks at once does not know which thread was wrong.
TEST_F(Programs, plain_with_an_illegal_address) {
  load("plain");
  testing::internal::CaptureStderr();
  launch("_Z6add_toILi9EEvPi", {1}, {64}, 0, MUdeviceptr{4096});
  EXPECT_EQ(muCtxSynchronize(), MUSA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "torchada host: kernel _Z6add_toILi9EEvPi: block (0, 0, 0): illegal address 0x1000\n");
}

TEST_F(Programs, tiled_product) {
  load("tiled_product");
  constexpr int n = 64;
  std::vector<float> a(n * n);
  for (int i = 0; i < n * n; ++i) a[i] = static_cast<float>(i % 5);
  std::vector<float> expected(n * n);
  for (int i = 0; i < n * n * n; ++i) {
    expected[i / n] += a[i / n / n * n + i % n] * a[i % n * n + i / n % n];
  }
  const MUdeviceptr c = allocate(n * n * 4);
  const MUdeviceptr factors = upload(a);
  launch("_Z13tiled_productPKfS0_Pfi", {4, 4}, {16, 16}, 0, factors, factors, c, n);
  EXPECT_EQ(download<float>(c, n * n), expected);
}

TEST_F(Programs, scan) {
  load("scan");
  const MUdeviceptr values = upload(repeat(384, 1));
  launch("_Z4scanPi", {3}, {128}, 512, values);
  std::vector<int> expected(384);
  for (int i = 0; i < 384; ++i) expected[i] = i % 128 + 1;
  EXPECT_EQ(download<int>(values, 384), expected);
}

TEST_F(Programs, histogram) {
  load("histogram");
  std::vector<std::uint8_t> data(25600);
  std::iota(data.begin(), data.end(), std::uint8_t{0});
  const MUdeviceptr counts = upload(repeat(256, 0U));
  launch("_Z9histogramPKhiPj", {7}, {64}, 0, upload(data), 25600, counts);
  EXPECT_EQ(download<unsigned int>(counts, 256), repeat(256, 100U));
}

TEST_F(Programs, atomics) {
  load("atomics");
  const MUdeviceptr ints = upload(repeat(6, 0));
  const MUdeviceptr words = upload(std::vector<unsigned int>{~0U, 0, 0, 0, 0});
  const MUdeviceptr longs = upload(repeat(1, 0ULL));
  const MUdeviceptr reals = upload(repeat(1, 0.0F));
  const MUdeviceptr doubles = upload(repeat(1, 0.0));
  launch("_Z7atomicsPiPjPyPfPd", {4}, {64}, 0, ints, words, longs, reals, doubles);
  EXPECT_EQ(download<int>(ints, 6), (std::vector<int>{512, -256, -63, 63, 0, 256}));
  EXPECT_EQ(download<unsigned int>(words, 5), (std::vector<unsigned int>{0, ~0U, 0, 6, 4}));
  EXPECT_EQ(download<unsigned long long>(longs, 1)[0], 256ULL << 32);
  EXPECT_EQ(download<float>(reals, 1)[0], 128);
  EXPECT_EQ(download<double>(doubles, 1)[0], 64);
}

// Warps that meet as a whole, in part, and until another has come.
TEST_F(Programs, rounds) {
  load("rounds");
  const MUdeviceptr out = upload(repeat(96, 0));
  launch("_Z4meetPi", {2}, {96}, 0, out);
  std::vector<int> expected(96);
  for (int t = 0; t < 96; ++t) expected[t] = met(t);
  EXPECT_EQ(download<int>(out, 96), expected);
  launch("_Z5awaitPiPVi", {1}, {96}, 0, out, upload(repeat(1, 0)));
  std::iota(expected.begin(), expected.begin() + 32, 7);
  EXPECT_EQ(download<int>(out, 96), expected);
}

TEST_F(Programs, struct_parameter) {
  load("struct_parameter");
  struct {
    char tag;
    double low, high;
    short counts[3];
  } const box{'x', 1, 3, {1, 2, 3}};
  const MUdeviceptr values = upload(std::vector<float>{1, 2, 3, 4});
  launch("_Z5applyIN6shapes5ScaleEEvT_cNS0_3BoxEPf", {1}, {4}, 0, 10.0F, char{5}, box, values);
  EXPECT_EQ(download<float>(values, 4), (std::vector<float>{18, 29, 40, 48}));
}

TEST_F(Programs, variables) {
  load("variables");
  MUdeviceptr weights = 0;
  std::size_t size = 0;
  ASSERT_MU(muModuleGetGlobal_v2(&weights, &size, module_, "_ZN8settings7weightsE"));
  ASSERT_EQ(size, 16U);
  const float doubled[] = {2, 4, 6, 8};
  EXPECT_MU(muMemcpyHtoD_v2(weights, doubled, sizeof(doubled)));
  const MUdeviceptr out = allocate(64);
  launch("_Z5weighPKfPf", {1}, {8}, 0, upload(repeat(8, 1.0F)), out);
  EXPECT_EQ(download<float>(out, 8), (std::vector<float>{2, 4, 6, 8, 2, 4, 6, 8}));
  launch("_Z10read_totalPd", {1}, {1}, 0, out);
  EXPECT_EQ(download<double>(out, 1)[0], 40);
  MUdeviceptr launches = 0;
  ASSERT_MU(muModuleGetGlobal_v2(&launches, nullptr, module_, "launches"));
  EXPECT_EQ(download<int>(launches, 1)[0], 41);
  // Programs read tables as vectors, whatever their elements.
  EXPECT_EQ(weights % 256, 0U);
  EXPECT_EQ(launches % 256, 0U);
}

TEST_F(Programs, grid3d) {
  load("grid3d");
  const MUdeviceptr out = allocate(7 * 6 * 5 * 4);
  launch("_Z6numberPi4dim3", {2, 3, 3}, {4, 2, 2}, 0, out, Size{7, 6, 5});
  std::vector<int> expected;
  for (int i = 0; i < 7 * 6 * 5; ++i) {
    expected.push_back(i % 7 + i / 7 % 6 * 10 + i / 42 * 100);
  }
  EXPECT_EQ(download<int>(out, expected.size()), expected);
}

TEST_F(Programs, grid3d_of_more_blocks_in_y_and_z_than_cuda_allows) {
  load("grid3d");
  constexpr int kMany = 70'000;
  const MUdeviceptr out = allocate(kMany * 4);
  for (const int step : {10, 100}) {
    const Size size = step == 10 ? Size{1, kMany, 1} : Size{1, 1, kMany};
    launch("_Z6numberPi4dim3", size, {1}, 0, out, size);
    std::vector<int> expected;
    for (int i = 0; i < kMany; ++i) expected.push_back(i * step);
    EXPECT_EQ(download<int>(out, kMany), expected);
  }
}

TEST_F(Programs, transpose) {
  load("transpose");
  constexpr int n = 96;
  std::vector<short> in(n * n), expected(n * n);
  std::iota(in.begin(), in.end(), short{0});
  for (int i = 0; i < n * n; ++i) expected[i] = in[i % n * n + i / n];
  const MUdeviceptr out = allocate(n * n * 2);
  launch("_Z9transposeIsEvPKT_PS0_i", {3, 3}, {32, 8}, 0, upload(in), out, n);
  EXPECT_EQ(download<short>(out, n * n), expected);
}

TEST_F(Programs, dynamic_shared) {
  load("dynamic_shared");
  std::vector<double> in(64), expected(64);
  std::iota(in.begin(), in.end(), 0);
  for (int i = 0; i < 64; ++i) expected[i] = in[i / 32 * 32 + 31 - i % 32];
  const MUdeviceptr out = allocate(512);
  const MUdeviceptr counts = allocate(8);
  launch("_Z13reverse_pairsPKdPdPi", {2}, {32}, 32 * 12, upload(in), out, counts);
  EXPECT_EQ(download<double>(out, 64), expected);
  EXPECT_EQ(download<int>(counts, 2), (std::vector<int>{16, 16}));
  const MUdeviceptr floats = upload(std::vector<float>{1, 2, 3, 4});
  launch("_Z14reverse_floatsPf", {1}, {4}, 16, floats);
  EXPECT_EQ(download<float>(floats, 4), (std::vector<float>{4, 3, 2, 1}));
  const MUdeviceptr thirds = allocate(12);
  launch("_Z12count_thirdsPi", {1}, {32}, 12, thirds);
  EXPECT_EQ(download<int>(thirds, 3), (std::vector<int>{11, 11, 10}));
}

TEST_F(Programs, votes) {
  load("votes");
  const MUdeviceptr out = upload(repeat(320, 0U));
  launch("_Z5votesPj", {1}, {32}, 0, out);
  const auto found = download<unsigned int>(out, 320);
  for (unsigned int i = 0; i < 32; ++i) {
    EXPECT_EQ(std::vector(found.begin() + i * 10, found.begin() + i * 10 + 10), voted(i)) << i;
  }
  constexpr int kThreads = 80;  // The last warp is not whole.
  launch("_Z11same_digitsPj", {1}, {kThreads}, 0, out);
  std::vector<unsigned int> expected;
  for (int t = 0; t < kThreads; ++t) expected.push_back(same_digit(t, kThreads));
  EXPECT_EQ(download<unsigned int>(out, kThreads), expected);
  launch("_Z4waysPjPVjPVKi", {1}, {64}, 0, out, allocate(4), upload(kLimits));
  EXPECT_EQ(download<unsigned int>(out, 64), std::vector<unsigned int>(64, kAllWays));
}

TEST_F(Programs, leaders) {
  load("leaders");
  std::vector<int> values(1024);
  std::iota(values.begin(), values.end(), 0);
  const MUdeviceptr count = upload(repeat(1, 0U));
  launch("_Z7leadersPKiPj", {4}, {256}, 0, upload(values), count);
  EXPECT_EQ(download<unsigned int>(count, 1), std::vector{147U});
}

TEST_F(Programs, streams) {
  load("streams");
  MUfunction add = nullptr;
  ASSERT_MU(muModuleGetFunction(&add, module_, "_ZL3addPiii"));
  MUdeviceptr memory[] = {upload(repeat(1000, 1)), upload(repeat(1000, 2))};
  MUstream streams[2] = {};
  int count = 1000;
  for (MUstream& stream : streams) ASSERT_MU(muStreamCreate(&stream, MU_STREAM_NON_BLOCKING));
  for (int i = 0; i < 40; ++i) {
    int by = i % 2 == 0 ? 1 : 10;
    void* arguments[] = {&memory[i % 2], &count, &by};
    EXPECT_MU(muLaunchKernel(add, 1, 1, 1, 64, 1, 1, 0, streams[i % 2], arguments, nullptr));
  }
  EXPECT_MU(muCtxSynchronize());
  EXPECT_EQ(download<int>(memory[0], 1000), repeat(1000, 21));
  EXPECT_EQ(download<int>(memory[1], 1000), repeat(1000, 202));
  for (MUstream stream : streams) EXPECT_MU(muStreamDestroy_v2(stream));
}

TEST_F(Programs, graph) {
  load("graph");
  MUfunction twice = nullptr;
  ASSERT_MU(muModuleGetFunction(&twice, module_, "_Z5twicePi"));
  MUdeviceptr values = upload(std::vector<int>{1, 2, 3});
  MUstream stream = nullptr;
  ASSERT_MU(muStreamCreate(&stream, MU_STREAM_NON_BLOCKING));
  ASSERT_MU(muStreamBeginCapture_v2(stream, MU_STREAM_CAPTURE_MODE_GLOBAL));
  void* arguments[] = {&values};
  EXPECT_MU(muLaunchKernel(twice, 1, 1, 1, 3, 1, 1, 0, stream, arguments, nullptr));
  MUgraph graph = nullptr;
  ASSERT_MU(muStreamEndCapture(stream, &graph));
  MUgraphExec exec = nullptr;
  ASSERT_MU(muGraphInstantiate_v2(&exec, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 3; ++i) EXPECT_MU(muGraphLaunch(exec, stream));
  EXPECT_MU(muStreamSynchronize(stream));
  EXPECT_EQ(download<int>(values, 3), (std::vector<int>{8, 16, 24}));
}

TEST_F(Programs, vectors) {
  load("vectors");
  const MUdeviceptr out = allocate(32);
  const MUdeviceptr bits = allocate(16);
  launch("_Z7vectorsPK6float4PS_P5uint2", {1}, {2}, 0,
         upload(std::vector<float>{1, 2, 3, 4, 2, 3, 4, 5}), out, bits);
  EXPECT_EQ(download<float>(out, 8), (std::vector<float>{4, 3, 5, 1, 5, 4, 7, 0.5F}));
  EXPECT_EQ(download<unsigned int>(bits, 4), (std::vector<unsigned int>{320, 0, 1311, 0x80000000}));
}

TEST_F(Programs, mathematics) {
  load("mathematics");
  const MUdeviceptr out = allocate(16);
  launch("_Z11mathematicsPKdPd", {1}, {2}, 0, upload(std::vector<double>{0.5, 1.5}), out);
  const auto found = download<double>(out, 2);
  EXPECT_NEAR(found[0], std::sin(0.5) + 0.25 + 0.5 + 16.5, 1e-6);
  EXPECT_NEAR(found[1], std::sin(1.5) + 2.25 + 1.5 + 16.5, 1e-6);
}

TEST_F(Programs, halves) {
  load("halves");
  const MUdeviceptr out = allocate(32);
  launch("_Z6halvesPKfPf", {1}, {2}, 0, upload(std::vector<float>{0.5F, 1.00390625F}), out);
  // 1.00390625 is 1 + 2^-8. Its square needs more bits than a half has, and itself more than a
  // bfloat16.
  EXPECT_EQ(download<float>(out, 8),
            (std::vector<float>{0.25F, 3, 0.5F, 0.75F, 1.0078125F, 4.0078125F, 1, 101.5078125F}));
}

TEST_F(Programs, groups) {
  load("groups");
  const MUdeviceptr out = allocate(256);
  launch("_Z6groupsPi", {1}, {64}, 0, out);
  std::vector<int> expected(64);
  for (int i = 0; i < 64; ++i) {
    int sum = 0;
    for (int j = 0; j < 8; ++j) sum += 63 - (i / 8 * 8 + j);
    expected[i] = sum * 10 + i % 8;
  }
  EXPECT_EQ(download<int>(out, 64), expected);
}

TEST_F(Programs, partitions) {
  load("partitions");
  std::vector<int> in(64);
  for (int i = 0; i < 64; ++i) in[i] = i * i % 17;
  const MUdeviceptr out = allocate(4 * 768);
  launch("_Z10partitionsPKiPi", {2}, {64}, 0, upload(in), out);
  std::vector<int> expected;
  for (int i = 0; i < 128; ++i) {
    const int thread = i % 64;
    const int first = thread / 16 * 16;
    int sum = 0;
    int most = 0;
    int before = 0;
    int alike = 0;
    for (int j = first; j < first + 16; ++j) {
      sum += in[j];
      most = std::max(most, in[j]);
      if (j < thread) before += in[j];
      if (in[j] % 3 == in[thread] % 3) alike += in[j];
    }
    for (const int value : {sum, most, before + in[thread], before, alike, 800 + thread % 8}) {
      expected.push_back(value);
    }
  }
  EXPECT_EQ(download<int>(out, 768), expected);
}

TEST_F(Programs, async_copies) {
  load("async_copies");
  std::vector<int> in(256);
  for (int i = 0; i < 256; ++i) in[i] = i * i % 1009;
  const MUdeviceptr out = allocate(4 * 128);
  launch("_Z12async_copiesPKiiPi", {1}, {64}, 0, upload(in), 3 * 64 + 20, out);
  std::vector<int> expected(128);
  for (int i = 0; i < 64; ++i) {
    const int from = 63 - i;
    // The last round has 20 numbers; behind them are those of two rounds before.
    expected[i] =
        in[from] + in[64 + from] + in[128 + from] + in[from < 20 ? 192 + from : 64 + from];
    expected[64 + i] = in[4 * from] * 3 + in[4 * from + 1];
  }
  EXPECT_EQ(download<int>(out, 128), expected);
}

TEST_F(Programs, group_functions) {
  load("group_functions");
  const MUdeviceptr out = allocate(4 * 640);
  launch("_Z15group_functionsPi", {1}, {64}, 0, out);
  std::vector<int> expected;
  for (int i = 0; i < 64; ++i) {
    const int lane = i % 32;
    const int rank = lane / 3;  // of 11
    const int size = rank < 8 ? 4 : 3;
    const int together =
        (1000 * size + rank % 4) * 1000 + 300 + rank / 4 + rank / 4 * 12 * 10'000'000;
    const int tile = 100 * 8 + lane / 4;
    for (const int value :
         {64'000 + i, 64'000 + i, 200 + i / 32, tile, 500 + lane % 5, lane % 3 == 0 ? together : 0,
          7, 63 - i, 63 - i / 32 * 32 + 5, static_cast<int>(lane % 4 == 0)}) {
      expected.push_back(value);
    }
  }
  EXPECT_EQ(download<int>(out, 640), expected);
}

// The nearest float below (-1), above (1), or towards 0.
float rounded(double exact, int direction) {
  const auto near = static_cast<float>(exact);
  const bool up = direction == 0 ? exact < 0 : direction > 0;
  if (up) return near < exact ? std::nextafter(near, INFINITY) : near;
  return near > exact ? std::nextafter(near, -INFINITY) : near;
}

TEST_F(Programs, rounding) {
  load("rounding");
  const std::vector<float> x{1, 1e-6F, -1, 3, 0.1F, -7, 1e5F, 0.3F};
  const MUdeviceptr out = allocate(128);
  constexpr std::uint16_t kOne = 0x3c00;
  launch("_Z8roundingPKfPf6__half", {1}, {4}, 0, upload(x), out, kOne);
  std::vector<float> expected;
  for (std::size_t i = 0; i < x.size(); i += 2) {
    const double a = x[i];
    const double b = x[i + 1];
    for (const float value :
         {rounded(a + b, -1), rounded(a + b, 1), rounded(a * b, 0), rounded(a / b, -1),
          rounded(a / b, 1), rounded(std::sqrt(std::fabs(a)), 1), rounded(a * b + 1, -1),
          rounded(static_cast<int>(b) + 16777217, 0)}) {
      expected.push_back(value);
    }
  }
  EXPECT_EQ(download<float>(out, 32), expected);
}

TEST_F(Programs, flags) {
  load("flags");
  const MUdeviceptr order = upload(std::vector<int>{0});
  const MUdeviceptr turn = upload(std::vector<unsigned int>{0});
  launch("_Z5relayPiPj", {3}, {4}, 0, order, turn);
  int expected = 0;
  for (int i = 0; i < 12; ++i) expected = expected * 3 + 4 - i % 4;
  EXPECT_EQ(download<int>(order, 1)[0], expected);
  const MUdeviceptr last = upload(std::vector<int>{63});
  launch("_Z8watchersPViPi", {1}, {64}, 0, last, order);
  EXPECT_EQ(download<int>(last, 1)[0], -1);
}

TEST_F(Programs, clock) {
  load("clock");
  int kilohertz = 0;
  ASSERT_MU(muDeviceGetAttribute(&kilohertz, MU_DEVICE_ATTRIBUTE_CLOCK_RATE, 0));
  ASSERT_GT(kilohertz, 0);
  const MUdeviceptr waited = upload(std::vector<int>{0});
  for (const char* kernel : {"_Z17wait_with_clock64iiPi", "_Z15wait_with_clockiiPi"}) {
    const auto begin = std::chrono::steady_clock::now();
    launch(kernel, {1}, {64}, 0, 50, kilohertz, waited);
    EXPECT_MU(muCtxSynchronize());
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    EXPECT_GE(took.count(), 0.05);
    EXPECT_LT(took.count(), 1) << "the 64 threads waited one after the other";
  }
  EXPECT_EQ(download<int>(waited, 1)[0], 128);
}

// Inline assembly of the table (src/host/kernels/translate/assembly.cpp).
TEST_F(Programs, assembly) {
  load("assembly");
  const MUdeviceptr out = upload(repeat(128, 0));
  launch("_Z8assemblyPiPy", {1}, {32}, 0, out, upload(repeat(64, 0ULL)));
  std::vector<int> expected;
  for (int lane = 0; lane < 32; ++lane) {
    const int values[] = {lane * (lane + 1) / 2 + 1, 496, 7 + 0xab + (5 << 8), 0x49249249};
    expected.insert(expected.end(), std::begin(values), std::end(values));
  }
  EXPECT_EQ(download<int>(out, 128), expected);
}

// Each of its instructions alone. What they compute is compared by the program itself, which knows
// its texts.
TEST_F(Programs, instructions) {
  load("instructions");
  const MUdeviceptr held = upload(repeat(14, 0ULL));
  launch("_Z6memoryPjPy", {1}, {1}, 0, upload(repeat(64, 0)), held);
  EXPECT_EQ(download<unsigned long long>(held, 14), repeat(14, 1ULL));
  const MUdeviceptr left = upload(repeat(96, 0U));
  launch("_Z7leavingPj", {1}, {96}, 0, left);
  const auto counts = download<unsigned int>(left, 96);
  for (unsigned int i = 0; i < counts.size(); ++i) EXPECT_EQ(counts[i], i % 3 == 0 ? 0U : 64U) << i;
}

// They count and say what is wrong.
TEST_F(Programs, rows) {
  load("rows");
  const MUdeviceptr wrong = upload(repeat(1, 0U));
  const MUdeviceptr memory = upload(repeat(64, 0ULL));
  for (const char* kernel : {"_Z13whole_numbersPj", "_Z9fractionsPj", "_Z11conversionsPj"}) {
    launch(kernel, {1}, {1}, 0, wrong);
  }
  launch("_Z5atomsPjPy", {1}, {1}, 0, wrong, memory);
  launch("_Z12surroundingsPjPy", {1}, {1}, 64, wrong, memory);
  EXPECT_EQ(download<unsigned int>(wrong, 1)[0], 0U);
}

TEST_F(Programs, lanes) {
  load("lanes");
  const MUdeviceptr wrong = upload(repeat(1, 0U));
  launch("_Z12across_lanesPj", {1}, {64}, 0, wrong);
  launch("_Z8barriersPj", {1}, {64}, 0, wrong);
  launch("_Z8matricesPj", {1}, {32}, 0, wrong);
  launch("_Z6eightsPj", {1}, {32}, 0, wrong);
  EXPECT_EQ(download<unsigned int>(wrong, 1)[0], 0U);
}

TEST_F(Programs, fragments) {
  load("fragments");
  const MUdeviceptr wrong = upload(repeat(1, 0U));
  launch("_Z9fragmentsPj", {1}, {32}, 0, wrong);
  EXPECT_EQ(download<unsigned int>(wrong, 1)[0], 0U);
}

// Lambdas and types without a name as arguments, classes that are instantiated whole, shared memory
// of all kinds, virtual functions, memory of the device.
// Parameters as programs have them that nvcc built.
TEST_F(Programs, closures) {
  load("closures");
  const auto result = [&](const std::string& lambda, auto step) {
    const MUdeviceptr out = upload(std::vector<int>{3});
    const std::string kernel = "_Z8closuresIZ4mainEUliE" + lambda + "_EvPi4StepIT_E";
    launch(kernel.c_str(), {1}, {1}, 0, out, step);
    return download<int>(out, 1)[0];
  };
  struct Captures {
    int factor = 7;
    void* lambda = nullptr;
    char offset = 5;
  };
  EXPECT_EQ(result("", Captures{}), 26);
  struct Nothing {
    void* lambda = nullptr;
    char offset = 5;
  };
  EXPECT_EQ(result("0", Nothing{}), 11);
  struct Function {
    char empty = 0, offset = 5;
  };
  EXPECT_EQ(result("1", Function{}), 14);
  struct OfDevice {
    int factor = 7;
    char offset = 5;
  };
  EXPECT_EQ(result("2", OfDevice{}), 26);
  struct TwoCaptures {
    int factor = 7;
    double half = 0.5;
    void* lambda = nullptr;
    char offset = 5;
  };
  EXPECT_EQ(result("3", TwoCaptures{}), 27);
}

TEST_F(Programs, language) {
  load("language");
  const MUdeviceptr out = upload(repeat(32, 0));
  struct {
    int more = 5;
    void* lambda = nullptr;  // as nvcc has it
  } closure;
  launch("_ZN12_GLOBAL__N_115call_with_indexIZ4mainEUliE_EEvPiT_", {1}, {4}, 0, out, closure);
  EXPECT_EQ(download<int>(out, 4), (std::vector<int>{1, 6, 11, 16}));
  launch("_ZN12_GLOBAL__N_115hidden_argumentEPiNS_6HiddenE", {1}, {1}, 0, out, 21);
  EXPECT_EQ(download<int>(out, 1)[0], 42);
  launch("_Z4foldIZ4mainEUlT_E_JidEEvPiS0_DpT0_", {1}, {1}, 0, out, char{0}, 1, 2.5);
  EXPECT_EQ(download<int>(out, 1)[0], 7);
  launch("_Z7fill_byIxEvPiT_", {1}, {1}, 0, out, 9LL);
  EXPECT_EQ(download<int>(out, 1)[0], 9);
  launch("_Z12shared_kindsPi", {1}, {32}, 256, out);
  std::vector<int> expected(32);
  for (int i = 0; i < 32; ++i) expected[i] = 1113 * (31 - i);
  EXPECT_EQ(download<int>(out, 32), expected);
  EXPECT_EQ(attribute("_Z12shared_kindsPi", MU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
            32 * (4 + 2 + 8 + 4 + 4));
  launch("_Z13dynamic_callsPii", {1}, {2}, 0, out, 0);
  EXPECT_EQ(download<int>(out, 2), (std::vector<int>{285, 287}));
  launch("from_macro", {1}, {1}, 0, out);
  EXPECT_EQ(download<int>(out, 1)[0], 7);
  launch("_Z9constantsPi", {1}, {1}, 0, out);
  EXPECT_EQ(download<int>(out, 1)[0], 24);
}

class Together : public Programs {
 protected:
  // More blocks than there are, for each processor one, are too many.
  static unsigned int processors() {
    int count = 0;
    EXPECT_MU(muDeviceGetAttribute(&count, MU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    return static_cast<unsigned int>(count);
  }
  template <typename... Arguments>
  MUresult launch_together(const char* kernel, unsigned int blocks, Arguments... arguments) {
    MUfunction function = nullptr;
    EXPECT_MU(muModuleGetFunction(&function, module_, kernel)) << kernel;
    void* pointers[] = {&arguments...};
    MUlaunchAttribute attribute{};
    attribute.id = MU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attribute.value.cooperative = 1;
    const MUlaunchConfig config{blocks, 1, 1, 96, 1, 1, 0, stream_, &attribute, 1};
    return muLaunchKernelEx(&config, function, pointers, nullptr);
  }
  // Each value becomes the sum of 2^rounds values that are 1.
  void expect_sums(MUdeviceptr values, int rounds) {
    EXPECT_EQ(download<int>(values, 1000), repeat(1000, 1 << rounds));
  }

  static constexpr char kAdd[] = "_Z14add_neighboursPiS_iiS_";
};

TEST_F(Together, blocks_meet) {
  load("cooperative");
  const MUdeviceptr ones = upload(repeat(1000, 1));
  const MUdeviceptr valid = upload(repeat(1, 0));
  for (unsigned int blocks = 1; blocks <= processors(); ++blocks) {
    const MUdeviceptr values = upload(repeat(1000, 1));
    EXPECT_MU(launch_together(kAdd, blocks, values, ones, 1000, 8, valid));
    expect_sums(values, 8);
    EXPECT_EQ(download<int>(valid, 1)[0], 1);
  }
  EXPECT_EQ(launch_together(kAdd, processors() + 1, ones, ones, 1000, 8, valid),
            MUSA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
}

// Also where streams share the cores.
TEST_F(Together, grids_of_two_streams_meet) {
  load("cooperative");
  MUstream streams[2] = {};
  MUdeviceptr values[2] = {};
  for (int i = 0; i < 2; ++i) {
    EXPECT_MU(muStreamCreate(&streams[i], MU_STREAM_NON_BLOCKING));
    values[i] = upload(repeat(1000, 1));
  }
  for (int i = 0; i < 2; ++i) {
    stream_ = streams[i];
    EXPECT_MU(launch_together(kAdd, processors(), values[i], allocate(4000), 1000, 8, allocate(4)));
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_MU(muStreamSynchronize(streams[i]));
    expect_sums(values[i], 8);
    EXPECT_MU(muStreamDestroy_v2(streams[i]));
  }
}

TEST_F(Together, as_a_node_of_a_graph) {
  load("cooperative");
  const MUdeviceptr values = upload(repeat(1000, 1));
  const MUdeviceptr next = allocate(4000);
  const MUdeviceptr valid = allocate(4);
  MUgraph graph = nullptr;
  MUgraphExec made = nullptr;
  EXPECT_MU(muStreamCreate(&stream_, MU_STREAM_NON_BLOCKING));
  EXPECT_MU(muStreamBeginCapture_v2(stream_, MU_STREAM_CAPTURE_MODE_RELAXED));
  EXPECT_MU(launch_together(kAdd, processors(), values, next, 1000, 8, valid));
  EXPECT_MU(muStreamEndCapture(stream_, &graph));
  EXPECT_EQ(musaGraphInstantiate(&made, graph, 0), musaSuccess);
  EXPECT_MU(muGraphLaunch(made, stream_));
  EXPECT_MU(muStreamSynchronize(stream_));
  expect_sums(values, 8);
}

TEST_F(Together, nobody_waits_for_a_block_that_has_failed) {
  load("cooperative");
  testing::internal::CaptureStderr();
  // Some read what is not there.
  EXPECT_MU(launch_together(kAdd, processors(), upload(repeat(96, 1)), MUdeviceptr{4096}, 1000, 2,
                            allocate(4)));
  EXPECT_EQ(muCtxSynchronize(), MUSA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("illegal address"), std::string::npos);
}

TEST_F(Together, only_if_launched_so) {
  load("cooperative");
  testing::internal::CaptureStderr();
  launch(kAdd, {1}, {96}, 0, allocate(4000), allocate(4000), 1000, 2, allocate(4));
  EXPECT_EQ(muCtxSynchronize(), MUSA_ERROR_LAUNCH_FAILED);
  EXPECT_NE(testing::internal::GetCapturedStderr().find(": trap\n"), std::string::npos);
}

}  // namespace
