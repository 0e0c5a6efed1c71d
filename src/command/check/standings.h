// Finds libraries and symbols of the tables by the names that files use for them.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "src/command/tables.h"

namespace torchada::check {

class Standings {
 public:
  explicit Standings(const tables::Tables& tables);
  Standings(const Standings&) = delete;
  Standings& operator=(const Standings&) = delete;

  // The meaning of a file name: "libcudart.so.12", also "libcudart-1a2b3c4d.so.12.4.127" and paths.
  struct Named {
    bool ours = false;
    const tables::Library* library = nullptr;  // Null for a major that torchada does not have.
    bool renamed = false;                      // With a hash, as in wheels.
  };
  // `abi` is the major for names without a version.
  Named named(const std::string& file_name, int abi) const;

  // Whether two file names are of one library in whatever version.
  static bool same_stem(const std::string& one, const std::string& other);

  const tables::Symbol* find(const tables::Library& library, std::string_view name) const;

  // For a symbol known only by name. Null if no library of this major has it.
  const tables::Library* owner(std::string_view name, int abi) const;
  // The same, or else a library of another major.
  const tables::Library* any_owner(std::string_view name, int abi) const;
  // Whether a library of any major exports it.
  bool knows(std::string_view name) const { return all_.count(name) != 0; }
  // Whether the CUDA runtime, in any major, exports the function.
  bool in_runtime(std::string_view name) const;

  // For an enumerator that an adapter cannot convert, because no number of MUSA is known for it:
  // why. Null for all other words.
  const std::string* refused(std::string_view enumerator) const;

 private:
  using Names = std::unordered_map<std::string_view, const tables::Symbol*>;
  void find_refused();

  const tables::Tables& tables_;
  std::unordered_set<std::string_view> all_;
  std::unordered_map<std::string_view, std::string> refused_;
  std::unordered_map<const tables::Library*, Names> names_;
};

}  // namespace torchada::check
