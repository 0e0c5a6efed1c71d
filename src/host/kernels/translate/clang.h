// What the translator asks libclang, in C++ types.
#pragma once

#include <clang-c/Index.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

namespace kernels {

std::string text_of(CXString string);
inline CXCursorKind kind_of(CXCursor cursor) { return clang_getCursorKind(cursor); }
inline std::string name_of(CXCursor cursor) { return text_of(clang_getCursorSpelling(cursor)); }
inline std::string mangled_name(CXCursor cursor) {
  return text_of(clang_Cursor_getMangling(cursor));
}
template <typename T>
bool is_one_of(const T& value, std::initializer_list<T> list) {
  return std::find(list.begin(), list.end(), value) != list.end();
}
std::vector<CXCursor> children_of(CXCursor cursor);
bool has_child(CXCursor cursor, CXCursorKind kind);

// A position in a file. Names made by macros lie where the macro is used.
struct Place {
  std::string file;
  unsigned int line = 0;
  unsigned int offset = 0;
  bool in_macro = false;
  unsigned int column = 0;
  bool operator==(const Place&) const = default;
};
Place place_of(CXSourceLocation location);
inline Place start_of(CXCursor cursor) {
  return place_of(clang_getRangeStart(clang_getCursorExtent(cursor)));
}
// Of the name of what it declares.
inline Place name_place(CXCursor cursor) { return place_of(clang_getCursorLocation(cursor)); }
inline Place end_of(CXCursor cursor) {
  return place_of(clang_getRangeEnd(clang_getCursorExtent(cursor)));
}

struct Token {
  std::string text;
  unsigned int begin = 0;
  unsigned int end = 0;
};
// The words between two places of a file, or of a declaration, as they are there, with macros
// unexpanded.
std::vector<Token> tokens_of(CXTranslationUnit unit, const Place& begin, const Place& end);
inline std::vector<Token> tokens_of(CXTranslationUnit unit, CXCursor cursor) {
  return tokens_of(unit, start_of(cursor), end_of(cursor));
}
// Where tokens go on after the parentheses that open at `open`.
std::size_t after_brackets(const std::vector<Token>& tokens, std::size_t open);

bool is_function(CXCursor cursor);

}  // namespace kernels
