// Finding libraries and symbols of the tables by the names that files have for them.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tables.h"

namespace torchada::check {

class Standings {
 public:
  explicit Standings(const tables::Tables& tables);
  Standings(const Standings&) = delete;
  Standings& operator=(const Standings&) = delete;

  // What a file name means: "libcudart.so.12", also "libcudart-1a2b3c4d.so.12.4.127" and paths.
  struct Named {
    bool ours = false;
    const tables::Library* library = nullptr;  // Null: a major that is not there.
    bool renamed = false;                      // With a hash, as wheels have it.
  };
  // `abi` decides where the name has no version.
  Named named(const std::string& file_name, int abi) const;

  const tables::Symbol* find(const tables::Library& library, const std::string& name) const;

  // Where only the symbol's name is known. Null where nobody has it.
  const tables::Library* owner(const std::string& name, int abi) const;

 private:
  using Names = std::unordered_map<std::string_view, const tables::Symbol*>;
  const tables::Tables& tables_;
  std::unordered_map<const tables::Library*, Names> names_;
};

}  // namespace torchada::check
