// `torchada-gen extract`: facts from real libraries and headers, without command line parsing.
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "generator/tables/model.h"
#include "generator/tables/registry.h"

namespace torchada {

// All functions print results on `out` and errors on `error`, and return an exit status: 0 done, 1
// the comparison found differences, 2 the input cannot be used.

struct ExtractCudaOptions {
  std::string mappings;               // The folder mappings/; mappings/cuda/releases.yaml exists.
  std::vector<std::string> releases;  // "13.0=/usr/local/cuda", folders separated by ':'.
  bool compare = false;               // Compare with the tables instead of writing them.
};

// Writing needs every release of releases.yaml; comparing takes any of them.
int run_extract_cuda(const ExtractCudaOptions& options, std::ostream& out, std::ostream& error);

struct ExtractMusaOptions {
  std::vector<std::string> roots;     // An installation, such as /usr/local/musa.
  std::string sdk_version;            // "5.1.0"; if empty, taken from the installation.
  std::vector<BackendInfo> backends;  // What to look for.
  std::string out;       // Folder for one table per library; if empty, none is written.
  std::string mappings;  // The folder mappings/ to compare with; may be empty.
  // Resolves a prototype given as `like:`. If it is missing, such prototypes are not compared.
  std::function<std::optional<Prototype>(const MusaPrototype&)> expand;
};

// Returns 1 if a comparison was requested and found differences.
int run_extract_musa(const ExtractMusaOptions& options, std::ostream& out, std::ostream& error);

}  // namespace torchada
