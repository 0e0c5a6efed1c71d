// share/facts.json in memory: every fact about MUSA, for verify and bench.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "src/command/tables.h"

namespace torchada::verify {

struct Parameter {
  std::string type, name;  // "const void *", "devPtr"
};

struct Fact {
  // As generator/fact_list.h describes them.
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
  std::string underlying;             // For integers with their own type name.
  bool on_stand_in = false;           // Quirks: the stand-in behaves so too.
  std::string otherwise;              // Quirks: what was seen of a MUSA that behaves differently.

  bool is_evident() const;  // Tier doc or better, which counts as supported.
};

// How many programs rest on what a probe decides, as generator/decide/fact_use.h says.
struct ProbeUse {
  std::string probe;
  int filled = 0;    // On the sizes of structs that MUSA fills.
  int programs = 0;  // On anything.
};

class Facts {
 public:
  // Reads the file below the installation's root. Throws Failure with its path if it is missing or
  // damaged.
  explicit Facts(const std::string& root);

  // Selects the SDK. Call this before all functions below.
  void choose(int sdk);
  int sdk() const { return sdk_; }

  // The facts about this SDK, in the order of the tables.
  const std::vector<const Fact*>& all() const { return chosen_; }
  std::size_t known() const { return facts_.size(); }  // For all SDKs.

  // Those on whose facts most programs rest come first.
  const std::vector<ProbeUse>& probes() const { return probes_; }

  const Fact* find(const std::string& id) const;
  // For the chosen SDK. Null if nothing is known.
  const Fact* symbol(const std::string& name) const;
  const Fact* prototype(const std::string& function) const;
  const Fact* value(const std::string& type, const std::string& enumerator) const;
  const Fact* size(const std::string& type) const;
  const Fact* field(const std::string& type, const std::string& name) const;
  const Fact* quirk(const std::string& name) const;
  std::vector<const Fact*> values(const std::string& type) const;
  std::vector<const Fact*> fields(const std::string& type) const;  // In the order of the members.
  // "enum", "handle", "scalar", "struct", "callback". Empty for a type that the tables lack.
  std::string kind_of_type(const std::string& type) const;
  std::string underlying(const std::string& type) const;  // For a scalar.

 private:
  std::vector<Fact> facts_;
  std::map<std::string, std::string> type_kinds_;
  std::vector<ProbeUse> probes_;
  int sdk_ = 0;
  std::vector<const Fact*> chosen_;
  std::map<std::string, const Fact*> by_path_;  // "kind:" and the part after the library
};

}  // namespace torchada::verify
