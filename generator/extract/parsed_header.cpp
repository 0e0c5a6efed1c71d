#include "generator/extract/parsed_header.h"

#include <filesystem>

#include "generator/extract/clang_spelling.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

// "cuda_runtime_api.h" for ".../include/cuda_runtime_api.h"; empty for a file outside the folders.
std::string relative_to(const std::vector<std::string>& folders, const std::string& file) {
  const std::string path = fs::path(file).lexically_normal();
  std::string best;
  for (const std::string& folder : folders) {
    const std::string prefix = fs::path(folder).lexically_normal() / "";
    if (!path.starts_with(prefix)) continue;
    const std::string rest = path.substr(prefix.size());
    if (best.empty() || rest.size() < best.size()) best = rest;
  }
  return best;
}

std::string file_of(CXCursor cursor) {
  CXFile file = nullptr;
  clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, nullptr, nullptr, nullptr);
  return file == nullptr ? "" : clang_text(clang_getFileName(file));
}

}  // namespace

ParsedHeader::ParsedHeader(const HeaderRequest& request) : request_(request) {
  if (find_header(request.header, request.include_folders).empty()) {
    throw ExtractError(request.header + ": not found in the given directories");
  }
  const std::string main = main_text();
  const std::string name = request.cxx ? "/torchada/extract.cpp" : "/torchada/extract.c";
  CXUnsavedFile file{name.c_str(), main.c_str(), main.size()};
  std::vector<std::string> options = command_line();
  std::vector<const char*> arguments;
  for (const std::string& option : options) arguments.push_back(option.c_str());
  index_.reset(clang_createIndex(0, 0));
  CXTranslationUnit unit = nullptr;
  const CXErrorCode code = clang_parseTranslationUnit2(index_.get(), name.c_str(), arguments.data(),
                                                       static_cast<int>(arguments.size()), &file, 1,
                                                       CXTranslationUnit_SkipFunctionBodies, &unit);
  unit_.reset(unit);
  if (code != CXError_Success)
    throw ExtractError(request.header + ": libclang cannot parse this file");
  refuse_errors();
  refuse_foreign_files();
}

std::string ParsedHeader::main_text() const {
  std::string text;
  for (const std::string& header : request_.includes_before) {
    text += "#include <" + header + ">\n";
  }
  text += "#include <" + request_.header + ">\n" + request_.text_after;
  for (const std::string& macro : request_.macros) {
    text +=
        "#ifdef " + macro + "\nenum { " + kMacroPrefix + macro + " = " + macro + " };\n#endif\n";
  }
  return text;
}

std::vector<std::string> ParsedHeader::command_line() const {
  std::vector<std::string> options = {"-x",
                                      request_.cxx ? "c++" : "c",
                                      request_.cxx ? "-std=c++17" : "-std=c11",
                                      "-w",
                                      "-ferror-limit=0",
                                      "-resource-dir",
                                      TORCHADA_CLANG_RESOURCE_DIR};
  for (const std::string& folder : request_.include_folders) options.push_back("-I" + folder);
  for (const std::string& define : request_.defines) options.push_back("-D" + define);
  return options;
}

void ParsedHeader::refuse_errors() const {
  const unsigned count = clang_getNumDiagnostics(unit_.get());
  for (unsigned number = 0; number < count; ++number) {
    CXDiagnostic diagnostic = clang_getDiagnostic(unit_.get(), number);
    const CXDiagnosticSeverity severity = clang_getDiagnosticSeverity(diagnostic);
    const std::string text =
        clang_text(clang_formatDiagnostic(diagnostic, clang_defaultDiagnosticDisplayOptions()));
    clang_disposeDiagnostic(diagnostic);
    // A missing include hides everything after it, so it is never tolerated.
    const bool fatal = severity == CXDiagnostic_Fatal;
    if (fatal || (severity == CXDiagnostic_Error && !request_.tolerate_errors)) {
      throw ExtractError(request_.header + (request_.cxx ? " (as C++): " : ": ") + text);
    }
  }
}

// A header that is missing in the given folders may exist elsewhere on this machine, from another
// release, and facts of two releases must not mix.
void ParsedHeader::refuse_foreign_files() const {
  std::vector<std::string> allowed;
  for (const std::string& folder : request_.include_folders) {
    allowed.push_back(fs::weakly_canonical(folder));
  }
  allowed.insert(allowed.end(), {fs::weakly_canonical(TORCHADA_CLANG_RESOURCE_DIR), "/torchada",
                                 "/usr/include", "/usr/lib"});
  struct Search {
    const std::vector<std::string>& allowed;
    std::string foreign;
  } search{allowed, ""};
  clang_getInclusions(
      unit_.get(),
      [](CXFile file, CXSourceLocation*, unsigned, CXClientData data) {
        auto* found = static_cast<Search*>(data);
        const std::string path = fs::weakly_canonical(clang_text(clang_getFileName(file)));
        if (relative_to(found->allowed, path).empty()) found->foreign = path;
      },
      &search);
  if (!search.foreign.empty()) {
    throw ExtractError(request_.header + ": includes " + search.foreign +
                       ", which is outside the given directories");
  }
}

std::string declaring_header(CXCursor cursor, const std::vector<std::string>& folders) {
  return relative_to(folders, file_of(cursor));
}

}  // namespace torchada
