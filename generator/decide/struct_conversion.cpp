#include "generator/decide/struct_conversion.h"

#include <algorithm>
#include <map>

#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

bool overlaps(SdkRange a, SdkRange b) { return a.from < b.to && b.from < a.to; }

// Bytes of a field as spelled in CUDA, 0 if not known.
std::int64_t bytes_of(const Tables& tables, const Output& output, const std::string& spelled) {
  std::int64_t count = 1;
  for (std::size_t at = spelled.find('['); at != std::string::npos;
       at = spelled.find('[', at + 1)) {
    count *= std::stoll(spelled.substr(at + 1));
  }
  if (spelled.find('*') != std::string::npos) return 8 * count;
  if (spelled.find(':') != std::string::npos) return 0;
  static const std::map<std::string, std::int64_t> kTypes = {
      {"char", 1},           {"unsigned char", 1}, {"signed char", 1},
      {"uint8_t", 1},        {"int8_t", 1},        {"short", 2},
      {"unsigned short", 2}, {"int", 4},           {"unsigned int", 4},
      {"int32_t", 4},        {"uint32_t", 4},      {"float", 4},
      {"long", 8},           {"unsigned long", 8}, {"long long", 8},
      {"int64_t", 8},        {"uint64_t", 8},      {"unsigned long long", 8},
      {"size_t", 8},         {"double", 8}};
  std::string base = base_type(spelled);
  for (int depth = 0; depth < 4; ++depth) {
    const auto known = kTypes.find(base);
    if (known != kTypes.end()) return known->second * count;
    const TypeFact* fact = fact_in(tables, base, output);
    if (!fact) return 0;
    switch (fact->kind) {
      case TypeKind::kEnum:
        return 4 * count;
      case TypeKind::kHandle:
      case TypeKind::kCallback:
        return 8 * count;
      case TypeKind::kStruct:
        return fact->structure.size * count;
      case TypeKind::kScalar:
        base = base_type(fact->underlying);
        break;
    }
  }
  return 0;
}

// The layout that all SDKs of `sdk` share, or null.
const MusaType* only_layout(const Tables& tables, const std::string& name, SdkRange sdk) {
  const MusaType* found = nullptr;
  const std::vector<MusaType>* variants = tables.musa_type(name);
  if (!variants) return nullptr;
  for (const MusaType& variant : *variants) {
    if (!overlaps(variant.sdk, sdk)) continue;
    if (found || variant.kind != TypeKind::kStruct || !variant.complete) return nullptr;
    found = &variant;
  }
  return found;
}

// Whether members that two releases of CUDA share always have the same offset, so that a longer
// struct is a shorter one with more at the end. What is reserved shrinks where a new member begins.
bool only_grew(const CudaType& type) {
  for (const CudaType::Variant& one : type.variants) {
    for (const Field& field : one.fact.structure.fields) {
      for (const CudaType::Variant& other : type.variants) {
        for (const Field& same : other.fact.structure.fields) {
          if (field.name.starts_with("reserved")) continue;
          if (same.name == field.name && same.offset != field.offset) return false;
        }
      }
    }
  }
  return true;
}

// Bytes of the longest version that is known of a struct, of CUDA's or of MUSA's.
std::int64_t longest(const Tables& tables, const std::string& cuda, const std::string& musa) {
  std::int64_t out = 0;
  if (const CudaType* type = tables.cuda_type(cuda)) {
    for (const CudaType::Variant& variant : type->variants) {
      out = std::max(out, variant.fact.structure.size);
    }
  }
  if (const std::vector<MusaType>* variants = tables.musa_type(musa)) {
    for (const MusaType& variant : *variants) out = std::max(out, variant.fact.structure.size);
  }
  return out;
}

// For a struct that grew with CUDA's releases and whose size in MUSA is not known: MUSA gets memory
// for the longest one, with zeros behind the caller's members. On the way back, members that the
// caller has no room for are dropped.
void pass_whole(const Tables& tables, StructConversion* out) {
  FieldCopy all;
  all.name = "all members";
  all.bytes = out->cuda_size;
  out->fields.push_back(all);
  const Tier* tier = nullptr;  // Of the last whose size is not known, or of the first.
  if (const std::vector<MusaType>* variants = tables.musa_type(out->musa_type)) {
    for (const MusaType& variant : *variants) {
      if (!tier || variant.fact.structure.size == 0) tier = &variant.tier;
    }
  }
  out->weak = unknown_fact("the layout of " + out->musa_type + " is not fully known", tier);
}

}  // namespace

