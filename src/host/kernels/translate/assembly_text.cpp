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

// What lies between the two is replaced by `by`.
void replace_all(std::string* text, const std::string& from, const std::string& to,
                 const std::string& by) {
  for (std::size_t at = 0; (at = text->find(from, at)) != std::string::npos; at += by.size()) {
    const std::size_t end = text->find(to, at + from.size());
    text->replace(at, end == std::string::npos ? end : end + to.size() - at, by);
  }
}

bool read_operand(std::string text, Operand* operand) {
  if (text.empty()) return false;
  if (text.front() == '{') {
    if (text.back() != '}') return false;
    operand->names = split(text.substr(1, text.size() - 2), ',');
    return std::count(operand->names.begin(), operand->names.end(), "") == 0;
  }
  if (text.front() == '[') {
    if (text.back() != ']') return false;
    text = trimmed(text.substr(1, text.size() - 2));
    operand->is_address = true;
    if (const std::size_t plus = text.find('+'); plus != std::string::npos) {
      const std::string offset = trimmed(text.substr(plus + 1));
      char* end = nullptr;
      operand->offset = std::strtoll(offset.c_str(), &end, 0);
      if (offset.empty() || *end != '\0') return false;
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
    if (made->predicate.empty()) return false;
  }
  // A bracket may follow at once.
  const std::size_t end = std::min(rest.find_first_of(" \t\n{["), rest.size());
  made->parts = split(rest.substr(0, end), '.');
  rest = trimmed(rest.substr(end));
  if (rest.empty()) return true;
  for (const std::string& word : split(rest, ',')) {
    if (!read_operand(word, &made->operands.emplace_back())) return false;
  }
  return true;
}

// ".reg .b32 a, b;", ".reg .pred p<4>;"
void read_declaration(const std::string& text, std::set<std::string>* registers) {
  std::vector<std::string> names = split(text, ',');
  names.front() = names.front().substr(names.front().find_last_of(" \t\n.") + 1);
  constexpr int kMost = 1024;
  for (const std::string& name : names) {
    const std::size_t many = name.find('<');
    const int count = many == std::string::npos ? 0 : std::atoi(name.c_str() + many + 1);
    if (many == std::string::npos) registers->insert(name);
    for (int i = 0; i < std::min(count, kMost); ++i) {
      registers->insert(name.substr(0, many) + std::to_string(i));
    }
  }
}

// Blocks begin and end between statements.
void drop_braces(std::string* statement) {
  *statement = trimmed(*statement);
  while (statement->starts_with('{') || statement->starts_with('}')) {
    *statement = trimmed(statement->substr(1));
  }
}

// Takes a label from the statement's front.
std::string take_label(std::string* statement) {
  drop_braces(statement);
  const auto is_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%';
  };
  const auto end = std::find_if_not(statement->begin(), statement->end(), is_of_name);
  if (end == statement->begin() || end == statement->end() || *end != ':') return "";
  std::string label(statement->begin(), end);
  statement->erase(statement->begin(), end + 1);
  return label;
}

}  // namespace

bool Instruction::has(const std::string& part) const {
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

Assembly read_assembly(const std::string& text) {
  std::string body = text;
  replace_all(&body, "//", "\n", " ");
  replace_all(&body, "/*", "*/", " ");
  replace_all(&body, "${:uid", "}", "uid");
  Assembly made;
  std::string statement;
  const auto end_statement = [&] {
    for (std::string label; !(label = take_label(&statement)).empty();) {
      made.instructions.emplace_back().label = label;
    }
    if (statement.starts_with(".reg")) {
      read_declaration(statement, &made.registers);
    } else if (!statement.empty() && !statement.starts_with(".pragma") &&
               !read_instruction(statement, &made.instructions.emplace_back()) &&
               made.wrong.empty()) {
      made.wrong = statement;
    }
    statement.clear();
  };
  for (const char c : body) {
    if (c == ';') {
      end_statement();
    } else {
      statement += c;
    }
  }
  end_statement();
  return made;
}

}  // namespace kernels
