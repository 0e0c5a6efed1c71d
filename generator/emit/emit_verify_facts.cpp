// Every fact about MUSA, for torchada verify: the rest of the records of src/shared/records.h.
#include <nlohmann/json.hpp>

#include "generator/decide/fact_use.h"
#include "generator/emit/emit.h"
#include "generator/tables/fact_list.h"
#include "generator/tables/type_spelling.h"

namespace torchada {
namespace {

using Json = nlohmann::ordered_json;

Json parameters(const Prototype& prototype) {
  Json out = Json::array();
  for (const Parameter& parameter : prototype.parameters) {
    out.push_back({{"type", parameter.type}, {"name", parameter.name}});
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
  out["sdk"] = {{"from", fact.sdk.from}, {"to", fact.sdk.to}};
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
    if (fact.kind == "size" && fact.type->fact.structure.size != 0) {
      out["size"] = fact.type->fact.structure.size;
      out["align"] = fact.type->fact.structure.align;
    }
  }
  if (fact.value && fact.value->known) out["value"] = fact.value->value;
  if (fact.field) {
    out["field_type"] = fact.field->type;
    out["offset"] = fact.field->offset;
  }
  if (fact.quirk && fact.quirk->on_stand_in) out["on_stand_in"] = true;
  if (fact.quirk && !fact.quirk->otherwise.says.empty()) {
    out["otherwise"] = fact.quirk->otherwise.says;
  }
  if (fact.type && fact.type->kind == TypeKind::kScalar) {
    out["underlying"] = fact.type->fact.underlying;
  }
  return out;
}

}  // namespace

void add_verify_facts(const Tables& tables, Json* out) {
  Tables listed = tables;  // A copy, because facts point into the tables that they are listed from.
  std::vector<MusaFact> facts = list_facts(&listed);
  for (const ProbeUse& item : probes_by_use(listed, facts)) {
    (*out)["probes"].push_back(
        {{"probe", item.probe}, {"filled", item.filled}, {"programs", item.programs}});
  }
  for (MusaFact& fact : facts) {
    // The output must not depend on where the tables are stored.
    const std::string prefix = listed.directory + "/";
    if (fact.place.file.starts_with(prefix)) {
      fact.place.file = "mappings/" + fact.place.file.substr(prefix.size());
    }
    (*out)["facts"].push_back(record(fact, listed));
  }
  std::map<std::string, std::string> kinds;
  for (const MusaLibrary& library : listed.musa) {
    for (const auto& [name, variants] : library.types) {
      kinds[name] = kind_name(variants.front().kind);
    }
  }
  for (const auto& [name, kind] : kinds) {
    (*out)["type_kinds"].push_back({{"name", name}, {"kind", kind}});
  }
}

}  // namespace torchada
