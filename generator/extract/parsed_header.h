// One header as libclang parsed it, with everything it includes.
#pragma once

#include <clang-c/Index.h>

#include <memory>
#include <string>
#include <type_traits>

#include "generator/extract/header_request.h"

namespace torchada {

// What precedes the name of a requested macro in the enumerator that holds its value.
inline constexpr const char* kMacroPrefix = "torchada_value_of_";

class ParsedHeader {
 public:
  // Keeps a reference to `request`. Throws ExtractError if the header is missing, does not parse,
  // or includes a file outside the request's folders and the system's.
  explicit ParsedHeader(const HeaderRequest& request);

  CXCursor root() const { return clang_getTranslationUnitCursor(unit_.get()); }

 private:
  std::string main_text() const;
  std::vector<std::string> command_line() const;
  void refuse_errors() const;
  void refuse_foreign_files() const;

  struct DisposeIndex {
    void operator()(void* index) const { clang_disposeIndex(index); }
  };
  struct DisposeUnit {
    void operator()(CXTranslationUnit unit) const { clang_disposeTranslationUnit(unit); }
  };

  const HeaderRequest& request_;
  std::unique_ptr<void, DisposeIndex> index_;
  std::unique_ptr<std::remove_pointer_t<CXTranslationUnit>, DisposeUnit> unit_;
};

// The header that declares `cursor`, relative to the folder of the request that has it:
// "crt/host_runtime.h". Empty for a file outside these folders.
std::string declaring_header(CXCursor cursor, const std::vector<std::string>& folders);

}  // namespace torchada
