// Identifiers of a source file with their lines: what a search for function names needs.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace torchada {

enum class SourceLanguage { kNone, kC, kPython };

// Decided by the file's suffix (.c .cc .cpp .cxx .cu .cuh .h .hh .hpp .hxx .inl .ipp, .py .pyx), or
// without one by a first line such as "#!/usr/bin/env python3".
SourceLanguage source_language(std::string_view path, std::string_view text);

struct SourceWord {
  std::string_view text;
  int line = 0;         // Counted from 1.
  bool called = false;  // An opening parenthesis follows.
  bool quoted = false;  // The whole of a string.
};

struct SourceString {
  std::string text;
  int line = 0;
};

// For C.
struct SourceText {
  std::vector<std::string> includes;    // As written between the marks.
  std::vector<int> launches;            // Lines with <<<.
  std::vector<SourceString> libraries;  // Strings that contain ".so" and no space.
};

// Calls `visit` with every identifier outside comments. A string counts if it is just an
// identifier, as in dlsym(library, "cudaMalloc"). Bytes that are not text are skipped.
SourceText scan_source(std::string_view text, SourceLanguage language,
                       const std::function<void(const SourceWord&)>& visit);

}  // namespace torchada
