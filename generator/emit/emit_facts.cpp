// LABEL/facts.h: what hand-written adapters need to know about their ABI, so that none of them
// contains numbers of its own.
#include <algorithm>
#include <set>
#include <sstream>

#include "generator/decide/calls.h"
#include "generator/decide/check_entry_points.h"
#include "generator/decide/conditions.h"
#include "generator/decide/standing.h"
#include "generator/decide/unknown_numbers.h"
#include "generator/emit/emit.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

// The library's own types and those that its functions take, such as cudaDataType.
std::set<std::string> types_of(const Tables& tables, const Output& output) {
  std::set<std::string> out;
  for (const auto& entry : tables.cuda[output.library].types) out.insert(entry.first);
  for (const CudaSymbol* symbol : exports_of(tables, output)) {
    const Prototype* prototype = prototype_in(*symbol, output);
    if (!prototype) continue;
    for (const Parameter& parameter : prototype->parameters) out.insert(base_type(parameter.type));
  }
  return out;
}

void emit_enumerators(const Tables& tables, const Output& output, std::ostringstream* out) {
  *out << "namespace cuda {\n";
  std::set<std::string> seen;
  for (const std::string& name : types_of(tables, output)) {
    const TypeFact* fact = fact_in(tables, name, output);
    if (!fact || fact->kind != TypeKind::kEnum) continue;
    for (const EnumValue& value : fact->enumeration.values) {
      if (!seen.insert(value.name).second) continue;
      *out << "inline constexpr long long " << value.name << " = " << value.value << ";\n";
    }
  }
  *out << "}  // namespace cuda\n\n";
}

// What becomes of each enumerator of a mode that MUSA is not told; see
// stubs/adapting/decided_mode.h.
std::string decided_modes(const Tables& tables, const Output& output) {
  static const char* const kNames[] = {"", "kAccepted", "kTold", "kRefused"};  // NumberDecision
  std::ostringstream out;
  for (const std::string& name : types_of(tables, output)) {
    const TypeFact* fact = fact_in(tables, name, output);
    if (!fact || !is_kept(tables.types, name)) continue;
    out << "inline constexpr DecidedNumber kDecided_" << name << "[] = {\n";
    for (const EnumValue& value : fact->enumeration.values) {
      const EnumeratorDecision* decision = tables.types.decision(name, value.name);
      if (!decision || decision->decision == NumberDecision::kPassed) {
        throw TableError({tables.types.file, 0}, name + " is kept, so " + value.name +
                                                     " cannot be passed and must be decided");
      }
      out << "    {" << value.value
          << ", Decided::" << kNames[static_cast<std::size_t>(decision->decision)] << ", "
          << (decision->is_flag ? "true" : "false") << "},  // " << value.name << "\n";
    }
    out << "};\n\n";
  }
  return out.str();
}

// Bytes of one element of a field, and the number of elements.
struct FieldShape {
  int element = 0;
  int count = 1;
};

FieldShape shape_of(const Field& field, const Place& place) {
  const std::string base = base_type(field.type);
  FieldShape out;
  const std::size_t bracket = field.type.find('[');
  if (bracket != std::string::npos) out.count = std::stoi(field.type.substr(bracket + 1));
  if (base == "int" || base == "unsigned int") out.element = 4;
  if (base == "size_t" || base == "unsigned long") out.element = 8;
  if (base == "char") out.element = 1;
  if (out.element == 0) throw TableError(place, "field " + field.name + " has type " + field.type);
  return out;
}

