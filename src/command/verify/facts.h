// share/facts.json in memory: every fact about MUSA, as verify and bench ask for them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tables.h"

namespace torchada::verify {

struct Parameter {
  std::string type, name;  // "const void *", "devPtr"
};

struct Fact {
  // What generator/fact_list.h says.
  std::string id, kind, library, name, claim, tier, place;
  std::vector<std::string> sources;
  tables::SdkRange sdk;

  std::string link;                   // Symbols: the exported name.
  std::string returns;                // Prototypes.
  std::vector<Parameter> parameters;  // Prototypes.
  std::string type;                   // Enumerators, structs, members, other types.
  std::optional<std::int64_t> value;  // Enumerators and constants.
  std::optional<std::int64_t> size;   // Structs, bytes.
  std::int64_t offset = 0;            // Members, bytes.
  std::string field_type;             // Members: "int[3]"
  std::string underlying;             // Integers with a name of their own.

  bool is_evident() const;  // Of tier doc or better: what counts as supported.
};

class Facts {
 public:
  // Below the root of the installation. Throws Failure where the file is missing or damaged.
  explicit Facts(const std::string& root);

  // To be called before anything below: which SDK the facts are asked for.
  void choose(int sdk);
  int sdk() const { return sdk_; }

  // Those that are about this SDK, in the order of the tables.
  const std::vector<const Fact*>& all() const { return chosen_; }
  std::size_t known() const { return facts_.size(); }  // For every SDK.

  const Fact* find(const std::string& id) const;
  // Of the chosen SDK; null where nothing is known.
  const Fact* symbol(const std::string& name) const;
  const Fact* prototype(const std::string& function) const;
  const Fact* value(const std::string& type, const std::string& enumerator) const;
  const Fact* size(const std::string& type) const;
  const Fact* field(const std::string& type, const std::string& name) const;
  std::vector<const Fact*> values(const std::string& type) const;
  std::vector<const Fact*> fields(const std::string& type) const;  // In the order of the members.
  // "enum", "handle", "scalar", "struct", "callback"; empty for a type that is not in the tables.
  std::string kind_of_type(const std::string& type) const;
  std::string underlying(const std::string& type) const;  // Of a scalar.

 private:
  std::vector<Fact> facts_;
  std::map<std::string, std::string> type_kinds_;
  int sdk_ = 0;
  std::vector<const Fact*> chosen_;
  std::map<std::string, const Fact*> by_path_;  // "kind:what is behind the library"
};

}  // namespace torchada::verify
