// Identifiers of a source file, with their lines: what a scan for names of functions needs.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace torchada {

enum class SourceLanguage { kNone, kC, kPython };

// By the end of the file's name: .c .cc .cpp .cxx .cu .cuh .h .hpp, .py .pyx.
SourceLanguage source_language(std::string_view path);

struct SourceText {
  std::vector<std::string> includes;  // As written between the marks, of C.
  std::vector<int> launches;          // Lines with <<<, of C.
};

// Calls `visit` with every identifier outside comments and its line, counted from 1. A string
// counts where it is nothing but an identifier, as in dlsym(library, "cudaMalloc"). Bytes that are
// no text are passed over.
SourceText scan_source(std::string_view text, SourceLanguage language,
                       const std::function<void(std::string_view, int)>& visit);

}  // namespace torchada
