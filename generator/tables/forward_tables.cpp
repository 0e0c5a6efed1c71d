#include "generator/tables/forward_tables.h"

#include <algorithm>

#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

const std::pair<const char*, RowDecision> kDecisions[] = {
    {"direct", RowDecision::kDirect},           {"adapted", RowDecision::kAdapted},
    {"emulated", RowDecision::kEmulated},       {"recorded", RowDecision::kRecorded},
    {"unsupported", RowDecision::kUnsupported}, {"no_image", RowDecision::kNoImage},
    {"delegated", RowDecision::kDelegated},
};

using Reasons = std::map<std::string, std::string>;

// A reason is either a key of `reasons` (one word) or the text itself.
std::string read_reason(const YamlNode& node, const Reasons& reasons) {
  const std::string text = node.text();
  if (text.find(' ') != std::string::npos) return text;
  const auto found = reasons.find(text);
  if (found == reasons.end())
    node.fail("unknown reason '" + text + "'; expected a key of 'reasons', or a sentence");
  return found->second;
}

// The calls of an adapter that it can do without.
std::vector<std::string> read_optional(const YamlNode& node,
                                       const std::vector<std::string>& calls) {
  const std::vector<std::string> out = node.texts_or_none("optional");
  for (const std::string& name : out) {
    if (std::find(calls.begin(), calls.end(), name) == calls.end())
      node.fail("'" + name + "' in 'optional' is not one of 'calls'");
  }
  return out;
}

Otherwise read_otherwise(const YamlNode& node, const Reasons& reasons) {
  node.only({"emulated", "delegated", "calls", "optional"});
  Otherwise out;
  if (node.has("delegated")) {
    node.only({"delegated"});
    out.target = node.required("delegated").text();
    out.reason = "through " + out.target;
    out.calls = {out.target};
    return out;
  }
  out.reason = read_reason(node.required("emulated"), reasons);
  out.calls = node.texts_or_none("calls");
  out.optional = read_optional(node, out.calls);
  return out;
}

Delegated read_delegated(const YamlNode& node, RowDecision decision) {
  Delegated out;
  for (const char* const key : {"with", "ignores"}) {
    if (node.has(key) && decision != RowDecision::kDelegated) {
      node.fail("'" + std::string(key) + "' is only allowed in a delegated row");
    }
  }
  if (node.has("with")) {
    for (const auto& [key, value] : node.required("with").entries()) {
      out.with[key.text()] = value.text();
    }
  }
  out.ignores = node.texts_or_none("ignores");
  return out;
}

Answered read_answered(const YamlNode& node) {
  if (node.text() == "always") return Answered::kAlways;
  // cppcheck 2.10 does not see that fail() does not return.
  // cppcheck-suppress missingReturn
  if (node.text() == "with kernel libraries") return Answered::kWithKernelLibraries;
  node.fail("expected 'always' or 'with kernel libraries'");
}

GuardRow read_guard(const YamlNode& node, RowDecision decision) {
  GuardRow out;
  out.is_kernel = node.has("cuda_kernel");
  const char* const key = out.is_kernel ? "cuda_kernel" : "cuda_variable";
  if (out.is_kernel && node.has("cuda_variable"))
    node.fail("a row has at most one guard: cuda_kernel or cuda_variable");
  if (!node.has(key)) {
    if (node.has("answered")) node.fail("'answered' needs cuda_kernel or cuda_variable");
    return out;
  }
  switch (decision) {
    case RowDecision::kDirect:
    case RowDecision::kAdapted:
    case RowDecision::kEmulated:
    case RowDecision::kNoImage:
      break;
    default:
      node.fail("'" + std::string(key) +
                "' is only allowed in a direct, adapted, emulated or no_image row");
  }
  out.parameter = node.required(key).text();
  if (node.has("answered")) out.answered = read_answered(node.required("answered"));
  return out;
}

using Ways = std::map<std::string, Way>;

Ways read_ways(const YamlNode& root, const Reasons& reasons) {
  Ways out;
  if (!root.has("via")) return out;
  for (const auto& [key, node] : root.required("via").entries()) {
    node.only({"calls", "optional", "types", "why", "assumes"});
    Way& way = out[key.text()];
    way.place = key.place();
    way.calls = node.texts_or_none("calls");
    way.optional = read_optional(node, way.calls);
    if (node.has("why")) way.why = read_reason(node.required("why"), reasons);
    way.assumes = node.text_or("assumes", "");
    if (!node.has("types")) continue;
    for (const auto& [type, name] : node.required("types").entries()) {
      way.types[type.text()] = name.text();
    }
  }
  return out;
}

