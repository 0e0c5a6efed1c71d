// What is known of one source: which images have been made of it. A record of it is kept in the
// objects folder, as long as recipe, compiler and all files that the compiler has read stay the
// same.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "src/command/recipes/recipe.h"
#include "src/host/shared/compile_cache.h"

namespace torchada::recipes {

struct Record {
  std::map<std::string, std::string> images;  // by "kernel NAME" and "variable NAME": a path
  std::string whole;                          // the image that has all of the source; empty: none
};

class Keeper {
 public:
  // `compiler`: the folder of torchada-kernels. `has_compiler`: if not, what was kept counts
  // without the compiler that made it.
  Keeper(const Recipe& recipe, const std::string& arch, const std::string& compiler,
         bool has_compiler);

  // Why the folder cannot be used; empty if it can.
  std::string unusable() const { return folder_.why(); }
  // Nothing if there is none, or if something has changed since.
  std::optional<Record> find(const std::string& source) const;
  // `files`: that the compiler has read since `begin`.
  void keep(const std::string& source, const Record& record, const std::vector<std::string>& files,
            const timespec& begin) const;
  // Moves what was made of the source to its place in the objects folder, which nothing else ever
  // has: its name tells the content. Returns the path; empty, with errno, if that is not possible.
  std::string take_image(const std::string& source, const std::string& made) const;
  // The path of another file of this source in the objects folder.
  std::string file_for(const std::string& source, const char* ending) const;

 private:
  std::string key_of(const std::string& source) const;

  std::string objects_;
  host::OwnFolder folder_;
  host::CompileCache cache_;
  std::string key_;       // without the source
  std::string compiler_;  // what is known of it
  bool has_compiler_;
};

}  // namespace torchada::recipes
