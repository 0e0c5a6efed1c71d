// Every fact about MUSA, for verify and bench.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "src/command/tables.h"

namespace torchada::verify {

using tables::Fact;
using tables::Parameter;
using tables::ProbeUse;

class Facts {
 public:
  explicit Facts(const std::string& root) : tables_(tables::read(root)) {}

  // Selects the SDK. Call this before all functions below.
  void choose(int sdk);
  int sdk() const { return sdk_; }

  // The facts about this SDK, in the order of the tables.
  const std::vector<const Fact*>& all() const { return chosen_; }
  std::size_t known() const { return tables_.facts.size(); }  // For all SDKs.

  // Those on whose facts most programs rest come first.
  const tables::List<ProbeUse>& probes() const { return tables_.probes; }

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
  const tables::Tables& tables_;
  int sdk_ = 0;
  std::vector<const Fact*> chosen_;
  std::map<std::string, const Fact*> by_path_;  // "kind:" and the part after the library
};

}  // namespace torchada::verify
