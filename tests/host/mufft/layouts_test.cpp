// Batches and advanced layouts against plain transforms of the same numbers.
#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/host/mufft/reference.h"
#include "tests/host/mufft/with_plan.h"

namespace mufft_tests {
namespace {

using Complex = std::complex<double>;

// One side of an advanced layout.
struct Side {
  std::vector<int> embed;
  int stride;
  int distance;

  // Where an element lies: written down here from cuFFT's documentation.
  std::size_t at(int batch, int i, int j, int k) const {
    int index = k;
    if (embed.size() == 2) index += j * embed[1];
    if (embed.size() == 3) index += (i * embed[1] + j) * embed[2];
    return static_cast<std::size_t>(batch * distance + index * stride);
  }
};

// Three lengths; those before the first of `n` are 1.
std::array<int, 3> three(const std::vector<int>& n) {
  std::array<int, 3> lengths = {1, 1, 1};
  std::copy(n.begin(), n.end(), lengths.end() - static_cast<std::ptrdiff_t>(n.size()));
  return lengths;
}

// Calls visit(index in a packed array, index in the layout) for each element of `row` in the last
// axis.
template <typename Visit>
void each(const Side& side, const std::vector<int>& n, int row, int batches, Visit visit) {
  const auto lengths = three(n);
  std::size_t packed = 0;
  for (int batch = 0; batch < batches; ++batch) {
    for (int i = 0; i < lengths[0]; ++i) {
      for (int j = 0; j < lengths[1]; ++j) {
        for (int k = 0; k < row; ++k) visit(packed++, side.at(batch, i, j, k));
      }
    }
  }
}

struct Case {
  std::vector<int> n;
  int batch;
  Side input, output;
};

mufftResult plan_many(mufftHandle* plan, Case c, mufftType type, bool advanced) {
  return mufftPlanMany(plan, static_cast<int>(c.n.size()), c.n.data(),
                       advanced ? c.input.embed.data() : nullptr, c.input.stride, c.input.distance,
                       advanced ? c.output.embed.data() : nullptr, c.output.stride,
                       c.output.distance, type, c.batch);
}

// Scatters packed numbers into the layout, transforms, gathers, and compares with the plain
// transform. Elements between those of the layout must stay as they are.
template <typename In, typename Out>
void compare(const Case& c, mufftType type, int in_row, int out_row, const std::vector<In>& packed,
             int direction) {
  const OwnedPlan plain([&](mufftHandle* plan) { return plan_many(plan, c, type, false); });
  const OwnedPlan advanced([&](mufftHandle* plan) { return plan_many(plan, c, type, true); });
  constexpr std::size_t kRoom = 4096;
  const Out kept = -77;

  std::vector<In> in(kRoom, In(99));
  each(c.input, c.n, in_row, c.batch,
       [&](std::size_t from, std::size_t to) { in.at(to) = packed.at(from); });
  const DeviceArray<In> input(in);
  const DeviceArray<Out> output{std::vector<Out>(kRoom, kept)};
  EXPECT_EQ(execute(advanced.get(), input.data(), output.data(), direction), MUFFT_SUCCESS);
  advanced.stream().wait();

  std::size_t out_size = 0;
  each(c.output, c.n, out_row, c.batch, [&](std::size_t, std::size_t) { ++out_size; });
  const auto expected = plain.run<Out>(packed, out_size, direction);
  std::vector<Out> whole(kRoom, kept);
  each(c.output, c.n, out_row, c.batch,
       [&](std::size_t from, std::size_t to) { whole.at(to) = expected.at(from); });
  EXPECT_EQ(output.values(), whole);
}

const std::vector<Case> kCases = {
    {{8}, 3, {{0}, 1, 8}, {{0}, 1, 8}},      // packed; the first length is not used
    {{8}, 3, {{8}, 1, 11}, {{8}, 2, 20}},    // gaps between transforms and elements
    {{6}, 5, {{6}, 5, 1}, {{6}, 7, 1}},      // columns
    {{7}, 1, {{7}, 3, 0}, {{7}, 1, 0}},      // one transform needs no distance
    {{16}, 4, {{16}, 1, 4}, {{16}, 1, 16}},  // windows that overlap
    {{3, 4}, 2, {{3, 6}, 1, 30}, {{9, 5}, 2, 61}},
    {{5, 3}, 2, {{5, 3}, 1, 15}, {{5, 4}, 3, 64}},
    {{2, 3, 4}, 2, {{2, 4, 5}, 2, 101}, {{2, 3, 6}, 1, 40}},
    {{3, 2, 5}, 1, {{3, 3, 7}, 1, 70}, {{3, 2, 5}, 3, 99}}};

std::size_t packed_size(const Case& c, int row) {
  std::size_t size = 0;
  each(c.input, c.n, row, c.batch, [&](std::size_t, std::size_t) { ++size; });
  return size;
}

// The numbers of windows that overlap must be the same in both.
template <typename Value>
std::vector<Value> consistent(const Case& c, int row, std::vector<Value> packed) {
  std::vector<Value> in(4096);
  each(c.input, c.n, row, c.batch,
       [&](std::size_t from, std::size_t to) { in.at(to) = packed.at(from); });
  each(c.input, c.n, row, c.batch,
       [&](std::size_t from, std::size_t to) { packed.at(from) = in.at(to); });
  return packed;
}

TEST(MufftLayouts, mufftPlanMany_places_complex_numbers) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(testing::PrintToString(c.n) + " stride " + std::to_string(c.input.stride));
    const int row = c.n.back();
    const auto packed = consistent(c, row, random_complex<double>(packed_size(c, row), 1));
    for (const int direction : {MUFFT_FORWARD, MUFFT_INVERSE}) {
      compare<Complex, Complex>(c, MUFFT_Z2Z, row, row, packed, direction);
    }
  }
}