void require_use(const Ways& ways, const std::map<std::string, std::vector<ForwardRow>>& rows) {
  std::set<std::string> used;
  for (const auto& [name, list] : rows) {
    for (const ForwardRow& row : list) used.insert(row.via);
  }
  for (const auto& [name, way] : ways) {
    if (!used.contains(name)) throw TableError(way.place, "no row goes via '" + name + "'");
  }
}

// An adapted row with `via` is an emulated one whose adapter is emitted and calls one function of
// MUSA.
void read_via(const YamlNode& node, const Ways& ways, ForwardRow* row) {
  if (row->decision != RowDecision::kAdapted && row->decision != RowDecision::kEmulated) {
    node.fail("'via' is only allowed in an adapted or emulated row");
  }
  row->via = node.required("via").text();
  const auto way = ways.find(row->via);
  if (way == ways.end()) node.fail("unknown way '" + row->via + "'; expected a key of 'via'");
  row->given = node.texts_or_none("given");
  if (row->decision == RowDecision::kEmulated) return;
  if (way->second.why.empty()) node.fail("the way '" + row->via + "' does not say 'why'");
  if (node.has("calls")) node.fail("'calls' of an adapted row with 'via' are those of the way");
  row->decision = RowDecision::kEmulated;
  row->reason = way->second.why;
  row->calls = way->second.calls;
  row->calls.push_back(row->target);
  row->optional = way->second.optional;
}

ForwardRow read_row(const YamlNode& node, const Reasons& reasons, const Ways& ways) {
  node.only({"direct",        "adapted",  "emulated",   "recorded", "unsupported", "no_image",
             "delegated",     "abi",      "otherwise",  "calls",    "optional",    "cuda_kernel",
             "cuda_variable", "answered", "no_backend", "status",   "texts",       "brings_code",
             "forgets",       "by_hand",  "with",       "ignores",  "via",         "given"});
  ForwardRow row;
  row.place = node.place();
  int decisions = 0;
  for (const auto& [key, decision] : kDecisions) {
    if (!node.has(key)) continue;
    ++decisions;
    row.decision = decision;
    const YamlNode value = node.required(key);
    switch (decision) {
      case RowDecision::kDirect:
      case RowDecision::kAdapted:
      case RowDecision::kDelegated:
        row.target = value.text();
        break;
      case RowDecision::kEmulated:
      case RowDecision::kRecorded:
      case RowDecision::kUnsupported:
      case RowDecision::kNoImage:
        row.reason = read_reason(value, reasons);
        break;
    }
  }
  if (decisions != 1) {
    node.fail(
        "expected exactly one of the keys direct, adapted, emulated, recorded, "
        "unsupported, no_image, delegated");
  }
  if (node.has("abi")) {
    for (const YamlNode& item : node.required("abi").items()) {
      row.abis.push_back(static_cast<int>(item.integer()));
    }
  }
  row.delegated = read_delegated(node, row.decision);
  if (node.has("otherwise")) {
    if (row.decision != RowDecision::kDirect && row.decision != RowDecision::kAdapted) {
      node.fail("'otherwise' is only allowed in a direct or adapted row");
    }
    row.otherwise = read_otherwise(node.required("otherwise"), reasons);
  }
  if (node.has("given") && !node.has("via")) node.fail("'given' is only allowed beside 'via'");
  if (node.has("via")) read_via(node, ways, &row);
  if (node.has("calls")) {
    if (row.decision != RowDecision::kEmulated)
      node.fail("'calls' is only allowed in an emulated row");
    row.calls = node.required("calls").texts();
  }
  if (!row.leads_by_way()) row.optional = read_optional(node, row.calls);
  row.guard = read_guard(node, row.decision);
  row.forgets = node.text_or("forgets", "");
  if (!row.forgets.empty() && row.decision != RowDecision::kAdapted) {
    node.fail("'forgets' is only allowed in an adapted row");
  }
  row.no_backend = node.text_or("no_backend", "");
  row.status = node.text_or("status", "");
  if (!row.status.empty() && row.decision != RowDecision::kUnsupported) {
    node.fail("'status' is only allowed in an unsupported row");
  }
  row.refused_by_hand = node.has("by_hand") && node.required("by_hand").boolean();
  if (row.refused_by_hand && row.decision != RowDecision::kUnsupported) {
    node.fail("'by_hand' is only allowed in an unsupported row");
  }
  row.brings_code = node.has("brings_code") && node.required("brings_code").boolean();
  row.texts = node.text_or("texts", "");
  if (!row.texts.empty() && row.decision != RowDecision::kEmulated) {
    node.fail("'texts' is only allowed in an emulated row");
  }
  return row;
}

