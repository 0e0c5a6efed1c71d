#include "tests/collectives/reference.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace {

struct Format {
  int exponent_bits;
  int mantissa_bits;
  bool finite;
};

Format format_of(int type) {
  switch (type) {
    case kFloat16:
      return {5, 10, false};
    case kBfloat16:
      return {8, 7, false};
    case kFloat8E4M3:
      return {4, 3, true};
    default:
      return {5, 2, true};
  }
}

bool is_narrow(int type) { return type == kFloat16 || type == kBfloat16 || type >= kFloat8E4M3; }
bool is_float(int type) { return is_narrow(type) || type == kFloat32 || type == kFloat64; }
bool is_signed(int type) { return type == kInt8 || type == kInt32 || type == kInt64; }

std::uint32_t narrow_bits(int type, double value) {
  const Format format = format_of(type);
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const std::uint32_t sign =
      std::signbit(value) ? 1U << (format.exponent_bits + format.mantissa_bits) : 0;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  const int exponent = std::max(std::ilogb(magnitude), 1 - bias);
  const double steps = std::nearbyint(std::ldexp(magnitude, format.mantissa_bits - exponent));
  auto stored = static_cast<std::int64_t>(exponent + bias - 1) * (1 << format.mantissa_bits) +
                static_cast<std::int64_t>(steps);
  std::int64_t infinity = ((std::int64_t{1} << format.exponent_bits) - 1) << format.mantissa_bits;
  std::int64_t largest = infinity - 1;
  if (type == kFloat8E4M3) largest = infinity + 6;
  if (stored > largest) stored = format.finite ? largest : infinity;
  return sign | static_cast<std::uint32_t>(stored);
}

double narrow_value(int type, std::uint32_t bits) {
  const Format format = format_of(type);
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const bool negative = (bits >> (format.exponent_bits + format.mantissa_bits)) != 0;
  const int stored =
      static_cast<int>(bits >> format.mantissa_bits) & ((1 << format.exponent_bits) - 1);
  const auto mantissa = static_cast<double>(bits & ((1U << format.mantissa_bits) - 1));
  double value = stored == 0 ? std::ldexp(mantissa, 1 - bias - format.mantissa_bits)
                             : std::ldexp(mantissa + (1 << format.mantissa_bits),
                                          stored - bias - format.mantissa_bits);
  if (!format.finite && stored == (1 << format.exponent_bits) - 1) {
    value = std::numeric_limits<double>::infinity();
  }
  return negative ? -value : value;
}

std::uint64_t integer_bits(int type, const std::uint8_t* bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes, size_of(type));
  const unsigned shift = 64 - 8 * static_cast<unsigned>(size_of(type));
  if (!is_signed(type)) return bits;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << shift) >> shift);
}

Bytes integer_bytes(int type, std::uint64_t bits) {
  Bytes bytes(size_of(type));
  std::memcpy(bytes.data(), &bits, bytes.size());
  return bytes;
}

Bytes reduced_integer(int type, int operation, const std::vector<const std::uint8_t*>& elements) {
  const auto less = [&](std::uint64_t left, std::uint64_t right) {
    return is_signed(type) ? static_cast<std::int64_t>(left) < static_cast<std::int64_t>(right)
                           : left < right;
  };
  std::uint64_t result = 0;
  for (std::size_t rank = 0; rank < elements.size(); ++rank) {
    std::uint64_t value = integer_bits(type, elements[rank]);
    if (operation == kPremul) {
      value *= static_cast<std::uint64_t>(scalar_of(type, static_cast<int>(rank)));
    }
    if (rank == 0) {
      result = value;
    } else if (operation == kProd) {
      result *= value;
    } else if (operation == kMax) {
      result = less(result, value) ? value : result;
    } else if (operation == kMin) {
      result = less(value, result) ? value : result;
    } else {
      result += value;
    }
  }
  if (operation == kAvg) {
    const Bytes wrapped = integer_bytes(type, result);
    result = integer_bits(type, wrapped.data());
    const auto ranks = static_cast<std::int64_t>(elements.size());
    result = is_signed(type) ? static_cast<std::uint64_t>(static_cast<std::int64_t>(result) / ranks)
                             : result / static_cast<std::uint64_t>(ranks);
  }
  return integer_bytes(type, result);
}

