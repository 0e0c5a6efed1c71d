// LABEL/tables.cpp: the tables that stubs/table.h declares.
#include <algorithm>
#include <sstream>

#include "generator/decide/calls.h"
#include "generator/decide/guards.h"
#include "generator/decide/standing.h"
#include "generator/emit/emit.h"
#include "generator/tables/no_driver.h"
#include "generator/tables/yaml_source.h"

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

const char* backend_enumerator(const std::string& library) {
  static const char* const kNames[] = {"kMusart", "kMccl", "kMublas", "kMublasLt", "kMurand"};
  const auto found = std::find(kMusaLibraries.begin(), kMusaLibraries.end(), library);
  return kNames[found - kMusaLibraries.begin()];
}

// A function without a known prototype is assumed to return a status: almost all do, and a caller
// that ignores the value is not harmed.
const char* returns_of(const Prototype* prototype, const std::string& status_type) {
  if (!prototype || prototype->returns == status_type) return "kStatus";
  if (prototype->returns == "void") return "kVoid";
  if (prototype->returns == "const char *") return "kString";
  // A CUDA status in another library's type (cublas and cublasLt share theirs) is a status too.
  return prototype->returns.ends_with("Status_t") ? "kStatus" : "kZero";
}

// In the order of FailureKind in stubs/table.h.
std::vector<const std::string*> by_failure(const StatusNames& status) {
  return {&status.unsupported, &status.no_backend, &status.no_image, &status.unloading,
          &status.forked};
}

class TableWriter {
 public:
  TableWriter(const Tables& tables, const Output& output)
      : tables_(tables),
        output_(output),
        forward_(tables.forward[output.library]),
        comparer_(tables) {}

  std::string write() {
    // Generated adapters come first, so that an adapter has the same index as its MUSA function in
    // torchada_adapted.
    generated_ = generated_adapters(tables_, output_);
    for (const GeneratedAdapter& adapter : generated_) adapters_.push_back(adapter.name);
    guards_ = guards_of(tables_, output_);
    for (const Guard& guard : guards_) adapters_.push_back(guard.entry);
    for (const CudaSymbol* symbol : exports_of(tables_, output_)) {
      if (decided_as(tables_, output_, *symbol) == symbol->name) add_export(*symbol);
    }
    for (const Call& call : musa_calls(tables_, output_)) add_internal(call);
    return assemble();
  }

 private:
  void add_export(const CudaSymbol& symbol) {
    const ForwardRow* row = row_of(forward_, symbol.name, output_.abi);
    if (!row) {
      throw TableError(forward_.rows_place, "\'" + symbol.name + "' is exported by " +
                                                output_.soname +
                                                ", but no row decides it; add a row");
    }
    const char* returns = returns_of(prototype_in(symbol, output_), forward_.status.type);
    no_backend_ = no_backend_index(symbol, returns);
    switch (row->decision) {
      case RowDecision::kDirect:
        add_with_targets(symbol, *row, add_targets(symbol, *row), returns);
        return;
      case RowDecision::kAdapted:
        add_with_targets(symbol, *row, add_adapted_targets(symbol), returns);
        return;
      case RowDecision::kEmulated:
      case RowDecision::kRecorded:
      case RowDecision::kDelegated:
        add(symbol.name, "", {target_count_, 0}, "kAdapter", returns,
            static_cast<int>(adapters_.size()));
        adapters_.push_back("torchada_adapter_" + symbol.name);
        return;
      case RowDecision::kPending:
      case RowDecision::kUnsupported:
        add(symbol.name, row->reason, {target_count_, 0}, "kUnsupported", returns, -1);
        return;
      case RowDecision::kNoImage:
        add(symbol.name, row->reason, {target_count_, 0}, "kNoImage", returns, -1);
        return;
    }
  }

  // Adapters reach MUSA through slots too, so that there is only one path that opens MUSA.
  void add_internal(const Call& call) {
    no_backend_ = 0;
    const int first = target_count_;
    add_target(call.musa->link_name, SdkRange{});
    add(call.name, "", {first, 1}, "kInternal", "kStatus", -1, call.library);
  }

  struct Targets {
    int first, count;
  };

  void add_with_targets(const CudaSymbol& symbol, const ForwardRow& row, Targets targets,
                        const char* returns) {
    if (row.otherwise.reason.empty()) {
      add(symbol.name, "", targets, "kDirect", returns, -1);
      return;
    }
    add(symbol.name, "", targets, "kDirectOrAdapter", returns, static_cast<int>(adapters_.size()));
    adapters_.push_back("torchada_adapter_" + symbol.name);
  }

