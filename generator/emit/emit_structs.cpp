#include "generator/emit/emit_structs.h"

#include <sstream>

namespace torchada {
namespace {

void copy(std::ostringstream* out, std::int64_t to, std::int64_t from, const FieldCopy& field) {
  *out << "  memcpy(to + " << to << ", from + " << from << ", " << field.bytes << ");  // "
       << field.name << "\n";
}

}  // namespace

std::string struct_local(const StructConversion& conversion, const std::string& name) {
  return "  alignas(16) unsigned char " + name + "[" + std::to_string(conversion.musa_size) +
         " + kRoomForMore] = {};\n";
}

std::string struct_in_body(const StructConversion& conversion,
                           const std::vector<std::string>& converters, std::int64_t refused) {
  std::ostringstream out;
  out << "// " << conversion.cuda_type << " to " << conversion.musa_type << "\n"
      << "inline int @(unsigned char* to, const unsigned char* from, "
      << "[[maybe_unused]] unsigned row) {\n";
  int row = 0;
  for (const FieldCopy& field : conversion.missing) {
    out << "  for (int i = 0; i < " << field.bytes << "; ++i) {  // " << field.name
        << ", which MUSA lacks\n    if (from[" << field.cuda_offset
        << " + i] != 0) return refuse_member(row + " << row++ << ", " << refused << ");\n  }\n";
  }
  for (std::size_t i = 0; i < conversion.fields.size(); ++i) {
    const FieldCopy& field = conversion.fields[i];
    if (!field.converts) {
      copy(&out, field.musa_offset, field.cuda_offset, field);
      continue;
    }
    out << "  {  // " << field.name << "\n    int value = 0, converted = 0;\n"
        << "    memcpy(&value, from + " << field.cuda_offset
        << ", 4);\n    if (const int status = " << converters[i]
        << "(value, &converted)) return refuse_listed(row + " << row++
        << ", value, status);\n    memcpy(to + " << field.musa_offset << ", &converted, 4);\n  }\n";
  }
  out << "  return 0;\n}\n";
  return out.str();
}

std::string struct_out_body(const StructConversion& conversion,
                            const std::vector<std::string>& converters) {
  std::ostringstream out;
  out << "// " << conversion.musa_type << " to " << conversion.cuda_type << "\n"
      << "inline void @(unsigned char* to, const unsigned char* from) {\n"
      << "  memset(to, 0, " << conversion.cuda_size << ");\n";
  for (std::size_t i = 0; i < conversion.fields.size(); ++i) {
    const FieldCopy& field = conversion.fields[i];
    if (!field.converts) {
      copy(&out, field.cuda_offset, field.musa_offset, field);
      continue;
    }
    out << "  {  // " << field.name << "\n    int value = 0;\n    memcpy(&value, from + "
        << field.musa_offset << ", 4);\n    value = " << converters[i]
        << "(value);\n    memcpy(to + " << field.cuda_offset << ", &value, 4);\n  }\n";
  }
  out << "}\n";
  return out.str();
}

}  // namespace torchada