template <typename Number>
Bytes reduced_float(int type, int operation, const std::vector<const std::uint8_t*>& elements) {
  Number result = 0;
  for (std::size_t rank = 0; rank < elements.size(); ++rank) {
    auto value = static_cast<Number>(decode(type, elements[rank]));
    if (operation == kPremul) {
      value =
          static_cast<Number>(value * static_cast<Number>(scalar_of(type, static_cast<int>(rank))));
    }
    if (rank == 0) {
      result = value;
    } else if (operation == kProd) {
      result = static_cast<Number>(result * value);
    } else if (operation == kMax) {
      result = std::max(result, value);
    } else if (operation == kMin) {
      result = std::min(result, value);
    } else {
      result = static_cast<Number>(result + value);
    }
  }
  if (operation == kAvg)
    result = static_cast<Number>(result / static_cast<Number>(elements.size()));
  return encode(type, static_cast<double>(result));
}

}  // namespace

std::size_t size_of(int type) {
  constexpr std::size_t kSizes[kTypes] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
  return kSizes[type];
}

Bytes encode(int type, double value) {
  if (is_narrow(type)) return integer_bytes(type, narrow_bits(type, value));
  Bytes bytes(size_of(type));
  if (type == kFloat32) {
    const auto single = static_cast<float>(value);
    std::memcpy(bytes.data(), &single, sizeof single);
    return bytes;
  }
  if (type == kFloat64) {
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
  }
  return integer_bytes(type, static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
}

double decode(int type, const std::uint8_t* bytes) {
  if (is_narrow(type)) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, bytes, size_of(type));
    return narrow_value(type, bits);
  }
  if (type == kFloat32) {
    float value = 0;
    std::memcpy(&value, bytes, sizeof value);
    return static_cast<double>(value);
  }
  double value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

Bytes input(int type, int operation, std::size_t count, int rank, int round) {
  std::mt19937 random(static_cast<unsigned>(rank * 7919 + round * 31 + type));
  Bytes bytes;
  bytes.reserve(count * size_of(type));
  for (std::size_t i = 0; i < count; ++i) {
    Bytes element;
    if (!is_float(type)) {
      // Any bits: overflow wraps around.
      const std::uint64_t bits = (std::uint64_t{random()} << 32) | random();
      element = integer_bytes(type, bits);
    } else {
      // Fractions without an exact representation. Close to one for products.
      const double unit = static_cast<double>(random() % 4096) / 4096.0;
      element = encode(type, operation == kProd ? 0.5 + unit : (unit - 0.5) * 20);
    }
    bytes.insert(bytes.end(), element.begin(), element.end());
  }
  return bytes;
}

double scalar_of(int type, int rank) {
  if (!is_float(type)) return 3.0 + rank;
  return decode(type, encode(type, 0.5 + 0.25 * rank).data());
}

Bytes reduced(int type, int operation, const std::vector<Bytes>& inputs) {
  Bytes result;
  result.reserve(inputs[0].size());
  for (std::size_t at = 0; at < inputs[0].size(); at += size_of(type)) {
    std::vector<const std::uint8_t*> elements;
    for (const Bytes& each : inputs) elements.push_back(each.data() + at);
    const Bytes element = type == kFloat64 ? reduced_float<double>(type, operation, elements)
                          : is_float(type) ? reduced_float<float>(type, operation, elements)
                                           : reduced_integer(type, operation, elements);
    result.insert(result.end(), element.begin(), element.end());
  }
  return result;
}
