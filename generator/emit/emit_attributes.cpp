// Part of facts.h: what hand-written adapters of attributes in buffers need. That is the number,
// size and type of each attribute on both sides, and conversions of the enumerations among the
// attributes.
#include <algorithm>
#include <set>
#include <sstream>

#include "generator/decide/adaptation.h"
#include "generator/decide/check_attributes.h"
#include "generator/decide/unknown_numbers.h"
#include "generator/emit/emit.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

class AttributeWriter {
 public:
  AttributeWriter(const Tables& tables, const Output& output)
      : tables_(tables),
        output_(output),
        forward_(tables.forward[output.library]),
        comparer_(tables) {}

  std::string write() {
    std::ostringstream attributes;
    for (const auto& [type, values] : forward_.attributes)
      write_attributes(type, values, &attributes);
    std::ostringstream out;
    out << "enum class Enumeration : unsigned char {\n  kNone,\n";
    for (const std::string& type : enumerations_) out << "  k_" << type << ",\n";
    out << "};\n\n"
        << names_of_enumerations()
        << "struct Attribute {\n  int cuda;\n  int musa;  // -1: MUSA has no such attribute.\n"
        << "  unsigned char bytes;  // 0: as many as there are.\n"
        << "  Enumeration enumeration;\n"
        << "  bool has_initial;   // MUSA lacks it, and it is `initial`.\n"
        << "  bool has_unset;     // The number -1 stands for no enumerator.\n"
        << "  bool is_kept;       // Any other value is kept, too.\n"
        << "  bool is_told;       // One line says so.\n"
        << "  long long initial;\n};\n\n"
        << attributes.str();
    write_to_musa(&out);
    write_to_cuda(&out);
    return out.str();
  }

 private:
  // By Enumeration, for enumerator_text in stubs/reporting/refusal.h. Arrays need no relocation.
  std::string names_of_enumerations() const {
    std::size_t longest = 0;
    for (const std::string& type : enumerations_) longest = std::max(longest, type.size());
    std::string out = "inline constexpr char kEnumerationNames[][" + std::to_string(longest + 1) +
                      "] = {\n    \"\",\n";
    for (const std::string& type : enumerations_) out += "    " + c_string(type) + ",\n";
    return out + "};\n\n";
  }

  void write_attributes(const std::string& type,
                        const std::map<std::string, AttributeValue>& values,
                        std::ostringstream* out) {
    const TypeFact* fact = fact_in(tables_, type, output_);
    *out << "inline constexpr Attribute kAttributes_" << type << "[] = {\n";
    const std::string musa_type = musa_spelling(tables_, type, Place{});
    const EnumConversion numbers =
        convert_enumeration(tables_, comparer_, output_, type, musa_type, Direction::kIn);
    for (const EnumValue& item : fact->enumeration.values) {
      write_attribute(item, values.at(item.name), numbers, out);
    }
    *out << "};\n\n";
  }

  void write_attribute(const EnumValue& item, const AttributeValue& value,
                       const EnumConversion& numbers, std::ostringstream* out) {
    const TypeFact* type = fact_in(tables_, value.type, output_);
    const bool is_enumeration = type && type->kind == TypeKind::kEnum;
    if (is_enumeration) enumerations_.insert(value.type);
    const int bytes = is_enumeration ? 4 : bytes_of_plain(value);
    const bool is_kept = value.kept != AttributeValue::Kept::kNo;
    const auto musa = std::find_if(numbers.cases.begin(), numbers.cases.end(),
                                   [&](const EnumCase& other) { return other.from == item.value; });
    const bool is_here = is_kept || musa == numbers.cases.end();
    *out << "    {" << item.value << ", " << (is_here ? -1 : musa->to) << ", " << bytes
         << ", Enumeration::" << (is_enumeration ? "k_" + value.type : "kNone") << ", "
         << (value.initial ? "true" : "false") << ", " << (value.unset ? "true" : "false") << ", "
         << (is_kept ? "true" : "false") << ", "
         << (value.kept == AttributeValue::Kept::kTold ? "true" : "false") << ", "
         << value.initial.value_or(0) << "},  // " << item.name << "\n";
  }

