// Finds libraries and symbols of the tables by the names that files use for them.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
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

  const tables::Symbol* find(const tables::Library& library, const std::string& name) const;

  // For a symbol known only by name. Null if no library has it.
  const tables::Library* owner(const std::string& name, int abi) const;

 private:
  using Names = std::unordered_map<std::string_view, const tables::Symbol*>;
  const tables::Tables& tables_;
  std::unordered_map<const tables::Library*, Names> names_;
};

}  // namespace torchada::check
