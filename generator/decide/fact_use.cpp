#include "generator/decide/fact_use.h"

#include <algorithm>
#include <cctype>
#include <tuple>

#include "generator/tables/type_spelling.h"

namespace torchada {
namespace {

// "musaDeviceProp" for "const musaDeviceProp *", "int" for "int[3]".
std::string base_of(std::string type) {
  const std::string kConst = "const ";
  for (std::size_t at = type.find(kConst); at != std::string::npos; at = type.find(kConst)) {
    type.erase(at, kConst.size());
  }
  return type.substr(0, std::min(type.find_first_of(" *[:"), type.size()));
}

bool is_written(const std::string& type) {
  return type.find('*') != std::string::npos && !type.starts_with("const ");
}

// The words of a text, for the functions that a quirk names.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      out.back() += c;
    } else if (!out.back().empty()) {
      out.emplace_back();
    }
  }
  return out;
}

template <typename Key>
int at_most(const std::map<Key, int>& numbers, const Key& key) {
  const auto found = numbers.find(key);
  return found == numbers.end() ? 0 : found->second;
}

}  // namespace

FactUse::FactUse(const Tables& tables) : tables_(tables) {
  const std::vector<Output> outputs = list_outputs(tables);
  for (const RankedSymbol& item : tables.clients) {
    for (const Output& output : outputs) {
      std::set<std::string> seen;
      if (output.library_name == item.library) reach(output, item.symbol, item.clients, &seen);
    }
  }
  for (const MusaLibrary& library : tables.musa) {
    for (const auto& [name, symbol] : library.symbols) {
      for (const MusaPrototype& prototype : symbol.prototypes) {
        for (const Parameter& parameter : expand(tables, prototype).parameters) {
          if (is_written(parameter.type)) filled_.insert(base_of(parameter.type));
        }
      }
    }
  }
}

// Follows the rows: to the functions of MUSA, and to other exports that do the work.
void FactUse::reach(const Output& output, const std::string& export_name, int programs,
                    std::set<std::string>* seen) {
  if (!seen->insert(export_name).second) return;
  const ForwardRow* row = row_of(tables_.forward[output.library], export_name, output.abi);
  if (!row) return;
  std::vector<std::string> names = row->calls;
  names.insert(names.end(), row->otherwise.calls.begin(), row->otherwise.calls.end());
  if (!row->target.empty()) names.push_back(row->target);
  for (const std::string& name : names) {
    const Call call = find_call(tables_, output, name);
    if (call.musa) use_function(call, programs);
    if (call.own) reach(output, name, programs, seen);
  }
}

void FactUse::use_function(const Call& call, int programs) {
  int& most = functions_[{call.library, call.musa->name}];
  if (most >= programs) return;
  most = programs;
  int& of_library = libraries_[call.library];
  of_library = std::max(of_library, programs);
  for (const MusaPrototype& prototype : call.musa->prototypes) {
    const Prototype own = expand(tables_, prototype);
    use_type(own.returns, programs);
    for (const Parameter& parameter : own.parameters) use_type(parameter.type, programs);
  }
}

// With the types of its members.
void FactUse::use_type(const std::string& spelled, int programs) {
  const std::string name = base_of(spelled);
  int& most = types_[name];
  if (most >= programs) return;
  most = programs;
  for (const MusaLibrary& library : tables_.musa) {
    const auto found = library.types.find(name);
    if (found == library.types.end()) continue;
    for (const MusaType& type : found->second) {
      if (type.kind != TypeKind::kStruct) continue;
      for (const Field& field : type.fact.structure.fields) use_type(field.type, programs);
    }
  }
}

int FactUse::programs(const MusaFact& fact) const {
  if (fact.symbol) return at_most(functions_, Function{fact.library, fact.symbol->name});
  if (fact.type) return at_most(types_, fact.type->name);
  if (fact.quirk) {
    int out = 0;
    for (const std::string& word : words_of(fact.quirk->says)) {
      for (const MusaLibrary& library : tables_.musa) {
        out = std::max(out, at_most(functions_, Function{library.name, word}));
      }
    }
    return out;
  }
  return at_most(libraries_, fact.library);
}

bool FactUse::is_filled(const MusaFact& fact) const {
  return fact.kind == "size" && filled_.count(fact.type->name) != 0;
}

std::vector<ProbeUse> probes_by_use(const Tables& tables, const std::vector<MusaFact>& facts) {
  const FactUse use(tables);
  std::map<std::string, std::pair<int, int>> weights;  // By FactProbes' name: filled, programs.
  for (const MusaFact& fact : facts) {
    const int programs = use.programs(fact);
    auto& [filled, all] = weights[probed_name(fact)];
    if (use.is_filled(fact)) filled = std::max(filled, programs);
    all = std::max(all, programs);
  }
  std::vector<ProbeUse> out;
  for (const auto& [probe, names] : tables.probe_facts) {
    ProbeUse item = {probe, 0, 0};
    for (const std::string& name : names) {
      const auto found = weights.find(name);
      if (found == weights.end()) continue;
      item.filled = std::max(item.filled, found->second.first);
      item.programs = std::max(item.programs, found->second.second);
    }
    out.push_back(item);
  }
  const auto order = [&](const ProbeUse& item) {
    return std::make_tuple(-item.filled, -item.programs,
                           -static_cast<int>(tables.probe_facts.at(item.probe).size()));
  };
  std::stable_sort(out.begin(), out.end(),
                   [&](const ProbeUse& a, const ProbeUse& b) { return order(a) < order(b); });
  return out;
}

}  // namespace torchada
