// adapter_structs MAPPINGS: every export with a parameter that points at one or more structs, and
// every function of MUSA that has a CUDA counterpart with such a parameter. What each line says is
// from CUDA's headers; nothing is from what the tables decide.
//     cuda LABEL NAME WORD WORD ...
//     musa - NAME WORD WORD ...
// Each WORD is a parameter: "struct:TYPE:SIZE" or "const:TYPE:SIZE" for a pointer to a struct of
// SIZE bytes, "value:SIZE" for a struct by value, "pointer", "number", "floating" or "handle".
#include <iostream>
#include <set>

#include "generator/decide/standing.h"
#include "generator/tables/tables.h"
#include "generator/tables/type_spelling.h"
#include "tests/recording/listing.h"

namespace {

using namespace torchada;

class Listing {
 public:
  explicit Listing(const Tables& tables) : tables_(tables) {}

  void list() {
    for (const Output& output : list_outputs(tables_)) {
      for (const CudaSymbol* symbol : exports_of(tables_, output)) {
        const Prototype* prototype = prototype_in(*symbol, output);
        if (prototype) print("cuda " + output.label() + ' ' + symbol->name, *prototype, output);
      }
    }
    for (const MusaLibrary& library : tables_.musa) {
      for (const auto& [name, symbol] : library.symbols) {
        for (const MusaPrototype& prototype : symbol.prototypes) {
          if (prototype.like_symbol.empty() || !prototype.sdk.contains(kSdkVersion)) continue;
          print("musa - " + symbol.link_name, like_prototype(tables_, prototype),
                like_output(tables_, prototype));
        }
      }
    }
  }

 private:
  void print(const std::string& head, const Prototype& prototype, const Output& output) {
    std::string words;
    bool has_struct = false;
    for (const Parameter& parameter : prototype.parameters) {
      const std::string word = word_of(parameter.type, output);
      has_struct = has_struct || word.find(':') != std::string::npos;
      words += ' ' + word;
    }
    if (has_struct) std::cout << head << words << '\n';
  }

  std::string word_of(const std::string& spelled, const Output& output) {
    const auto stars = std::count(spelled.begin(), spelled.end(), '*');
    std::string base = base_type(spelled);
    const TypeFact* fact = fact_of(base, output);
    if (stars != 0 || spelled.find('[') != std::string::npos) {
      const bool is_struct = stars == 1 && spelled.find("(*)") == std::string::npos && fact &&
                             fact->kind == TypeKind::kStruct && fact->structure.size != 0;
      if (!is_struct) return "pointer";
      return std::string(spelled.starts_with("const ") ? "const:" : "struct:") + base + ':' +
             std::to_string(fact->structure.size);
    }
    for (int depth = 0; depth < 4 && fact; ++depth) {
      switch (fact->kind) {
        case TypeKind::kStruct:
          return "value:" + std::to_string(fact->structure.size);
        case TypeKind::kEnum:
          return "number";
        case TypeKind::kHandle:
        case TypeKind::kCallback:
          return "handle";
        case TypeKind::kScalar:
          if (fact->underlying.find('*') != std::string::npos) return "handle";
          base = base_type(fact->underlying);
          fact = fact_of(base, output);
          break;
      }
    }
    return base == "float" || base == "double" ? "floating" : "number";
  }

  const TypeFact* fact_of(const std::string& base, const Output& output) const {
    const CudaType* type = is_c_type(base) ? nullptr : tables_.cuda_type(base);
    return type ? fact_in(*type, output) : nullptr;
  }

  const Tables& tables_;
};

}  // namespace

int main(int argc, char** argv) {
  return list_tables(argc, argv, [](const Tables& tables) { Listing(tables).list(); });
}
