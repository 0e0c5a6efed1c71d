#include "src/inspect/source_names.h"

#include <algorithm>

namespace torchada {
namespace {

constexpr std::size_t kLongestName = 4096;

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

bool is_file_name(std::string_view text) {
  return text.size() < kLongestName && text.find(".so") != std::string_view::npos &&
         text.find_first_of(" \t%\\") == std::string_view::npos;
}

class Scanner {
 public:
  Scanner(std::string_view text, SourceLanguage language,
          const std::function<void(const SourceWord&)>& visit)
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
    visit_({word, line_, next_is_parenthesis(), false});
  }

  bool next_is_parenthesis() const {
    const std::size_t next = text_.find_first_not_of(" \t", at_);
    return next != std::string_view::npos && text_[next] == '(';
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
    if (is_name(content)) visit_({content, line_, false, true});
    if (!python_ && is_file_name(content)) {
      out_.libraries.push_back({std::string(content), line_});
    }
    if (at_ < text_.size() && text_[at_] == mark) ++at_;
  }

  std::string_view text_;
  bool python_;
  const std::function<void(const SourceWord&)>& visit_;
  std::size_t at_ = 0;
  int line_ = 1;
  SourceText out_;
};

}  // namespace

SourceLanguage source_language(std::string_view path, std::string_view text) {
  constexpr std::size_t kLongestFirstLine = 256;
  const std::string_view base = path.substr(path.find_last_of("/!") + 1);
  const std::size_t dot = base.rfind('.');
  const std::string_view end = dot == std::string_view::npos ? "" : base.substr(dot);
  for (const std::string_view known : {".py", ".pyx"}) {
    if (end == known) return SourceLanguage::kPython;
  }
  for (const std::string_view known :
       {".c", ".cc", ".cpp", ".cxx", ".cu", ".cuh", ".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp"}) {
    if (end == known) return SourceLanguage::kC;
  }
  if (!text.starts_with("#!")) return SourceLanguage::kNone;
  const std::string_view first = text.substr(0, std::min(text.find('\n'), kLongestFirstLine));
  return first.find("python") == std::string_view::npos ? SourceLanguage::kNone
                                                        : SourceLanguage::kPython;
}

SourceText scan_source(std::string_view text, SourceLanguage language,
                       const std::function<void(const SourceWord&)>& visit) {
  return Scanner(text, language, visit).scan();
}

}  // namespace torchada
