// prototypes.cpp: the parameters and results of every export, for the companion (src/companion).
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>

#include "generator/decide/compare.h"
#include "generator/emit/emit.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

struct CType {
  const char* kind;
  int size;  // Bytes.
};

// The arithmetic types of C; null for others.
const CType* c_type(const std::string& base) {
  static const std::map<std::string, CType> kTypes = {{"bool", {"kUnsigned", 1}},
                                                      {"_Bool", {"kUnsigned", 1}},
                                                      {"char", {"kCharacter", 1}},
                                                      {"signed char", {"kSigned", 1}},
                                                      {"unsigned char", {"kUnsigned", 1}},
                                                      {"short", {"kSigned", 2}},
                                                      {"unsigned short", {"kUnsigned", 2}},
                                                      {"int", {"kSigned", 4}},
                                                      {"unsigned int", {"kUnsigned", 4}},
                                                      {"long", {"kSigned", 8}},
                                                      {"unsigned long", {"kUnsigned", 8}},
                                                      {"long long", {"kSigned", 8}},
                                                      {"float", {"kFloating", 4}},
                                                      {"unsigned long long", {"kUnsigned", 8}},
                                                      {"double", {"kFloating", 8}},
                                                      {"size_t", {"kUnsigned", 8}},
                                                      {"int8_t", {"kSigned", 1}},
                                                      {"uint8_t", {"kUnsigned", 1}},
                                                      {"int16_t", {"kSigned", 2}},
                                                      {"uint16_t", {"kUnsigned", 2}},
                                                      {"int32_t", {"kSigned", 4}},
                                                      {"uint32_t", {"kUnsigned", 4}},
                                                      {"int64_t", {"kSigned", 8}},
                                                      {"uint64_t", {"kUnsigned", 8}},
                                                      {"intptr_t", {"kSigned", 8}},
                                                      {"uintptr_t", {"kUnsigned", 8}},
                                                      {"ptrdiff_t", {"kSigned", 8}},
                                                      {"void", {"kVoid", 0}},
                                                      {"FILE", {"kOpaque", 0}}};
  const auto found = kTypes.find(base);
  return found == kTypes.end() ? nullptr : &found->second;
}

bool take_suffix(std::string* text, const std::string& suffix) {
  if (text->size() < suffix.size() ||
      text->compare(text->size() - suffix.size(), suffix.size(), suffix) != 0) {
    return false;
  }
  text->resize(text->size() - suffix.size());
  while (!text->empty() && text->back() == ' ') text->pop_back();
  return true;
}

class PrototypeTables {
 public:
  explicit PrototypeTables(const Tables& tables) : tables_(tables) { text(""); }

  void add(const Output& output) {
    output_ = &output;
    reach_.clear();
    const std::size_t first = function_count_;
    for (const CudaSymbol* symbol : exports_of(tables_, output)) {
      const Prototype* prototype = prototype_in(*symbol, output);
      if (!prototype) continue;
      const std::size_t returns = type(prototype->returns);
      const auto [members, count] = parameters(*prototype);
      functions_ << "    {" << text(symbol->name) << ", " << returns << ", " << members << ", "
                 << count << "},  // " << symbol->name << "\n";
      ++function_count_;
    }
    libraries_ << "    {" << text(output.soname) << ", " << first << ", " << function_count_ - first
               << "},  // " << output.soname << "\n";
    ++library_count_;
  }

  std::string emitted() const {
    std::ostringstream types;
    for (const std::string& each : types_) types << "    " << each << "\n";
    return "// Emitted by torchada-gen from mappings/. Do not edit.\n"
           "#include \"src/companion/prototypes.h\"\n\nnamespace torchada {\n\n"
           "const char prototype_strings[] =\n" +
           strings_.str() + "    ;\n\nconst ValueType prototype_types[] = {\n" + types.str() +
           "};\n\nconst Enumerator prototype_enumerators[] = {\n" + enumerators_.str() +
           "};\n\nconst Member prototype_members[] = {\n" + members_.str() +
           "};\n\nconst FunctionPrototype prototype_functions[] = {\n" + functions_.str() +
           "};\n\nconst LibraryPrototypes prototype_libraries[] = {\n" + libraries_.str() +
           "};\n\nconst std::uint32_t prototype_library_count = " + std::to_string(library_count_) +
           ";\n\n}  // namespace torchada\n";
  }

