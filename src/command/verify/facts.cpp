#include "src/command/verify/facts.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "src/command/command.h"

namespace torchada::verify {
namespace {

using Json = nlohmann::json;

constexpr int kFormat = 1;

Fact read_fact(const Json& record) {
  Fact out;
  out.id = record.at("id").get<std::string>();
  out.kind = record.at("kind").get<std::string>();
  out.library = record.at("library").get<std::string>();
  out.name = record.at("name").get<std::string>();
  out.claim = record.at("claim").get<std::string>();
  out.tier = record.at("tier").get<std::string>();
  out.place = record.at("place").get<std::string>();
  out.sources = record.at("sources").get<std::vector<std::string>>();
  out.sdk = {record.at("sdk").at(0).get<int>(), record.at("sdk").at(1).get<int>()};
  out.link = record.value("link", "");
  out.returns = record.value("returns", "");
  if (record.contains("parameters")) {
    for (const Json& item : record.at("parameters")) {
      out.parameters.push_back({item.at(0).get<std::string>(), item.at(1).get<std::string>()});
    }
  }
  out.type = record.value("type", "");
  if (record.contains("value")) out.value = record.at("value").get<std::int64_t>();
  if (record.contains("size")) out.size = record.at("size").get<std::int64_t>();
  out.offset = record.value("offset", std::int64_t{0});
  out.field_type = record.value("field_type", "");
  out.underlying = record.value("underlying", "");
  out.on_stand_in = record.value("stand_in", false);
  out.otherwise = record.value("otherwise", "");
  return out;
}

std::string path_of(const Fact& fact) {
  if (fact.kind == "value") return "value:" + fact.type + "/" + fact.name;
  if (fact.kind == "field") return "field:" + fact.type + "/" + fact.name;
  return fact.kind + ":" + fact.name;
}

}  // namespace

bool Fact::is_evident() const {
  static const std::set<std::string> kEvident = {"hardware", "sdk", "nm", "code", "decl", "doc"};
  return kEvident.count(tier) != 0;
}

Facts::Facts(const std::string& root) {
  const std::string path = root + "/share/facts.json";
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw Failure(path + " cannot be read: the installation is incomplete; reinstall torchada");
  try {
    const Json all = Json::parse(in);
    if (all.at("format").get<int>() != kFormat) {
      throw std::runtime_error("it belongs to another version of torchada");
    }
    for (const Json& record : all.at("facts")) facts_.push_back(read_fact(record));
    for (const Json& item : all.at("probes")) {
      probes_.push_back({item.at("probe").get<std::string>(), item.at("filled").get<int>(),
                         item.at("programs").get<int>()});
    }
    type_kinds_ = all.at("types").get<std::map<std::string, std::string>>();
  } catch (const std::exception& error) {
    throw Failure(path + " is damaged: " + error.what() + "; reinstall torchada");
  }
}

void Facts::choose(int sdk) {
  sdk_ = sdk;
  chosen_.clear();
  by_path_.clear();
  for (const Fact& fact : facts_) {
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
  const auto found = type_kinds_.find(type);
  return found == type_kinds_.end() ? "" : found->second;
}

std::string Facts::underlying(const std::string& type) const {
  const Fact* fact = at(by_path_, "type:" + type);
  return fact ? fact->underlying : "";
}

}  // namespace torchada::verify
