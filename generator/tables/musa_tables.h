// Reads mappings/musa/: what is known about MUSA, with tiers and sources.
#pragma once

#include <string>

#include "generator/tables/model.h"
#include "src/shared/yaml_source.h"

namespace torchada {

// mappings/musa/backend.yaml: how an installation is found.
struct MusaBackend {
  std::vector<std::string> root_variables;
  std::vector<std::string> default_roots;
  std::vector<std::string> subfolders;
  // Which SDK the runtime's version means.
  struct RuntimeVersion {
    int from = 0, to = 0;  // Runtime versions, `to` exclusive.
    int sdk = 0;           // 0: the result is the SDK's version.
    MusaEvidence evidence;
  };
  std::vector<RuntimeVersion> runtime_versions;
  std::string runtime_version_call;
  // How a library reports its version.
  struct Version {
    std::string library, call, encoding;
    MusaEvidence evidence;
  };
  std::vector<Version> versions;
  // Environment variables: CUDA's name and MUSA's. For prefixes also the names of CUDA's variables
  // without a counterpart.
  struct Variable {
    std::string cuda, musa;
    std::vector<std::string> except;
    MusaEvidence evidence;
  };
  std::vector<Variable> variables, prefixes;
};

// mappings/musa/quirks.yaml: behaviour that no prototype shows.
struct MusaQuirk {
  std::string name, library, says;
  SdkRange sdk;
  Tier tier = Tier::kMap;
  std::vector<std::string> sources;
  Place place;
  bool on_stand_in = false;  // The stand-in behaves so too.
  // What was seen of a MUSA that behaves differently. Empty if nothing was.
  struct Otherwise {
    std::string says;
    Tier tier = Tier::kMap;
    std::vector<std::string> sources;
  } otherwise;
};

// All throw TableError.
MusaLibrary read_musa_library(const std::string& file);
MusaBackend read_musa_backend(const std::string& file);
std::vector<MusaQuirk> read_musa_quirks(const std::string& file);
// ">=5.0", "<5.0", ">=4.2 <5.0", "any".
SdkRange read_sdk_range(const YamlNode& node);
// The range of a record with an optional `sdk`: any SDK without it.
SdkRange sdk_of(const YamlNode& record);
// "doc"
Tier read_tier(const YamlNode& node);
// The record's `tier` and optional `source`.
MusaEvidence read_evidence(const YamlNode& record);
// "5.1.0" as major*10000 + minor*100 + patch.
int read_sdk_version(const YamlNode& node);

}  // namespace torchada
