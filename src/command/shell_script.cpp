#include "src/command/shell_script.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <string_view>

namespace torchada {
namespace {

constexpr std::string_view kIgnored[] = {"set", "ulimit", "umask", "shopt", "trap",
                                         ":",   "true",   "echo",  "printf"};
constexpr std::string_view kUnknown[] = {
    "if",    "then",   "else", "elif", "fi",    "for",  "while", "until",    "do",
    "done",  "case",   "esac", "{",    "}",     "!",    "[[",    "function", "cd",
    "pushd", "source", ".",    "eval", "alias", "read", "local", "declare",  "unset"};

template <std::size_t N>
bool is_one_of(const std::string& word, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool begins_name(char letter) {
  return std::isalpha(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}
bool in_name(char letter) {
  return begins_name(letter) || std::isdigit(static_cast<unsigned char>(letter)) != 0;
}

// The name before "=" in "NAME=VALUE". Empty for other words.
std::string assigned_name(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0 || !begins_name(word[0])) return "";
  const std::string name = word.substr(0, equals);
  return std::all_of(name.begin(), name.end(), in_name) ? name : "";
}

// Thrown for what this reader does not know.
struct NotKnown {};

class Reader {
 public:
  Reader(const std::string& text, const std::vector<std::string>& arguments)
      : text_(text), arguments_(arguments) {}

  ShellCommand read() {
    ShellCommand out;
    try {
      while (at_ < text_.size()) {
        std::vector<std::string> words = next_command();
        if (words.empty()) continue;
        if (!out.words.empty()) return {{}, "it runs several commands"};
        out.words = started_by(std::move(words));
        if (is_over_) break;
      }
    } catch (const NotKnown&) {
      return {{}, "it does more than set variables and start one program"};
    }
    if (out.words.empty()) out.unknown = "it starts no program";
    return out;
  }

 private:
  // The command that the words start. Empty if they only set something.
  std::vector<std::string> started_by(std::vector<std::string> words) {
    std::vector<std::string> assigned;
    while (!words.empty() && !assigned_name(words.front()).empty()) {
      assigned.push_back(words.front());
      words.erase(words.begin());
    }
    for (const std::string& word : assigned) assign(word, !words.empty());
    if (words.empty()) return {};
    const std::string& first = words.front();
    if (first == "export") {
      for (std::size_t at = 1; at < words.size(); ++at) {
        const std::string name = assigned_name(words[at]);
        if (!name.empty()) assign(words[at], true);
        if (name.empty()) setenv(words[at].c_str(), value_of(words[at]).c_str(), 1);
      }
      return {};
    }
    if (is_one_of(first, kIgnored)) return {};
    if (is_one_of(first, kUnknown)) throw NotKnown();
    if (first == "exec") {
      words.erase(words.begin());
      if (words.empty() || words.front().starts_with('-')) throw NotKnown();
      is_over_ = true;
    }
    return words;
  }

  void assign(const std::string& word, bool is_exported) {
    const std::string name = assigned_name(word);
    const std::string value = word.substr(name.size() + 1);
    if (is_exported || std::getenv(name.c_str()) != nullptr) {
      setenv(name.c_str(), value.c_str(), 1);
    } else {
      variables_[name] = value;
    }
  }

  std::string value_of(const std::string& name) const {
    if (name.size() == 1 && std::isdigit(static_cast<unsigned char>(name[0])) != 0) {
      const auto number = static_cast<std::size_t>(name[0] - '0');
      return number < arguments_.size() ? arguments_[number] : "";
    }
    if (const auto found = variables_.find(name); found != variables_.end()) return found->second;
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? "" : value;
  }

  bool goes_on_with(std::string_view text) const {
    return std::string_view(text_).substr(at_).starts_with(text);
  }

  // At a "$".
  std::string expansion() {
    for (const std::string_view folder :
         {"$(dirname \"$0\")", "$(dirname -- \"$0\")", "$(dirname $0)"}) {
      if (!goes_on_with(folder)) continue;
      at_ += folder.size();
      const std::string parent = std::filesystem::path(value_of("0")).parent_path();
      return parent.empty() ? "." : parent;
    }
    ++at_;
    const bool braces = goes_on_with("{");
    if (braces) ++at_;
    const std::size_t start = at_;
    if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
      ++at_;
    } else {
      while (at_ < text_.size() && in_name(text_[at_])) ++at_;
    }
    const std::string name = text_.substr(start, at_ - start);
    if (name.empty()) throw NotKnown();
    std::string value = value_of(name);
    if (!braces) return value;
    if (goes_on_with(":-")) {
      const std::size_t end = text_.find('}', at_);
      if (end == std::string::npos) throw NotKnown();
      const std::string other = text_.substr(at_ + 2, end - at_ - 2);
      if (other.find_first_of("$`\"'\\") != std::string::npos) throw NotKnown();
      if (value.empty()) value = other;
      at_ = end;
    }
    if (!goes_on_with("}")) throw NotKnown();
    ++at_;
    return value;
  }

  void double_quoted(std::string& word) {
    for (++at_; at_ < text_.size() && text_[at_] != '"';) {
      if (text_[at_] == '`') throw NotKnown();
      if (text_[at_] == '$') {
        word += expansion();
      } else if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        word += text_[at_ + 1];
        at_ += 2;
      } else {
        word += text_[at_++];
      }
    }
    if (at_ == text_.size()) throw NotKnown();
    ++at_;
  }

  std::string next_word() {
    std::string word;
    while (at_ < text_.size()) {
      const char letter = text_[at_];
      if (std::isspace(static_cast<unsigned char>(letter)) != 0 || letter == ';') break;
      if (std::string_view("|&()<>`*?[").find(letter) != std::string_view::npos) throw NotKnown();
      if (letter == '\'') {
        const std::size_t end = text_.find('\'', at_ + 1);
        if (end == std::string::npos) throw NotKnown();
        word += text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
      } else if (letter == '"') {
        double_quoted(word);
      } else if (letter == '\\' && at_ + 1 < text_.size()) {
        word += text_[at_ + 1];
        at_ += 2;
      } else if (letter == '$') {
        const std::string value = expansion();
        if (value.find_first_of(" \t\n*?[") != std::string::npos) throw NotKnown();
        word += value;
      } else if (letter == '~' && word.empty()) {
        word += value_of("HOME");
        ++at_;
      } else {
        word += letter;
        ++at_;
      }
    }
    return word;
  }

  // Up to the end of a line or ";".
  std::vector<std::string> next_command() {
    std::vector<std::string> words;
    while (at_ < text_.size()) {
      const char letter = text_[at_];
      if (letter == '\n' || letter == ';') {
        ++at_;
        break;
      }
      if (goes_on_with("\\\n")) {
        at_ += 2;
      } else if (std::isspace(static_cast<unsigned char>(letter)) != 0) {
        ++at_;
      } else if (letter == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (goes_on_with("\"$@\"") || goes_on_with("$@")) {
        at_ += letter == '"' ? 4 : 2;
        if (!arguments_.empty())
          words.insert(words.end(), arguments_.begin() + 1, arguments_.end());
      } else {
        words.push_back(next_word());
      }
    }
    return words;
  }

  const std::string& text_;
  const std::vector<std::string>& arguments_;
  std::size_t at_ = 0;
  bool is_over_ = false;  // exec: what follows is never reached.
  std::map<std::string, std::string> variables_;
};

}  // namespace

ShellCommand command_of_script(const std::string& text, const std::vector<std::string>& arguments) {
  return Reader(text, arguments).read();
}

}  // namespace torchada
