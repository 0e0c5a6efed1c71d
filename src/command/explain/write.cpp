#include <set>
#include <string>

#include "src/command/explain/answers.h"
#include "src/command/output.h"
#include "src/command/text_layout.h"

namespace torchada::explain {
namespace {

using Json = nlohmann::ordered_json;
using torchada::line;

// "key: text", or nothing if the text is empty.
std::string line(int depth, const std::string& key, const std::string& text) {
  return text.empty() ? "" : line(depth, key + ": " + text);
}

std::string sonames(const CudaFunction& function) {
  std::vector<std::string> out;
  for (const tables::Library* library : function.libraries) out.push_back(library->soname);
  return joined(out);
}

std::string ranges(const tables::List<tables::SdkRange>& list) {
  std::vector<std::string> out;
  for (const tables::SdkRange& range : list) {
    const std::string text = tables::written(range);
    if (text.empty()) return "";
    out.push_back(text);
  }
  return joined(out);
}

std::string decided(const CudaFunction& function) {
  const tables::Symbol& symbol = *function.symbol;
  if (symbol.target.empty()) return symbol.decision;
  const std::string tier = function.target ? " (tier " + function.target->tier + ")" : "";
  return symbol.decision + ": " + symbol.target + tier;
}

// Whether what has this tier counts as assumed.
bool is_weak(const std::string& tier) {
  static const std::set<std::string> weak{"driver", "cbid", "map", "comment", "absent"};
  return weak.count(tier) != 0;
}

// `standing` is that of CUDA's function, if one is explained.
std::string musa_prototypes(int depth, const tables::MusaSymbol& symbol,
                            const std::string& standing = "") {
  std::string out;
  for (const tables::MusaPrototype& prototype : symbol.prototypes) {
    const std::string sdk = tables::written(prototype.sdk);
    out += line(depth, "in MUSA" + (sdk.empty() ? "" : " " + sdk),
                prototype.prototype + " (tier " + prototype.tier +
                    (standing == "supported" && is_weak(prototype.tier) ? ", only assumed)" : ")"));
  }
  return out;
}

std::string text_of(const CudaFunction& function) {
  const tables::Symbol& symbol = *function.symbol;
  std::string out = "  " + sonames(function) + ": " +
                    coloured(standing_name(symbol.standing), Colour::kBold) + "\n";
  // An emulated function has no other word for its decision.
  if (decided(function) != standing_name(symbol.standing)) out += line(2, decided(function));
  if (!symbol.as.empty()) out += line(2, "the same function as " + symbol.as);
  out += line(2, "reason", symbol.reason);
  out += line(2, "assumed because", symbol.why);
  out += line(2, symbol.no_probe.empty() ? "settled by" : "not settled by torchada verify",
              symbol.no_probe.empty() ? symbol.settled_by() : std::string(symbol.no_probe));
  out += line(2, "SDKs", ranges(symbol.sdk));
  if (!symbol.delegated_to.empty()) out += line(2, "delegated to " + symbol.delegated_to);
  out += line(2, "calls", joined(symbol.calls));
  if (!symbol.besides.empty()) out += line(2, symbol.besides);
  out += line(2, "in CUDA",
              symbol.prototype.empty() ? "no public prototype" : std::string(symbol.prototype));
  if (function.target != nullptr) {
    out += musa_prototypes(2, *function.target, standing_name(symbol.standing));
    if (function.target->link != function.target->name) {
      out += line(2, "exported as", function.target->link);
    }
    out += line(2, "note", function.target->note);
    out += line(2, "sources", joined(function.target->sources));
  }
  return out;
}

std::string text_of(const MusaFunction& function) {
  const tables::MusaSymbol& symbol = *function.symbol;
  std::string out = line(1, "a MUSA function of lib" + function.library + ", tier " + symbol.tier);
  if (symbol.link != symbol.name) out += line(2, "exported as", symbol.link);
  out += line(2, "SDKs", tables::written(symbol.sdk));
  out += musa_prototypes(2, symbol);
  out += line(2, "note", symbol.note);
  out += line(2, "sources", joined(symbol.sources));
  out += line(2, "serves", function.serves.empty() ? "no CUDA function" : joined(function.serves));
  return out;
}

std::string number(const tables::MusaEnumValue& value) {
  return value.value ? std::to_string(*value.value) : "an unknown number";
}

std::string majors(const tables::EnumValue& value) {
  std::vector<std::string> out;
  for (const int abi : value.abis) out.push_back(std::to_string(abi));
  return joined(out);
}

std::string text_of(const CudaEnumerator& item) {
  std::string out = line(1, item.value->name + " = " + std::to_string(item.value->value) + " in " +
                                item.type->name + " (CUDA " + majors(*item.value) + ")");
  out += line(2, "says", item.value->text);
  out += line(2, "refused", item.value->refused);
  if (item.type->musa.empty()) return out;
  if (item.musa == nullptr) return out + line(2, "unknown in MUSA's " + item.type->musa);
  return out + line(2, "in MUSA",
                    item.musa->name + " = " + number(*item.musa) + " in " + item.musa_type->name +
                        " (tier " + item.musa->tier + ")");
}

std::string text_of(const MusaEnumerator& item) {
  const std::string sdk = tables::written(item.sdk);
  std::string out =
      line(1, item.value->name + " = " + number(*item.value) + " in MUSA's " + item.type->name +
                  (sdk.empty() ? "" : ", SDK " + sdk) + " (tier " + item.value->tier + ")");
  if (!item.value->becomes.empty()) return out + line(2, "becomes", item.value->becomes);
  return out + line(2, "in CUDA", item.cuda.empty() ? "no matching name" : joined(item.cuda));
}

Json json_of(const tables::MusaSymbol& symbol) {
  Json out = {{"name", symbol.name},        {"exported_as", symbol.link},
              {"tier", symbol.tier},        {"sdk", tables::written(symbol.sdk)},
              {"sources", symbol.sources},  {"note", symbol.note},
              {"prototypes", Json::array()}};
  for (const tables::MusaPrototype& prototype : symbol.prototypes) {
    out["prototypes"].push_back({{"prototype", prototype.prototype},
                                 {"sdk", tables::written(prototype.sdk)},
                                 {"tier", prototype.tier},
                                 {"source", prototype.source}});
  }
  return out;
}

Json json_of(const CudaFunction& function) {
  const tables::Symbol& symbol = *function.symbol;
  Json out = {{"libraries", Json::array()},
              {"standing", standing_name(symbol.standing)},
              {"decision", symbol.decision},
              {"same_as", symbol.as},
              {"reason", symbol.reason},
              {"assumed_because", symbol.why},
              {"missing", symbol.missing},
              {"settled_by", symbol.settled_by()},
              {"sdk", Json::array()},
              {"delegated_to", symbol.delegated_to},
              {"calls", symbol.calls},
              {"besides", symbol.besides},
              {"prototype", symbol.prototype},
              {"header", symbol.header},
              {"target", Json()}};
  for (const tables::Library* library : function.libraries) {
    out["libraries"].push_back(library->soname);
  }
  for (const tables::SdkRange& range : symbol.sdk) out["sdk"].push_back(tables::written(range));
  if (function.target != nullptr) out["target"] = json_of(*function.target);
  return out;
}

Json json_of(const tables::MusaEnumValue& value) {
  return {{"name", value.name},
          {"value", value.value ? Json(*value.value) : Json()},
          {"tier", value.tier}};
}

Json json_of(const CudaEnumerator& item) {
  Json out = {
      {"name", item.value->name},       {"value", item.value->value},   {"type", item.type->name},
      {"library", item.type->library},  {"abis", item.value->abis},     {"text", item.value->text},
      {"refused", item.value->refused}, {"musa_type", item.type->musa}, {"musa", Json()}};
  if (item.musa != nullptr) out["musa"] = json_of(*item.musa);
  return out;
}

Json json_of(const MusaEnumerator& item) {
  Json out = json_of(*item.value);
  out["type"] = item.type->name;
  out["library"] = item.type->library;
  out["sdk"] = tables::written(item.sdk);
  out["becomes"] = item.value->becomes;
  out["cuda"] = item.cuda;
  return out;
}

template <typename Item>
Json list_of(const std::vector<Item>& items) {
  Json out = Json::array();
  for (const Item& item : items) out.push_back(json_of(item));
  return out;
}

}  // namespace

std::string write_text(const Answer& answer) {
  std::string out = coloured(answer.query, Colour::kBold) + "\n";
  for (const CudaFunction& item : answer.cuda_functions) out += text_of(item);
  for (const MusaFunction& item : answer.musa_functions) out += text_of(item);
  for (const CudaEnumerator& item : answer.cuda_enumerators) out += text_of(item);
  for (const MusaEnumerator& item : answer.musa_enumerators) out += text_of(item);
  for (const CudaTypeAnswer& item : answer.cuda_types) out += text_of(item);
  for (const MusaTypeAnswer& item : answer.musa_types) out += text_of(item);
  return out;
}

Json write_json(const Answer& answer) {
  Json out;
  out["query"] = answer.query;
  out["known"] = answer.is_known();
  out["cuda_functions"] = list_of(answer.cuda_functions);
  out["musa_functions"] = Json::array();
  for (const MusaFunction& item : answer.musa_functions) {
    Json function = json_of(*item.symbol);
    function["library"] = item.library;
    function["serves"] = item.serves;
    out["musa_functions"].push_back(function);
  }
  out["cuda_enumerators"] = list_of(answer.cuda_enumerators);
  out["musa_enumerators"] = list_of(answer.musa_enumerators);
  out["cuda_types"] = list_of(answer.cuda_types);
  out["musa_types"] = list_of(answer.musa_types);
  out["nearest"] = answer.nearest;
  return out;
}

}  // namespace torchada::explain
