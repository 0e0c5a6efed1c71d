// Device functions against MPFR, and those of words against plain C++: functions.h.
#include "tests/kernels/functions/functions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>

#include "tests/host/musa/support.h"
#include "tests/kernels/functions/reference.h"
#include "tests/kernels/functions/words.h"

namespace {

using reference::Number;
using namespace reference;  // what rows name

constexpr std::size_t kCount = 1024;

// Half and bfloat16: `kDigits` bits, and from which exponent to which.
template <int kDigits, int kLeast, int kMost>
struct Narrow {
  std::uint16_t bits = 0;
  double value() const {
    const int exponent = bits >> (kDigits - 1) & ((1 << (16 - kDigits)) - 1);
    const int digits = bits & ((1 << (kDigits - 1)) - 1);
    const double size = exponent == (1 << (16 - kDigits)) - 1
                            ? (digits == 0 ? INFINITY : NAN)
                            : std::ldexp(digits + (exponent == 0 ? 0 : 1 << (kDigits - 1)),
                                         std::max(exponent, 1) + kLeast - 1);
    return (bits & 0x8000) != 0 ? -size : size;
  }
  static double round(mpfr_srcptr x, mpfr_rnd_t direction) {
    const mpfr_exp_t least = mpfr_get_emin(), most = mpfr_get_emax();
    mpfr_t made;
    mpfr_init2(made, kDigits);
    mpfr_set_emin(kLeast + 1);
    mpfr_set_emax(kMost);
    const int way = mpfr_set(made, x, direction);
    mpfr_subnormalize(made, mpfr_check_range(made, way, direction), direction);
    const double value = mpfr_get_d(made, MPFR_RNDN);
    mpfr_clear(made);
    mpfr_set_emin(least);
    mpfr_set_emax(most);
    return value;
  }
};
using __half = Narrow<11, -24, 16>;
using __nv_bfloat16 = Narrow<8, -133, 128>;

template <typename T>
constexpr bool kNarrow = std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;

template <typename T>
void set(mpfr_ptr to, T x) {
  if constexpr (kNarrow<T>) {
    mpfr_set_d(to, x.value(), MPFR_RNDN);
  } else if constexpr (std::is_floating_point_v<T>) {
    mpfr_set_d(to, x, MPFR_RNDN);
  } else if constexpr (std::is_signed_v<T>) {
    mpfr_set_si(to, x, MPFR_RNDN);
  } else {
    mpfr_set_ui(to, x, MPFR_RNDN);
  }
}

// How many numbers of the type lie between what was found and the exact result, rounded.
std::uint64_t apart(double found, double exact, double ulp) {
  if (std::isnan(found) && std::isnan(exact)) return 0;
  if (found == exact) return 0;
  const double ulps = std::abs(found - exact) / ulp;
  return ulps < 1e18 ? static_cast<std::uint64_t>(std::ceil(ulps)) : ~0ULL;
}
std::uint64_t off_by(float found, mpfr_srcptr x, mpfr_rnd_t direction) {
  const float exact = mpfr_get_flt(x, direction);
  return apart(found, exact, std::nextafter(std::abs(exact), INFINITY) - std::abs(exact));
}
std::uint64_t off_by(double found, mpfr_srcptr x, mpfr_rnd_t direction) {
  const double exact = mpfr_get_d(x, direction);
  return apart(found, exact, std::nextafter(std::abs(exact), INFINITY) - std::abs(exact));
}
template <int kDigits, int kLeast, int kMost>
std::uint64_t off_by(Narrow<kDigits, kLeast, kMost> found, mpfr_srcptr x, mpfr_rnd_t direction) {
  return apart(found.value(), found.round(x, direction), 1e-300);
}
template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
std::uint64_t off_by(T found, mpfr_srcptr x, mpfr_rnd_t direction) {
  if (mpfr_nan_p(x) != 0) return 0;  // nothing is documented
  Number whole, least, most;
  mpfr_rint(whole, x, direction);
  set(least, std::numeric_limits<T>::min());
  set(most, std::numeric_limits<T>::max());
  const T expected = mpfr_lessequal_p(whole, least) != 0     ? std::numeric_limits<T>::min()
                     : mpfr_greaterequal_p(whole, most) != 0 ? std::numeric_limits<T>::max()
                     : std::is_signed_v<T> ? static_cast<T>(mpfr_get_si(whole, MPFR_RNDN))
                                           : static_cast<T>(mpfr_get_ui(whole, MPFR_RNDN));
  return found == expected ? 0 : ~0ULL;
}

// Numbers of all sizes between the two, and special ones.
template <typename T>
std::vector<T> inputs(unsigned int seed, double least = -1e10, double most = 1e10) {
  std::mt19937_64 random(seed);
  std::vector<T> made;
  if constexpr (std::is_floating_point_v<T>) {
    using Limits = std::numeric_limits<T>;
    for (const T x : {T{0}, -T{0}, T{1}, T{-1}, T{0.5}, T{2.5}, T{-3.5}, T{2}, Limits::denorm_min(),
                      Limits::min(), Limits::max(), Limits::lowest()}) {
      if (x >= least && x <= most) made.push_back(x);
    }
    for (const T x : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()}) {
      made.push_back(x);
    }
    std::uniform_real_distribution<double> part(0, 1);
    const double size = std::max(std::abs(least), std::abs(most));
    while (made.size() < kCount) {
      const double near = least + (most - least) * part(random);
      const double small =
          std::ldexp(part(random) < 0.5 ? size : -size, -static_cast<int>(random() % 40)) *
          part(random);
      const T x = static_cast<T>(made.size() % 2 == 0 ? near : small);
      if (x >= least && x <= most) made.push_back(x);
    }
  } else {
    while (made.size() < kCount) {
      const std::uint64_t bits = random() >> random() % 64;
      if constexpr (kNarrow<T>) {
        made.push_back(T{static_cast<std::uint16_t>(random())});
      } else {
        made.push_back(static_cast<T>(made.size() % 2 == 0 ? bits : 0 - bits));
      }
    }
  }
  std::shuffle(made.begin(), made.end(), random);
  return made;
}

