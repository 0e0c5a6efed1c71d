// What was made of sources before: --cache. Of a whole source the object is kept, and of one of
// which only parts are wanted what clang made of it: it serves all parts.
#pragma once

#include <optional>
#include <string>

#include "src/host/kernels/translate/front_end.h"
#include "src/host/kernels/translate/request.h"
#include "src/host/shared/compile_cache.h"

namespace kernels {

// How a process that compiles one source ends. kMissing: the source has not what is wanted.
enum Outcome { kCompiled = 0, kFailed = 1, kWithoutKernel = 3, kMissing = 4 };

// The files of one source, in its folder.
inline std::string object_in(const std::string& folder) { return folder + "/object.o"; }
inline std::string messages_in(const std::string& folder) { return folder + "/messages"; }

class SourceCache {
 public:
  explicit SourceCache(const Request& request);

  std::optional<FrontEnd> find_bitcode(const std::string& source) const;
  void keep_bitcode(const std::string& source, const FrontEnd& read) const;

  // Puts the source's object and messages into the folder.
  std::optional<Outcome> find_object(const std::string& source, const std::string& folder) const;
  void keep_object(const std::string& source, const std::string& folder, const FrontEnd& read,
                   Outcome outcome) const;

 private:
  std::string key_of(const std::string& source, const std::string& kind) const;

  const Request& request_;
  std::optional<host::CompileCache> cache_;
  std::string key_;  // without the source
};

}  // namespace kernels
