// Part of facts.h: the library's own statuses, and MUSA's statuses by CUDA's numbers, for
// hand-written adapters.
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "generator/decide/adaptation.h"
#include "generator/emit/emit.h"

namespace torchada {

std::string emit_statuses(const Tables& tables, const Output& output) {
  const ForwardLibrary& forward = tables.forward[output.library];
  const StatusNames& names = forward.status;
  if (names.failed.empty()) return "";
  const StatusNames& theirs = forward.backend_status;
  const auto constant = [&](const char* name, const std::string& enumerator) {
    return std::string("inline constexpr int ") + name + " = " +
           std::to_string(
               cuda_enumerator_value(tables, names.type, enumerator, {forward.file, 0})) +
           ";  // " + enumerator + "\n";
  };
  std::ostringstream out;
  out << constant("kInvalid", names.invalid) << constant("kUnsupported", names.unsupported)
      << constant("kNoBackend", names.no_backend) << constant("kFailed", names.failed)
      << "\n// The name of a status with which MUSA says that it cannot do what it was asked for;\n"
      << "// null for others.\n"
      << "inline const char* unsupported_name(int value) {\n  switch (value) {\n";
  const Comparer comparer(tables);
  const EnumConversion conversion = converted_statuses(convert_enumeration(
      tables, comparer, output, names.type, forward.backend_status.type, Direction::kOut));
  const auto is_converted = [&](std::int64_t number) {
    return std::any_of(conversion.cases.begin(), conversion.cases.end(),
                       [&](const EnumCase& item) { return item.from == number; });
  };
  std::vector<std::string> unsupported = theirs.also_unsupported;
  unsupported.insert(unsupported.begin(), theirs.unsupported);
  for (const std::string& name : unsupported) {
    const std::int64_t number = musa_enumerator_value(tables, theirs.type, name, {forward.file, 0});
    if (!is_converted(number)) continue;
    out << "    case " << number << ":\n      return " << c_string(name) << ";\n";
  }
  out << "    default:\n      return nullptr;\n  }\n}\n\n// A status of MUSA's by CUDA's number.\n"
      << "inline int status_to_cuda(int value) {\n  switch (value) {\n";
  for (const EnumCase& item : conversion.cases) {
    out << "    case " << item.from << ":  // " << item.name << "\n      return " << item.to
        << ";\n";
  }
  out << "    default:\n      return kFailed;\n  }\n}\n\n"
      << "// Whether it is known what MUSA means by a status.\n"
      << "inline bool is_documented(int value) {\n  switch (value) {\n";
  for (const EnumCase& item : conversion.cases) out << "    case " << item.from << ":\n";
  out << "      return true;\n    default:\n      return false;\n  }\n}\n\n";
  return out.str();
}

}  // namespace torchada
