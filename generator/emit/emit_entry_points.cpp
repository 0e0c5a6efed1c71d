// LABEL/entry_points.inc: which slot a request for a name and a version means.
#include <algorithm>
#include <sstream>

#include "generator/decide/check_entry_points.h"
#include "generator/emit/emit.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

// Index of the slot whose trampoline has that exported name.
std::size_t slot_of_export(const LibraryPlan& plan, const EntryPoint& entry) {
  const auto item =
      std::find_if(plan.exports.begin(), plan.exports.end(),
                   [&](const PlannedExport& one) { return one.symbol->name == entry.symbol; });
  if (item == plan.exports.end()) {
    throw TableError(entry.place, "'" + entry.symbol + "' is not exported");
  }
  const auto slot = std::find_if(plan.slots.begin(), plan.slots.end(), [&](const PlannedSlot& one) {
    return one.name == item->decided_as;
  });
  return static_cast<std::size_t>(slot - plan.slots.begin());
}

}  // namespace

std::string emit_entry_points(const Tables& tables, const LibraryPlan& plan) {
  if (plan.output->library_name != tables.entry_points.library) return "";
  std::ostringstream strings, names, entries;
  std::size_t offset = 0;
  std::size_t count = 0;
  // In the order of strcmp, as std::map sorts them.
  for (const auto& [name, versions] : tables.entry_points.names) {
    strings << "    " << c_string(name) << " \"\\0\"\n";
    names << "    {" << offset << ", " << count << "},  // " << name << "\n";
    offset += name.size() + 1;
    for (const EntryPoint& plain : versions) {
      if (plain.per_thread) continue;
      entries << "    {" << plain.version << ", " << slot_of_export(plan, plain);
      if (const EntryPoint* per_thread = per_thread_of(versions, plain)) {
        entries << ", " << per_thread->version << ", " << slot_of_export(plan, *per_thread);
      } else {
        entries << ", 0, 0";
      }
      entries << "},  // " << plain.symbol << "\n";
      ++count;
    }
  }
  std::ostringstream out;
  out << "// " << plan.output->soname
      << ", emitted by torchada-gen from mappings/cuda/entry_points.yaml. Do not edit.\n"
      << "const char kNames[] =\n"
      << strings.str() << "    ;\n\nconst EntryName kEntryNames[] = {\n"
      << names.str() << "    {" << offset << ", " << count
      << "},\n};\n\nconst EntryPoint kEntryPoints[] = {\n"
      << entries.str() << "};\n";
  return out.str();
}

}  // namespace torchada