 private:
  using Range = std::pair<std::size_t, std::size_t>;  // First and count.
  using Facts = std::set<const TypeFact*>;

  std::size_t text(const std::string& content) {
    const auto [at, is_new] = texts_.emplace(content, text_size_);
    if (is_new) {
      strings_ << "    " << c_string(content) << " \"\\0\"\n";
      text_size_ += content.size() + 1;
    }
    return at->second;
  }

  // Collects all facts that a type consists of. Outputs that use the same facts share one type.
  void gather(const std::string& spelled, Facts* facts) const {
    const std::string base = base_type(spelled);
    const TypeFact* fact = c_type(base) ? nullptr : fact_in(tables_, base, *output_);
    if (!fact || !facts->insert(fact).second) return;
    gather(fact->underlying, facts);
    for (const Field& field : fact->structure.fields) gather(field.type, facts);
    if (fact->kind != TypeKind::kCallback) return;
    gather(fact->callback.returns, facts);
    for (const Parameter& parameter : fact->callback.parameters) gather(parameter.type, facts);
  }

  const Facts& reach_of(const std::string& spelled) {
    const auto [at, is_new] = reach_.try_emplace(base_type(spelled));
    if (is_new) gather(spelled, &at->second);
    return at->second;
  }

  static std::string row(const std::string& kind, std::int64_t size, std::int64_t alignment,
                         std::size_t target = 0, Range range = {0, 0}, bool is_const = false) {
    return "{ValueKind::" + kind + ", " + (is_const ? "true" : "false") + ", " +
           std::to_string(alignment) + ", " + std::to_string(size) + ", " + std::to_string(target) +
           ", " + std::to_string(range.first) + ", " + std::to_string(range.second) + "},";
  }

  // Index of a type as spelled in a prototype or a struct.
  std::size_t type(const std::string& spelled) {
    const auto [at, is_new] = known_.emplace(std::pair{spelled, reach_of(spelled)}, types_.size());
    const std::size_t index = at->second;
    if (!is_new) return index;
    types_.emplace_back();  // Reserves the place for a struct that leads to itself.
    sizes_.emplace_back();
    types_[index] = describe(spelled, index) + "  // " + spelled;
    return index;
  }

  std::string sized(std::size_t index, const std::string& kind, std::int64_t size,
                    std::int64_t alignment, std::size_t target = 0, Range range = {0, 0},
                    bool is_const = false) {
    sizes_[index] = {size, alignment};
    return row(kind, size, alignment, target, range, is_const);
  }

  std::string describe(const std::string& spelled, std::size_t index) {
    if (spelled.find("(*)(") != std::string::npos) return describe_callback(spelled, index);
    std::string rest = spelled;
    const std::size_t bracket = rest.find('[');
    if (bracket != std::string::npos) {
      const std::int64_t count = std::stoll(rest.substr(bracket + 1));
      const std::size_t next = rest.find(']', bracket);
      const std::size_t element = type(rest.substr(0, bracket) + rest.substr(next + 1));
      const auto [size, alignment] = sizes_[element];
      return sized(index, "kArray", size * count, alignment, element,
                   {0, static_cast<std::size_t>(count)});
    }
    take_suffix(&rest, "const");
    if (take_suffix(&rest, "*")) {
      const bool is_const = take_suffix(&rest, "const") ||
                            (rest.rfind("const ", 0) == 0 && rest.find('*') == std::string::npos);
      return sized(index, "kPointer", 8, 8, type(rest), {0, 0}, is_const);
    }
    return describe_base(base_type(rest), index);
  }

