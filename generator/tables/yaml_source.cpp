#include "generator/tables/yaml_source.h"

#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <fstream>

namespace torchada {
namespace {

// Records where the last document of a file begins.
struct DocumentStarts : YAML::EventHandler {
  int last = 0;
  void OnDocumentStart(const YAML::Mark& mark) override { last = mark.line; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

// Whether a text that YAML::LoadFile accepts is surely one document: a map, each of whose lines
// begins with a blank, a comment, a key, or an item of the list that is the value of the key above.
bool is_one_map(std::istream& text) {
  bool is_value_below = false;
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line[0] == ' ' || line[0] == '#') continue;
    if (is_value_below && line.starts_with("- ")) continue;
    std::size_t end = 0;
    while (end < line.size() &&
           (std::isalnum(static_cast<unsigned char>(line[end])) != 0 || line[end] == '_'))
      ++end;
    if (end == 0 || end == line.size() || line[end] != ':') return false;
    is_value_below = end + 1 == line.size();
    if (!is_value_below && line[end + 1] != ' ') return false;
  }
  return true;
}

// Does not use YAML::LoadAll, which finds documents without end in the text `"a",b`.
void refuse_second_document(const std::string& file) {
  std::ifstream stream(file);
  // All tables are so; to parse them again would double the time of reading them.
  if (is_one_map(stream)) return;
  stream.clear();
  stream.seekg(0);
  YAML::Parser parser(stream);
  DocumentStarts starts;
  if (parser.HandleNextDocument(starts) && parser.HandleNextDocument(starts)) {
    throw TableError({file, starts.last + 1},
                     "a second YAML document in the same file is not read; remove it");
  }
}

}  // namespace

TableError::TableError(const Place& place, const std::string& message)
    : std::runtime_error(place.line > 0
                             ? place.file + ":" + std::to_string(place.line) + ": " + message
                             : place.file + ": " + message) {}

Place YamlNode::place() const {
  // An empty document has no mark.
  return {file_, std::max(node_.Mark().line, 0) + 1};
}

void YamlNode::fail(const std::string& message) const { throw TableError(place(), message); }

std::string YamlNode::text() const {
  if (!node_.IsScalar()) fail("expected a single value");
  return node_.Scalar();
}

std::int64_t YamlNode::integer() const {
  const std::string value = text();
  const bool hex = value.starts_with("0x");
  const char* first = value.data() + (hex ? 2 : 0);
  const char* last = value.data() + value.size();
  if (hex) {
    std::uint64_t bits = 0;
    const auto [end, error] = std::from_chars(first, last, bits, 16);
    if (error != std::errc() || end != last) fail("expected an integer, found '" + value + "'");
    return static_cast<std::int64_t>(bits);
  }
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(first, last, number, 10);
  if (error != std::errc() || end != last) fail("expected an integer, found '" + value + "'");
  return number;
}

bool YamlNode::boolean() const {
  const std::string value = text();
  if (value == "true") return true;
  if (value == "false") return false;
  fail("expected true or false, found '" + value + "'");
}

std::vector<std::string> YamlNode::texts() const {
  std::vector<std::string> out;
  for (const YamlNode& item : items()) out.push_back(item.text());
  return out;
}

bool YamlNode::has(const std::string& key) const {
  if (!node_.IsMap()) fail("expected a map of keys and values");
  return static_cast<bool>(node_[key]);
}

YamlNode YamlNode::required(const std::string& key) const {
  if (!has(key)) fail("missing key '" + key + "'");
  return YamlNode(node_[key], file_);
}

std::string YamlNode::text_or(const std::string& key, const std::string& fallback) const {
  return has(key) ? required(key).text() : fallback;
}

std::vector<std::string> YamlNode::texts_or_none(const std::string& key) const {
  return has(key) ? required(key).texts() : std::vector<std::string>();
}

std::vector<YamlNode> YamlNode::items() const {
  if (!node_.IsSequence()) fail("expected a list");
  std::vector<YamlNode> out;
  for (const YAML::Node& item : node_) out.emplace_back(item, file_);
  return out;
}

std::vector<std::pair<YamlNode, YamlNode>> YamlNode::entries() const {
  if (!node_.IsMap()) fail("expected a map of keys and values");
  std::vector<std::pair<YamlNode, YamlNode>> out;
  std::set<std::string> seen;
  for (const auto& entry : node_) {
    YamlNode key(entry.first, file_);
    if (!seen.insert(key.text()).second) key.fail("'" + key.text() + "' appears twice");
    out.emplace_back(key, YamlNode(entry.second, file_));
  }
  return out;
}

void YamlNode::only(const std::set<std::string>& known) const {
  for (const auto& [key, value] : entries()) {
    if (known.count(key.text()) == 0) key.fail("unknown key '" + key.text() + "'");
  }
}

YamlNode load_yaml(const std::string& file) {
  if (!std::filesystem::is_regular_file(file)) throw TableError({file, 0}, "file not found");
  try {
    const YAML::Node document = YAML::LoadFile(file);
    refuse_second_document(file);
    return YamlNode(document, file);
  } catch (const YAML::Exception& error) {
    throw TableError({file, error.mark.line + 1}, error.msg);
  }
}

std::string yaml_scalar(const std::string& text) {
  const bool plain = !text.empty() &&
                     text.find_first_of(":#,[]{}&!|>'\"%@`\n\\") == std::string::npos &&
                     text.find_first_of("*-? ") != 0 && text.back() != ' ' && text != "true" &&
                     text != "false" && text != "null" && text != "~";
  if (plain) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

}  // namespace torchada
