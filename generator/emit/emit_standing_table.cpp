// standing_table.cpp: the standing of every export, for programs that ask at run time.
#include <algorithm>
#include <map>
#include <sstream>

#include "generator/emit/emit.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

// Bit N: CUDA `oldest` + N. The type of StandingEntry::majors has 16 bits.
unsigned bits_of(const std::set<int>& majors, int oldest) {
  unsigned out = 0;
  for (const int major : majors) out |= 1U << (major - oldest);
  return out;
}

}  // namespace

std::string emit_standing_table(const Tables& tables, const std::vector<LibraryPlan>& plans) {
  const int oldest = *tables.registry.majors().begin();
  std::map<std::string, std::map<unsigned, Standing>> standings;  // By name and majors.
  std::ostringstream sonames;
  for (const LibraryPlan& plan : plans) {
    const unsigned majors = bits_of(plan.output->majors, oldest);
    sonames << "    {" << c_string(plan.output->soname) << ", " << majors << "},\n";
    for (const PlannedExport& item : plan.exports) {
      standings[item.symbol->name][majors] = item.standing;
    }
  }
  std::ostringstream names;
  std::ostringstream entries;
  std::size_t offset = 0;
  std::size_t count = 0;
  for (const auto& [name, by_majors] : standings) {
    names << "    " << c_string(name) << " \"\\0\"\n";
    for (const auto& [majors, standing] : by_majors) {
      entries << "    {" << offset << ", " << majors << ", Standing{" << static_cast<int>(standing)
              << "}},\n";
      ++count;
    }
    offset += name.size() + 1;
  }
  return "// Emitted by torchada-gen from mappings/. Do not edit.\n"
         "#include \"src/api/standing_table.h\"\n\nnamespace "
         "torchada {\n\n"
         "const char torchada_standing_names[] =\n" +
         names.str() + "    ;\n\nconst StandingEntry torchada_standings[] = {\n" + entries.str() +
         "};\n\nconst SonameMajors torchada_soname_majors[] = {\n" + sonames.str() +
         "    {nullptr, 0},\n};\n\nconst int torchada_oldest_major = " + std::to_string(oldest) +
         ";\n\nconst uint32_t torchada_standing_count = " + std::to_string(count) +
         ";\n\n}  // namespace torchada\n";
}

}  // namespace torchada