TEST(MufftLayouts, mufftPlanMany_places_real_input) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(testing::PrintToString(c.n) + " stride " + std::to_string(c.input.stride));
    const int row = c.n.back();
    const auto packed = consistent(c, row, random_reals<double>(packed_size(c, row), 2));
    compare<double, Complex>(c, MUFFT_D2Z, row, row / 2 + 1, packed, MUFFT_FORWARD);
  }
}

TEST(MufftLayouts, mufftPlanMany_places_real_output) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(testing::PrintToString(c.n) + " stride " + std::to_string(c.input.stride));
    const int row = c.n.back();
    const int half = row / 2 + 1;
    const auto packed = consistent(c, half, random_complex<double>(packed_size(c, half), 3));
    compare<Complex, double>(c, MUFFT_Z2D, half, row, packed, MUFFT_INVERSE);
  }
}

TEST(MufftLayouts, mufftPlan1d_transforms_each_of_a_batch) {
  constexpr int kN = 10;
  constexpr int kBatch = 4;
  const OwnedPlan plan = plan_1d(kN, MUFFT_C2C, kBatch);
  const auto in = random_complex<float>(kN * kBatch, 4);
  const auto out = plan.run<std::complex<float>>(in, in.size());
  for (int batch = 0; batch < kBatch; ++batch) {
    const std::vector<std::complex<float>> one(in.begin() + batch * kN,
                                               in.begin() + (batch + 1) * kN);
    const std::vector<std::complex<float>> got(out.begin() + batch * kN,
                                               out.begin() + (batch + 1) * kN);
    EXPECT_LE(relative_error(got, reference(widened(one), {kN}, MUFFT_FORWARD)), 1e-7);
  }
}

// As cuFFT documents it, one null pointer makes the layout plain on both sides.
TEST(MufftLayouts, mufftPlanMany_without_one_embedding_is_plain) {
  int n[] = {5};
  int embed[] = {5};
  const auto in = random_complex<double>(15, 6);
  const auto expected = plan_1d(5, MUFFT_Z2Z, 3).run<Complex>(in, 15);
  const OwnedPlan no_input([&](mufftHandle* plan) {
    return mufftPlanMany(plan, 1, n, nullptr, 7, 7, embed, 7, 7, MUFFT_Z2Z, 3);
  });
  const OwnedPlan no_output([&](mufftHandle* plan) {
    return mufftPlanMany(plan, 1, n, embed, 7, 7, nullptr, 7, 7, MUFFT_Z2Z, 3);
  });
  EXPECT_EQ(no_input.run<Complex>(in, 15), expected);
  EXPECT_EQ(no_output.run<Complex>(in, 15), expected);
}

TEST(MufftLayouts, InPlaceGivesTheSameComplexNumbers) {
  for (const int n : {1, 12, 59}) {
    const OwnedPlan plan = plan_1d(n, MUFFT_Z2Z, 2);
    const auto in = random_complex<double>(2 * n, 7);
    for (const int direction : {MUFFT_FORWARD, MUFFT_INVERSE}) {
      const DeviceArray<Complex> data(in);
      EXPECT_EQ(execute(plan.get(), data.data(), data.data(), direction), MUFFT_SUCCESS);
      plan.stream().wait();
      EXPECT_EQ(data.values(), plan.run<Complex>(in, in.size(), direction));
    }
  }
}

// In place, a plain row of n real numbers takes the memory of n / 2 + 1 complex ones.
TEST(MufftLayouts, InPlaceRowsOfRealNumbersArePadded) {
  for (const std::vector<int>& n : {std::vector<int>{8}, {7}, {3, 4}, {4, 5}, {2, 3, 5}}) {
    SCOPED_TRACE(testing::PrintToString(n));
    constexpr int kBatch = 3;
    const Case c{n, kBatch, {}, {}};
    const int row = n.back();
    const int padded = 2 * (row / 2 + 1);
    const OwnedPlan there([&](mufftHandle* plan) { return plan_many(plan, c, MUFFT_D2Z, false); });
    const OwnedPlan back([&](mufftHandle* plan) { return plan_many(plan, c, MUFFT_Z2D, false); });

    std::size_t rows = kBatch;
    for (const int length : n) rows *= static_cast<std::size_t>(length);
    rows /= static_cast<std::size_t>(row);
    const auto packed = random_reals<double>(rows * row, 9);
    std::vector<double> in(rows * padded, 55);
    for (std::size_t i = 0; i < packed.size(); ++i) in[i / row * padded + i % row] = packed[i];

    const DeviceArray<double> data(in);
    auto* const as_complex = reinterpret_cast<Complex*>(data.data());
    EXPECT_EQ(execute(there.get(), data.data(), as_complex, 0), MUFFT_SUCCESS);
    there.stream().wait();
    const auto spectrum = there.run<Complex>(packed, rows * (row / 2 + 1));
    const std::vector<double> got = data.values();
    EXPECT_TRUE(
        std::equal(got.begin(), got.end(), reinterpret_cast<const double*>(spectrum.data())));

    EXPECT_EQ(execute(back.get(), as_complex, data.data(), 0), MUFFT_SUCCESS);
    back.stream().wait();
    const std::vector<double> returned = data.values();
    const auto expected = back.run<double>(spectrum, packed.size());
    for (std::size_t i = 0; i < packed.size(); ++i) {
      EXPECT_EQ(returned[i / row * padded + i % row], expected[i]) << i;
    }
  }
}

}  // namespace
}  // namespace mufft_tests
