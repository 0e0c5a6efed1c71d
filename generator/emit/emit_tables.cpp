// LABEL/tables.cpp: the tables that stubs/table.h declares.
#include <algorithm>
#include <set>
#include <sstream>

#include "generator/decide/adaptation.h"
#include "generator/decide/guards.h"
#include "generator/emit/emit.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

// All names of a library in one array, each stored once; users hold offsets.
class StringPool {
 public:
  StringPool() { add(""); }
  std::size_t add(const std::string& text) {
    const auto [entry, fresh] = offsets_.try_emplace(text, size_);
    if (fresh) {
      order_.push_back(text);
      size_ += text.size() + 1;
    }
    return entry->second;
  }
  std::string definition() const {
    std::ostringstream out;
    out << "const char kStrings[] =\n";
    for (const std::string& text : order_) out << "    " << c_string(text) << " \"\\0\"\n";
    return out.str() + "    ;\n";
  }

 private:
  std::map<std::string, std::size_t> offsets_;
  std::vector<std::string> order_;
  std::size_t size_ = 0;
};

// "musart" -> "kMusart"
std::string backend_enumerator(const std::string& library) {
  std::string out = "k" + library;
  out[1] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[1])));
  return out;
}

// Enumerators of stubs/table.h.
const char* spelled(SlotDecision decision) {
  static const char* const kNames[] = {"kDirect",  "kAdapter",  "kUnsupported",
                                       "kNoImage", "kInternal", "kDirectOrAdapter"};
  return kNames[static_cast<int>(decision)];
}

const char* spelled(ReturnKind returns) {
  static const char* const kNames[] = {"kStatus", "kVoid", "kString", "kZero"};
  return kNames[static_cast<int>(returns)];
}

// In the order of FailureKind in stubs/table.h.
std::vector<const std::string*> by_failure(const StatusNames& status) {
  return {&status.unsupported, &status.no_backend, &status.no_image, &status.unloading,
          &status.forked};
}

class TableWriter {
 public:
  TableWriter(const Tables& tables, const LibraryPlan& plan)
      : tables_(tables), plan_(plan), comparer_(tables) {}

  std::string write() {
    for (const PlannedSlot& slot : plan_.slots) add(slot);
    add_refusals();
    add_needs();
    return assemble();
  }

 private:
  void add(const PlannedSlot& slot) {
    const int first = target_count_;
    const BackendInfo* const backend = tables_.registry.backend(slot.backend);
    for (const PlannedTarget& target : slot.targets) {
      targets_ << "    {" << strings_.add(target.link_name) << ", " << target.sdk.from << ", "
               << target.sdk.to << ", " << target.adapter << ", "
               << (backend->only_tells(target.link_name) ? "true" : "false") << ", symbol_hash(\""
               << target.link_name << "\")},\n";
      ++target_count_;
    }
    symbols_ << "    {" << strings_.add(slot.name) << ", " << strings_.add(slot.reason) << ", "
             << first << ", " << slot.adapter << ", " << slot.targets.size()
             << ", Decision::" << spelled(slot.decision) << ", Returns::" << spelled(slot.returns)
             << ", BackendLibrary::" << backend_enumerator(slot.backend) << ", " << slot.no_backend
             << ", " << slot.unsupported << ", " << slot.guard << "},  // " << slot.name << "\n";
  }

  // Why no adapter passes an enumerator on; empty if one may.
  std::string why_lacking(const NamedType& type, const EnumValue& value) const {
    const auto listed = tables_.types.refused.find(value.name);
    if (listed != tables_.types.refused.end()) return listed->second;
    const auto attributes = plan_.forward->attributes.find(type.name);
    if (attributes != plan_.forward->attributes.end()) {
      const auto attribute = attributes->second.find(value.name);
      if (attribute != attributes->second.end() &&
          attribute->second.kept != AttributeValue::Kept::kNo) {
        return attribute->second.reason;
      }
    }
    const auto told = tables_.types.told.find(value.name);
    if (told != tables_.types.told.end()) return told->second;
    const EnumConversion conversion = convert_enumeration(tables_, comparer_, *plan_.output,
                                                          type.name, type.musa, Direction::kIn);
    const bool lacks = !conversion.cases.empty() &&
                       std::any_of(conversion.refused.begin(), conversion.refused.end(),
                                   [&](const EnumCase& item) { return item.from == value.value; });
    return lacks ? "no counterpart in " + type.musa + " is publicly known" : "";
  }

