#include "generator/decide/calls.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "generator/decide/compare.h"
#include "generator/decide/per_thread.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

bool is_exported(const CudaSymbol& symbol, const Output& output) {
  return std::any_of(
      symbol.releases.begin(), symbol.releases.end(),
      [&](const std::string& release) { return contains(output.releases, release); });
}

std::vector<Call> calls_of(const Tables& tables, const Output& output) {
  const ForwardLibrary& forward = tables.forward[output.library];
  const Comparer comparer(tables);
  std::map<std::string, Place> names;
  for (const std::string& name : {forward.peek_error, forward.clear_error}) {
    if (!name.empty()) names.emplace(name, forward.rows_place);
  }
  for (const CudaSymbol* symbol : exports_of(tables, output)) {
    const ForwardRow* row = row_of(forward, symbol->name, output.abi);
    if (!row) continue;
    for (const std::vector<std::string>* calls : {&row->calls, &row->otherwise.calls}) {
      for (const std::string& call : *calls) names.emplace(call, row->place);
    }
    for (const AdaptedCandidate& candidate :
         per_thread_candidates(tables, comparer, output, *symbol, *row)) {
      if (candidate.adaptation.waits_for_own_stream) {
        names.emplace(own_stream_wait(tables, output), row->place);
      }
    }
    const bool calls_other =
        row->decision == RowDecision::kAdapted || row->decision == RowDecision::kDelegated;
    if (calls_other && symbol->name.ends_with("_ptds")) {
      names.emplace(own_stream_wait(tables, output), row->place);
    }
    if (row->decision == RowDecision::kDelegated) names.emplace(row->target, row->place);
  }
  for (const std::string& call : forward.kernel_calls) names.emplace(call, forward.rows_place);
  std::vector<Call> out;
  for (const auto& [name, place] : names) {
    out.push_back(find_call(tables, output, name));
    if (!out.back().musa && !out.back().own) {
      throw TableError(place, "unknown MUSA function '" + name + "'");
    }
  }
  return out;
}

// A struct whose members do not affect how it is passed by value: it is too large for registers.
bool is_bytes(const MusaType& type) {
  constexpr std::int64_t kLargestInRegisters = 16;
  return type.complete && type.fact.structure.size > kLargestInRegisters;
}

// The newest prototype of a function that an adapter calls.
const MusaPrototype& newest_of(const Tables& tables, const Output& output, const Call& call) {
  if (call.musa->prototypes.empty()) {
    throw TableError({tables.forward[output.library].file, 0},
                     "an adapter calls " + call.name + ", but its prototype is not known");
  }
  return call.musa->prototypes.back();
}

// By name: enumerations of MUSA's share enumerators.
using Enumerators = std::map<std::string, std::int64_t>;

// MUSA's numbers of one enumeration.
void add_enumerators(const std::vector<MusaType>& variants, Enumerators* out) {
  for (const MusaType& variant : variants) {
    for (const MusaEnumValue& value : variant.values) {
      if (value.known) out->emplace(value.name, value.value);
    }
  }
}

// C type of a MUSA parameter, with int for enums and void for handles and for structs behind
// pointers.
std::string erased_musa(const Tables& tables, const std::string& spelled, const Place& place) {
  const std::string base = base_type(spelled);
  if (is_c_type(base)) return spelled;
  const std::vector<MusaType>* types = tables.musa_type(base);
  if (types && types->front().kind == TypeKind::kScalar) {
    std::string other = spelled;
    other.replace(other.find(base), base.size(), types->front().fact.underlying);
    return erased_musa(tables, other, place);
  }
  const bool pointer = spelled.find('*') != std::string::npos;
  std::string plain = "void *";
  if (types && types->front().kind == TypeKind::kEnum) {
    plain = "int";
  } else if (types && types->front().kind == TypeKind::kStruct) {
    if (!pointer && !is_bytes(types->front())) {
      throw TableError(place, "an adapter's call passes " + base + " by value");
    }
    plain = pointer ? "void" : "torchada::" + base;
  }
  std::string out = spelled;
  out.replace(out.find(base), base.size(), plain);
  return out;
}

template <typename Erase>
void declare(const std::string& name, const Prototype& prototype, const Erase& erase,
             std::ostringstream* out) {
  *out << name << "(";
  for (std::size_t i = 0; i < prototype.parameters.size(); ++i) {
    *out << (i ? ", " : "") << erase(prototype.parameters[i].type);
  }
  *out << ");\n";
}

}  // namespace

Call find_call(const Tables& tables, const Output& output, const std::string& name) {
  const std::string& backend = tables.forward[output.library].backend;
  std::vector<std::string> libraries = tables.registry.libraries[output.library].calls;
  libraries.insert(libraries.begin(), backend);
  for (const std::string& library : libraries) {
    if (const MusaSymbol* musa = tables.musa_symbol(library, name)) {
      return {name, library, musa, nullptr};
    }
  }
  const auto& symbols = tables.cuda[output.library].symbols;
  const auto own = symbols.find(name);
  const bool found = own != symbols.end() && is_exported(own->second, output);
  return {name, "", nullptr, found ? &own->second : nullptr};
}

std::vector<Call> musa_calls(const Tables& tables, const Output& output) {
  std::vector<Call> out = calls_of(tables, output);
  out.erase(std::remove_if(out.begin(), out.end(), [](const Call& call) { return !call.musa; }),
            out.end());
  return out;
}

std::vector<Call> own_calls(const Tables& tables, const Output& output) {
  std::vector<Call> out = calls_of(tables, output);
  out.erase(std::remove_if(out.begin(), out.end(), [](const Call& call) { return !call.own; }),
            out.end());
  return out;
}

