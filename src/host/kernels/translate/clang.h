// What the translator asks libclang, in C++ types.
#pragma once

#include <clang-c/Index.h>

#include <functional>
#include <string>
#include <vector>

namespace kernels {

std::string text_of(CXString string);
inline CXCursorKind kind_of(CXCursor cursor) { return clang_getCursorKind(cursor); }
// Calls `visit` for each child.
void for_each_child(CXCursor cursor, const std::function<void(CXCursor)>& visit);
bool has_child(CXCursor cursor, CXCursorKind kind);

// A position in a file. Names made by macros lie where the macro is used.
struct Place {
  std::string file;
  unsigned int line = 0;
  unsigned int offset = 0;
  bool in_macro = false;
  unsigned int column = 0;
};
Place place_of(CXSourceLocation location);
inline Place start_of(CXCursor cursor) {
  return place_of(clang_getRangeStart(clang_getCursorExtent(cursor)));
}
inline Place end_of(CXCursor cursor) {
  return place_of(clang_getRangeEnd(clang_getCursorExtent(cursor)));
}

struct Token {
  std::string text;
  unsigned int begin = 0;
  unsigned int end = 0;
};
// The words of a declaration, or between two offsets of a file, as they are there, with macros
// unexpanded.
std::vector<Token> tokens_of(CXTranslationUnit unit, CXCursor cursor);
std::vector<Token> tokens_of(CXTranslationUnit unit, const std::string& file, unsigned int begin,
                             unsigned int end);
// Where tokens go on after the parentheses that open at `open`.
std::size_t after_brackets(const std::vector<Token>& tokens, std::size_t open);

bool is_function(CXCursor cursor);

}  // namespace kernels
