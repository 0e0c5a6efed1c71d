// Identifiers of a source file with their lines: what a search for function names needs.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace torchada {

enum class SourceLanguage { kNone, kC, kPython };

// Decided by the file's suffix: .c .cc .cpp .cxx .cu .cuh .h .hpp, .py .pyx.
SourceLanguage source_language(std::string_view path);

struct SourceText {
  std::vector<std::string> includes;  // For C: as written between the marks.
  std::vector<int> launches;          // For C: lines with <<<.
};

// Calls `visit` with every identifier outside comments and its line, counted from 1. A string
// counts if it is just an identifier, as in dlsym(library, "cudaMalloc"). Bytes that are not text
// are skipped.
SourceText scan_source(std::string_view text, SourceLanguage language,
                       const std::function<void(std::string_view, int)>& visit);

}  // namespace torchada
