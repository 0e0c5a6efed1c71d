// Jumping ahead in MT19937 (Haramoto, Matsumoto, Nishimura, Panneton and L'Ecuyer, "Efficient jump
// ahead for F2-linear random number generators", 2008). A step is a linear map, so n steps are x^n
// modulo its characteristic polynomial.
#include "src/host/murand/mt19937_jump.h"

#include <memory>
#include <vector>

namespace host_murand {
namespace {

constexpr std::size_t kDegree = 19937;
constexpr std::size_t kDistanceBits = 2048;
constexpr std::size_t kLimb = 64;

// A polynomial over bits; bit k is the coefficient of x^k.
class Polynomial {
 public:
  bool has(std::size_t power) const { return limbs_[power / kLimb] >> power % kLimb & 1U; }
  void flip(std::size_t power) { limbs_[power / kLimb] ^= std::uint64_t{1} << power % kLimb; }

  // Adds `limb` times x^power.
  void add(std::uint64_t limb, std::size_t power) {
    const std::size_t shift = power % kLimb;
    limbs_[power / kLimb] ^= limb << shift;
    if (shift != 0) limbs_[power / kLimb + 1] ^= limb >> (kLimb - shift);
  }

  // Returns the 64 coefficients from x^power on and sets them to 0.
  std::uint64_t take(std::size_t power) {
    const std::size_t shift = power % kLimb;
    std::uint64_t limb = limbs_[power / kLimb] >> shift;
    if (shift != 0) limb |= limbs_[power / kLimb + 1] << (kLimb - shift);
    add(limb, power);
    return limb;
  }

  Polynomial squared() const {
    Polynomial square;
    for (std::size_t i = 0; i <= kDegree / kLimb; ++i) {
      square.limbs_[2 * i] = spread(static_cast<std::uint32_t>(limbs_[i]));
      square.limbs_[2 * i + 1] = spread(static_cast<std::uint32_t>(limbs_[i] >> 32));
    }
    return square;
  }

 private:
  // Inserts a zero after each bit.
  static std::uint64_t spread(std::uint64_t bits) {
    bits = (bits | bits << 16) & 0x0000ffff0000ffffU;
    bits = (bits | bits << 8) & 0x00ff00ff00ff00ffU;
    bits = (bits | bits << 4) & 0x0f0f0f0f0f0f0f0fU;
    bits = (bits | bits << 2) & 0x3333333333333333U;
    return (bits | bits << 1) & 0x5555555555555555U;
  }

  std::array<std::uint64_t, 2 * (kDegree / kLimb + 1) + 2> limbs_{};
};

// The powers in the characteristic polynomial except the highest, by the formula of MT19937's
// paper.
std::vector<std::size_t> characteristic_powers() {
  constexpr std::uint32_t kMatrix = 0x9908b0dfU;
  const auto times = [](const Polynomial& factor, std::size_t high, std::size_t low) {
    Polynomial product;
    for (std::size_t power = 0; power <= kDegree; ++power) {
      if (!factor.has(power)) continue;
      product.flip(power + high);
      product.flip(power + low);
    }
    return product;
  };
  Polynomial sum;
  sum.flip(0);
  for (int bit = 0; bit < 31; ++bit) {
    sum = times(sum, 623, 396);
    if (kMatrix >> bit & 1U) sum.flip(0);
  }
  sum = times(sum, 624, 397);
  if (kMatrix >> 31 & 1U) sum.flip(0);
  std::vector<std::size_t> powers;
  for (std::size_t power = 0; power < kDegree; ++power) {
    if (sum.has(power)) powers.push_back(power);
  }
  return powers;
}

// x^(2^2048). The second highest power of the characteristic polynomial is 227 below the highest,
// so 64 coefficients can be replaced at a time.
std::unique_ptr<Polynomial> make_jump() {
  const std::vector<std::size_t> powers = characteristic_powers();
  auto jump = std::make_unique<Polynomial>();
  jump->flip(1);
  for (std::size_t i = 0; i < kDistanceBits; ++i) {
    *jump = jump->squared();
    constexpr std::size_t kSteps = (kDegree + kLimb - 1) / kLimb;
    for (std::size_t step = kSteps; step-- > 0;) {
      const std::uint64_t limb = jump->take(kDegree + step * kLimb);
      if (limb == 0) continue;
      for (const std::size_t power : powers) jump->add(limb, power + step * kLimb);
    }
  }
  return jump;
}

const Polynomial& jump() {
  static const Polynomial& instance = *make_jump().release();  // never destroyed
  return instance;
}

void add(const std::uint32_t* __restrict other, std::uint32_t* __restrict words) {
  for (std::size_t i = 0; i < kMtWords; ++i) words[i] ^= other[i];
}

}  // namespace

// Horner's scheme, seven coefficients at a time. First computes the sums of states for all values
// of seven coefficients.
MtState mt_jump(const MtState& state) {
  constexpr std::size_t kDigit = 7;
  constexpr std::size_t kDigits = (kDegree + kDigit - 1) / kDigit;
  std::array<std::uint32_t, kMtWords + kDigit> first;
  for (std::size_t i = 0; i < kMtWords; ++i) first[i] = state[i];
  for (std::size_t i = 0; i < kDigit; ++i) first[kMtWords + i] = mt_next(&first[i]);
  std::vector<MtState> sums(std::size_t{1} << kDigit, MtState{});
  for (std::size_t bit = 0; bit < kDigit; ++bit) {
    const std::size_t value = std::size_t{1} << bit;
    for (std::size_t less = 0; less < value; ++less) {
      sums[value + less] = sums[less];
      add(&first[bit], sums[value + less].data());
    }
  }

  // Each round moves kDigit words further in one long array.
  const Polynomial& coefficients = jump();
  std::vector<std::uint32_t> words(kMtWords + kDigits * kDigit);
  std::uint32_t* place = words.data();
  for (std::size_t digit = kDigits; digit-- > 0;) {
    for (std::size_t i = 0; i < kDigit; ++i) place[kMtWords + i] = mt_next(place + i);
    place += kDigit;
    std::size_t value = 0;
    for (std::size_t bit = kDigit; bit-- > 0;) {
      value = value << 1 | (coefficients.has(digit * kDigit + bit) ? 1 : 0);
    }
    add(sums[value].data(), place);
  }
  MtState result;
  for (std::size_t i = 0; i < kMtWords; ++i) result[i] = place[i];
  return result;
}

}  // namespace host_murand
