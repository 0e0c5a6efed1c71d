// declarations/cudaN.h: what a CUDA program of one major sees. For tests that call the libraries by
// CUDA's names on machines without the toolkit. And torchada_api.h: what host code beside kernels
// sees where there is none (src/host/kernels/include/cuda).
#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "generator/decide/compare.h"
#include "generator/emit/emit.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

// "int[3]" and "name" -> "int name[3]".
std::string declare(const std::string& type, const std::string& name) {
  const std::size_t suffix = std::min(type.find('['), type.find(':'));
  if (suffix == std::string::npos) return type + " " + name;
  return type.substr(0, suffix) + " " + name + type.substr(suffix);
}

// The members with the same text before the first dot, or one member without a dot.
struct Group {
  std::string name;
  std::vector<Field> members;  // Without the common part; one if the member is plain.
  std::int64_t offset = 0;
  bool is_plain = false;
};

// An array of unnamed structs is listed element by element: "sensor[0]", "sensor[1]". The first
// stands for all, as "sensor[2]".
std::vector<Group> join_elements(std::vector<Group> groups) {
  std::vector<Group> out;
  for (Group& group : groups) {
    const std::size_t bracket = group.is_plain ? std::string::npos : group.name.find('[');
    if (bracket == std::string::npos) {
      out.push_back(std::move(group));
      continue;
    }
    const std::string name = group.name.substr(0, bracket);
    const int index = std::stoi(group.name.substr(bracket + 1));
    if (index == 0) out.push_back(std::move(group));
    out.back().name = name + "[" + std::to_string(index + 1) + "]";
  }
  return out;
}

std::vector<Group> group_fields(const std::vector<Field>& fields) {
  std::vector<Group> groups;
  for (const Field& field : fields) {
    const std::size_t dot = field.name.find('.');
    Field rest = field;
    if (dot == std::string::npos) {
      groups.push_back({field.name, {rest}, field.offset, true});
      continue;
    }
    const std::string name = field.name.substr(0, dot);
    rest.name = field.name.substr(dot + 1);
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return group.name == name && !group.is_plain;
    });
    if (found == groups.end()) {
      groups.push_back({name, {rest}, field.offset, false});
    } else {
      found->members.push_back(rest);
      found->offset = std::min(found->offset, field.offset);
    }
  }
  return join_elements(groups);
}

class Declarations {
 public:
  Declarations(const Tables& tables, int abi) : tables_(tables), abi_(abi) {}

  std::string text() {
    const std::string out = text_of([](const CudaLibrary&) { return true; });
    return out + checks_.str();
  }

  // Runtime and driver. In C++ some functions have types and numbers of arguments of their own, or
  // are macros for others, so each is a template, too.
  std::string text_beside_kernels() {
    for (const char* ours : {"dim3", "uint3"}) known_.insert(ours), defined_.insert(ours);
    std::string out = text_of([](const CudaLibrary& library) {
      return library.name == "cudart" || library.name == "cuda";
    });
    for (const auto& [name, status] : statuses_) {
      out +=
          "template <typename... Types> " + status + " " + name + "(Types&&...) { return {}; }\n";
    }
    return out;
  }

 private:
  template <typename Wanted>
  std::string text_of(Wanted wanted) {
    std::ostringstream functions;
    for (const CudaLibrary& library : tables_.cuda) {
      const std::string release = newest_of(library);
      if (release.empty() || !wanted(library)) continue;
      functions << "\n// " << library.name << " " << release << "\n";
      for (const auto& [name, symbol] : library.symbols) {
        if (!contains(symbol.releases, release)) continue;
        for (const CudaSymbol::Variant& variant : symbol.prototypes) {
          if (contains(variant.releases, release)) functions << function(name, variant.prototype);
        }
      }
    }
    return enums_.str() + "\n" + forward_.str() + "\n" + names_.str() + "\n" + structs_.str() +
           "\nextern \"C\" {\n" + functions.str() + "\n}  // extern \"C\"\n";
  }

  std::string newest_of(const CudaLibrary& library) const {
    std::string newest;
    for (const CudaRelease& release : library.releases) {
      if (release.abi == abi_) newest = release.name;
    }
    return newest;
  }

  std::string function(const std::string& name, const Prototype& prototype) {
    need(prototype.returns);
    if (prototype.returns == "cudaError_t" || prototype.returns == "CUresult") {
      statuses_[name] = prototype.returns;
    }
    return prototype.returns + " " + name + "(" + parameters(prototype) + ");\n";
  }

  std::string parameters(const Prototype& prototype) {
    std::string out;
    for (const Parameter& parameter : prototype.parameters) {
      need(parameter.type);
      if (!out.empty()) out += ", ";
      out += declare(parameter.type, "");
    }
    return out;
  }

  // Declares the type in a spelling and defines it, because a caller that passes a pointer to it
  // needs the definition.
  void need(const std::string& spelled) {
    // A pointer to a function is written out, with C's own types.
    if (spelled.find("(*)") != std::string::npos) return;
    std::string base = base_type(spelled);
    base.resize(std::min({base.size(), base.find('['), base.find(':')}));
    if (is_c_type(base)) return;
    const TypeFact* fact = fact_of(base);
    if (fact == nullptr) {
      // NVIDIA's headers only name it, so it is never completed.
      if (known_.insert(base).second) forward_ << "struct " << base << ";\n";
      return;
    }
    if (known_.insert(base).second) introduce(base, *fact);
    if (fact->kind == TypeKind::kStruct && fact->structure.size > 0) define(base, *fact);
  }

