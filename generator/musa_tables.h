// Reads mappings/musa/: what is known of MUSA, with tiers and sources.
#pragma once

#include <string>

#include "model.h"
#include "yaml_source.h"

namespace torchada {

// One file name of a MUSA library.
struct MusaSoname {
  std::string name;
  SdkRange sdk;
};

// mappings/musa/backend.yaml: how an installation is found.
struct MusaBackend {
  std::vector<std::string> root_variables;
  std::vector<std::string> default_roots;
  std::vector<std::string> subfolders;
  std::map<std::string, std::vector<MusaSoname>> sonames;  // By library, newest first.
  // What musaRuntimeGetVersion reported by SDKs that number their runtime otherwise.
  struct RuntimeVersion {
    int from = 0, to = 0;  // Runtime versions, `to` exclusive.
    int sdk = 0;
  };
  std::vector<RuntimeVersion> runtime_versions;
  // Environment variables: CUDA's name, MUSA's, and for prefixes CUDA's names that have no
  // counterpart.
  struct Variable {
    std::string cuda, musa;
    std::vector<std::string> except;
  };
  std::vector<Variable> variables, prefixes;
};

// All three throw TableError.
MusaLibrary read_musa_library(const std::string& file);
MusaBackend read_musa_backend(const std::string& file);
// ">=5.0", "<5.0", ">=4.2 <5.0", "any".
SdkRange read_sdk_range(const YamlNode& node);

}  // namespace torchada
