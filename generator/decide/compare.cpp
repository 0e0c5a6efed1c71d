#include "generator/decide/compare.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

Direction reverse(Direction direction) {
  if (direction == Direction::kBoth) return direction;
  return direction == Direction::kIn ? Direction::kOut : Direction::kIn;
}

bool overlaps(SdkRange a, SdkRange b) { return a.from < b.to && b.from < a.to; }

// One name for all C types that the machine (LP64) does not distinguish.
std::string machine_type(const std::string& base) {
  static const std::map<std::string, std::string> kSame = {{"signed char", "char"},
                                                           {"unsigned char", "char"},
                                                           {"int8_t", "char"},
                                                           {"uint8_t", "char"},
                                                           {"int32_t", "int"},
                                                           {"uint32_t", "unsigned int"},
                                                           {"long long", "long"},
                                                           {"int64_t", "long"},
                                                           {"ptrdiff_t", "long"},
                                                           {"intptr_t", "long"},
                                                           {"unsigned long long", "unsigned long"},
                                                           {"uint64_t", "unsigned long"},
                                                           {"size_t", "unsigned long"},
                                                           {"uintptr_t", "unsigned long"}};
  const auto found = kSame.find(base);
  return found == kSame.end() ? base : found->second;
}

Comparison assumed(const WeakFact& weak) { return {Sameness::kAssumed, weak.text, weak}; }
Comparison assumed(const std::string& why, const Tier* tier = nullptr) {
  return assumed(unknown_fact(why, tier));
}
Comparison differs(const std::string& why) { return {Sameness::kDiffers, why, {}}; }

}  // namespace

Direction direction_of(const std::string& spelled) {
  if (spelled.find('*') == std::string::npos) return Direction::kIn;
  return spelled.starts_with("const ") ? Direction::kIn : Direction::kBoth;
}

WeakFact weak_fact(const std::string& text, const Tier& tier) {
  return {text, &tier, static_cast<int>(tier)};
}

WeakFact unknown_fact(const std::string& text, const Tier* tier) {
  return {text, tier, tier ? static_cast<int>(Tier::kAbsent) + 1 : 1};
}

void WeakFact::weaken(const WeakFact& other) {
  if (other.weakness > weakness) *this = other;
}

void Comparison::worsen(const Comparison& other) {
  const bool is_weaker = other.sameness == Sameness::kAssumed && sameness == Sameness::kAssumed &&
                         other.weak.weakness > weak.weakness;
  if (other.sameness > sameness || is_weaker) *this = other;
}

Comparison Comparer::prototypes(const Prototype& cuda, const Output& output,
                                const MusaPrototype& musa, const Place& place) const {
  const Prototype other = expand(tables_, musa);
  if (cuda.parameters.size() != other.parameters.size()) {
    return differs("MUSA's function has " + std::to_string(other.parameters.size()) +
                   " parameters instead of " + std::to_string(cuda.parameters.size()));
  }
  Comparison out = results(cuda.returns, other.returns, output, musa.sdk, place);
  for (std::size_t i = 0; i < cuda.parameters.size(); ++i) {
    const std::string& type = cuda.parameters[i].type;
    out.worsen(types(type, other.parameters[i].type, output, musa.sdk, direction_of(type), place));
  }
  for (std::size_t i = 0; i < cuda.parameters.size(); ++i) {
    const std::string& type = cuda.parameters[i].type;
    if (out.sameness == Sameness::kDiffers) break;
    if (!takes_buffer(type, other.parameters[i].type, output, musa.sdk)) continue;
    out = differs("the size of the struct behind " + other.parameters[i].type +
                  " is not known at tier doc or better for all these SDKs, or CUDA has it in "
                  "several sizes");
    out.needs_only_buffer = true;
  }
  return out;
}

bool Comparer::takes_buffer(const std::string& cuda, const std::string& musa, const Output& output,
                            SdkRange sdk) const {
  const auto points_once = [](const std::string& spelled) {
    return std::count(spelled.begin(), spelled.end(), '*') == 1 &&
           spelled.find("(*)") == std::string::npos;
  };
  if (!points_once(cuda) || !points_once(musa)) return false;
  const std::string base = base_type(cuda);
  const TypeFact* fact = fact_in(tables_, base, output);
  if (!fact || fact->kind != TypeKind::kStruct || fact->structure.size == 0) return false;
  if (tables_.types.unbuffered.count(base) != 0) return false;
  return is_of_several_sizes(base) || !is_size_known(base_type(musa), sdk);
}

bool Comparer::is_size_known(const std::string& musa_struct, SdkRange sdk) const {
  const std::vector<MusaType>* variants = tables_.musa_type(musa_struct);
  if (!variants) return false;
  int known_to = sdk.from;  // The tables list ranges from old to new.
  for (const MusaType& variant : *variants) {
    if (!overlaps(variant.sdk, sdk)) continue;
    const bool is_known = variant.fact.structure.size != 0 && variant.tier <= Tier::kDoc;
    if (!is_known || variant.sdk.from > known_to) return false;
    known_to = variant.sdk.to;
  }
  return known_to >= sdk.to;
}