  const TypeFact* fact_of(const std::string& name) const {
    for (const CudaLibrary& library : tables_.cuda) {
      const auto type = library.types.find(name);
      if (type == library.types.end()) continue;
      const std::string release = newest_of(library);
      for (const CudaType::Variant& variant : type->second.variants) {
        if (contains(variant.releases, release)) return &variant.fact;
      }
    }
    return nullptr;
  }

  void introduce(const std::string& name, const TypeFact& fact) {
    switch (fact.kind) {
      case TypeKind::kEnum:
        enumeration(name, fact.enumeration);
        break;
      case TypeKind::kScalar:
        need(fact.underlying);
        names_ << "typedef " << declare(fact.underlying, name) << ";\n";
        break;
      case TypeKind::kHandle: {
        const std::string target = base_type(fact.underlying);
        const bool incomplete = !is_c_type(target) && fact_of(target) == nullptr;
        if (incomplete && known_.insert(target).second) forward_ << "struct " << target << ";\n";
        if (!incomplete) need(fact.underlying);
        names_ << "typedef " << fact.underlying << " " << name << ";\n";
        break;
      }
      case TypeKind::kCallback: {
        const std::string list = parameters(fact.callback);
        need(fact.callback.returns);
        names_ << "typedef " << fact.callback.returns << " (*" << name << ")(" << list << ");\n";
        break;
      }
      case TypeKind::kStruct:
        forward_ << (fact.structure.is_union ? "union " : "struct ") << name << ";\n";
        break;
    }
  }

  void enumeration(const std::string& name, const EnumLayout& layout) {
    std::int64_t largest = 0;
    for (const EnumValue& value : layout.values) largest = std::max(largest, value.value);
    // A fixed underlying type, so that a test may pass any number.
    const bool is_wide = largest > 0x7fffffff;
    enums_ << "enum " << name << " : " << (is_wide ? "unsigned int" : "int") << " {\n";
    for (const EnumValue& value : layout.values) {
      if (enumerators_.insert(value.name).second) {
        enums_ << "  " << value.name << " = " << value.value << (is_wide ? "U" : "") << ",\n";
      }
    }
    enums_ << "};\n";
  }

  void define(const std::string& name, const TypeFact& fact) {
    if (!defined_.insert(name).second) return;
    const StructLayout& layout = fact.structure;
    for (const Field& field : layout.fields) need(field.type);
    structs_ << (layout.is_union ? "union " : "struct ")
             << (layout.align > 0 ? "alignas(" + std::to_string(layout.align) + ") " : "") << name
             << " {\n";
    body(layout.fields, 0, layout.size, layout.is_union);
    structs_ << "};\n";
    checks_ << "static_assert(sizeof(" << name << ") == " << layout.size << ");\n";
    for (const Field& field : layout.fields) {
      if (field.type.find(':') != std::string::npos) continue;
      checks_ << "static_assert(offsetof(" << name << ", " << field.name << ") == " << field.offset
              << ");\n";
    }
  }

  // Members that follow one another are written that way, which keeps how they are passed by value.
  // Overlapping members each get an unnamed struct, padded at the front up to their offset.
  void body(const std::vector<Field>& fields, std::int64_t base, std::int64_t size, bool is_union) {
    const std::vector<Group> groups = group_fields(fields);
    bool overlap = false;
    for (std::size_t i = 1; i < groups.size(); ++i) {
      const bool bits = groups[i].members.front().type.find(':') != std::string::npos;
      overlap = overlap || (groups[i].offset <= groups[i - 1].offset && !bits);
    }
    if (overlap && !is_union) structs_ << "union {\n";
    for (const Group& group : groups) {
      const bool padded = overlap && group.offset > base;
      if (padded) {
        structs_ << "struct { char torchada_pad" << pad_count_++ << "[" << group.offset - base
                 << "]; ";
      }
      if (group.is_plain) {
        structs_ << "  " << declare(group.members.front().type, group.name) << ";";
      } else {
        structs_ << "  struct {\n";
        body(group.members, group.offset, 0, false);
        structs_ << "} " << group.name << ";";
      }
      structs_ << (padded ? " };\n" : "\n");
    }
    if (overlap && size > 0) {
      structs_ << "  char torchada_pad" << pad_count_++ << "[" << size << "];\n";
    }
    if (overlap && !is_union) structs_ << "};\n";
  }

  const Tables& tables_;
  const int abi_;
  std::set<std::string> known_;
  std::set<std::string> defined_;
  std::set<std::string> enumerators_;
  std::map<std::string, std::string> statuses_;  // functions that return a status
  int pad_count_ = 0;
  std::ostringstream enums_;
  std::ostringstream forward_;
  std::ostringstream names_;
  std::ostringstream structs_;
  std::ostringstream checks_;
};

}  // namespace

namespace {

std::string head(int abi) {
  return "// What programs of CUDA " + std::to_string(abi) +
         " call, emitted by torchada-gen from mappings/. Do not edit.\n"
         "#pragma once\n#pragma GCC system_header\n\n#include <stddef.h>\n#include "
         "<stdint.h>\n#include <stdio.h>\n\n";
}

}  // namespace

std::string emit_declarations(const Tables& tables, int abi) {
  return head(abi) + Declarations(tables, abi).text();
}

std::string emit_api_beside_kernels(const Tables& tables) {
  constexpr int kMajor = 12;
  return head(kMajor) + Declarations(tables, kMajor).text_beside_kernels();
}

}  // namespace torchada
