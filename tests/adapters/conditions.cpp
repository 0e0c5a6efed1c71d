#include "tests/adapters/conditions.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <vector>

namespace adapters {
namespace {

using Tokens = std::vector<std::string>;

Tokens words_of(const std::string& text) {
  Tokens out;
  for (std::size_t at = 0; at < text.size();) {
    const auto is_letter = [&](std::size_t i) {
      return i < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
    };
    std::size_t end = at + 1;
    if (text[at] == ' ') {
      at = end;
      continue;
    }
    if (is_letter(at)) {
      while (is_letter(end)) ++end;
    } else if (end < text.size() && text[end] == '=') {
      ++end;
    }
    out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

// By precedence: each level asks the next for its operands.
class Reader {
 public:
  Reader(const std::string& text, const std::function<std::int64_t(const std::string&)>& value_of)
      : text_(text), words_(words_of(text)), value_of_(value_of) {}

  std::int64_t whole() {
    const std::int64_t out = choice();
    if (next_ != words_.size()) throw std::runtime_error(text_ + ": more than an expression");
    return out;
  }

 private:
  bool is(const std::string& word) {
    if (next_ == words_.size() || words_[next_] != word) return false;
    ++next_;
    return true;
  }
  void must(const std::string& word) {
    if (!is(word)) throw std::runtime_error(text_ + ": no " + word);
  }

  std::int64_t choice() {
    std::int64_t out = compared();
    while (is("or")) {
      const std::int64_t other = compared();
      out = out != 0 || other != 0 ? 1 : 0;
    }
    if (!is("?")) return out;
    const std::int64_t yes = choice();
    must(":");
    const std::int64_t no = choice();
    return out != 0 ? yes : no;
  }

  std::int64_t compared() {
    const std::int64_t left = added();
    if (is(">=")) return left >= added();
    if (is("<=")) return left <= added();
    if (is("==")) return left == added();
    if (is("!=")) return left != added();
    if (is(">")) return left > added();
    if (is("<")) return left < added();
    return left;
  }

  std::int64_t added() {
    std::int64_t out = rest();
    while (is("+")) out += rest();
    return out;
  }

  std::int64_t rest() {
    std::int64_t out = single();
    while (is("%")) out %= single();
    return out;
  }

  std::int64_t single() {
    if (is("(")) {
      const std::int64_t out = choice();
      must(")");
      return out;
    }
    if (is("max")) {
      must("(");
      const std::int64_t one = choice();
      must(",");
      const std::int64_t other = choice();
      must(")");
      return std::max(one, other);
    }
    if (is("-")) return -single();
    if (is("null")) return 0;
    if (next_ == words_.size()) throw std::runtime_error(text_ + ": ends too early");
    const std::string& word = words_[next_++];
    return std::isdigit(static_cast<unsigned char>(word[0])) != 0 ? std::stoll(word)
                                                                  : value_of_(word);
  }

  const std::string& text_;
  const Tokens words_;
  const std::function<std::int64_t(const std::string&)>& value_of_;
  std::size_t next_ = 0;
};

}  // namespace

std::int64_t evaluate(const std::string& text,
                      const std::function<std::int64_t(const std::string&)>& value_of) {
  return Reader(text, value_of).whole();
}

}  // namespace adapters
