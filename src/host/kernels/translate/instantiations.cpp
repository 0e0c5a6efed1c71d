#include "src/host/kernels/translate/instantiations.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

namespace kernels {
namespace {

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The end of a comment, a string or a character that begins here; otherwise `at`.
std::size_t skip(const std::string& text, std::size_t at) {
  if (text.compare(at, 2, "//") == 0) return std::min(text.find('\n', at), text.size());
  if (text.compare(at, 2, "/*") == 0) {
    const std::size_t end = text.find("*/", at + 2);
    return end == std::string::npos ? text.size() : end + 2;
  }
  if (text.compare(at, 2, "R\"") == 0 && (at == 0 || !is_name(text[at - 1]))) {
    const std::size_t open = text.find('(', at);
    if (open == std::string::npos) return text.size();
    const std::string close = ")" + text.substr(at + 2, open - at - 2) + "\"";
    const std::size_t end = text.find(close, open);
    return end == std::string::npos ? text.size() : end + close.size();
  }
  if (text[at] != '"' && text[at] != '\'') return at;
  if (text[at] == '\'' && at > 0 && is_name(text[at - 1])) return at + 1;  // 1'000
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != text[at] && text[end] != '\n') {
    end += text[end] == '\\' ? 2 : 1;
  }
  return std::min(end + 1, text.size());
}

// Removes `word` and, if it takes some, its arguments.
void drop(std::string* text, std::string_view word) {
  std::size_t at = 0;
  while ((at = text->find(word, at)) != std::string::npos) {
    std::size_t end = at + word.size();
    if ((at > 0 && is_name((*text)[at - 1])) || (end < text->size() && is_name((*text)[end]))) {
      at = end;
      continue;
    }
    while (end < text->size() && std::isspace(static_cast<unsigned char>((*text)[end])) != 0) ++end;
    if (end < text->size() && (*text)[end] == '(') {
      int depth = 0;
      do {
        depth += (*text)[end] == '(' ? 1 : (*text)[end] == ')' ? -1 : 0;
      } while (++end < text->size() && depth != 0);
    } else {
      end = at + word.size();
    }
    for (std::size_t i = at; i < end; ++i) {
      if ((*text)[i] != '\n') (*text)[i] = ' ';
    }
  }
}

// What stands for `RESULT NAME(PARAMETERS)`, or an empty string if that is something else.
std::string pointer_to(std::string statement, int number) {
  for (const char* const word : {"__global__", "__device__", "__host__", "__launch_bounds__",
                                 "inline", "__forceinline__", "noexcept"}) {
    drop(&statement, word);
  }
  const std::size_t close = statement.find_last_not_of(" \t\r\n");
  if (close == std::string::npos || statement[close] != ')') return "";
  std::size_t open = close;
  for (int depth = 0;; --open) {
    depth += statement[open] == ')' ? 1 : statement[open] == '(' ? -1 : 0;
    if (depth == 0) break;
    if (open == 0) return "";
  }
  // Backwards over the name: words, ::, and <...>.
  std::size_t name = open;
  int angles = 0;
  while (name > 0) {
    const char c = statement[name - 1];
    if (c == '>') ++angles;
    if (angles == 0 && !is_name(c) && c != ':') {
      // Spaces belong to it only before its arguments or ::.
      if (std::isspace(static_cast<unsigned char>(c)) == 0) break;
      std::size_t next = name;
      while (std::isspace(static_cast<unsigned char>(statement[next])) != 0) ++next;
      if (statement[next] != '<' && statement[next] != ':' && statement[next] != '(') break;
    }
    if (c == '<') --angles;
    --name;
  }
  const std::string result = statement.substr(0, name);
  if (result.find_first_not_of(" \t\r\n") == std::string::npos) return "";
  return "static " + result + " (*torchada_instantiation_" + std::to_string(number) + ")" +
         statement.substr(open, close + 1 - open) + " = &" + statement.substr(name, open - name);
}

}  // namespace

std::string without_instantiations(const std::string& text) {
  constexpr std::string_view kTemplate = "template";
  std::string out;
  bool at_start = true;  // of a declaration
  bool at_line_start = true;
  int number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t after = skip(text, at);
    if (after != at) {
      out.append(text, at, after - at);
      at = after;
      continue;
    }
    const bool is_template = at_start && text.compare(at, kTemplate.size(), kTemplate) == 0 &&
                             at + kTemplate.size() < text.size() &&
                             !is_name(text[at + kTemplate.size()]);
    if (is_template) {
      const std::size_t begin = at + kTemplate.size();
      const std::size_t next = text.find_first_not_of(" \t\r\n", begin);
      const std::size_t end = text.find_first_of(";{", begin);
      if (next != std::string::npos && text[next] != '<' && end != std::string::npos &&
          text[end] == ';') {
        const std::string pointer = pointer_to(text.substr(begin, end - begin), number);
        if (!pointer.empty()) {
          ++number;
          out += pointer;
          at = end;
          continue;
        }
      }
    }
    const char c = text[at];
    if (c == '#' && at_line_start) {  // a directive, with the lines that continue it
      do {
        const std::size_t line = text.find('\n', at);
        const std::size_t end = line == std::string::npos ? text.size() : line + 1;
        out.append(text, at, end - at);
        at = end;
      } while (at < text.size() && at >= 2 && text[at - 2] == '\\');
      continue;
    }
    if (c == '\n') {
      at_line_start = true;
    } else if (c != ' ' && c != '\t') {
      at_line_start = false;
    }
    if (c == ';' || c == '{' || c == '}') {
      at_start = true;
    } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      at_start = false;
    }
    out += c;
    ++at;
  }
  return out;
}

}  // namespace kernels