StatusNames read_status(const YamlNode& node) {
  node.only({"type", "unsupported", "no_backend", "no_image", "unloading", "forked", "failed",
             "bad_enum", "invalid", "no_memory", "also_unsupported"});
  StatusNames out;
  out.unsupported = node.required("unsupported").text();
  out.also_unsupported = node.texts_or_none("also_unsupported");
  out.no_backend = node.required("no_backend").text();
  out.no_image = node.text_or("no_image", out.unsupported);
  out.unloading = node.required("unloading").text();
  out.forked = node.required("forked").text();
  out.bad_enum = node.text_or("bad_enum", "");
  out.failed = node.text_or("failed", "");
  out.invalid = node.text_or("invalid", "");
  out.no_memory = node.text_or("no_memory", "");
  return out;
}

PropertySources read_properties(const YamlNode& node) {
  node.only({"type", "attribute_type", "attributes"});
  PropertySources out;
  out.place = node.place();
  out.type = node.required("type").text();
  out.attribute_type = node.required("attribute_type").text();
  for (const auto& [key, value] : node.required("attributes").entries()) {
    out.attributes[key.text()] =
        value.is_sequence() ? value.texts() : std::vector<std::string>{value.text()};
  }
  return out;
}

EnumeratorDecision read_decision(const YamlNode& node) {
  static const std::pair<const char*, NumberDecision> kKinds[] = {
      {"passed", NumberDecision::kPassed},
      {"accepted", NumberDecision::kAccepted},
      {"told", NumberDecision::kTold},
      {"refused", NumberDecision::kRefused},
  };
  node.only({"passed", "accepted", "told", "refused", "flag"});
  EnumeratorDecision out;
  out.place = node.place();
  int decisions = 0;
  for (const auto& [key, decision] : kKinds) {
    if (!node.has(key)) continue;
    ++decisions;
    out.decision = decision;
    out.reason = node.required(key).text();
  }
  if (decisions != 1) node.fail("expected one of passed, accepted, told, refused");
  out.is_flag = node.has("flag") && node.required("flag").boolean();
  return out;
}

std::map<char, std::string> read_letters(const YamlNode& node) {
  std::map<char, std::string> out;
  for (const auto& [key, value] : node.entries()) {
    if (key.text().size() != 1) key.fail("'" + key.text() + "': expected one letter");
    out[key.text()[0]] = value.text();
  }
  return out;
}

}  // namespace

const char* decision_name(RowDecision decision) {
  return kDecisions[static_cast<int>(decision)].first;
}

const char* decision_name(const ForwardRow& row) {
  return decision_name(row.leads_by_way() ? RowDecision::kAdapted : row.decision);
}