StructConversion copy_whole(const Tables& tables, const Output& output, const std::string& cuda,
                            const std::string& musa) {
  StructConversion out;
  out.cuda_type = cuda;
  out.musa_type = musa;
  out.cuda_size = fact_in(tables, cuda, output)->structure.size;
  out.musa_size = longest(tables, cuda, musa);
  return out;
}

StructConversion convert_struct(const Tables& tables, const Comparer& comparer,
                                const Output& output, const std::string& cuda,
                                const std::string& musa, SdkRange sdk, Direction direction,
                                const EnumConverter& enumeration, const Place& place) {
  StructConversion out;
  out.cuda_type = cuda;
  out.musa_type = musa;
  const auto refuse = [&out](const std::string& why) {
    out.why_not = why;
    return out;
  };
  const auto refuse_field = [&](const Field& field, const Comparison& comparison) {
    return refuse(cuda + "." + field.name + ": " + comparison.why);
  };
  // Only a single enumerator by value, neither arrays of them nor pointers to them.
  const auto converts = [&](const Field& field, const std::string& theirs, FieldCopy* copy) {
    copy->enumeration = enumeration(base_type(field.type), theirs, direction);
    copy->converts = true;
    out.weak.weaken(weakest_number(copy->enumeration));
    return !copy->enumeration.cases.empty() && field.type.find_first_of("[*") == std::string::npos;
  };
  const CudaType* type = tables.cuda_type(cuda);
  const TypeFact* fact = type ? fact_in(*type, output) : nullptr;
  const MusaType* other = only_layout(tables, musa, sdk);
  if (!fact || fact->kind != TypeKind::kStruct) return refuse(cuda + " is not a known struct");
  if (fact->structure.is_union) return refuse(cuda + " is a union");
  out.cuda_size = fact->structure.size;
  out.musa_size = longest(tables, cuda, musa);
  if (!other && only_grew(*type)) {
    pass_whole(tables, &out);
    for (const Field& field : fact->structure.fields) {
      if (tables.types.types.count(base_type(field.type)) == 0) continue;
      const std::string theirs = musa_spelling(tables, field.type, place);
      const Comparison comparison =
          comparer.types(field.type, theirs, output, sdk, direction, place);
      if (comparison.sameness != Sameness::kDiffers) continue;
      FieldCopy copy;
      copy.name = field.name;
      copy.cuda_offset = copy.musa_offset = field.offset;
      if (!converts(field, base_type(theirs), &copy)) return refuse_field(field, comparison);
      out.fields.push_back(copy);
    }
    return out;
  }
  if (!other) return refuse("the layout of " + musa + " is not known for all these SDKs");
  if (other->fact.structure.is_union) return refuse(musa + " is a union");
  if (other->tier > Tier::kDoc) {
    out.weak = weak_fact("the evidence for " + musa + " has only tier " + tier_name(other->tier),
                         other->tier);
  }
  const std::vector<Field>& theirs = other->fact.structure.fields;
  std::size_t matched = 0;
  for (const Field& field : fact->structure.fields) {
    FieldCopy copy;
    copy.name = field.name;
    copy.cuda_offset = field.offset;
    copy.bytes = bytes_of(tables, output, field.type);
    if (copy.bytes == 0) return refuse("the size of " + cuda + "." + field.name + " is not known");
    const auto found = std::find_if(theirs.begin(), theirs.end(),
                                    [&](const Field& item) { return item.name == field.name; });
    if (found == theirs.end()) {
      out.missing.push_back(copy);
      continue;
    }
    ++matched;
    copy.musa_offset = found->offset;
    const Comparison comparison =
        comparer.types(field.type, found->type, output, sdk, direction, place);
    if (comparison.sameness == Sameness::kAssumed) out.weak.weaken(comparison.weak);
    if (comparison.sameness == Sameness::kDiffers) {
      if (!converts(field, base_type(found->type), &copy)) return refuse_field(field, comparison);
    }
    out.fields.push_back(copy);
  }
  // Fields that only MUSA has would be zero on the way in, which need not mean "nothing".
  if (matched != theirs.size() && direction == Direction::kIn) {
    return refuse(musa + " has fields that " + cuda + " does not have");
  }
  return out;
}

}  // namespace torchada
