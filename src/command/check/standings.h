// Libraries and symbols by the names that files use for them.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "src/command/tables.h"
#include "src/inspect/text_in_binary.h"
#include "src/shared/library_name.h"

namespace torchada::check {

using tables::Library;
using tables::Symbol;

class Standings {
 public:
  explicit Standings(const std::string& root);
  Standings(const Standings&) = delete;
  Standings& operator=(const Standings&) = delete;

  // The meaning of a file name: "libcudart.so.12", also "libcudart-1a2b3c4d.so.12.4.127" and paths.
  struct Named {
    bool ours = false;
    const Library* library = nullptr;  // Null for a major that torchada does not have.
    bool renamed = false;              // With a hash, as in wheels.
  };
  // `abi` is the major for names without a version.
  Named named(const std::string& file_name, int abi) const;

  // Whether two file names are of one library in whatever version.
  static bool same_stem(const std::string& one, const std::string& other);

  static const Symbol* find(const Library& library, std::string_view name);

  // For a symbol known only by name. Null if no library of this major has it.
  const Library* owner(std::string_view name, int abi) const;
  // The same, or else a library of another major.
  const Library* any_owner(std::string_view name, int abi) const;
  // Whether a library of any major exports it.
  bool knows(std::string_view name) const { return may_know(name) && all_.count(name) != 0; }
  // Whether a name of the table, or of a library that torchada does not have, begins so.
  bool may_know(std::string_view name) const { return beginnings_.has(name); }
  const Beginnings& beginnings() const { return beginnings_; }
  // Whether the CUDA runtime, in any major, exports the function.
  bool in_runtime(std::string_view name) const;

  // For an enumerator that an adapter refuses: why. Null for all other words.
  const std::string_view* refused(std::string_view enumerator) const;

 private:
  void add_refused(const tables::Enumeration& type);

  const tables::Tables& tables_;
  std::vector<LibraryName> names_;  // Of each library's SONAME.
  Beginnings beginnings_;
  std::unordered_set<std::string_view> all_;
  std::unordered_map<std::string_view, std::string_view> refused_;
};

}  // namespace torchada::check
