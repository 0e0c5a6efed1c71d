// Matrix elements whose type is known only at run time.
#pragma once

#include <library_types.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "src/host/shared/narrow/narrow_types.h"

namespace host_narrow {

// Calls `visit` with an element of the type. Returns `otherwise` for an unknown type.
template <typename Visit, typename Result>
Result with_type(musaDataType_t type, Result otherwise, Visit visit) {
  switch (type) {
    case MUSA_R_32F:
      return visit(float{});
    case MUSA_R_64F:
      return visit(double{});
    case MUSA_R_16F:
      return visit(Float16{});
    case MUSA_R_16BF:
      return visit(Bfloat16{});
    case MUSA_R_8F_E4M3:
      return visit(Float8E4M3{});
    case MUSA_R_8F_E5M2:
      return visit(Float8E5M2{});
    case MUSA_R_8I:
      return visit(std::int8_t{});
    case MUSA_R_32I:
      return visit(std::int32_t{});
    case MUSA_C_32F:
      return visit(std::complex<float>{});
    case MUSA_C_64F:
      return visit(std::complex<double>{});
    default:
      return otherwise;
  }
}

// Bytes of one element; 0 for an unknown type.
inline std::size_t element_size(musaDataType_t type) {
  return with_type(type, std::size_t{0}, [](auto element) { return sizeof element; });
}

template <typename T>
struct IsComplex : std::false_type {};
template <typename T>
struct IsComplex<std::complex<T>> : std::true_type {};

template <typename T>
struct IsNarrow : std::false_type {};
template <typename Bits, int kE, int kM, bool kI, bool kF>
struct IsNarrow<NarrowFloat<Bits, kE, kM, kI, kF>> : std::true_type {};

// One element as a number to compute with. A complex element has no real value and gives 0.
template <typename Number, typename Element>
Number widened(const Element& element) {
  if constexpr (IsNarrow<Element>::value) {
    return static_cast<Number>(static_cast<float>(element));
  } else if constexpr (IsComplex<Element>::value && IsComplex<Number>::value) {
    return Number(element.real(), element.imag());
  } else if constexpr (IsComplex<Element>::value) {
    return Number{};
  } else if constexpr (IsComplex<Number>::value) {
    return Number(static_cast<typename Number::value_type>(element));
  } else {
    return static_cast<Number>(element);
  }
}

// To the nearest integer, ties to even. A value out of range becomes the nearest limit, NaN becomes
// 0.
template <typename Integer, typename Real>
Integer saturated(Real value) {
  if (std::isnan(value)) return 0;
  const double nearest = std::nearbyint(static_cast<double>(value));
  return static_cast<Integer>(std::clamp(nearest,
                                         static_cast<double>(std::numeric_limits<Integer>::min()),
                                         static_cast<double>(std::numeric_limits<Integer>::max())));
}

// The element nearest to a computed number.
template <typename Element, typename Number>
Element narrowed(const Number& number) {
  if constexpr (IsComplex<Element>::value) {
    return widened<Element>(number);
  } else if constexpr (IsComplex<Number>::value) {
    return narrowed<Element>(number.real());
  } else if constexpr (IsNarrow<Element>::value) {
    return Element::from_float(static_cast<float>(number));
  } else if constexpr (std::is_integral_v<Element> && std::is_floating_point_v<Number>) {
    return saturated<Element>(number);
  } else if constexpr (std::is_same_v<Element, std::int8_t>) {
    return saturated<Element>(static_cast<double>(number));
  } else {
    return static_cast<Element>(number);
  }
}

template <typename Number>
Number load(musaDataType_t type, const void* data, std::int64_t index) {
  return with_type(type, Number{}, [&](auto element) {
    return widened<Number>(static_cast<const decltype(element)*>(data)[index]);
  });
}

template <typename Number>
void store(musaDataType_t type, void* data, std::int64_t index, const Number& number) {
  with_type(type, false, [&](auto element) {
    static_cast<decltype(element)*>(data)[index] = narrowed<decltype(element)>(number);
    return true;
  });
}

// The address of an element, counted from the first element of `data`.
inline const void* advanced(const void* data, musaDataType_t type, std::int64_t elements) {
  if (data == nullptr) return nullptr;
  const auto bytes = static_cast<std::int64_t>(element_size(type)) * elements;
  return static_cast<const char*>(data) + bytes;
}

inline void* advanced(void* data, musaDataType_t type, std::int64_t elements) {
  return const_cast<void*>(advanced(static_cast<const void*>(data), type, elements));
}

}  // namespace host_narrow
