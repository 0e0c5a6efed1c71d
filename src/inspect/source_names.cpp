#include "src/inspect/source_names.h"

namespace torchada {
namespace {

bool starts_name(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
}

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

bool is_name(std::string_view text) {
  if (text.empty() || !starts_name(text[0])) return false;
  for (const char letter : text) {
    if (!starts_name(letter) && !is_digit(letter)) return false;
  }
  return true;
}

class Scanner {
 public:
  Scanner(std::string_view text, SourceLanguage language,
          const std::function<void(std::string_view, int)>& visit)
      : text_(text), python_(language == SourceLanguage::kPython), visit_(visit) {}

  SourceText scan() {
    while (at_ < text_.size()) step();
    return out_;
  }

 private:
  bool here(std::string_view word) const { return text_.substr(at_, word.size()) == word; }

  void step() {
    const char letter = text_[at_];
    if (letter == '\n') {
      ++line_;
      ++at_;
    } else if (python_ ? letter == '#' : here("//")) {
      skip_line();
    } else if (!python_ && here("/*")) {
      skip_past("*/", 2);
    } else if (!python_ && letter == '#') {
      ++at_;
      directive();
    } else if (!python_ && here("<<<")) {
      launch();
    } else if (letter == '"' || letter == '\'') {
      quoted();
    } else if (is_digit(letter)) {
      number();
    } else if (starts_name(letter)) {
      name();
    } else {
      ++at_;
    }
  }

  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  // `open` is the length of the opening mark.
  void skip_past(std::string_view end, std::size_t open) {
    at_ += open;
    const std::size_t found = text_.find(end, at_);
    const std::size_t stop = found == std::string_view::npos ? text_.size() : found + end.size();
    for (; at_ < stop; ++at_) line_ += text_[at_] == '\n';
  }

  void spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  void directive() {
    spaces();
    if (!here("include")) return;
    at_ += 7;
    spaces();
    if (!here("<") && !here("\"")) return;
    const char end = text_[at_] == '<' ? '>' : '"';
    const std::size_t first = ++at_;
    while (at_ < text_.size() && text_[at_] != end && text_[at_] != '\n') ++at_;
    out_.includes.emplace_back(text_.substr(first, at_ - first));
    if (at_ < text_.size() && text_[at_] == end) ++at_;
  }

  // Seven in a row mark a failed merge.
  void launch() {
    const std::size_t first = at_;
    while (at_ < text_.size() && text_[at_] == '<') ++at_;
    if (at_ - first != 3) return;
    if (out_.launches.empty() || out_.launches.back() != line_) out_.launches.push_back(line_);
  }

  // 1'000'000 is one number.
  void number() {
    const auto inside = [this](char letter) {
      return starts_name(letter) || is_digit(letter) || letter == '.' ||
             (!python_ && letter == '\'' && at_ + 1 < text_.size() &&
              (starts_name(text_[at_ + 1]) || is_digit(text_[at_ + 1])));
    };
    while (at_ < text_.size() && inside(text_[at_])) ++at_;
  }

  void name() {
    const std::size_t first = at_;
    while (at_ < text_.size() && (starts_name(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string_view word = text_.substr(first, at_ - first);
    const bool quote = at_ < text_.size() && text_[at_] == '"';
    if (!python_ && quote && (word == "R" || word == "u8R" || word == "LR" || word == "uR")) {
      raw();
      return;
    }
    visit_(word, line_);
  }

  // R"mark(...)mark"
  void raw() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos || open - at_ > 17) {
      ++at_;
      return;
    }
    const std::string end = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    skip_past(end, open + 1 - at_);
  }

  void quoted() {
    const char mark = text_[at_];
    const std::string three(3, mark);
    if (python_ && here(three)) {
      skip_past(three, 3);
      return;
    }
    const std::size_t first = ++at_;
    while (at_ < text_.size() && text_[at_] != mark && text_[at_] != '\n') {
      const bool escape = text_[at_] == '\\' && at_ + 1 < text_.size();
      if (escape && text_[at_ + 1] == '\n') ++line_;
      at_ += escape ? 2 : 1;
    }
    const std::string_view content = text_.substr(first, at_ - first);
    if (is_name(content)) visit_(content, line_);
    if (at_ < text_.size() && text_[at_] == mark) ++at_;
  }

  std::string_view text_;
  bool python_;
  const std::function<void(std::string_view, int)>& visit_;
  std::size_t at_ = 0;
  int line_ = 1;
  SourceText out_;
};

}  // namespace

SourceLanguage source_language(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return SourceLanguage::kNone;
  const std::string_view end = path.substr(dot);
  for (const std::string_view known : {".py", ".pyx"}) {
    if (end == known) return SourceLanguage::kPython;
  }
  for (const std::string_view known : {".c", ".cc", ".cpp", ".cxx", ".cu", ".cuh", ".h", ".hpp"}) {
    if (end == known) return SourceLanguage::kC;
  }
  return SourceLanguage::kNone;
}

SourceText scan_source(std::string_view text, SourceLanguage language,
                       const std::function<void(std::string_view, int)>& visit) {
  return Scanner(text, language, visit).scan();
}

}  // namespace torchada