  // The names for stubs/reporting/refusal.h. A number with several names has the first one.
  void add_refusals() {
    const StatusNames& names = plan_.forward->status;
    NamedType statuses{names.type, plan_.forward->backend_status.type, {}};
    for (const std::string* name : {&names.unsupported, &names.invalid, &names.bad_enum,
                                    &names.failed, &names.no_backend, &names.no_image}) {
      if (!name->empty()) statuses.values.push_back({*name, status(*name)});
    }
    for (const PlannedSlot& slot : plan_.slots) {
      if (!slot.row) continue;
      for (const std::string* name : {&slot.row->no_backend, &slot.row->status}) {
        if (!name->empty()) statuses.values.push_back({*name, status(*name)});
      }
    }
    std::ostringstream enumerations;
    std::size_t count = 0;
    refusal_tables_ << "const NamedValue kValues[] = {\n";
    const auto add_type = [&](const NamedType& type) {
      const std::size_t first = count;
      std::set<std::int64_t> seen;
      for (const EnumValue& value : type.values) {
        if (!seen.insert(value.value).second) continue;
        refusal_tables_ << "    {" << static_cast<std::int32_t>(value.value) << ", "
                        << strings_.add(value.name) << ", "
                        << strings_.add(why_lacking(type, value)) << "},  // " << value.name
                        << "\n";
        ++count;
      }
      enumerations << "    {" << strings_.add(type.name) << ", " << strings_.add(type.musa) << ", "
                   << first << ", " << count - first << "},  // " << type.name << "\n";
    };
    add_type(statuses);
    for (const NamedType& type : plan_.refusals.types) add_type(type);
    refusal_tables_ << "    {0, 0, 0},\n};\n\nconst NamedEnumeration kEnumerations[] = {\n"
                    << enumerations.str() << "};\n\nconst RefusableArgument kRefusable[] = {\n";
    for (const RefusableParameter& parameter : plan_.refusals.parameters) {
      refusal_tables_ << "    {" << strings_.add(parameter.name) << ", "
                      << slot_of(parameter.function) << ", "
                      << (parameter.type.empty() ? 0 : plan_.refusals.type_of(parameter.type) + 1)
                      << ", " << parameter.number << "},  // " << parameter.function << "\n";
    }
    refusal_tables_ << "    {0, 0, 0, 0},\n};\n\n";
  }

  void add_needs() {
    for (const PlannedNeed& need : plan_.needs) {
      needs_ << "    {" << need.adapter << ", " << slot_of(need.musa) << "},  // "
             << plan_.adapters[static_cast<std::size_t>(need.adapter)] << ": " << need.musa << "\n";
    }
  }

  std::size_t slot_of(const std::string& function) const {
    const auto found = std::find_if(plan_.slots.begin(), plan_.slots.end(),
                                    [&](const PlannedSlot& slot) { return slot.name == function; });
    return static_cast<std::size_t>(found - plan_.slots.begin());
  }