// The source of each member of the device properties, for every layout that this ABI serves.
void emit_properties(const Tables& tables, const Output& output, std::ostringstream* out) {
  const PropertySources& sources = tables.forward[output.library].properties;
  const CudaType* type = sources.type.empty() ? nullptr : tables.cuda_type(sources.type);
  if (!type) return;
  *out << "struct PropertySource {\n  unsigned offset;      // Bytes in the struct.\n"
       << "  unsigned char bytes;  // Of the element.\n  short attribute;      // MUSA's number.\n"
       << "};\n\n";
  for (const CudaType::Variant& variant : type->variants) {
    std::string release = variant.releases.front();
    std::replace(release.begin(), release.end(), '.', '_');
    *out << "inline constexpr PropertySource kProperties_" << release << "[] = {\n";
    std::ostringstream at;
    for (const Field& field : variant.fact.structure.fields) {
      at << "inline constexpr unsigned kProperty_" << release << "_" << field.name << " = "
         << field.offset << ";\n";
      const auto attributes = sources.attributes.find(field.name);
      if (attributes == sources.attributes.end()) continue;
      const FieldShape shape = shape_of(field, type->place);
      if (static_cast<int>(attributes->second.size()) != shape.count) {
        throw TableError(sources.place, "field " + field.name + " has " +
                                            std::to_string(shape.count) + " elements");
      }
      for (int i = 0; i < shape.count; ++i) {
        *out << "    {" << field.offset + std::int64_t{i} * shape.element << ", " << shape.element
             << ", "
             << musa_enumerator_value(tables, sources.attribute_type,
                                      attributes->second[static_cast<std::size_t>(i)],
                                      sources.place)
             << "},  // " << field.name << "\n";
      }
    }
    *out << "};\ninline constexpr unsigned kPropertiesSize_" << release << " = "
         << variant.fact.structure.size << ";\n"
         << at.str() << "\n";
  }
}

// For the adapters that are written by hand: all arguments, by position.
void emit_conditions(const Tables& tables, const LibraryPlan& plan, std::ostringstream* out) {
  for (const PlannedExport& item : plan.exports) {
    if (!is_asked_by_hand(tables, *plan.output, *item.symbol, *item.row)) continue;
    const ConditionProgram program = conditions_by_position(tables, *plan.output, *item.symbol);
    *out << "inline constexpr uint8_t kConditions_" << item.symbol->name
         << "[] = " << condition_bytes(program) << ";\n";
  }
}

}  // namespace

std::string emit_facts(const Tables& tables, const LibraryPlan& plan) {
  const Output& output = *plan.output;
  const std::string modes = decided_modes(tables, output);
  std::ostringstream out;
  out << "// Facts of " << output.soname
      << ", emitted by torchada-gen from mappings/. Do not edit.\n#pragma once\n\n"
      << "#include <stddef.h>\n\n"
      << (modes.empty() ? "" : "#include \"stubs/adapting/decided_mode.h\"\n")
      << "#include \"stubs/table.h\"\n\n"
      << "#define TORCHADA_ABI " << output.abi << "\n\nnamespace torchada {\n\n";
  out << "// cudaRuntimeGetVersion of the newest release: major*1000 + minor*10.\n"
      << "inline constexpr int kCudaVersion = " << cuda_version_number(output.releases.back())
      << ";\n\n";
  out << "// The driver is as new as the newest release of the tables, for every library.\n"
      << "inline constexpr int kDriverVersion = " << newest_cuda_version(tables) << ";\n\n";
  if (const ReplacementLibrary* driver = tables.registry.library(tables.entry_points.library)) {
    out << "// Whose functions programs ask for by name.\n"
        << "inline constexpr char kDriverLibrary[] = " << c_string(driver->sonames.front().first)
        << ";\ninline constexpr char kDriverStem[] = " << c_string(driver->stem) << ";\n\n";
  }
  // The version (or major version) that the real library reported.
  for (const CudaSymbol* symbol : exports_of(tables, output)) {
    if (const RecordedNumbers* version = newest_version(tables, symbol->name, output)) {
      out << "inline constexpr int kRecorded_" << symbol->name << " = " << version->values[0]
          << ";\n";
    }
  }
  out << "\n";
  emit_enumerators(tables, output, &out);
  out << modes;
  out << emit_layouts(tables, output);
  emit_properties(tables, output, &out);
  out << emit_history(tables, plan);
  out << emit_statuses(tables, output);
  out << emit_attributes(tables, output);
  emit_conditions(tables, plan, &out);
  out << declare_values(tables, output);
  out << "}  // namespace torchada\n\n";
  out << declare_calls(tables, output);
  return out.str();
}

}  // namespace torchada
