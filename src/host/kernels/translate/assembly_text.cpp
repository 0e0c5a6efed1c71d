#include "src/host/kernels/translate/assembly_text.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace kernels {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string trimmed(const std::string& text) {
  const auto first = std::find_if_not(text.begin(), text.end(), is_space);
  const auto last = std::find_if_not(text.rbegin(), text.rend(), is_space).base();
  return first < last ? std::string(first, last) : "";
}

// Parts between separators that are in no bracket.
std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    if (c == separator && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  for (std::string& part : parts) part = trimmed(part);
  return parts;
}

bool read_operand(std::string text, Operand* operand) {
  if (text.empty()) return false;
  if (text.front() == '{') {
    if (text.back() != '}') return false;
    operand->names = split(text.substr(1, text.size() - 2), ',');
    return true;
  }
  if (text.front() == '[') {
    if (text.back() != ']') return false;
    text = trimmed(text.substr(1, text.size() - 2));
    operand->is_address = true;
    if (const std::size_t plus = text.find('+'); plus != std::string::npos) {
      operand->offset = std::strtoll(text.c_str() + plus + 1, nullptr, 0);
      text = trimmed(text.substr(0, plus));
    }
  }
  const std::vector<std::string> both = split(text, '|');
  operand->names = {both.front()};
  if (both.size() == 2) operand->second = both.back();
  return both.size() <= 2 && !both.front().empty();
}

bool read_instruction(const std::string& text, Instruction* made) {
  made->text = text;
  std::string rest = text;
  if (rest.front() == '@') {
    made->negated = rest.size() > 1 && rest[1] == '!';
    const std::size_t begin = made->negated ? 2 : 1;
    const std::size_t end = std::min(rest.find_first_of(" \t\n"), rest.size());
    made->predicate = rest.substr(begin, end - begin);
    rest = trimmed(rest.substr(end));
  }
  const std::size_t end = std::min(rest.find_first_of(" \t\n"), rest.size());
  made->parts = split(rest.substr(0, end), '.');
  // `ld.global::evict` and the like: the word before the colons.
  for (std::string& part : made->parts) part.resize(std::min(part.find("::"), part.size()));
  rest = trimmed(rest.substr(end));
  if (rest.empty()) return true;
  for (const std::string& word : split(rest, ',')) {
    if (!read_operand(word, &made->operands.emplace_back())) return false;
  }
  return true;
}

}  // namespace

bool Instruction::has(const std::string& part) const {
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

std::vector<Instruction> read_assembly(const std::string& text, bool* good) {
  std::string body = trimmed(text);
  while (body.size() > 1 && body.front() == '{' && body.back() == '}') {
    body = trimmed(body.substr(1, body.size() - 2));
  }
  std::vector<Instruction> all;
  *good = true;
  for (const std::string& statement : split(body, ';')) {
    if (statement.empty() || statement.rfind(".reg ", 0) == 0) continue;
    *good = read_instruction(statement, &all.emplace_back()) && *good;
  }
  return all;
}

}  // namespace kernels