  // Whether MUSA is known to number the enumerators of a type differently.
  bool differs(const std::string& type) const {
    const Place nowhere;
    const std::string musa = musa_spelling(tables_, type, nowhere);
    return comparer_.types(type, musa, output_, SdkRange{}, Direction::kIn, nowhere).sameness ==
           Sameness::kDiffers;
  }

  // As in a generated adapter: if MUSA's library numbers as CUDA does, an enumerator that is not
  // known there keeps its number. A number that is not an enumerator never passes.
  EnumConversion argument_conversion(const std::string& type) const {
    EnumConversion out = convert_enumeration(tables_, comparer_, output_, type,
                                             musa_spelling(tables_, type, Place{}), Direction::kIn);
    if (differs(type) || !is_numbered_as_cuda(tables_, output_, out.musa_type)) return out;
    out.cases.clear();
    out.refused.clear();
    std::set<std::int64_t> seen;
    for (const EnumValue& value : fact_in(tables_, type, output_)->enumeration.values) {
      if (!seen.insert(value.value).second) continue;
      (tables_.types.refused.count(value.name) != 0 ? out.refused : out.cases)
          .push_back({value.value, value.value, value.name});
    }
    return out;
  }

  void write_to_musa(std::ostringstream* out) const {
    *out << "// 0, or the status to return for a number that is no enumerator or that MUSA lacks.\n"
         << "inline int enumerator_to_musa(Enumeration type, int value, int* converted) {\n"
         << "  switch (type) {\n    case Enumeration::kNone:\n      break;\n";
    for (const std::string& type : enumerations_) {
      const EnumConversion conversion = argument_conversion(type);
      *out << "    case Enumeration::k_" << type << ":\n      switch (value) {\n";
      for (const EnumCase& item : conversion.cases) {
        *out << "        case " << item.from << ":  // " << item.name
             << "\n          *converted = " << item.to << ";\n          return 0;\n";
      }
      for (const EnumCase& item : conversion.refused) {
        *out << "        case " << item.from << ":  // " << item.name << "\n";
      }
      if (!conversion.refused.empty()) {
        *out << "          return " << status(forward_.status.unsupported) << ";\n";
      }
      *out << "        default:\n          return " << status(forward_.status.invalid)
           << ";\n      }\n";
    }
    *out << "  }\n  return " << status(forward_.status.invalid) << ";\n}\n\n";
  }

  void write_to_cuda(std::ostringstream* out) const {
    *out << "// False for a number of MUSA's that CUDA has no name for.\n"
         << "inline bool enumerator_to_cuda(Enumeration type, int value, int* converted) {\n"
         << "  switch (type) {\n    case Enumeration::kNone:\n      break;\n";
    for (const std::string& type : enumerations_) {
      std::set<std::int64_t> seen;
      *out << "    case Enumeration::k_" << type << ":\n      switch (value) {\n";
      for (const EnumCase& item : argument_conversion(type).cases) {
        if (!seen.insert(item.to).second) continue;
        *out << "        case " << item.to << ":  // " << item.name
             << "\n          *converted = " << item.from << ";\n          return true;\n";
      }
      *out << "        default:\n          return false;\n      }\n";
    }
    *out << "  }\n  return false;\n}\n\n";
  }

  std::int64_t status(const std::string& name) const {
    return cuda_enumerator_value(tables_, forward_.status.type, name, {forward_.file, 0});
  }

  const Tables& tables_;
  const Output& output_;
  const ForwardLibrary& forward_;
  Comparer comparer_;
  std::set<std::string> enumerations_;  // Enumerations that attributes hold.
};

}  // namespace

std::string emit_attributes(const Tables& tables, const Output& output) {
  if (tables.forward[output.library].attributes.empty()) return "";
  check_attributes(tables, output);
  return AttributeWriter(tables, output).write();
}

}  // namespace torchada
