// Objects of sources that were compiled before: --cache.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/host/kernels/translate/request.h"
#include "src/host/shared/compile_cache.h"

namespace kernels {

// How a process that compiles one source ends.
enum Outcome { kCompiled = 0, kFailed = 1, kWithoutKernel = 3 };

// The files of one source, in its folder.
inline std::string object_in(const std::string& folder) { return folder + "/object.o"; }
inline std::string messages_in(const std::string& folder) { return folder + "/messages"; }

class ObjectCache {
 public:
  explicit ObjectCache(const Request& request);

  // Puts the source's object and messages into the folder.
  std::optional<Outcome> find(const std::string& source, const std::string& folder) const;
  // Keeps them. `files`: that the compiler has read since `begin`.
  void keep(const std::string& source, const std::string& folder,
            const std::vector<std::string>& files, const timespec& begin, Outcome outcome) const;

 private:
  std::string key_of(const std::string& source) const;

  std::optional<host::CompileCache> cache_;
  std::string key_;  // without the source
};

}  // namespace kernels
