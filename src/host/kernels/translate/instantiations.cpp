// Explicit instantiations, which libclang does not show. Each `template RESULT NAME(PARAMETERS);`
// becomes a pointer to the function, which libclang shows and which instantiates it as well. Lines
// keep their numbers. In the body of a macro, the semicolon may be missing.
#include <algorithm>
#include <cctype>

#include "src/host/kernels/translate/source.h"

namespace kernels {
namespace {

// How many angle brackets a token opens or closes.
int angles_of(const std::string& word) {
  const auto size = static_cast<int>(word.size());
  if (word.find_first_not_of('<') == std::string::npos) return size;
  return word.find_first_not_of('>') == std::string::npos ? -size : 0;
}

// Leaves spaces, and the ends of lines.
void blank(std::string* text, const Token& first, const Token& last) {
  std::replace_if(
      text->begin() + first.begin, text->begin() + last.end,
      [](unsigned char c) { return std::isspace(c) == 0 && c != '\\'; }, ' ');
}

// Changes the declaration that begins with the token `start`, the word `template`, if it is an
// instantiation of a function.
void make_pointer(std::string* text, const std::vector<Token>& tokens, std::size_t start) {
  const auto word = [&](std::size_t i) { return i < tokens.size() ? tokens[i].text : ""; };
  const auto last_of = [&](std::size_t i) {  // of a word and its arguments
    return word(i + 1) == "(" ? after_brackets(tokens, i + 1) - 1 : i;
  };
  if (is_one_of<std::string>(word(start + 1), {"<", "class", "struct", "union"}) ||
      (start != 0 && is_one_of<std::string>(word(start - 1), {"extern", ".", "->", "::"})) ||
      (start > 1 && word(start - 2) == "define" && (*text)[tokens[start].end] == '\n')) {
    return;
  }
  std::string changed = *text;
  std::size_t open = start + 1;  // of the parameters
  std::size_t result = start;
  std::size_t name = start;
  for (int angles = 0; angles != 0 || word(open) != "("; ++open) {
    if (is_one_of<std::string>(word(open), {"", ";", "{", "#"})) return;
    angles += angles_of(word(open));
    const std::size_t last = last_of(open);
    if (is_one_of<std::string>(word(open), {"__global__", "__device__", "__host__",
                                            "__launch_bounds__", "inline", "__forceinline__"})) {
      blank(&changed, tokens[open], tokens[last]);
      open = last;
      continue;
    }
    if (result == start) result = open;
    const char c = word(open).front();
    if (angles != 0 || word(open) == "decltype") {
      open = last;
    } else if ((std::isalpha(c) != 0 || c == '_') && word(open - 1) != "::") {
      name = open;
    }
  }
  std::size_t next = after_brackets(tokens, open);
  const Token& close = tokens[next - 1];
  if (word(next) == "noexcept") {
    blank(&changed, tokens[next], tokens[last_of(next)]);
    next = last_of(next) + 1;
  }
  const std::size_t line = text->find('\n', tokens[next - 1].end);
  const bool ends = next >= tokens.size() || word(next) == ";" || line < tokens[next].begin;
  if (!ends || close.text != ")" || name == start || name == result) return;
  const unsigned int begin = tokens[name].begin;
  const std::string named = changed.substr(begin, tokens[open].begin - begin);
  changed.insert(close.end, " = &" + named);
  changed.replace(begin, named.size(), " (*TORCHADA_INSTANTIATION)");
  changed.replace(tokens[start].begin, word(start).size(), "static ");
  *text = changed;
}

}  // namespace

std::string Source::without_instantiations(const std::string& file, std::string text) const {
  const auto size = static_cast<unsigned int>(text.size());
  const auto tokens = tokens_of(unit_, {file}, {file, 0, size});
  // From the end, so that the places of the others stay.
  for (std::size_t i = tokens.size(); i-- > 0;) {
    if (tokens[i].text == "template") make_pointer(&text, tokens, i);
  }
  return text;
}

}  // namespace kernels
