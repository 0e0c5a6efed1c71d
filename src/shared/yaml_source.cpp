#include "src/shared/yaml_source.h"

#include <yaml.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>

namespace torchada {

struct YamlValue {
  enum class Kind { kNull, kScalar, kSequence, kMap };
  Kind kind;
  int line;
  std::string text;                   // Of a scalar.
  std::vector<std::size_t> children;  // Places in the document: items, or keys and values in turns.
};

struct YamlDocument {
  std::string file;
  std::vector<YamlValue> values;
};

namespace {

using Kind = YamlValue::Kind;

// Makes a document of libyaml's events.
class Builder {
 public:
  explicit Builder(const std::string& file)
      : stream_(std::fopen(file.c_str(), "rb")), out_(std::make_shared<YamlDocument>()) {
    out_->file = file;
    if (!stream_ || yaml_parser_initialize(&parser_) == 0) {
      if (stream_) std::fclose(stream_);
      throw TableError({file, 0}, "cannot read");
    }
    yaml_parser_set_input_file(&parser_, stream_);
  }
  ~Builder() {
    yaml_parser_delete(&parser_);
    std::fclose(stream_);
  }
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  YamlNode document() {
    while (take_event()) continue;
    // An empty file is one null value.
    if (!root_) root_ = add(Kind::kNull, 1, nullptr);
    return {out_, *root_};
  }

 private:
  // False at the end of the file.
  bool take_event() {
    yaml_event_t event;
    if (yaml_parser_parse(&parser_, &event) == 0) {
      fail(parser_.problem_mark, parser_.problem ? parser_.problem : "not YAML");
    }
    const std::unique_ptr<yaml_event_t, void (*)(yaml_event_t*)> owner(&event, yaml_event_delete);
    const int line = static_cast<int>(event.start_mark.line) + 1;
    switch (event.type) {
      case YAML_DOCUMENT_START_EVENT:
        if (root_) {
          fail(event.start_mark, "a second YAML document in the same file is not read; remove it");
        }
        break;
      case YAML_ALIAS_EVENT:
        add_child(anchored(event));
        break;
      case YAML_SCALAR_EVENT: {
        const auto& scalar = event.data.scalar;
        std::string text(reinterpret_cast<const char*>(scalar.value), scalar.length);
        const bool is_null = scalar.style == YAML_PLAIN_SCALAR_STYLE &&
                             (text.empty() || text == "~" || text == "null");
        const std::size_t index = add(is_null ? Kind::kNull : Kind::kScalar, line, scalar.anchor);
        out_->values[index].text = std::move(text);
        add_child(index);
        break;
      }
      case YAML_SEQUENCE_START_EVENT:
        begin(add(Kind::kSequence, line, event.data.sequence_start.anchor));
        break;
      case YAML_MAPPING_START_EVENT:
        begin(add(Kind::kMap, line, event.data.mapping_start.anchor));
        break;
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        open_.pop_back();
        break;
      default:
        break;
    }
    return event.type != YAML_STREAM_END_EVENT;
  }

  std::size_t add(Kind kind, int line, const yaml_char_t* anchor) {
    out_->values.push_back({kind, line, "", {}});
    if (anchor) anchors_[reinterpret_cast<const char*>(anchor)] = out_->values.size() - 1;
    return out_->values.size() - 1;
  }

  void add_child(std::size_t index) {
    if (open_.empty()) {
      root_ = index;
    } else {
      out_->values[open_.back()].children.push_back(index);
    }
  }

  void begin(std::size_t index) {
    add_child(index);
    open_.push_back(index);
  }

  std::size_t anchored(const yaml_event_t& alias) const {
    const std::string name = reinterpret_cast<const char*>(alias.data.alias.anchor);
    const auto found = anchors_.find(name);
    if (found == anchors_.end()) fail(alias.start_mark, "unknown anchor '" + name + "'");
    // What reads the tables would follow it without end.
    if (std::find(open_.begin(), open_.end(), found->second) != open_.end()) {
      fail(alias.start_mark, "'" + name + "' contains itself");
    }
    return found->second;
  }

  [[noreturn]] void fail(const yaml_mark_t& mark, const std::string& message) const {
    throw TableError({out_->file, static_cast<int>(mark.line) + 1}, message);
  }

  std::FILE* stream_;
  yaml_parser_t parser_;
  std::shared_ptr<YamlDocument> out_;
  std::optional<std::size_t> root_;
  std::vector<std::size_t> open_;  // Lists and maps whose end has not come, outermost first.
  std::map<std::string, std::size_t> anchors_;
};

}  // namespace

TableError::TableError(const Place& place, const std::string& message)
    : std::runtime_error(place.line > 0
                             ? place.file + ":" + std::to_string(place.line) + ": " + message
                             : place.file + ": " + message) {}

const YamlValue& YamlNode::value() const { return document_->values[index_]; }

Place YamlNode::place() const { return {document_->file, value().line}; }

bool YamlNode::is_map() const { return value().kind == Kind::kMap; }
bool YamlNode::is_sequence() const { return value().kind == Kind::kSequence; }
bool YamlNode::is_scalar() const { return value().kind == Kind::kScalar; }

void YamlNode::fail(const std::string& message) const { throw TableError(place(), message); }

std::string YamlNode::text() const {
  if (!is_scalar()) fail("expected a single value");
  return value().text;
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

std::optional<YamlNode> YamlNode::find(const std::string& key) const {
  if (!is_map()) fail("expected a map of keys and values");
  const std::vector<std::size_t>& children = value().children;
  for (std::size_t i = 0; i < children.size(); i += 2) {
    const YamlValue& name = document_->values[children[i]];
    if (name.kind == Kind::kScalar && name.text == key) return at(children[i + 1]);
  }
  return std::nullopt;
}

bool YamlNode::has(const std::string& key) const { return find(key).has_value(); }

YamlNode YamlNode::required(const std::string& key) const {
  const std::optional<YamlNode> found = find(key);
  if (!found) fail("missing key '" + key + "'");
  return *found;
}

std::string YamlNode::text_or(const std::string& key, const std::string& fallback) const {
  return has(key) ? required(key).text() : fallback;
}

std::vector<std::string> YamlNode::texts_or_none(const std::string& key) const {
  return has(key) ? required(key).texts() : std::vector<std::string>();
}

std::vector<YamlNode> YamlNode::items() const {
  if (!is_sequence()) fail("expected a list");
  std::vector<YamlNode> out;
  for (const std::size_t child : value().children) out.push_back(at(child));
  return out;
}

std::vector<std::pair<YamlNode, YamlNode>> YamlNode::entries() const {
  if (!is_map()) fail("expected a map of keys and values");
  const std::vector<std::size_t>& children = value().children;
  std::vector<std::pair<YamlNode, YamlNode>> out;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < children.size(); i += 2) {
    const YamlNode key = at(children[i]);
    if (!seen.insert(key.text()).second) key.fail("'" + key.text() + "' appears twice");
    out.emplace_back(key, at(children[i + 1]));
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
  return Builder(file).document();
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