// A failure passes unchanged, whatever its number means: it is enough that success is documented.
Comparison Comparer::results(const std::string& cuda, const std::string& musa, const Output& output,
                             SdkRange sdk, const Place& place) const {
  Comparison out = types(cuda, musa, output, sdk, Direction::kOut, place);
  const bool is_status = tables_.forward[output.library].status.type == cuda;
  const std::vector<MusaType>* variants = tables_.musa_type(base_type(musa));
  if (out.sameness != Sameness::kAssumed || !is_status || !variants) return out;
  bool covered = false;
  for (const MusaType& variant : *variants) {
    if (!overlaps(variant.sdk, sdk)) continue;
    covered = true;
    if (std::none_of(variant.values.begin(), variant.values.end(), [](const MusaEnumValue& value) {
          return value.known && value.value == 0 && value.tier <= Tier::kDoc;
        })) {
      return assumed("the number for success in " + variant.name + " is not documented");
    }
  }
  return covered ? Comparison{} : out;
}

Comparison Comparer::types(const std::string& cuda, const std::string& musa, const Output& output,
                           SdkRange sdk, Direction direction, const Place& place) const {
  const std::string expected = musa_spelling(tables_, cuda, place);
  if (expected != musa) {
    // void * stands for any object pointer; const does not matter to the machine.
    const bool pointers =
        expected.find('*') != std::string::npos && musa.find('*') != std::string::npos;
    const bool opaque = base_type(expected) == "void" || base_type(musa) == "void";
    const bool same_base = machine_type(base_type(expected)) == machine_type(base_type(musa)) &&
                           std::count(expected.begin(), expected.end(), '*') ==
                               std::count(musa.begin(), musa.end(), '*');
    if (!same_base && !(pointers && opaque)) {
      return differs(cuda + " is " + musa + " in MUSA");
    }
  }
  const std::string base = base_type(cuda);
  if (is_c_type(base) || cuda.find("(*)") != std::string::npos) return {};
  const CudaType* type = tables_.cuda_type(base);
  const TypeFact* fact = type ? fact_in(*type, output) : nullptr;
  if (!fact) return assumed(base + " has no recorded layout");
  const std::vector<MusaType>* variants = tables_.musa_type(base_type(musa));
  // A handle is a pointer whose target nobody looks into, so its name is all that can be known.
  if (!variants) {
    if (fact->kind == TypeKind::kHandle) return {};
    return assumed("MUSA's type " + base_type(musa) + " is not known");
  }
  Comparison out;
  bool covered = false;
  for (const MusaType& variant : *variants) {
    if (!overlaps(variant.sdk, sdk)) continue;
    covered = true;
    out.worsen(facts(base, *fact, variant, output, sdk, direction, place));
  }
  if (!covered) return assumed("MUSA's type " + base_type(musa) + " is not known for these SDKs");
  return out;
}

Comparison Comparer::facts(const std::string& base, const TypeFact& cuda, const MusaType& musa,
                           const Output& output, SdkRange sdk, Direction direction,
                           const Place& place) const {
  if (cuda.kind != musa.kind) return differs(base + " is a different kind of type in MUSA");
  Comparison out;
  switch (cuda.kind) {
    case TypeKind::kHandle:
      return {};
    case TypeKind::kScalar:
      if (musa.fact.underlying.empty()) {
        return assumed("the width of " + musa.name + " is unknown", &musa.tier);
      }
      if (musa.fact.underlying != cuda.underlying) {
        return differs(base + " is " + cuda.underlying + ", " + musa.name + " is " +
                       musa.fact.underlying);
      }
      break;
    case TypeKind::kEnum:
      out = enums(base, cuda.enumeration, musa, direction);
      break;
    case TypeKind::kStruct:
      out = structs(base, cuda.structure, musa, output, sdk, direction, place);
      break;
    case TypeKind::kCallback: {
      if (musa.fact.callback.returns.empty()) {
        return assumed("the prototype of " + musa.name + " is unknown", &musa.tier);
      }
      const Prototype& other = musa.fact.callback;
      if (other.parameters.size() != cuda.callback.parameters.size()) {
        return differs(base + " takes different arguments in MUSA");
      }
      out = types(cuda.callback.returns, other.returns, output, sdk, Direction::kIn, place);
      for (std::size_t i = 0; i < other.parameters.size(); ++i) {
        const std::string& type = cuda.callback.parameters[i].type;
        // A callback: MUSA calls it and the program answers, so directions are reversed.
        out.worsen(
            types(type, other.parameters[i].type, output, sdk, reverse(direction_of(type)), place));
      }
      break;
    }
  }
  if (out.sameness == Sameness::kSame && musa.tier > Tier::kDoc) {
    return assumed(weak_fact(
        "the evidence for " + musa.name + " has only tier " + tier_name(musa.tier), musa.tier));
  }
  return out;
}

const Comparison& Comparer::enums(const std::string& base, const EnumLayout& cuda,
                                  const MusaType& musa, Direction direction) const {
  const auto [entry, is_new] = enums_.try_emplace({&cuda, &musa, direction});
  if (is_new) entry->second = compare_enums(base, cuda, musa, direction);
  return entry->second;
}