  std::string describe_base(const std::string& base, std::size_t index) {
    if (const CType* plain = c_type(base)) {
      return sized(index, plain->kind, plain->size, std::max(plain->size, 1));
    }
    const TypeFact* fact = fact_in(tables_, base, *output_);
    if (!fact) return sized(index, "kOpaque", 0, 1);
    switch (fact->kind) {
      case TypeKind::kScalar:
        return describe(fact->underlying, index);
      case TypeKind::kHandle:
        return sized(index, "kHandle", 8, 8);
      case TypeKind::kEnum:
        return sized(index, "kEnum", 4, 4, 0, enumerators(fact->enumeration));
      case TypeKind::kCallback: {
        const std::size_t returns = type(fact->callback.returns);
        return sized(index, "kCallback", 8, 8, returns, parameters(fact->callback));
      }
      case TypeKind::kStruct:
        break;
    }
    const StructLayout& layout = fact->structure;
    if (layout.size == 0) return sized(index, "kOpaque", 0, 1);
    sizes_[index] = {layout.size, layout.align};
    std::vector<std::array<std::size_t, 3>> fields;
    for (const Field& field : layout.fields) {
      const bool is_bits = field.type.find(':') != std::string::npos;
      if (is_bits) throw TableError({base, 0}, "bit fields have no place in the prototype tables");
      fields.push_back(
          {text(field.name), type(field.type), static_cast<std::size_t>(field.offset)});
    }
    return sized(index, "kStruct", layout.size, layout.align, 0, members(fields));
  }

  // A pointer to a function without a typedef, as "int (*)(void *, void *)".
  std::string describe_callback(const std::string& spelled, std::size_t index) {
    const std::size_t star = spelled.find(" (*)(");
    const std::size_t begin = star + 5;
    std::istringstream list(spelled.substr(begin, spelled.rfind(')') - begin));
    std::vector<std::array<std::size_t, 3>> out;
    for (std::string each; std::getline(list, each, ',');) {
      const std::size_t start = each.find_first_not_of(' ');
      out.push_back({text(""), type(each.substr(start)), 0});
    }
    return sized(index, "kCallback", 8, 8, type(spelled.substr(0, star)), members(out));
  }

  Range parameters(const Prototype& prototype) {
    std::vector<std::array<std::size_t, 3>> out;
    for (const Parameter& parameter : prototype.parameters) {
      out.push_back({text(parameter.name), type(parameter.type), 0});
    }
    return members(out);
  }

  Range members(const std::vector<std::array<std::size_t, 3>>& list) {
    const auto [at, is_new] = lists_.emplace(list, member_count_);
    if (is_new) {
      for (const auto& [name, member, offset] : list) {
        members_ << "    {" << name << ", " << member << ", " << offset << "},\n";
      }
      member_count_ += list.size();
    }
    return {at->second, list.size()};
  }

  Range enumerators(const EnumLayout& layout) {
    std::map<std::int64_t, std::string> names;  // The first of several names for one number.
    for (const EnumValue& value : layout.values) names.emplace(value.value, value.name);
    const std::size_t first = enumerator_count_;
    for (const auto& [value, name] : names) {
      enumerators_ << "    {" << value << ", " << text(name) << "},  // " << name << "\n";
      ++enumerator_count_;
    }
    return {first, names.size()};
  }

  const Tables& tables_;
  const Output* output_ = nullptr;
  std::map<std::string, Facts> reach_;  // By type name, in this output.
  std::map<std::pair<std::string, Facts>, std::size_t> known_;
  std::vector<std::string> types_;
  std::vector<std::pair<std::int64_t, std::int64_t>> sizes_;  // Size and alignment, by type.
  std::map<std::string, std::size_t> texts_;
  std::map<std::vector<std::array<std::size_t, 3>>, std::size_t> lists_;
  std::size_t text_size_ = 0, function_count_ = 0, member_count_ = 0, enumerator_count_ = 0,
              library_count_ = 0;
  std::ostringstream strings_, enumerators_, members_, functions_, libraries_;
};

}  // namespace

std::string emit_prototypes(const Tables& tables) {
  PrototypeTables out(tables);
  for (const Output& output : list_outputs(tables)) out.add(output);
  return out.emitted();
}

}  // namespace torchada