  // Index in kNoBackend of what this symbol answers without a driver; 0 is the library's usual
  // answer.
  int no_backend_index(const CudaSymbol& symbol, const char* returns) {
    const std::optional<int> status = no_driver_status(tables_, output_, symbol);
    if (std::string(returns) != "kStatus" || !status) return 0;
    if (*status == this->status(forward_.status.no_backend)) return 0;
    const auto found = std::find(no_backend_statuses_.begin(), no_backend_statuses_.end(), *status);
    if (found == no_backend_statuses_.end()) {
      no_backend_statuses_.push_back(*status);
      return static_cast<int>(no_backend_statuses_.size());
    }
    return static_cast<int>(found - no_backend_statuses_.begin()) + 1;
  }

  Targets add_targets(const CudaSymbol& symbol, const ForwardRow& row) {
    const int first = target_count_;
    for (const Candidate& candidate :
         candidates_of(tables_, comparer_, output_, symbol, row.target, row.place)) {
      if (candidate.comparison.sameness == Sameness::kDiffers) continue;
      add_target(candidate.symbol->link_name, candidate.prototype->sdk);
    }
    if (target_count_ == first) {
      throw TableError(row.place, symbol.name + ": cannot be direct: no prototype of " +
                                      row.target + " has the same types");
    }
    add_adapted_targets(symbol);
    return {first, target_count_ - first};
  }

  Targets add_adapted_targets(const CudaSymbol& symbol) {
    const int first = target_count_;
    for (const GeneratedAdapter& adapter : generated_) {
      if (adapter.symbol != symbol.name) continue;
      add_target(adapter.candidate.symbol->link_name, adapter.candidate.prototype->sdk,
                 adapter.candidate.adaptation.changes_nothing() ? 0 : adapter.index + 1);
    }
    return {first, target_count_ - first};
  }

  void add_target(const std::string& link_name, SdkRange sdk, int adapter = 0) {
    targets_ << "    {" << strings_.add(link_name) << ", " << sdk.from << ", " << sdk.to << ", "
             << adapter << "},  // " << link_name << "\n";
    ++target_count_;
  }

  void add(const std::string& name, const std::string& reason, Targets targets,
           const char* decision, const char* returns, int adapter,
           const std::string& backend = "") {
    symbols_ << "    {" << strings_.add(name) << ", " << strings_.add(reason) << ", "
             << targets.first << ", " << std::max(adapter, 0) << ", " << targets.count
             << ", Decision::" << decision << ", Returns::" << returns << ", BackendLibrary::"
             << backend_enumerator(backend.empty() ? forward_.backend : backend) << ", "
             << no_backend_ << ", " << guard_place() << "},  // " << name << "\n";
    ++symbol_count_;
  }

  // One more than the index in kAdapters of the next symbol's guard, 0 for none.
  std::size_t guard_place() const {
    for (std::size_t i = 0; i < guards_.size(); ++i) {
      if (guards_[i].index == symbol_count_) return generated_.size() + i + 1;
    }
    return 0;
  }

  std::string assemble() {
    std::ostringstream out;
    out << "// " << output_.soname << ", emitted by torchada-gen from mappings/. Do not edit.\n"
        << "#include \"stubs/fallback.h\"\n#include \"stubs/table.h\"\n"
        << (guards_.empty() ? "\n" : "\n#include \"stubs/cudart/guard.h\"\n\n");
    for (const Guard& guard : guards_) {
      if (!guard.answer.empty()) {
        out << "extern \"C\" TORCHADA_HIDDEN void " << guard.answer << "();\n";
      }
    }
    for (const std::string& adapter : adapters_) {
      out << "extern \"C\" TORCHADA_HIDDEN void " << adapter << "();\n";
    }
    out << "\nnamespace torchada {\nnamespace {\n\n";
    if (!no_backend_statuses_.empty()) {
      out << "template <int kStatus>\nint no_backend() {\n  return fail(kStatus);\n}\n\n";
    }
    out << "const NoBackend kNoBackend[] = {\n    {0, nullptr},\n";
    for (const int status : no_backend_statuses_) {
      out << "    {" << status << ", reinterpret_cast<void*>(no_backend<" << status << ">)},\n";
    }
    out << "};\n\n"
        << strings_.definition() << "\n"
        << "const Symbol kSymbols[] = {\n"
        << symbols_.str() << "};\n\n"
        << "const Target kTargets[] = {\n"
        << targets_.str() << "    {0, 0, 0, 0},\n};\n\n"
        << "void* const kAdapters[] = {\n";
    for (const std::string& adapter : adapters_) {
      out << "    reinterpret_cast<void*>(" << adapter << "),\n";
    }
    out << "    nullptr,\n};\n\n}  // namespace\n\n"
        << guard_table(guards_, generated_.size()) << "extern \"C\" {\n"
        << "void* torchada_adapted[" << adapters_.size() + 1 << "];\n"
        << "uint8_t torchada_reported[" << symbol_count_ << "];\n\n"
        << "const Library torchada_library = {\n"
        << "    \"" << output_.soname
        << "\", kStrings, kSymbols, kTargets, kAdapters, kNoBackend,\n"
        << "    " << symbol_count_ << ", " << output_.abi << ",\n"
        << "    {";
    for (const std::string* name : by_failure(forward_.status)) {
      out << "{" << status(*name) << ", " << c_string(*name) << "}, ";
    }
    out << "},\n"
        << "    BackendLibrary::" << backend_enumerator(forward_.backend) << ", "
        << (forward_.records_errors ? "true" : "false") << "};\n"
        << "}\n\n}  // namespace torchada\n";
    return out.str();
  }

