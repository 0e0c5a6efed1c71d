#include "src/host/kernels/translate/clang.h"

namespace kernels {

std::string text_of(CXString string) {
  const char* const text = clang_getCString(string);
  std::string copy = text == nullptr ? "" : text;
  clang_disposeString(string);
  return copy;
}

std::vector<CXCursor> children_of(CXCursor cursor) {
  std::vector<CXCursor> children;
  const auto add = [](CXCursor child, CXCursor, CXClientData data) {
    static_cast<std::vector<CXCursor>*>(data)->push_back(child);
    return CXChildVisit_Continue;
  };
  clang_visitChildren(cursor, add, &children);
  return children;
}

bool has_child(CXCursor cursor, CXCursorKind kind) {
  const auto children = children_of(cursor);
  return std::any_of(children.begin(), children.end(),
                     [&](CXCursor child) { return kind_of(child) == kind; });
}

Place place_of(CXSourceLocation location) {
  Place place;
  CXFile file = nullptr;
  clang_getExpansionLocation(location, &file, &place.line, &place.column, &place.offset);
  if (file != nullptr) place.file = text_of(clang_getFileName(file));
  CXFile spelled_in = nullptr;
  unsigned int spelled_at = 0;
  clang_getSpellingLocation(location, &spelled_in, nullptr, nullptr, &spelled_at);
  place.in_macro = spelled_in != file || spelled_at != place.offset;
  return place;
}

std::vector<Token> tokens_of(CXTranslationUnit unit, const Place& begin, const Place& end) {
  CXFile file = clang_getFile(unit, begin.file.c_str());
  if (file == nullptr || begin.file != end.file) return {};
  const CXSourceRange range = clang_getRange(clang_getLocationForOffset(unit, file, begin.offset),
                                             clang_getLocationForOffset(unit, file, end.offset));
  CXToken* found = nullptr;
  unsigned int count = 0;
  clang_tokenize(unit, range, &found, &count);
  std::vector<Token> tokens;
  for (unsigned int i = 0; i < count; ++i) {
    if (clang_getTokenKind(found[i]) == CXToken_Comment) continue;
    const CXSourceRange extent = clang_getTokenExtent(unit, found[i]);
    Token token;
    token.text = text_of(clang_getTokenSpelling(unit, found[i]));
    clang_getSpellingLocation(clang_getRangeStart(extent), nullptr, nullptr, nullptr, &token.begin);
    clang_getSpellingLocation(clang_getRangeEnd(extent), nullptr, nullptr, nullptr, &token.end);
    tokens.push_back(std::move(token));
  }
  clang_disposeTokens(unit, found, count);
  return tokens;
}

std::size_t after_brackets(const std::vector<Token>& tokens, std::size_t open) {
  int depth = 0;
  do {
    if (open == tokens.size()) return open;
    depth += tokens[open].text == "(" ? 1 : tokens[open].text == ")" ? -1 : 0;
    ++open;
  } while (depth != 0);
  return open;
}

bool is_function(CXCursor cursor) {
  return is_one_of(kind_of(cursor),
                   {CXCursor_FunctionDecl, CXCursor_FunctionTemplate, CXCursor_CXXMethod,
                    CXCursor_Constructor, CXCursor_Destructor, CXCursor_ConversionFunction});
}

}  // namespace kernels
