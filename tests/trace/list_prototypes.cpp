// trace_prototypes MAPPINGS: what every export takes and returns, for prototype_test. Types are as
// spelled in the tables, independent of what generator/emit_prototypes.cpp makes of them.
//     function LABEL SONAME NAME KIND SIZE TYPE         what it returns
//     parameter NAME KIND SIZE CONST POINTEE SIZE TYPE  name "-" for none; CONST: of what it points
//     at enum LABEL TYPE NUMBER NAME
#include <iostream>
#include <map>
#include <set>

#include "generator/decide/compare.h"
#include "generator/tables/tables.h"
#include "tests/recording/listing.h"

namespace {

using namespace torchada;

struct Shape {
  std::string kind;  // void signed unsigned character floating enum pointer callback struct opaque
  int size = 0;      // Bytes.
};

class Listing {
 public:
  explicit Listing(const Tables& tables) : tables_(tables) {}

  void list() {
    for (const Output& output : list_outputs(tables_)) {
      output_ = &output;
      enums_.clear();
      for (const CudaSymbol* symbol : exports_of(tables_, output)) {
        const Prototype* prototype = prototype_in(*symbol, output);
        if (prototype) list(*symbol, *prototype);
      }
    }
  }

 private:
  void list(const CudaSymbol& symbol, const Prototype& prototype) {
    const Shape returned = shape(prototype.returns);
    std::cout << "function " << output_->label() << ' ' << output_->soname << ' ' << symbol.name
              << ' ' << returned.kind << ' ' << returned.size << ' ' << base_type(prototype.returns)
              << '\n';
    for (const Parameter& parameter : prototype.parameters) {
      const Shape passed = shape(parameter.type);
      const std::string behind = pointee(parameter.type);
      const Shape pointed = behind.empty() ? Shape{"opaque"} : shape(behind);
      const bool is_const = ends_with_const(behind) || (behind.rfind("const ", 0) == 0 &&
                                                        behind.find('*') == std::string::npos);
      std::cout << "parameter " << (parameter.name.empty() ? "-" : parameter.name) << ' '
                << passed.kind << ' ' << passed.size << ' ' << is_const << ' ' << pointed.kind
                << ' ' << pointed.size << ' ' << base_type(parameter.type) << '\n';
    }
  }

  static bool ends_with_const(const std::string& spelled) {
    return spelled.size() > 5 && spelled.compare(spelled.size() - 5, 5, "const") == 0;
  }

  // "const void *const *" -> "const void *const"; empty if the spelling is not a pointer.
  static std::string pointee(const std::string& spelled) {
    const std::size_t star = spelled.rfind('*');
    if (star == std::string::npos) return "";
    std::size_t end = star;
    while (end > 0 && spelled[end - 1] == ' ') --end;
    return spelled.substr(0, end);
  }

  Shape shape(const std::string& spelled) {
    static const std::map<std::string, Shape> kTypes = {{"void", {"void", 0}},
                                                        {"char", {"character", 1}},
                                                        {"float", {"floating", 4}},
                                                        {"double", {"floating", 8}},
                                                        {"int", {"signed", 4}},
                                                        {"unsigned int", {"unsigned", 4}},
                                                        {"long", {"signed", 8}},
                                                        {"long long", {"signed", 8}},
                                                        {"size_t", {"unsigned", 8}},
                                                        {"unsigned long long", {"unsigned", 8}},
                                                        {"int8_t", {"signed", 1}},
                                                        {"uint8_t", {"unsigned", 1}},
                                                        {"int16_t", {"signed", 2}},
                                                        {"uint16_t", {"unsigned", 2}},
                                                        {"int32_t", {"signed", 4}},
                                                        {"uint32_t", {"unsigned", 4}},
                                                        {"int64_t", {"signed", 8}},
                                                        {"uint64_t", {"unsigned", 8}},
                                                        {"unsigned char", {"unsigned", 1}},
                                                        {"unsigned short", {"unsigned", 2}},
                                                        {"unsigned long", {"unsigned", 8}},
                                                        {"FILE", {"opaque", 0}}};
    if (spelled.find("(*)") != std::string::npos) return {"callback", 8};
    if (spelled.find('*') != std::string::npos) return {"pointer", 8};
    if (spelled.find('[') != std::string::npos) return {"opaque", 0};
    const std::string base = base_type(spelled);
    const auto plain = kTypes.find(base);
    if (plain != kTypes.end()) return plain->second;
    const CudaType* type = tables_.cuda_type(base);
    const TypeFact* fact = type ? fact_in(*type, *output_) : nullptr;
    if (!fact) return {"opaque", 0};
    switch (fact->kind) {
      case TypeKind::kScalar:
        return shape(fact->underlying);
      case TypeKind::kHandle:
        return {"pointer", 8};
      case TypeKind::kCallback:
        return {"callback", 8};
      case TypeKind::kStruct:
        return {fact->structure.size == 0 ? "opaque" : "struct",
                static_cast<int>(fact->structure.size)};
      case TypeKind::kEnum:
        break;
    }
    enumerators(base, fact->enumeration);
    return {"enum", 4};
  }

  void enumerators(const std::string& type, const EnumLayout& layout) {
    if (!enums_.insert(type).second) return;
    for (const EnumValue& value : layout.values) {
      std::cout << "enum " << output_->label() << ' ' << type << ' ' << value.value << ' '
                << value.name << '\n';
    }
  }

  const Tables& tables_;
  const Output* output_ = nullptr;
  std::set<std::string> enums_;
};

}  // namespace

int main(int argc, char** argv) {
  return list_tables(argc, argv, [](const Tables& tables) { Listing(tables).list(); });
}
