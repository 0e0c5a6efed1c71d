// share/facts.json: every fact about MUSA, for torchada verify. One fact a line.
#include <nlohmann/json.hpp>
#include <sstream>

#include "generator/decide/fact_use.h"
#include "generator/emit/emit.h"
#include "generator/tables/fact_list.h"
#include "generator/tables/type_spelling.h"

namespace torchada {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;  // Raise it when an older reader would misunderstand the file.

Json parameters(const Prototype& prototype) {
  Json out = Json::array();
  for (const Parameter& parameter : prototype.parameters) {
    out.push_back(Json::array({parameter.type, parameter.name}));
  }
  return out;
}

Json record(const MusaFact& fact, const Tables& tables) {
  Json out;
  out["id"] = fact.id;
  out["kind"] = fact.kind;
  out["library"] = fact.library;
  out["name"] = fact.name;
  out["claim"] = fact.claim;
  out["sdk"] = Json::array({fact.sdk.from, fact.sdk.to});
  out["tier"] = tier_name(*fact.tier);
  out["sources"] = tables.sources.with_reading(fact.sources);
  out["place"] =
      fact.place.file + (fact.place.line > 0 ? ":" + std::to_string(fact.place.line) : "");
  if (fact.kind == "symbol") out["link"] = fact.symbol->link_name;
  if (fact.prototype) {
    const Prototype prototype = expand(tables, *fact.prototype);
    out["returns"] = prototype.returns;
    out["parameters"] = parameters(prototype);
  }
  if (fact.type) {
    out["type"] = fact.type->name;
  }
  if (fact.value && fact.value->known) out["value"] = fact.value->value;
  if (fact.kind == "size" && fact.type->fact.structure.size != 0) {
    out["size"] = fact.type->fact.structure.size;
    out["align"] = fact.type->fact.structure.align;
  }
  if (fact.field) {
    out["field_type"] = fact.field->type;
    out["offset"] = fact.field->offset;
  }
  if (fact.quirk && fact.quirk->on_stand_in) out["stand_in"] = true;
  if (fact.quirk && !fact.quirk->otherwise.says.empty()) {
    out["otherwise"] = fact.quirk->otherwise.says;
  }
  if (fact.type && fact.type->kind == TypeKind::kScalar) {
    out["underlying"] = fact.type->fact.underlying;
  }
  return out;
}

}  // namespace

std::string emit_verify_facts(const Tables& tables) {
  Tables listed = tables;  // A copy, because facts point into the tables that they are listed from.
  std::ostringstream out;
  out << "{\"format\":" << kFormat << ",\"facts\":[";
  bool first = true;
  std::vector<MusaFact> facts = list_facts(&listed);
  const std::vector<ProbeUse> probes = probes_by_use(listed, facts);
  for (MusaFact& fact : facts) {
    // The output must not depend on where the tables are stored.
    const std::string prefix = listed.directory + "/";
    if (fact.place.file.starts_with(prefix)) {
      fact.place.file = "mappings/" + fact.place.file.substr(prefix.size());
    }
    out << (first ? "\n" : ",\n") << record(fact, listed).dump();
    first = false;
  }
  Json types = Json::object();
  for (const MusaLibrary& library : listed.musa) {
    for (const auto& [name, variants] : library.types) {
      types[name] = kind_name(variants.front().kind);
    }
  }
  Json order = Json::array();
  for (const ProbeUse& item : probes) {
    order.push_back({{"probe", item.probe}, {"filled", item.filled}, {"programs", item.programs}});
  }
  out << "],\n\"types\":" << types.dump() << ",\n\"probes\":" << order.dump() << "}\n";
  return out.str();
}

}  // namespace torchada