class DeviceFunctions : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    ASSERT_MU(muModuleLoad(&module_, IMAGES "/functions.image"));
  }
  template <typename T>
  static MUdeviceptr upload(const std::vector<T>& values) {
    const MUdeviceptr memory = allocate(values.size() * sizeof(T));
    EXPECT_MU(muMemcpyHtoD_v2(memory, values.data(), values.size() * sizeof(T)));
    return memory;
  }
  template <typename To, typename From>
  std::vector<To> call(const std::string& name, const std::vector<From>& x,
                       const std::vector<From>& y, const std::vector<From>& z) {
    MUfunction function = nullptr;
    EXPECT_MU(muModuleGetFunction(&function, module_, ("call_" + name).c_str())) << name;
    MUdeviceptr memory[] = {upload(x), upload(y), upload(z), upload(std::vector<To>(kCount))};
    void* arguments[] = {&memory[0], &memory[1], &memory[2], &memory[3]};
    EXPECT_MU(
        muLaunchKernel(function, kCount / 64, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
    std::vector<To> found(kCount);
    EXPECT_MU(muMemcpyDtoH_v2(found.data(), memory[3], kCount * sizeof(To)));
    for (const MUdeviceptr piece : memory) EXPECT_MU(muMemFree_v2(piece));
    return found;
  }

  // Compares with compute(out, x, y, z).
  template <typename To, typename From, typename Compute>
  void check(const std::string& name, std::uint64_t ulps, mpfr_rnd_t direction, double least,
             double most, Compute compute) {
    const std::vector<From> x = inputs<From>(1, least, most), y = inputs<From>(2, least, most),
                            z = inputs<From>(3, least, most);
    const std::vector<To> found = call<To>(name, x, y, z);
    std::uint64_t worst = 0;
    std::size_t where = 0;
    Number a, b, c, out;
    for (std::size_t i = 0; i < kCount; ++i) {
      set(a, x[i]);
      set(b, y[i]);
      set(c, z[i]);
      compute(out, a, b, c);
      const std::uint64_t off = off_by(found[i], out, direction);
      if (off > worst) {
        worst = off;
        where = i;
      }
    }
    set(a, x[where]);
    set(b, y[where]);
    set(c, z[where]);
    compute(out, a, b, c);
    EXPECT_LE(worst, ulps) << name << "(" << mpfr_get_d(a, MPFR_RNDN) << ", "
                           << mpfr_get_d(b, MPFR_RNDN) << ", " << mpfr_get_d(c, MPFR_RNDN)
                           << ") is " << mpfr_get_d(out, MPFR_RNDN);
  }

  using One = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  using Two = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
  using Three = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
  static auto of(One function, mpfr_rnd_t direction) {
    return
        [=](mpfr_ptr out, mpfr_srcptr a, mpfr_srcptr, mpfr_srcptr) { function(out, a, direction); };
  }
  static auto of(Two function, mpfr_rnd_t direction) {
    return [=](mpfr_ptr out, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr) {
      function(out, a, b, direction);
    };
  }
  static auto of(Three function, mpfr_rnd_t direction) {
    return [=](mpfr_ptr out, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c) {
      function(out, a, b, c, direction);
    };
  }

  MUmodule module_ = nullptr;
};

#define NEAR(name, type, reference, ulps, least, most) \
  check<type, type>(#name, ulps, MPFR_RNDN, least, most, of(&reference, MPFR_RNDN));
#define ROUNDED(name, type, reference, direction, arguments) \
  check<type, type>(#name, 0, direction, -1e10, 1e10, of(&reference, direction));
#define CONVERTED(name, from, to, direction) \
  check<to, from>(#name, 0, direction, -1e20, 1e20, of(&mpfr_set_value, direction));
#define NARROWED(name, type, reference, arguments) \
  check<type, type>(#name "_of_" #type, 0, MPFR_RNDN, -1e10, 1e10, of(&reference, MPFR_RNDN));
int mpfr_set_value(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t direction) {
  return mpfr_set4(out, x, direction, mpfr_signbit(x) != 0 ? -1 : 1);
}

TEST_F(DeviceFunctions, of_one_number_are_as_near_as_documented){
    OF_ONE(NEAR)} TEST_F(DeviceFunctions, of_two_numbers_are_as_near_as_documented){
    OF_TWO(NEAR)} TEST_F(DeviceFunctions, with_a_direction_are_exact){
    EXACT(ROUNDED)} TEST_F(DeviceFunctions, conversions_are_exact){
    CONVERSIONS(CONVERTED)} TEST_F(DeviceFunctions,
                                   of_half_and_bfloat16_round_once){NARROW(NARROWED)}

TEST_F(DeviceFunctions, of_words) {
  using namespace words;
  MUfunction function = nullptr;
  ASSERT_MU(muModuleGetFunction(&function, module_, "words"));
  std::mt19937_64 random(1);
  const u32 special[] = {0,          1,          0x7fffffff, 0x80000000, 0xffffffff,
                         0x80008000, 0x7fff7fff, 0x7f807f80, 0x01ff00fe, 5};
  for (int turn = 0; turn < 300; ++turn) {
    const auto pick = [&] {
      const auto bits = static_cast<u32>(random());
      return bits % 3 == 0 ? special[random() % std::size(special)] : bits >> random() % 32;
    };
    u32 a = pick(), b = pick(), c = turn % 2 == 0 ? pick() : pick() % 64;
    const u64 joined = u64{b} << 32 | a, wide = u64{c} << 32 | b;
    std::vector<u64> expected;
    std::vector<const char*> names;
#define WORD(call, result, ...)                                           \
  expected.push_back(static_cast<u64>(static_cast<result>(__VA_ARGS__))); \
  names.push_back(#call);
    WORDS(WORD)
    MUdeviceptr out = allocate(expected.size() * 8);
    void* arguments[] = {&a, &b, &c, &out};
    ASSERT_MU(muLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
    std::vector<u64> found(expected.size());
    ASSERT_MU(muMemcpyDtoH_v2(found.data(), out, found.size() * 8));
    EXPECT_MU(muMemFree_v2(out));
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(found[i], expected[i])
          << names[i] << std::hex << " of " << a << ' ' << b << ' ' << c;
    }
  }
}

}  // namespace