ForwardLibrary read_forward_library(const std::string& file, const ReplacementLibrary& library) {
  const YamlNode root = load_yaml(file);
  root.only({"library", "status", "backend_status", "records_errors", "tells_only", "leaves_errors",
             "without_maker", "reasons", "properties", "attributes", "characters", "kernel_calls",
             "via", "rows"});
  ForwardLibrary out;
  out.file = file;
  out.name = root.required("library").text();
  out.backend = library.backend;
  const YamlNode backend_status = root.required("backend_status");
  out.status = read_status(root.required("status"));
  out.status.type = library.status;
  out.backend_status = read_status(backend_status);
  out.backend_status.type = backend_status.required("type").text();
  if (root.has("records_errors")) out.records_errors = root.required("records_errors").boolean();
  if (root.has("tells_only")) out.tells_only = root.required("tells_only").boolean();
  if (root.has("leaves_errors")) {
    const YamlNode node = root.required("leaves_errors");
    node.only({"peek", "clear"});
    out.peek_error = node.required("peek").text();
    out.clear_error = node.required("clear").text();
  }
  out.without_maker = root.texts_or_none("without_maker");
  out.kernel_calls = root.texts_or_none("kernel_calls");
  if (root.has("properties")) out.properties = read_properties(root.required("properties"));
  if (root.has("attributes")) out.attributes = read_attribute_values(root.required("attributes"));
  if (root.has("characters")) {
    for (const auto& [key, node] : root.required("characters").entries()) {
      out.characters[key.text()] = read_letters(node);
    }
  }
  Reasons reasons;
  if (root.has("reasons")) {
    for (const auto& [key, node] : root.required("reasons").entries()) {
      reasons[key.text()] = node.text();
    }
  }
  out.ways = read_ways(root, reasons);
  out.rows_place = root.required("rows").place();
  for (const auto& [key, node] : root.required("rows").entries()) {
    std::vector<ForwardRow>& rows = out.rows[key.text()];
    if (node.is_sequence()) {
      for (const YamlNode& item : node.items()) rows.push_back(read_row(item, reasons, out.ways));
    } else {
      rows.push_back(read_row(node, reasons, out.ways));
    }
    if (rows.empty()) key.fail("'" + key.text() + "' has no decision");
  }
  require_use(out.ways, out.rows);
  return out;
}

const EnumeratorDecision* TypeCorrespondence::decision(const std::string& type,
                                                       const std::string& enumerator) const {
  const auto of_type = decided.find(type);
  if (of_type == decided.end()) return nullptr;
  for (const std::string& name : {enumerator, std::string(kAllAssumed)}) {
    const auto found = of_type->second.find(name);
    if (found != of_type->second.end()) return &found->second;
  }
  return nullptr;
}

std::string TypeCorrespondence::enumerator(const std::string& cuda_name) const {
  const auto irregular = names.find(cuda_name);
  if (irregular != names.end()) return irregular->second;
  for (const auto& [from, to] : prefixes) {
    if (cuda_name.starts_with(from)) return to + cuda_name.substr(from.size());
  }
  return cuda_name;
}

TypeCorrespondence read_type_correspondence(const std::string& file) {
  const YamlNode root = load_yaml(file);
  root.only({"types", "enumerator_names", "enumerator_prefixes", "refuse_unknown",
             "numbered_as_cuda", "decided", "results", "combined", "counted", "unbuffered",
             "fallback_enumerators"});
  TypeCorrespondence out;
  out.file = file;
  for (const auto& [key, node] : root.required("types").entries()) {
    out.types[key.text()] = node.text();
  }
  for (const auto& [key, node] : root.required("enumerator_names").entries()) {
    out.names[key.text()] = node.text();
  }
  for (const auto& [key, node] : root.required("results").entries()) {
    out.results[key.text()] = node.text();
  }
  for (const auto& [key, node] : root.required("fallback_enumerators").entries()) {
    for (const auto& [first, second] : node.entries()) {
      out.fallbacks[key.text()][first.text()] = second.text();
    }
  }
  for (const std::string& type : root.required("refuse_unknown").texts()) {
    out.refuse_unknown.insert(type);
  }
  out.numbered_as_cuda = root.required("numbered_as_cuda").texts();
  for (const auto& [key, node] : root.required("decided").entries()) {
    for (const auto& [name, decision] : node.entries()) {
      const EnumeratorDecision read = read_decision(decision);
      if (name.text() == kAllAssumed && read.decision != NumberDecision::kPassed) {
        name.fail("expected 'passed' for 'all'; decide other numbers one by one");
      }
      out.decided[key.text()][name.text()] = read;
      if (read.decision == NumberDecision::kRefused) out.refused[name.text()] = read.reason;
      if (read.decision == NumberDecision::kTold) out.told[name.text()] = read.reason;
    }
  }
  for (const auto& [key, node] : root.required("enumerator_prefixes").entries()) {
    out.prefixes.emplace_back(key.text(), node.text());
  }
  out.combined = root.required("combined").texts();
  for (const auto& [key, node] : root.required("counted").entries()) {
    for (const std::string& parameter : node.texts()) out.counted[key.text()].insert(parameter);
  }
  for (const auto& [key, node] : root.required("unbuffered").entries()) {
    out.unbuffered[key.text()] = node.text();
  }
  std::stable_sort(out.prefixes.begin(), out.prefixes.end(),
                   [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  return out;
}

}  // namespace torchada
