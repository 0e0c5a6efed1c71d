#include "generator/tables/source_list.h"

#include "generator/tables/musa_tables.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

constexpr char kHex[] = "0123456789abcdef";
constexpr std::size_t kShortCommit = 7;
constexpr std::size_t kFullCommit = 40;

std::string read_commit(const YamlNode& node) {
  std::string text = node.text();
  if (text.size() != kFullCommit || text.find_first_not_of(kHex) != std::string::npos) {
    node.fail("'" + text + "': expected the commit at which it was read, in 40 hexadecimal digits");
  }
  return text;
}

// "2026-11-23"
std::string read_day(const YamlNode& node) {
  std::string text = node.text();
  const bool good = text.size() == 10 && text[4] == '-' && text[7] == '-' &&
                    text.find_first_not_of("0123456789-") == std::string::npos;
  if (!good)
    node.fail("'" + text + "': expected the day on which it was read, for example 2026-11-23");
  return text;
}

// The path of a file that is read at several commits ends with one: "mupti_strings.cpp@7179419".
std::string without_commit(const std::string& path) { return path.substr(0, path.rfind('@')); }

// Of a script, a document or data nothing is compiled with an SDK's headers.
bool is_compiled(const std::string& path) {
  for (const char* end : {".py", ".sh", ".md", ".json", ".txt", ".log", ".patch"}) {
    if (path.ends_with(end)) return false;
  }
  return true;
}

// A release, or a list.
std::vector<int> read_sdks(const YamlNode& node) {
  std::vector<int> out;
  for (const YamlNode& item : node.is_sequence() ? node.items() : std::vector<YamlNode>{node}) {
    out.push_back(read_sdk_version(item));
  }
  return out;
}

// A tier, or {names: TIER, rest: TIER} with what belongs to the kind of source.
CitedSource read_source(const YamlNode& key, const YamlNode& node, const std::string& read) {
  CitedSource out;
  out.place = key.place();
  out.read = read;
  if (!node.is_map()) {
    out.names = out.rest = read_tier(node);
    return out;
  }
  node.only({"names", "rest", "commit", "sdk", "because"});
  out.names = read_tier(node.required("names"));
  out.rest = read_tier(node.required("rest"));
  if (node.has("commit")) out.read = read_commit(node.required("commit"));
  if (node.has("sdk")) out.sdks = read_sdks(node.required("sdk"));
  if (node.has("because") && out.sdks.empty()) node.fail("'because' without 'sdk'");
  return out;
}

}  // namespace

SourceList SourceList::read(const std::string& file) {
  const YamlNode root = load_yaml(file);
  root.only({"repositories", "pages"});
  SourceList out;
  for (const auto& [repository, node] : root.required("repositories").entries()) {
    node.only({"commit", "files"});
    const std::string commit = read_commit(node.required("commit"));
    for (const auto& [path, strength] : node.required("files").entries()) {
      const CitedSource source = read_source(path, strength, commit);
      if (!is_compiled(without_commit(path.text())) &&
          (source.names == Tier::kCode || source.rest == Tier::kCode)) {
        path.fail("'" + path.text() + "' is not compiled with an SDK: 'code' is too strong; use " +
                  "'decl' if it loads the library, 'doc' if it only tells of it");
      }
      out.sources_[repository.text() + ":" + path.text()] = source;
    }
  }
  for (const auto& [address, node] : root.required("pages").entries()) {
    node.only({"gives", "read"});
    out.sources_[address.text()] =
        read_source(address, node.required("gives"), read_day(node.required("read")));
  }
  return out;
}

const CitedSource* SourceList::find(const std::string& cited) const {
  const auto found = sources_.find(cited);
  return found == sources_.end() ? nullptr : &found->second;
}

std::string SourceList::with_reading(const std::string& cited) const {
  const CitedSource* source = find(cited);
  if (!source) return cited;
  if (cited.starts_with("https://")) return cited + " (" + source->read + ")";
  const std::size_t colon = cited.find(':');
  return cited.substr(0, colon) + "@" + source->read.substr(0, kShortCommit) +
         without_commit(cited.substr(colon));
}

std::vector<std::string> SourceList::with_reading(const std::vector<std::string>& cited) const {
  std::vector<std::string> out;
  for (const std::string& source : cited) out.push_back(with_reading(source));
  return out;
}

}  // namespace torchada
