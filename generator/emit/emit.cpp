#include "generator/emit/emit.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "generator/emit/pack_tables.h"
#include "src/shared/yaml_source.h"

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

std::string emit_trampolines(const LibraryPlan& plan) {
  std::ostringstream out;
  out << "// " << plan.output->soname << ", emitted by torchada-gen from mappings/. Do not edit.\n"
      << "#include \"trampoline.h\"\n    .text\n";
  out << "torchada_trampolines_begin\n";
  for (std::size_t i = 0; i < plan.slots.size() && plan.slots[i].symbol; ++i) {
    const CudaSymbol& symbol = *plan.slots[i].symbol;
    out << (symbol.weak ? "torchada_weak_export " : "torchada_export ") << symbol.name << ", " << i
        << "\n";
  }
  for (const PlannedExport& item : plan.exports) {
    if (item.decided_as == item.symbol->name) continue;
    out << (item.symbol->weak ? "torchada_weak_alias " : "torchada_alias ") << item.symbol->name
        << ", " << item.decided_as << "\n";
  }
  for (std::size_t i = 0; i < plan.slots.size(); ++i) {
    if (!plan.slots[i].symbol)
      out << "torchada_internal " << plan.slots[i].name << ", " << i << "\n";
  }
  for (const Call& call : plan.own_calls) out << "torchada_own " << call.name << "\n";
  if (!plan.guards.empty()) out << "#include \"guard_entry.h\"\n";
  for (std::size_t i = 0; i < plan.guards.size(); ++i) {
    out << "torchada_guard " << plan.guards[i].entry << ", " << i << "\n";
  }
  out << "torchada_slots_begin\n";
  for (std::size_t i = 0; i < plan.slots.size(); ++i) out << "torchada_slot " << i << "\n";
  out << "torchada_slots_end\n";
  return out.str();
}

std::string emit_version_script(const LibraryPlan& plan) {
  std::ostringstream out;
  if (!plan.output->node.empty()) out << plan.output->node << " ";
  out << "{\n  global:\n";
  for (const PlannedExport& item : plan.exports) out << "    \"" << item.symbol->name << "\";\n";
  out << "  local:\n    *;\n};\n";
  return out.str();
}

std::string emit_golden(const LibraryPlan& plan) {
  std::ostringstream out;
  for (const PlannedExport& item : plan.exports) {
    out << (item.symbol->weak ? "W " : "T ") << item.symbol->name;
    if (!plan.output->node.empty()) out << "@@" << plan.output->node;
    out << "\n";
  }
  return out.str();
}

void write_records(const nlohmann::ordered_json& records, const std::filesystem::path& root) {
  const std::string packed = pack_tables(records);
  write_if_changed(root / "share" / "tables.bin", packed);
  write_if_changed(root / "tables.json", unpack_tables(tables::tables_in(packed)).dump(1) + "\n");
}

void emit_all(const Tables& tables, const std::string& directory) {
  const std::filesystem::path root(directory);
  const std::vector<Output> outputs = list_outputs(tables);
  std::vector<LibraryPlan> plans;
  for (const Output& output : outputs) plans.push_back(plan_library(tables, output));
  for (const LibraryPlan& plan : plans) {
    const std::filesystem::path folder = root / plan.output->label();
    write_if_changed(folder / "trampolines.S", emit_trampolines(plan));
    write_if_changed(folder / "tables.cpp", emit_tables(tables, plan));
    write_if_changed(folder / "exports.map", emit_version_script(plan));
    const MusaNames names = emit_musa_names(tables, plan);
    write_if_changed(folder / "musa_names.txt", names.renamed);
    write_if_changed(folder / "no_counterpart.ld", names.left);
    write_if_changed(folder / "facts.h", emit_facts(tables, plan));
    write_if_changed(folder / "adapters.cpp", emit_adapters(tables, plan));
    write_if_changed(folder / "answers.cpp", emit_answers(tables, plan));
    write_if_changed(folder / "delegates.cpp", emit_delegates(tables, plan));
    const std::string entry_points = emit_entry_points(tables, plan);
    if (!entry_points.empty()) write_if_changed(folder / "entry_points.inc", entry_points);
    write_if_changed(root / "golden" / (plan.output->soname + ".symbols"), emit_golden(plan));
  }
  write_if_changed(root / "share" / "layout.txt", emit_link_layout(tables.registry));
  write_if_changed(root / "libraries.h", emit_libraries(tables));
  write_if_changed(root / "own_libraries.h", emit_own_libraries(tables));
  write_if_changed(root / "other_libraries.inc", emit_other_libraries(tables.registry));
  write_if_changed(root / "backend_table.cpp", emit_backend_table(tables));
  nlohmann::ordered_json records = command_tables(tables, plans);
  add_verify_facts(tables, &records);
  write_records(records, root);
  write_if_changed(root / "standing_table.cpp", emit_standing_table(tables, plans));
  write_if_changed(root / "prototypes.cpp", emit_prototypes(tables));
  for (const int major : tables.registry.majors()) {
    write_if_changed(root / "declarations" / ("cuda" + std::to_string(major) + ".h"),
                     emit_declarations(tables, major));
  }
  write_if_changed(root / "declarations" / "torchada_api.h", emit_api_beside_kernels(tables));
}

}  // namespace torchada
