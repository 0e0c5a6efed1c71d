#include "src/host/murand/sobol.h"

namespace host_murand {
namespace {

#include "src/host/murand/joe_kuo.inc"

// Reads bits from the table, the highest bit of each character first.
class Reader {
 public:
  std::uint32_t bits(int count) {
    std::uint32_t value = 0;
    for (; count > 0; --count, ++place_) value = value << 1 | bit();
    return value;
  }

 private:
  std::uint32_t bit() const {
    constexpr std::size_t kLine = sizeof(kJoeKuo[0]) - 1;
    const std::size_t character = place_ / 6;
    return six_bits(kJoeKuo[character / kLine][character % kLine]) >> (5 - place_ % 6) & 1U;
  }

  static std::uint32_t six_bits(char c) {  // as in base 64
    if (c >= 'a') return static_cast<std::uint32_t>(c - 'a' + 26);
    if (c >= 'A') return static_cast<std::uint32_t>(c - 'A');
    if (c >= '0') return static_cast<std::uint32_t>(c - '0' + 52);
    return c == '+' ? 62 : 63;
  }

  std::size_t place_ = 0;
};

int degree_of(std::uint32_t polynomial) {
  int degree = -1;
  for (; polynomial != 0; polynomial >>= 1) ++degree;
  return degree;
}

}  // namespace

template <typename Word>
void Sobol<Word>::start(const Origin& origin) {
  if (directions_.size() == origin.dimensions) return;
  directions_.assign(origin.dimensions, {});
  for (int k = 0; k < kBits; ++k) directions_[0][k] = Word{1} << (kBits - 1 - k);
  Reader reader;
  for (std::size_t dimension = 1; dimension < origin.dimensions; ++dimension) {
    Directions& directions = directions_[dimension];
    const std::uint32_t polynomial = reader.bits(19);
    const int degree = degree_of(polynomial);
    for (int k = 0; k < degree; ++k) {
      const Word number = 2 * Word{reader.bits(k)} + 1;
      directions[k] = number << (kBits - 1 - k);
    }
    for (int k = degree; k < kBits; ++k) {
      directions[k] = directions[k - degree] ^ (directions[k - degree] >> degree);
      for (int j = 1; j < degree; ++j) {
        if (polynomial >> (degree - j) & 1U) directions[k] ^= directions[k - j];
      }
    }
  }
}

template class Sobol<std::uint32_t>;
template class Sobol<std::uint64_t>;

}  // namespace host_murand