  std::string assemble() {
    std::ostringstream out;
    out << "// " << plan_.output->soname
        << ", emitted by torchada-gen from mappings/. Do not edit.\n"
        << "#include \"src/shared/symbol_hash.h\"\n#include "
           "\"stubs/reporting/fallback.h\"\n#include "
           "\"stubs/table.h\"\n"
        << (plan_.guards.empty() ? "\n" : "\n#include \"stubs/cudart/guard.h\"\n\n");
    for (const Guard& guard : plan_.guards) {
      if (!guard.answer.empty()) {
        out << "extern \"C\" TORCHADA_HIDDEN void " << guard.answer << "();\n";
      }
    }
    for (const std::string& adapter : plan_.adapters) {
      if (!adapter.empty()) out << "extern \"C\" TORCHADA_HIDDEN void " << adapter << "();\n";
    }
    out << "\nnamespace torchada {\nnamespace {\n\n";
    if (!plan_.own_statuses.empty()) {
      out << "template <int kStatus>\nint own_answer() {\n  return fail(kStatus);\n}\n\n";
    }
    out << "const OwnStatus kOwnStatus[] = {\n    {0, nullptr},\n";
    for (const int status : plan_.own_statuses) {
      out << "    {" << status << ", reinterpret_cast<void*>(own_answer<" << status << ">)},\n";
    }
    out << "};\n\n"
        << strings_.definition() << "\n"
        << "const Symbol kSymbols[] = {\n"
        << symbols_.str() << "};\n\n"
        << "const Target kTargets[] = {\n"
        << targets_.str() << "    {0, 0, 0, 0, false, 0},\n};\n\n"
        << refusal_tables_.str() << "void* const kAdapters[] = {\n";
    for (const std::string& adapter : plan_.adapters) {
      out << (adapter.empty() ? "    nullptr,\n"
                              : "    reinterpret_cast<void*>(" + adapter + "),\n");
    }
    out << "};\n\nconst Need kNeeds[] = {\n"
        << needs_.str() << "    {0, 0},\n};\n\n}  // namespace\n\n"
        << guard_table(plan_.guards, plan_.generated.size() + 1) << "extern \"C\" {\n"
        << "void* torchada_callees[" << plan_.adapters.size() << "];\n"
        << "uint8_t torchada_reported[" << plan_.slots.size() << "];\n\n"
        << "const Library torchada_library = {\n    .soname = \"" << plan_.output->soname
        << "\",\n    .strings = kStrings,\n    .symbols = kSymbols,\n    .targets = kTargets,\n"
        << "    .adapters = kAdapters,\n    .own_status = kOwnStatus,\n    .values = kValues,\n"
        << "    .enumerations = kEnumerations,\n    .refusable = kRefusable,\n"
        << "    .symbol_count = " << plan_.slots.size()
        << ",\n    .enumeration_count = " << plan_.refusals.types.size() + 1
        << ",\n    .refusable_count = " << plan_.refusals.parameters.size()
        << ",\n    .abi = " << plan_.output->abi << ",\n    .status = {";
    for (const std::string* name : by_failure(plan_.forward->status)) {
      out << "{" << status(*name) << ", " << c_string(*name) << "}, ";
    }
    const StatusNames& names = plan_.forward->status;
    out << "},\n    .refused = "
        << status(names.bad_enum.empty() ? names.unsupported : names.bad_enum)
        << ",\n    .backend = BackendLibrary::" << backend_enumerator(plan_.forward->backend)
        << ",\n    .records_errors = " << (plan_.forward->records_errors ? "true" : "false")
        << ",\n    .needs = kNeeds,\n    .need_count = " << plan_.needs.size()
        << ",\n    .tells_only = " << (plan_.forward->tells_only ? "true" : "false") << ",\n};\n"
        << "}\n\n}  // namespace torchada\n";
    return out.str();
  }

  std::int64_t status(const std::string& name) const {
    return cuda_enumerator_value(tables_, plan_.forward->status.type, name,
                                 {plan_.forward->file, 0});
  }

  const Tables& tables_;
  const LibraryPlan& plan_;
  const Comparer comparer_;
  StringPool strings_;
  std::ostringstream symbols_, targets_, refusal_tables_, needs_;
  int target_count_ = 0;
};

std::string string_list(const char* name, const std::vector<std::string>& list) {
  std::ostringstream out;
  out << "const char* const " << name << "[] = {";
  for (const std::string& item : list) out << "\"" << item << "\", ";
  return out.str() + "nullptr};\n";
}

void emit_environment_map(const MusaBackend& backend, std::ostringstream* out) {
  *out << "const Variable kVariables[] = {\n";
  for (const MusaBackend::Variable& variable : backend.variables) {
    *out << "    {" << c_string(variable.cuda) << ", " << c_string(variable.musa) << "},\n";
  }
  *out << "    {nullptr, nullptr},\n};\n";
  for (std::size_t i = 0; i < backend.prefixes.size(); ++i) {
    *out << string_list(("kExcept" + std::to_string(i)).c_str(), backend.prefixes[i].except);
  }
  *out << "const VariablePrefix kPrefixes[] = {\n";
  for (std::size_t i = 0; i < backend.prefixes.size(); ++i) {
    const MusaBackend::Variable& prefix = backend.prefixes[i];
    *out << "    {" << c_string(prefix.cuda) << ", " << c_string(prefix.musa) << ", kExcept" << i
         << "},\n";
  }
  *out << "    {nullptr, nullptr, nullptr},\n};\n";
}

}  // namespace

