#include "generator/tables/table_parts.h"

namespace torchada {

Prototype read_prototype(const YamlNode& node) {
  Prototype out;
  out.returns = node.required("returns").text();
  for (const YamlNode& item : node.required("parameters").items()) {
    const std::vector<std::string> words = item.texts();
    if (words.empty() || words.size() > 2) item.fail("expected [type, name]");
    out.parameters.push_back({words[0], words.size() == 2 ? words[1] : ""});
  }
  return out;
}

std::vector<Field> read_fields(const YamlNode& node) {
  std::vector<Field> out;
  for (const YamlNode& item : node.items()) {
    const std::vector<YamlNode> words = item.items();
    if (words.size() != 3) item.fail("expected [name, type, offset]");
    out.push_back({words[0].text(), words[1].text(), words[2].integer()});
  }
  return out;
}

TypeKind read_type_kind(const YamlNode& node, bool* is_union) {
  const std::string kind = node.text();
  *is_union = kind == "union";
  if (kind == "scalar") return TypeKind::kScalar;
  if (kind == "handle") return TypeKind::kHandle;
  if (kind == "enum") return TypeKind::kEnum;
  if (kind == "struct" || kind == "union") return TypeKind::kStruct;
  // cppcheck 2.10 does not see that fail() does not return.
  // cppcheck-suppress missingReturn
  if (kind == "callback") return TypeKind::kCallback;
  node.fail("unknown kind of type '" + kind +
            "'; expected scalar, handle, enum, struct, union or callback");
}

}  // namespace torchada