Comparison Comparer::compare_enums(const std::string& base, const EnumLayout& cuda,
                                   const MusaType& musa, Direction direction) const {
  std::map<std::string, std::int64_t> expected;  // By MUSA name.
  for (const EnumValue& value : cuda.values) {
    const EnumeratorDecision* decision = tables_.types.decision(base, value.name);
    if (direction != Direction::kOut && decision &&
        decision->decision == NumberDecision::kRefused) {
      return differs(base + ": " + value.name + " is refused");
    }
    expected[tables_.types.enumerator(value.name)] = value.value;
  }
  Comparison out;
  std::map<std::int64_t, std::string> numbers;
  std::size_t matched = 0;
  for (const MusaEnumValue& value : musa.values) {
    const auto counterpart = expected.find(value.name);
    if (!value.known) {
      if (counterpart != expected.end())
        out.worsen(assumed("the number of " + value.name + " is unknown", &value.tier));
      continue;
    }
    numbers[value.value] = value.name;
    if (counterpart == expected.end()) continue;
    ++matched;
    if (counterpart->second != value.value) {
      return differs(base + ": " + value.name + " is " + std::to_string(value.value) +
                     " instead of " + std::to_string(counterpart->second));
    }
    if (value.tier > Tier::kDoc) {
      out.worsen(assumed(
          weak_fact("the evidence for " + value.name + " has only tier " + tier_name(value.tier),
                    value.tier)));
    }
  }
  // A number with different meanings on the two sides is worse than an unknown one. Aliases (MIN,
  // MAX, two names for one number) are not a conflict.
  for (const EnumValue& value : cuda.values) {
    const std::string name = tables_.types.enumerator(value.name);
    const auto taken = numbers.find(value.value);
    if (taken == numbers.end() || taken->second == name) continue;
    const auto itself = expected.find(taken->second);
    if (itself == expected.end() || itself->second != value.value) {
      return differs(base + ": " + std::to_string(value.value) + " is " + taken->second +
                     " in MUSA and " + value.name + " in CUDA");
    }
  }
  if (matched == 0) {
    // The first of them stands for all.
    const Tier* tier = musa.values.empty() ? nullptr : &musa.values.front().tier;
    return assumed("the numbers of " + musa.name + " are not known", tier);
  }
  // For results, an incomplete list without contradictions is enough: a program treats a code that
  // CUDA lacks as an unknown error in any case.
  if (!musa.complete && direction != Direction::kOut) {
    // A value that is not listed may have another number, and an argument may need it.
    const bool all_known =
        std::all_of(cuda.values.begin(), cuda.values.end(),
                    [&](const EnumValue& value) { return numbers.count(value.value) != 0; });
    if (direction != Direction::kIn || !all_known) {
      out.worsen(assumed("not all values of " + musa.name + " are known"));
    }
  }
  return out;
}

bool Comparer::is_of_several_sizes(const std::string& struct_name) const {
  const CudaType* type = tables_.cuda_type(struct_name);
  if (!type) return false;
  // A struct that says its own size may have any size.
  const StructLayout& first = type->variants.front().fact.structure;
  if (!first.fields.empty() && first.fields.front().name == "size") return false;
  return std::any_of(
      type->variants.begin(), type->variants.end(),
      [&](const CudaType::Variant& variant) { return variant.fact.structure.size != first.size; });
}

Comparison Comparer::structs(const std::string& base, const StructLayout& cuda,
                             const MusaType& musa, const Output& output, SdkRange sdk,
                             Direction direction, const Place& place) const {
  const StructLayout& other = musa.fact.structure;
  if (other.size != 0 && other.size != cuda.size) {
    return differs(base + " has " + std::to_string(cuda.size) + " bytes, " + musa.name + " " +
                   std::to_string(other.size));
  }
  if (!musa.complete && other.size == 0 && is_of_several_sizes(base)) {
    // It can match one of them at most.
    return differs(base + " has different sizes in different CUDA releases, and the size of " +
                   musa.name + " is not known");
  }
  if (!musa.complete) {
    return assumed("the layout of " + musa.name + " is not fully known", &musa.tier);
  }
  if (!active_.insert(base).second) return {};
  struct Leave {
    std::set<std::string>& active;
    const std::string& name;
    ~Leave() { active.erase(name); }
  } leave{active_, base};
  if (other.fields.size() != cuda.fields.size()) {
    return differs(base + " and " + musa.name + " have different fields");
  }
  Comparison out;
  for (std::size_t i = 0; i < cuda.fields.size(); ++i) {
    const Field& a = cuda.fields[i];
    const Field& b = other.fields[i];
    if (a.offset != b.offset) {
      return differs(base + "." + a.name + " is at offset " + std::to_string(a.offset) +
                     ", but in MUSA at offset " + std::to_string(b.offset));
    }
    out.worsen(types(a.type, b.type, output, sdk, direction, place));
  }
  return out;
}

}  // namespace torchada