std::string emit_tables(const Tables& tables, const LibraryPlan& plan) {
  return TableWriter(tables, plan).write();
}

std::string emit_libraries(const Tables& tables) {
  std::ostringstream out;
  out << "// The MUSA libraries, emitted by torchada-gen from mappings/libraries.yaml. Do not "
         "edit.\n#pragma once\n\n#include <stdint.h>\n\nnamespace torchada {\n\n"
         "enum class BackendLibrary : uint8_t { ";
  for (const BackendInfo& backend : tables.registry.backends) {
    out << backend_enumerator(backend.name) << ", ";
  }
  out << "kCount };\n\n// Opened first; its place decides about the others.\n"
         "inline constexpr BackendLibrary kRuntimeLibrary = BackendLibrary::"
      << backend_enumerator(tables.registry.runtime().name)
      << ";\n\n// Says its version.\ninline constexpr const char* kRuntimeVersionCall = "
      << c_string(tables.backend.runtime_version_call) << ";\n\n}  // namespace torchada\n";
  return out.str();
}

std::string emit_backend_table(const Tables& tables) {
  std::ostringstream out;
  out << "// How MUSA is found, emitted by torchada-gen from mappings/musa/backend.yaml. Do not "
         "edit.\n#include \"src/shared/backend_table.h\"\n\nnamespace torchada {\nnamespace {\n\n"
      << string_list("kRootVariables", tables.backend.root_variables)
      << string_list("kDefaultRoots", tables.backend.default_roots)
      << string_list("kSubfolders", tables.backend.subfolders);
  const std::vector<BackendInfo>& backends = tables.registry.backends;
  for (const BackendInfo& backend : backends) {
    out << "const Soname " << backend_enumerator(backend.name) << "[] = {\n";
    for (const MusaSoname& soname : backend.sonames) {
      out << "    {\"" << soname.name << "\", " << soname.sdk.from << ", " << soname.sdk.to
          << "},\n";
    }
    out << "    {nullptr, 0, 0},\n};\n";
  }
  emit_environment_map(tables.backend, &out);
  out << "\n}  // namespace\n\nextern \"C\" const BackendTable torchada_backend_table = {\n"
      << "    kRootVariables,\n    kDefaultRoots,\n    kSubfolders,\n    {";
  for (const BackendInfo& backend : backends) out << "\"" << backend.stem << "\", ";
  out << "},\n    {";
  for (const BackendInfo& backend : backends) out << backend_enumerator(backend.name) << ", ";
  out << "},\n    {";
  for (const BackendInfo& backend : backends) {
    out << (backend.home == BackendHome::kSdk ? "Home::kSdk, " : "Home::kDriver, ");
  }
  out << "},\n    {";
  for (const BackendInfo& backend : backends) {
    const auto forward =
        std::find_if(tables.forward.begin(), tables.forward.end(),
                     [&](const ForwardLibrary& item) { return item.backend == backend.name; });
    if (forward == tables.forward.end()) {
      out << "{}, ";  // No replaced library leads to it.
      continue;
    }
    const StatusNames& status = forward->backend_status;
    out << "{";
    for (const std::string* name : by_failure(status)) {
      out << musa_enumerator_value(tables, status.type, *name, {forward->file, 0}) << ", ";
    }
    out << "}, ";
  }
  out << "},\n    kVariables,\n    kPrefixes,\n    {";
  for (const BackendInfo& backend : backends) {
    out << (backend.initialises_nothing() ? "true, " : "false, ");
  }
  out << "},\n};\n\n"
      << "int32_t torchada_sdk_of_runtime_version(int32_t version) {\n";
  for (const MusaBackend::RuntimeVersion& range : tables.backend.runtime_versions) {
    if (range.sdk == 0) continue;  // The last line returns what is reported.
    out << "  if (version >= " << range.from << " && version < " << range.to << ") return "
        << range.sdk << ";\n";
  }
  out << "  return version;\n}\n\n}  // namespace torchada\n";
  return out.str();
}

}  // namespace torchada
