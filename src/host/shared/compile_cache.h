// What was compiled before, in a folder that processes share: that of TORCHADA_HOST_COMPILE_CACHE,
// or of `torchada kernels build --cache=`. An entry is a list of texts under a key, with the files
// that the compiler has read: it counts as long as their contents are the same.
#pragma once

#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "src/host/shared/files.h"

namespace host {

using Fields = std::vector<std::string>;

// FNV-1a, in hexadecimal. It is against damage and chance: whoever writes a file can compute it.
std::string hash_of(const std::string& text);

// With the lengths before them, so that no two lists give the same text.
void add_field(std::string* text, const std::string& field);
void add_fields(std::string* text, const Fields& fields);

// The words with which clang begins, at least one: TORCHADA_CLANG, or clang++-19.
std::vector<std::string> clang_words();

// What results depend on beside sources and options: the compilers, our headers, the CPU, the
// variables of clang and the working folder. `kernels`: the folder of torchada-kernels.
std::string compilers_key(const std::string& kernels);

// A file as it was read.
struct ReadFile {
  std::string path;
  std::string stamp;    // as long as it stays, the content does
  std::string content;  // a hash
};

bool is_unchanged(const ReadFile& file);

// Nothing if one may have changed since the compiler began, at `begin`.
std::optional<std::vector<ReadFile>> read_files(const std::vector<std::string>& paths,
                                                const timespec& begin);
timespec now();

class CompileCache {
 public:
  // The folder is made if need be. A line with the name says why it cannot be used; what another
  // user could have written there is not used, and a line says so as well.
  CompileCache(const std::string& name, const std::string& folder);

  // The value, and the files that were read, which are the same.
  bool find(const std::string& key, std::vector<ReadFile>* files, Fields* value) const;
  // The same, whether or not the files have changed: the caller asks that.
  bool read(const std::string& key, std::vector<ReadFile>* files, Fields* value) const;
  // Replaces what is there in one step.
  void keep(const std::string& key, const std::vector<ReadFile>& files, const Fields& value) const;

 private:
  void say_unused(const std::string& what, const std::string& why) const;

  std::string name_;
  OwnFolder folder_;
};

}  // namespace host
