// LABEL/answers.cpp: functions that give the answers recorded from the real library.
#include <algorithm>
#include <set>
#include <sstream>

#include "generator/emit/emit.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

// Emits a function from numbers to texts.
class TextFunction {
 public:
  TextFunction(const std::string& name, std::ostringstream* out) : out_(*out) {
    out_ << "extern \"C\" TORCHADA_HIDDEN const char* " << name
         << "(int code) {\n  switch (code) {\n";
  }

  // The first text of a number counts.
  void add(std::int64_t code, const std::string& text) {
    if (!cases_.insert(code).second) return;
    out_ << "    case " << code << ":\n      return " << c_string(text) << ";\n";
  }

  void finish(const std::string& other) {
    out_ << "    default:\n      return " << other << ";\n  }\n}\n\n";
  }

 private:
  std::ostringstream& out_;
  std::set<std::int64_t> cases_;
};

// The newest release's answers come first; older releases add codes that it no longer has. Returns
// the text for other codes.
std::string add_records(const std::vector<RecordedString>& records, const Output& output,
                        TextFunction* function) {
  std::string other;
  for (auto release = output.releases.rbegin(); release != output.releases.rend(); ++release) {
    for (const RecordedString& record : records) {
      if (!contains(record.releases, *release)) continue;
      if (!record.code) {
        if (other.empty()) other = record.text;
      } else {
        function->add(*record.code, record.text);
      }
    }
  }
  return other;
}

// For an adapter written by hand: null for other codes.
void emit_row_texts(const Tables& tables, const Output& output, const std::string& symbol,
                    const ForwardRow& row, std::ostringstream* out) {
  TextFunction function("torchada_text_" + symbol, out);
  const auto recorded = tables.answers.strings.find(row.texts);
  const TypeFact* const fact = fact_in(tables, row.texts, output);
  if (recorded != tables.answers.strings.end()) {
    add_records(recorded->second, output, &function);
  } else if (fact && fact->kind == TypeKind::kEnum) {
    for (const EnumValue& value : fact->enumeration.values) function.add(value.value, value.name);
  } else {
    throw TableError(row.place, symbol + ": 'texts' names '" + row.texts +
                                    "': expected an enumeration, or a function whose texts "
                                    "torchada-gen record wrote");
  }
  function.finish("nullptr");
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
         "edit.\n#include <stddef.h>\n\n#include \"stubs/reporting/fallback.h\"\n\n";
  const ForwardLibrary& forward = *plan.forward;
  for (const PlannedSlot& slot : plan.slots) {
    const CudaSymbol* symbol = slot.symbol;
    const ForwardRow* row = slot.row;
    if (row && !row->texts.empty()) emit_row_texts(tables, output, symbol->name, *row, &out);
    if (!row || row->decision != RowDecision::kRecorded) continue;
    const auto text = tables.answers.strings.find(symbol->name);
    if (text != tables.answers.strings.end()) {
      TextFunction function("torchada_adapter_" + symbol->name, &out);
      function.finish(c_string(add_records(text->second, output, &function)));
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
