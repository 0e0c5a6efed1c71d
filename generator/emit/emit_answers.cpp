// LABEL/answers.cpp: functions that give the answers recorded from the real library.
#include <algorithm>
#include <set>
#include <sstream>

#include "generator/emit/emit.h"
#include "generator/tables/yaml_source.h"

namespace torchada {
namespace {

// The newest release's answers come first; older releases add codes that it no longer has.
void emit_text(const std::vector<RecordedString>& records, const Output& output,
               const std::string& name, std::ostringstream* out) {
  *out << "extern \"C\" TORCHADA_HIDDEN const char* torchada_adapter_" << name
       << "(int code) {\n  switch (code) {\n";
  std::set<std::int64_t> cases;
  std::string other;
  for (auto release = output.releases.rbegin(); release != output.releases.rend(); ++release) {
    for (const RecordedString& record : records) {
      if (!contains(record.releases, *release)) continue;
      if (!record.code) {
        if (other.empty()) other = record.text;
      } else if (cases.insert(*record.code).second) {
        *out << "    case " << *record.code << ":\n      return " << c_string(record.text) << ";\n";
      }
    }
  }
  *out << "    default:\n      return " << c_string(other) << ";\n  }\n}\n\n";
}

void emit_version(const RecordedNumbers& record, const Prototype& prototype, std::int64_t invalid,
                  const std::string& name, std::ostringstream* out) {
  *out << "extern \"C\" TORCHADA_HIDDEN ";
  const std::string head = "torchada_adapter_" + name;
  const std::string check =
      "  if (!value) return torchada::fail(" + std::to_string(invalid) + ");\n";
  if (prototype.parameters.empty()) {
    *out << "size_t " << head << "() { return " << record.values[0] << "; }\n\n";
  } else if (record.values.size() == 3) {
    *out << "int " << head << "(unsigned property, int* value) {\n"
         << "  const int values[] = {" << record.values[0] << ", " << record.values[1] << ", "
         << record.values[2] << "};\n"
         << "  if (property > 2) return torchada::fail(" << invalid << ");\n"
         << check << "  *value = values[property];\n  return 0;\n}\n\n";
  } else {
    *out << "int " << head
         << (prototype.parameters.size() == 2 ? "(void*, int* value)" : "(int* value)") << " {\n"
         << check << "  *value = " << record.values[0] << ";\n  return 0;\n}\n\n";
  }
}

}  // namespace

const RecordedNumbers* newest_version(const Tables& tables, const std::string& symbol,
                                      const Output& output) {
  const auto found = tables.answers.versions.find(symbol);
  if (found == tables.answers.versions.end()) return nullptr;
  const RecordedNumbers* newest = nullptr;
  for (const std::string& release : output.releases) {
    for (const RecordedNumbers& record : found->second) {
      if (contains(record.releases, release)) newest = &record;
    }
  }
  return newest;
}

std::string emit_answers(const Tables& tables, const LibraryPlan& plan) {
  const Output& output = *plan.output;
  std::ostringstream out;
  out << "// Answers of " << output.soname
      << " that need no device, as recorded from the real library. Emitted by torchada-gen; do not "
         "edit.\n#include <stddef.h>\n\n#include \"stubs/fallback.h\"\n\n";
  const ForwardLibrary& forward = *plan.forward;
  for (const PlannedSlot& slot : plan.slots) {
    const CudaSymbol* symbol = slot.symbol;
    const ForwardRow* row = slot.row;
    if (!row || row->decision != RowDecision::kRecorded) continue;
    const auto text = tables.answers.strings.find(symbol->name);
    if (text != tables.answers.strings.end()) {
      emit_text(text->second, output, symbol->name, &out);
      continue;
    }
    const RecordedNumbers* record = newest_version(tables, symbol->name, output);
    if (!record || !slot.prototype) {
      throw TableError(row->place,
                       symbol->name + " in " + output.soname +
                           ": no recorded answer of the real library; run torchada-gen record");
    }
    const std::int64_t invalid =
        cuda_enumerator_value(tables, forward.status.type, forward.status.invalid, row->place);
    emit_version(*record, *slot.prototype, invalid, symbol->name, &out);
  }
  return out.str();
}

}  // namespace torchada
