#include "src/command/verify/facts.h"

namespace torchada::verify {
namespace {

std::string path_of(const Fact& fact) {
  if (fact.kind == "value") return "value:" + fact.type + "/" + fact.name;
  if (fact.kind == "field") return "field:" + fact.type + "/" + fact.name;
  return fact.kind + ":" + fact.name;
}

}  // namespace

void Facts::choose(int sdk) {
  sdk_ = sdk;
  chosen_.clear();
  by_path_.clear();
  for (const Fact& fact : tables_.facts) {
    if (!fact.sdk.contains(sdk)) continue;
    chosen_.push_back(&fact);
    by_path_.emplace(path_of(fact), &fact);
  }
}

const Fact* Facts::find(const std::string& id) const {
  for (const Fact* fact : chosen_) {
    if (fact->id == id) return fact;
  }
  return nullptr;
}

namespace {

const Fact* at(const std::map<std::string, const Fact*>& facts, const std::string& path) {
  const auto found = facts.find(path);
  return found == facts.end() ? nullptr : found->second;
}

}  // namespace

const Fact* Facts::symbol(const std::string& name) const { return at(by_path_, "symbol:" + name); }

const Fact* Facts::prototype(const std::string& function) const {
  return at(by_path_, "prototype:" + function);
}

const Fact* Facts::value(const std::string& type, const std::string& enumerator) const {
  return at(by_path_, "value:" + type + "/" + enumerator);
}

const Fact* Facts::size(const std::string& type) const { return at(by_path_, "size:" + type); }

const Fact* Facts::field(const std::string& type, const std::string& name) const {
  return at(by_path_, "field:" + type + "/" + name);
}

const Fact* Facts::quirk(const std::string& name) const { return at(by_path_, "quirk:" + name); }

std::vector<const Fact*> Facts::values(const std::string& type) const {
  std::vector<const Fact*> out;
  for (const Fact* fact : chosen_) {
    if (fact->kind == "value" && fact->type == type) out.push_back(fact);
  }
  return out;
}

std::vector<const Fact*> Facts::fields(const std::string& type) const {
  std::vector<const Fact*> out;
  for (const Fact* fact : chosen_) {
    if (fact->kind == "field" && fact->type == type) out.push_back(fact);
  }
  return out;
}

std::string Facts::kind_of_type(const std::string& type) const {
  const auto* found = tables::find_by_name(tables_.type_kinds, type);
  return found == nullptr ? std::string() : found->kind;
}

std::string Facts::underlying(const std::string& type) const {
  const Fact* fact = at(by_path_, "type:" + type);
  return fact == nullptr ? std::string() : fact->underlying;
}

}  // namespace torchada::verify
