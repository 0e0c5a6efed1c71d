#include "src/command/command_line.h"

#include <gflags/gflags.h>

#include <algorithm>
#include <deque>
#include <sstream>

#include "src/command/help.h"
#include "src/command/nearest.h"

namespace torchada {
namespace {

// gflags keeps the values while parsing. Names and defaults must outlive it.
struct Registered {
  std::string name;  // gflags requires C++ identifiers.
  bool switched = false, switched_default = false;
  std::string text, text_default;
  gflags::int32 number = 0, number_default = 0;
};

Registered& register_option(const Option& option) {
  static std::deque<Registered> all;
  Registered& out = all.emplace_back();
  out.name = option.name;
  std::replace(out.name.begin(), out.name.end(), '-', '_');
  const char* name = out.name.c_str();
  const char* help = option.help.c_str();
  if (option.kind == Kind::kSwitch) {
    out.switched = out.switched_default = *std::get<bool*>(option.storage);
    gflags::FlagRegisterer(name, help, __FILE__, &out.switched, &out.switched_default);
  } else if (option.kind == Kind::kNumber) {
    out.number = out.number_default = *std::get<int*>(option.storage);
    gflags::FlagRegisterer(name, help, __FILE__, &out.number, &out.number_default);
  } else {
    if (std::holds_alternative<std::string*>(option.storage)) {
      out.text = out.text_default = *std::get<std::string*>(option.storage);
    }
    gflags::FlagRegisterer(name, help, __FILE__, &out.text, &out.text_default);
  }
  return out;
}

[[noreturn]] void refuse(const Option& option, const std::string& what, const std::string& value) {
  throw UsageError("--" + option.name + "=" + value + ": expected " + what);
}

void check_choice(const Option& option, const std::string& value) {
  if (option.choices.empty()) return;
  if (std::find(option.choices.begin(), option.choices.end(), value) != option.choices.end()) {
    return;
  }
  const char* all = option.kind == Kind::kChoices ? "a comma-separated list of " : "";
  refuse(option, all + listed(option.choices), value);
}

// May be given several times.
bool repeats(const Option& option) {
  return option.kind != Kind::kChoices &&
         std::holds_alternative<std::vector<std::string>*>(option.storage);
}

void set_value(const Option& option, const std::string& value, const Registered& registered) {
  if (gflags::SetCommandLineOption(registered.name.c_str(), value.c_str()).empty()) {
    refuse(option, option.kind == Kind::kNumber ? "a number" : "true or false", value);
  }
  if (repeats(option)) {
    return std::get<std::vector<std::string>*>(option.storage)->push_back(value);
  }
  switch (option.kind) {
    case Kind::kSwitch:
      *std::get<bool*>(option.storage) = registered.switched;
      return;
    case Kind::kNumber:
      *std::get<int*>(option.storage) = registered.number;
      return;
    case Kind::kChoices: {
      auto& list = *std::get<std::vector<std::string>*>(option.storage);
      list.clear();
      std::istringstream in(registered.text);
      for (std::string item; std::getline(in, item, ',');) {
        check_choice(option, item);
        list.push_back(item);
      }
      if (list.empty()) check_choice(option, "");
      return;
    }
    case Kind::kChoice:
      check_choice(option, value);
      break;
    default:
      break;
  }
  *std::get<std::string*>(option.storage) = registered.text;
}

const Option* find_option(const Command& command, const std::string& name) {
  for (const Option& option : command.options) {
    if (option.name == name || (option.letter != 0 && name == std::string(1, option.letter))) {
      return &option;
    }
  }
  return nullptr;
}

std::string written(const std::string& name) { return (name.size() == 1 ? "-" : "--") + name; }

[[noreturn]] void refuse_unknown(const Command& command, const std::string& name) {
  std::vector<std::string> names = {"help"};
  for (const Option& option : command.options) names.push_back(option.name);
  std::string message = "unknown option " + written(name);
  const std::vector<std::string> close = nearest(name, names, 1);
  if (!close.empty()) message += "; did you mean --" + close.front() + "?";
  throw UsageError(message);
}

class Parser {
 public:
  Parser(const Command& command, const std::vector<std::string>& words)
      : command_(command), words_(words) {
    for (const Option& option : command.options) registered_.push_back(&register_option(option));
  }

  Parsed parse() {
    for (; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      if (word == "--") {
        ++at_;
        break;
      }
      if (word.size() > 1 && word[0] == '-') {
        option(word);
        continue;
      }
      if (command_.words == Words::kProgram) break;
      add_word(word);
    }
    for (; at_ < words_.size(); ++at_) {
      const bool program =
          command_.words == Words::kProgram || command_.words == Words::kSomeAndProgram;
      if (program) {
        out_.invocation.program.push_back(words_[at_]);
      } else {
        add_word(words_[at_]);
      }
    }
    return std::move(out_);
  }

 private:
  void add_word(const std::string& word) {
    if (command_.words == Words::kNone) throw UsageError("unexpected argument '" + word + "'");
    out_.invocation.words.push_back(word);
  }

  void option(const std::string& word) {
    if (word[1] != '-' && word.size() > 2) {
      const Option* const joined = find_option(command_, word.substr(1, 1));
      if (joined != nullptr && repeats(*joined)) return set(*joined, word.substr(2));
    }
    std::string name = word.substr(word[1] == '-' ? 2 : 1);
    const std::size_t equals = name.find('=');
    const bool has_value = equals != std::string::npos;
    std::string value = has_value ? name.substr(equals + 1) : "";
    name.resize(std::min(equals, name.size()));
    std::replace(name.begin(), name.end(), '_', '-');
    if (name == "help" || name == "h") {
      out_.wants_help = true;
      return;
    }
    const Option* option = find_option(command_, name);
    if (option == nullptr && name.starts_with("no") && !has_value) {
      // Both spellings of gflags: --nodiff and --no-diff.
      option = find_option(command_, name.substr(name.starts_with("no-") ? 3 : 2));
      if (option != nullptr && option->kind == Kind::kSwitch) return set(*option, "false");
      option = nullptr;
    }
    if (option == nullptr) refuse_unknown(command_, name);
    if (option->kind == Kind::kSwitch) return set(*option, has_value ? value : "true");
    if (!has_value) {
      if (at_ + 1 == words_.size()) throw UsageError(written(name) + " needs a value");
      value = words_[++at_];
    }
    set(*option, value);
  }

  void set(const Option& option, const std::string& value) {
    out_.invocation.given.insert(option.name);
    const auto index = static_cast<std::size_t>(&option - command_.options.data());
    set_value(option, value, *registered_[index]);
  }

  const Command& command_;
  const std::vector<std::string>& words_;
  std::size_t at_ = 0;
  std::vector<const Registered*> registered_;
  Parsed out_;
};

}  // namespace

Parsed parse_words(const Command& command, const std::vector<std::string>& words) {
  return Parser(command, words).parse();
}

}  // namespace torchada