std::string erased_cuda(const Tables& tables, const Output& output, const std::string& spelled,
                        const Place& place) {
  if (spelled.find('*') != std::string::npos) {
    return spelled.starts_with("const ") ? "const void *" : "void *";
  }
  std::string base = base_type(spelled);
  for (int depth = 0; depth < 4 && !is_c_type(base); ++depth) {
    const CudaType* type = tables.cuda_type(base);
    const TypeFact* fact = type ? fact_in(*type, output) : nullptr;
    if (!fact) break;
    if (fact->kind == TypeKind::kEnum) return "int";
    if (fact->kind == TypeKind::kHandle || fact->kind == TypeKind::kCallback) return "void *";
    if (fact->kind == TypeKind::kStruct) return base;
    if (fact->underlying.find('*') != std::string::npos) return "void *";
    base = base_type(fact->underlying);
  }
  if (!is_c_type(base)) throw TableError(place, "type '" + base + "' is not known");
  return base;
}

// MUSA's numbers of the enumerations in a struct that an adapter may look into.
void add_member_enumerators(const Tables& tables, const MusaType& type, std::set<std::string>* seen,
                            Enumerators* out) {
  for (const Field& field : type.fact.structure.fields) {
    const std::string base = base_type(field.type);
    const std::vector<MusaType>* types = tables.musa_type(base);
    if (!types || !seen->insert(base).second) continue;
    add_enumerators(*types, out);
    add_member_enumerators(tables, types->front(), seen, out);
  }
}

std::string declare_values(const Tables& tables, const Output& output) {
  Enumerators enumerators;
  std::ostringstream structs;
  std::set<std::string> seen;
  for (const Call& call : musa_calls(tables, output)) {
    const Prototype prototype = expand(tables, newest_of(tables, output, call));
    // The statuses of other libraries; those of the backend come with status_to_cuda.
    const std::vector<MusaType>* status = tables.musa_type(prototype.returns);
    if (status && call.library != tables.forward[output.library].backend) {
      add_enumerators(*status, &enumerators);
    }
    for (const Parameter& parameter : prototype.parameters) {
      const std::string base = base_type(parameter.type);
      const std::vector<MusaType>* types = tables.musa_type(base);
      if (!types || !seen.insert(base).second) continue;
      add_enumerators(*types, &enumerators);
      add_member_enumerators(tables, types->front(), &seen, &enumerators);
      if (parameter.type.find('*') != std::string::npos || !is_bytes(types->front())) continue;
      const StructLayout& layout = types->front().fact.structure;
      structs << "struct " << base << " {\n  alignas(" << layout.align << ") char bytes["
              << layout.size << "];\n};\n\n";
    }
  }
  std::ostringstream out;
  out << "namespace musa {\n";
  for (const auto& [name, value] : enumerators) {
    out << "inline constexpr int " << name << " = " << value << ";\n";
  }
  out << "}  // namespace musa\n\n" << structs.str();
  return out.str();
}

// The structs that own exports take by value; what calls them defines them.
std::string declare_own_structs(const Tables& tables, const Output& output) {
  std::set<std::string> names;
  for (const Call& call : own_calls(tables, output)) {
    const Prototype* prototype = prototype_in(*call.own, output);
    if (!prototype) continue;
    for (const Parameter& parameter : prototype->parameters) {
      const std::string type = erased_cuda(tables, output, parameter.type, call.own->place);
      if (type.find('*') == std::string::npos && !is_c_type(type)) names.insert(type);
    }
  }
  std::string out;
  for (const std::string& name : names) out += "struct " + name + ";\n";
  return names.empty() ? out : "namespace torchada {\n" + out + "}  // namespace torchada\n\n";
}

std::string declare_calls(const Tables& tables, const Output& output) {
  const Comparer comparer(tables);
  std::ostringstream out;
  out << declare_own_structs(tables, output);
  out << "// MUSA functions for adapters: hidden trampolines, resolved on first use. Enums are\n"
      << "// passed as int, handles and structs by pointer as void *.\nextern \"C\" {\n";
  for (const Call& call : musa_calls(tables, output)) {
    const MusaPrototype* const newest = &newest_of(tables, output, call);
    for (const MusaPrototype& prototype : call.musa->prototypes) {
      const auto erase = [&](const std::string& type) {
        return erased_musa(tables, type, prototype.place);
      };
      const Prototype expanded = expand(tables, prototype);
      if (&prototype == newest) {
        out << "TORCHADA_HIDDEN " << erase(expanded.returns) << " ";
        declare(call.name, expanded, erase, &out);
      } else {
        // The arguments that older SDKs take.
        out << "using " << call.name << "_before_" << prototype.sdk.to << " = "
            << erase(expanded.returns);
        declare("", expanded, erase, &out);
      }
    }
  }
  for (const Call& call : own_calls(tables, output)) {
    const Prototype* prototype = prototype_in(*call.own, output);
    if (!prototype)
      throw TableError(call.own->place, "the prototype of " + call.name + " is not known");
    const auto erase = [&](const std::string& type) {
      const std::string erased = erased_cuda(tables, output, type, call.own->place);
      const bool is_struct = erased.find('*') == std::string::npos && !is_c_type(erased);
      return is_struct ? "torchada::" + erased : erased;
    };
    out << "TORCHADA_HIDDEN " << erase(prototype->returns) << " ";
    declare("torchada_own_" + call.name, *prototype, erase, &out);
  }
  out << "}  // extern \"C\"\n\n";
  return out.str();
}

}  // namespace torchada
