#include "tests/mutation/table_cells.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "generator/extract/assemble_cuda.h"
#include "generator/extract/compare_cuda.h"
#include "generator/extract/extract_cuda.h"
#include "generator/extract/extract_musa.h"
#include "generator/tables/musa_tables.h"

namespace mutation {
namespace {

using namespace torchada;

// A number in a fact: its name, and how to reach it in a copy of the fact.
template <typename Fact>
struct Number {
  std::string member;
  std::function<std::int64_t&(Fact&)> in;
};

template <typename Fact>
void add_structure(const StructLayout& layout, std::vector<Number<Fact>>* out,
                   const std::function<StructLayout&(Fact&)>& structure) {
  out->push_back({"size", [=](Fact& fact) -> std::int64_t& { return structure(fact).size; }});
  out->push_back({"alignment", [=](Fact& fact) -> std::int64_t& { return structure(fact).align; }});
  for (std::size_t i = 0; i < layout.fields.size(); ++i) {
    out->push_back({layout.fields[i].name,
                    [=](Fact& fact) -> std::int64_t& { return structure(fact).fields[i].offset; }});
  }
}

std::vector<Number<TypeFact>> numbers_of(const TypeFact& fact) {
  std::vector<Number<TypeFact>> out;
  if (fact.kind == TypeKind::kEnum) {
    for (std::size_t i = 0; i < fact.enumeration.values.size(); ++i) {
      out.push_back({fact.enumeration.values[i].name, [i](TypeFact& copy) -> std::int64_t& {
                       return copy.enumeration.values[i].value;
                     }});
    }
  }
  if (fact.kind == TypeKind::kStruct && fact.structure.size != 0) {
    add_structure<TypeFact>(fact.structure, &out,
                            [](TypeFact& copy) -> StructLayout& { return copy.structure; });
  }
  return out;
}

std::vector<Number<MusaType>> numbers_of(const MusaType& type) {
  std::vector<Number<MusaType>> out;
  for (std::size_t i = 0; i < type.values.size(); ++i) {
    if (!type.values[i].known) continue;
    out.push_back({type.values[i].name,
                   [i](MusaType& copy) -> std::int64_t& { return copy.values[i].value; }});
  }
  if (type.kind == TypeKind::kStruct && type.fact.structure.size != 0) {
    add_structure<MusaType>(type.fact.structure, &out,
                            [](MusaType& copy) -> StructLayout& { return copy.fact.structure; });
  }
  return out;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

// ------------------------------------------------------------------------------------------ CUDA

struct CudaFacts {
  std::vector<CudaLibrary> tables;
  std::vector<CudaLibrary> extracted;
};

// A library with only one of its types, so that comparing it is quick.
CudaLibrary reduced(const CudaLibrary& library, const std::string& type) {
  CudaLibrary out;
  out.name = library.name;
  out.file = library.file;
  out.releases = library.releases;
  const auto found = library.types.find(type);
  if (found != library.types.end()) out.types.insert(*found);
  return out;
}

bool concerns(const CudaLibrary& extracted, const std::vector<std::string>& releases) {
  return std::any_of(releases.begin(), releases.end(), [&](const std::string& name) {
    return std::any_of(extracted.releases.begin(), extracted.releases.end(),
                       [&](const CudaRelease& release) { return release.name == name; });
  });
}

bool cuda_cell_is_dead(const CudaFacts& facts, std::size_t library, const std::string& type,
                       std::size_t variant, const Number<TypeFact>& number) {
  CudaLibrary table = reduced(facts.tables[library], type);
  const CudaLibrary extracted = reduced(facts.extracted[library], type);
  if (!compare_cuda(table, extracted).empty()) {
    throw std::runtime_error(type + ": the table is wrong before anything was changed");
  }
  ++number.in(table.types.at(type).variants[variant].fact);
  return !compare_cuda(table, extracted).empty();
}

// ------------------------------------------------------------------------------------------ MUSA

struct Tree {
  int version = 0;
  std::vector<MusaLibrary> libraries;
};

struct MusaTables {
  std::vector<MusaLibrary> tables;
  std::vector<Tree> trees;
};

std::vector<std::string> compare_type(const MusaLibrary& table, const std::string& type,
                                      const std::vector<MusaType>& variants, const Tree& tree) {
  MusaLibrary part;
  part.name = table.name;
  part.types[type] = variants;
  const auto library =
      std::find_if(tree.libraries.begin(), tree.libraries.end(),
                   [&](const MusaLibrary& other) { return other.name == table.name; });
  if (library == tree.libraries.end()) return {};
  const ExpandPrototype no_prototypes = [](const MusaPrototype&) { return std::nullopt; };
  // Only types. An empty list of symbols would mean that headers are missing.
  MusaLibrary extracted;
  extracted.name = library->name;
  extracted.types = library->types;
  return compare_musa(part, extracted, tree.libraries, tree.version, no_prototypes).lines;
}

bool musa_cell_is_dead(const MusaTables& facts, std::size_t library, const std::string& type,
                       std::size_t variant, const Number<MusaType>& number) {
  const MusaLibrary& table = facts.tables[library];
  const std::vector<MusaType>& before = table.types.at(type);
  std::vector<MusaType> after = before;
  ++number.in(after[variant]);
  return std::any_of(facts.trees.begin(), facts.trees.end(), [&](const Tree& tree) {
    return compare_type(table, type, before, tree) != compare_type(table, type, after, tree);
  });
}

}  // namespace

Cells cuda_cells(const std::string& mappings, const std::vector<std::string>& releases,
                 const std::string& only) {
  const auto facts = std::make_shared<CudaFacts>();
  const CudaReleases known = read_cuda_releases(mappings + "/cuda/releases.yaml");
  std::vector<ReplacementLibrary> libraries = read_registry(mappings + "/libraries.yaml").libraries;
  if (!only.empty()) {
    std::erase_if(libraries,
                  [&](const ReplacementLibrary& library) { return library.name != only; });
    if (libraries.empty()) throw std::runtime_error("no library is called " + only);
  }
  std::vector<CudaReleaseRoots> roots;
  for (const std::string& release : releases) roots.push_back(parse_release_roots(release));
  libraries = libraries_with_headers(libraries, roots, std::cout);
  for (const ReplacementLibrary& library : libraries) {
    facts->tables.push_back(read_cuda_library(mappings + "/cuda/" + library.name + ".yaml", known));
  }
  facts->extracted =
      assemble_cuda(read_cuda_facts(roots, known, libraries), known, libraries, facts->tables);

  Cells out;
  for (std::size_t i = 0; i < facts->tables.size(); ++i) {
    for (const auto& [name, type] : facts->tables[i].types) {
      for (std::size_t v = 0; v < type.variants.size(); ++v) {
        const CudaType::Variant& variant = type.variants[v];
        const std::vector<Number<TypeFact>> numbers = numbers_of(variant.fact);
        if (!concerns(facts->extracted[i], variant.releases)) {
          out.elsewhere += numbers.size();
          continue;
        }
        for (const Number<TypeFact>& number : numbers) {
          out.cells.push_back({facts->tables[i].name, name, number.member, joined(variant.releases),
                               [facts, i, type_name = name, v, number] {
                                 return cuda_cell_is_dead(*facts, i, type_name, v, number);
                               }});
        }
      }
    }
  }
  return out;
}

Cells musa_cells(const std::string& mappings, const std::vector<std::string>& trees) {
  const auto facts = std::make_shared<MusaTables>();
  const Registry registry = read_registry(mappings + "/libraries.yaml");
  for (const BackendInfo& backend : registry.backends) {
    facts->tables.push_back(read_musa_library(mappings + "/musa/" + backend.name + ".yaml"));
  }
  for (const std::string& root : trees) {
    // The driver's libraries lie beside the trees.
    const std::filesystem::path tree(root);
    const MusaFacts read = read_musa_facts({root, tree.parent_path() / "driver" / tree.filename()},
                                           "", registry.backends);
    facts->trees.push_back({read.version, musa_tables_of(read)});
  }
  Cells out;
  for (std::size_t i = 0; i < facts->tables.size(); ++i) {
    for (const auto& [name, variants] : facts->tables[i].types) {
      for (std::size_t v = 0; v < variants.size(); ++v) {
        if (variants[v].tier == Tier::kAbsent) continue;
        const std::string where = "SDK " + sdk_version_text(variants[v].sdk.from) + " and later";
        for (const Number<MusaType>& number : numbers_of(variants[v])) {
          out.cells.push_back({facts->tables[i].name, name, number.member, where,
                               [facts, i, type_name = name, v, number] {
                                 return musa_cell_is_dead(*facts, i, type_name, v, number);
                               }});
        }
      }
    }
  }
  return out;
}

}  // namespace mutation
