// Plans how a struct whose layout differs between CUDA and MUSA is copied, field by field.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "generator/decide/compare.h"
#include "generator/decide/enum_conversion.h"
#include "generator/tables/tables.h"

namespace torchada {

struct FieldCopy {
  std::string name;
  std::int64_t cuda_offset = 0, musa_offset = 0;  // Bytes.
  std::int64_t bytes = 0;
  bool converts = false;  // An enumerator with different numbers on the two sides.
  EnumConversion enumeration;
};

struct StructConversion {
  std::string cuda_type, musa_type;
  std::int64_t cuda_size = 0, musa_size = 0;  // Bytes.
  std::vector<FieldCopy> fields;              // Those that both sides have, in CUDA's order.
  // Those that MUSA lacks: zero on the way out, and required to be zero on the way in.
  std::vector<FieldCopy> missing;
  WeakFact weak;        // The weakest of layouts and numbers; empty if all of them are evident.
  std::string why_not;  // Empty if the conversion is possible.
};

using EnumConverter = std::function<EnumConversion(const std::string& cuda, const std::string& musa,
                                                   Direction direction)>;

// A struct that both sides have alike, as far as is known: `cuda_size`, and the bytes of the
// longest version that is known of it as `musa_size`.
StructConversion copy_whole(const Tables& tables, const Output& output, const std::string& cuda,
                            const std::string& musa);

// For one struct that a pointer parameter points at. `direction` is kIn or kOut.
StructConversion convert_struct(const Tables& tables, const Comparer& comparer,
                                const Output& output, const std::string& cuda,
                                const std::string& musa, SdkRange sdk, Direction direction,
                                const EnumConverter& enumeration, const Place& place);

}  // namespace torchada
