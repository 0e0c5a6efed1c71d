// YAML with source positions: on bad input every accessor throws TableError with file and line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "src/shared/place.h"

namespace torchada {

// A defect of a table. what() is "FILE:LINE: message".
class TableError : public std::runtime_error {
 public:
  TableError(const Place& place, const std::string& message);
};

struct YamlDocument;  // All values of a file.
struct YamlValue;

// A YAML node that knows its file. Cheap to copy; keeps its document.
class YamlNode {
 public:
  YamlNode(std::shared_ptr<const YamlDocument> document, std::size_t index)
      : document_(std::move(document)), index_(index) {}

  Place place() const;
  bool is_map() const;
  bool is_sequence() const;
  bool is_scalar() const;

  std::string text() const;                // Scalar as written.
  std::int64_t integer() const;            // Decimal or 0x; throws if it is neither.
  bool boolean() const;                    // true or false.
  std::vector<std::string> texts() const;  // Sequence of scalars.

  YamlNode required(const std::string& key) const;  // Throws if the key is missing.
  bool has(const std::string& key) const;
  std::string text_or(const std::string& key, const std::string& fallback) const;
  std::vector<std::string> texts_or_none(const std::string& key) const;

  std::vector<YamlNode> items() const;  // Of a sequence.
  // Entries of a map, in file order; throws for a duplicate key.
  std::vector<std::pair<YamlNode, YamlNode>> entries() const;
  // Throws if the map has a key that is not in `known`: a misspelt key must not go unnoticed.
  void only(const std::set<std::string>& known) const;

  [[noreturn]] void fail(const std::string& message) const;

 private:
  const YamlValue& value() const;
  YamlNode at(std::size_t index) const { return {document_, index}; }
  std::optional<YamlNode> find(const std::string& key) const;

  std::shared_ptr<const YamlDocument> document_;
  std::size_t index_;
};

// Reads one document. Throws TableError for a missing file (line 0) or a syntax error.
YamlNode load_yaml(const std::string& file);

// A scalar for a flow sequence or a block value, quoted only if YAML requires it.
std::string yaml_scalar(const std::string& text);

}  // namespace torchada