  std::int64_t status(const std::string& name) const {
    return cuda_enumerator_value(tables_, forward_.status.type, name, {forward_.file, 0});
  }

  const Tables& tables_;
  const Output& output_;
  const ForwardLibrary& forward_;
  Comparer comparer_;
  StringPool strings_;
  std::ostringstream symbols_, targets_;
  int symbol_count_ = 0, target_count_ = 0;
  int no_backend_ = 0;
  std::vector<int> no_backend_statuses_;
  std::vector<std::string> adapters_;  // Names of the C functions.
  std::vector<GeneratedAdapter> generated_;
  std::vector<Guard> guards_;
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

std::string emit_tables(const Tables& tables, const Output& output) {
  return TableWriter(tables, output).write();
}

std::string emit_backend_table(const Tables& tables) {
  std::ostringstream out;
  out << "// How MUSA is found, emitted by torchada-gen from mappings/musa/backend.yaml. Do not "
         "edit.\n#include \"src/shared/backend_table.h\"\n\nnamespace torchada {\nnamespace {\n\n"
      << string_list("kRootVariables", tables.backend.root_variables)
      << string_list("kDefaultRoots", tables.backend.default_roots)
      << string_list("kSubfolders", tables.backend.subfolders);
  for (const std::string& library : kMusaLibraries) {
    out << "const Soname " << backend_enumerator(library) << "[] = {\n";
    const auto sonames = tables.backend.sonames.find(library);
    if (sonames == tables.backend.sonames.end()) {
      throw TableError({tables.directory + "/musa/backend.yaml", 0},
                       "no SONAMEs of '" + library + "'");
    }
    for (const MusaSoname& soname : sonames->second) {
      out << "    {\"" << soname.name << "\", " << soname.sdk.from << ", " << soname.sdk.to
          << "},\n";
    }
    out << "    {nullptr, 0, 0},\n};\n";
  }
  emit_environment_map(tables.backend, &out);
  out << "\n}  // namespace\n\nextern \"C\" const BackendTable torchada_backend_table = {\n"
      << "    kRootVariables,\n    kDefaultRoots,\n    kSubfolders,\n    {";
  for (const std::string& library : kMusaLibraries) out << "\"lib" << library << "\", ";
  out << "},\n    {";
  for (const std::string& library : kMusaLibraries) out << backend_enumerator(library) << ", ";
  out << "},\n    {";
  for (std::size_t i = 0; i < kMusaLibraries.size(); ++i) out << "Home::kSdk, ";
  out << "},\n    {";
  for (const std::string& library : kMusaLibraries) {
    const auto forward =
        std::find_if(tables.forward.begin(), tables.forward.end(),
                     [&](const ForwardLibrary& item) { return item.backend == library; });
    if (forward == tables.forward.end()) {
      throw TableError({tables.directory + "/forward", 0}, "no library has backend " + library);
    }
    const StatusNames& status = forward->backend_status;
    out << "{";
    for (const std::string* name : by_failure(status)) {
      out << musa_enumerator_value(tables, status.type, *name, {forward->file, 0}) << ", ";
    }
    out << "}, ";
  }
  out << "},\n    kVariables,\n    kPrefixes,\n};\n\n"
      << "int32_t torchada_sdk_of_runtime_version(int32_t version) {\n";
  for (const MusaBackend::RuntimeVersion& range : tables.backend.runtime_versions) {
    out << "  if (version >= " << range.from << " && version < " << range.to << ") return "
        << range.sdk << ";\n";
  }
  out << "  return version;\n}\n\n}  // namespace torchada\n";
  return out.str();
}

}  // namespace torchada
