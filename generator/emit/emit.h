// Writes the sources that are compiled into the libraries. Same tables, same bytes.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "generator/decide/enumerators.h"
#include "generator/decide/plan.h"
#include "generator/tables/tables.h"

namespace torchada {

// Writes below `directory`, touching only files whose content changes. For each output LABEL/:
//   trampolines.S  the exported functions and their slots
//   tables.cpp     names, decisions, targets (stubs/table.h)
//   exports.map    version script
//   answers.cpp    functions that answer as recorded from the real library
//   adapters.cpp   adapters that follow from the types alone
//   delegates.cpp    exports that lead to other exports of the library
//   entry_points.inc  for the library whose functions programs ask for by name and version
//   musa_names.txt, no_counterpart.ld  for tests that call MUSA
//   facts.h        enumerators and layouts of that ABI, and the MUSA calls of its adapters
// and once: libraries.h, own_libraries.h, other_libraries.inc, backend_table.cpp,
// golden/SONAME.symbols, declarations/cudaMAJOR.h and torchada_api.h; for the command
// share/tables.bin (and tables.json for people), for the installed layout share/layout.txt, for
// programs standing_table.cpp, and for the companion prototypes.cpp. Throws TableError on a defect
// that check would report.
void emit_all(const Tables& tables, const std::string& directory);

// Parts of emit_all, by file.
std::string emit_trampolines(const LibraryPlan& plan);
std::string emit_tables(const Tables& tables, const LibraryPlan& plan);
std::string emit_version_script(const LibraryPlan& plan);
std::string emit_facts(const Tables& tables, const LibraryPlan& plan);
std::string emit_layouts(const Tables& tables, const Output& output);     // Part of facts.h.
std::string emit_history(const Tables& tables, const LibraryPlan& plan);  // Part of facts.h.
// Part of facts.h: the library's statuses; empty if its table names no `failed`.
std::string emit_statuses(const Tables& tables, const Output& output);
// Part of facts.h: what attributes hold and how they are converted; empty for a library without
// any.
std::string emit_attributes(const Tables& tables, const Output& output);
std::string emit_adapters(const Tables& tables, const LibraryPlan& plan);
std::string emit_answers(const Tables& tables, const LibraryPlan& plan);
std::string emit_delegates(const Tables& tables, const LibraryPlan& plan);
// Empty for a library without entry points.
std::string emit_entry_points(const Tables& tables, const LibraryPlan& plan);
std::string emit_backend_table(const Tables& tables);
std::string emit_libraries(const Tables& tables);
// For tests that call MUSA without a replacement library: each export with MUSA's function, for
// objcopy, and a linker script for those without one.
struct MusaNames {
  std::string renamed, left;
};
MusaNames emit_musa_names(const Tables& tables, const LibraryPlan& plan);
std::string emit_link_layout(const Registry& registry);  // See packaging/link-layout.sh.
std::string emit_own_libraries(const Tables& tables);
std::string emit_other_libraries(const Registry& registry);
std::string emit_declarations(const Tables& tables, int abi);
std::string emit_api_beside_kernels(const Tables& tables);
std::string emit_golden(const LibraryPlan& plan);
std::string emit_standing_table(const Tables& tables, const std::vector<LibraryPlan>& plans);
std::string emit_prototypes(const Tables& tables);

// mappings/libraries.cmake, which must be there before torchada-gen can be built.
std::string emit_cmake_lists(const Registry& registry);

// The records of src/shared/records.h as JSON.
nlohmann::ordered_json command_tables(const Tables& tables, const std::vector<LibraryPlan>& plans);
void add_verify_facts(const Tables& tables, nlohmann::ordered_json* out);
// Writes share/tables.bin, and tables.json, which shows what is in it.
void write_records(const nlohmann::ordered_json& records, const std::filesystem::path& root);

// Writes `content` unless the file already has it. Throws TableError on failure.
void write_if_changed(const std::filesystem::path& path, const std::string& content);

// The items with the separator between them.
template <typename Items>
std::string joined(const Items& items, const char* separator) {
  std::ostringstream out;
  const char* before = "";
  for (const auto& item : items) {
    out << before << item;
    before = separator;
  }
  return out.str();
}

// "text" as a C string literal.
std::string c_string(const std::string& text);

// What the library said its version is, in the newest release of an output that said it, or null.
const RecordedNumbers* newest_version(const Tables& tables, const std::string& symbol,
                                      const Output& output);

}  // namespace torchada
