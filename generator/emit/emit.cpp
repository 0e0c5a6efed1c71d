#include "generator/emit/emit.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "generator/decide/calls.h"
#include "generator/decide/guards.h"
#include "generator/decide/standing.h"
#include "generator/tables/yaml_source.h"

namespace torchada {

void write_if_changed(const std::filesystem::path& path, const std::string& content) {
  std::ifstream old(path, std::ios::binary);
  if (old) {
    std::ostringstream present;
    present << old.rdbuf();
    if (present.str() == content) return;
  }
  std::filesystem::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  out << content;
  out.close();
  if (!out) throw TableError({path.string(), 0}, "cannot write");
}

std::string c_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::int64_t cuda_enumerator_value(const Tables& tables, const std::string& type,
                                   const std::string& name, const Place& place) {
  if (const CudaType* cuda = tables.cuda_type(type)) {
    for (auto variant = cuda->variants.rbegin(); variant != cuda->variants.rend(); ++variant) {
      for (const EnumValue& value : variant->fact.enumeration.values) {
        if (value.name == name) return value.value;
      }
    }
  }
  throw TableError(place, "the number of " + name + " in " + type + " is not known");
}

std::int64_t musa_enumerator_value(const Tables& tables, const std::string& type,
                                   const std::string& name, const Place& place) {
  if (const std::vector<MusaType>* variants = tables.musa_type(type)) {
    for (const MusaType& variant : *variants) {
      for (const MusaEnumValue& value : variant.values) {
        if (value.name == name && value.known) return value.value;
      }
    }
  }
  throw TableError(place, "the number of " + name + " in " + type + " is not known");
}

std::string emit_trampolines(const Tables& tables, const Output& output) {
  std::ostringstream out;
  out << "// " << output.soname << ", emitted by torchada-gen from mappings/. Do not edit.\n"
      << "#include \"trampoline.h\"\n    .text\n";
  std::map<std::string, int> index;
  int next = 0;
  const std::vector<const CudaSymbol*> exports = exports_of(tables, output);
  for (const CudaSymbol* symbol : exports) {
    if (decided_as(tables, output, *symbol) != symbol->name) continue;
    index[symbol->name] = next;
    out << (symbol->weak ? "torchada_weak_export " : "torchada_export ") << symbol->name << ", "
        << next++ << "\n";
  }
  for (const CudaSymbol* symbol : exports) {
    const std::string decided = decided_as(tables, output, *symbol);
    if (decided == symbol->name) continue;
    out << (symbol->weak ? "torchada_weak_alias " : "torchada_alias ") << symbol->name << ", "
        << decided << "\n";
  }
  for (const Call& call : musa_calls(tables, output)) {
    out << "torchada_internal " << call.name << ", " << next++ << "\n";
  }
  for (const Call& call : own_calls(tables, output)) out << "torchada_own " << call.name << "\n";
  const std::vector<Guard> guards = guards_of(tables, output);
  if (!guards.empty()) out << "#include \"guard_entry.h\"\n";
  for (std::size_t i = 0; i < guards.size(); ++i) {
    out << "torchada_guard " << guards[i].entry << ", " << i << "\n";
  }
  out << "torchada_slots_begin\n";
  for (int i = 0; i < next; ++i) out << "torchada_slot " << i << "\n";
  out << "torchada_slots_end\n";
  return out.str();
}

std::string emit_version_script(const Tables& tables, const Output& output) {
  std::ostringstream out;
  if (!output.node.empty()) out << output.node << " ";
  out << "{\n  global:\n";
  for (const CudaSymbol* symbol : exports_of(tables, output)) {
    out << "    \"" << symbol->name << "\";\n";
  }
  out << "  local:\n    *;\n};\n";
  return out.str();
}

std::string emit_golden(const Tables& tables, const Output& output) {
  std::ostringstream out;
  for (const CudaSymbol* symbol : exports_of(tables, output)) {
    out << (symbol->weak ? "W " : "T ") << symbol->name;
    if (!output.node.empty()) out << "@@" << output.node;
    out << "\n";
  }
  return out.str();
}

void emit_all(const Tables& tables, const std::string& directory) {
  const std::filesystem::path root(directory);
  for (const Output& output : list_outputs(tables)) {
    const std::filesystem::path folder = root / output.label();
    write_if_changed(folder / "trampolines.S", emit_trampolines(tables, output));
    write_if_changed(folder / "tables.cpp", emit_tables(tables, output));
    write_if_changed(folder / "exports.map", emit_version_script(tables, output));
    write_if_changed(folder / "facts.h", emit_facts(tables, output));
    write_if_changed(folder / "adapters.cpp", emit_adapters(tables, output));
    write_if_changed(folder / "answers.cpp", emit_answers(tables, output));
    write_if_changed(folder / "delegates.cpp", emit_delegates(tables, output));
    write_if_changed(root / "golden" / (output.soname + ".symbols"), emit_golden(tables, output));
  }
  write_if_changed(root / "libraries.h", emit_libraries(tables));
  write_if_changed(root / "backend_table.cpp", emit_backend_table(tables));
  write_if_changed(root / "share" / "tables.json", emit_command_tables(tables));
  write_if_changed(root / "share" / "facts.json", emit_verify_facts(tables));
  write_if_changed(root / "standing_table.cpp", emit_standing_table(tables));
  write_if_changed(root / "prototypes.cpp", emit_prototypes(tables));
  std::set<int> abis;
  for (const Output& output : list_outputs(tables)) abis.insert(output.abi);
  for (const int abi : abis) {
    write_if_changed(root / "declarations" / ("cuda" + std::to_string(abi) + ".h"),
                     emit_declarations(tables, abi));
  }
}

}  // namespace torchada
