#include "src/host/kernels/translate/clang.h"

namespace kernels {

std::string text_of(CXString string) {
  const char* const text = clang_getCString(string);
  std::string copy = text == nullptr ? "" : text;
  clang_disposeString(string);
  return copy;
}

void for_each_child(CXCursor cursor, const std::function<void(CXCursor)>& visit) {
  clang_visitChildren(
      cursor,
      [](CXCursor child, CXCursor, CXClientData data) {
        (*static_cast<const std::function<void(CXCursor)>*>(data))(child);
        return CXChildVisit_Continue;
      },
      const_cast<std::function<void(CXCursor)>*>(&visit));
}

bool has_child(CXCursor cursor, CXCursorKind kind) {
  bool found = false;
  for_each_child(cursor, [&](CXCursor child) { found = found || kind_of(child) == kind; });
  return found;
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

std::vector<Token> tokens_of(CXTranslationUnit unit, CXCursor cursor) {
  const Place start = start_of(cursor);
  const Place stop = end_of(cursor);
  if (start.file != stop.file) return {};
  return tokens_of(unit, start.file, start.offset, stop.offset);
}

std::vector<Token> tokens_of(CXTranslationUnit unit, const std::string& name, unsigned int begin,
                             unsigned int end) {
  CXFile file = clang_getFile(unit, name.c_str());
  if (file == nullptr) return {};
  const CXSourceRange range = clang_getRange(clang_getLocationForOffset(unit, file, begin),
                                             clang_getLocationForOffset(unit, file, end));
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
  switch (kind_of(cursor)) {
    case CXCursor_FunctionDecl:
    case CXCursor_FunctionTemplate:
    case CXCursor_CXXMethod:
    case CXCursor_Constructor:
    case CXCursor_Destructor:
    case CXCursor_ConversionFunction:
      return true;
    default:
      return false;
  }
}

}  // namespace kernels
