#include "src/command/help.h"

#include <algorithm>
#include <sstream>

#include "src/command/text_layout.h"

namespace torchada {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kHelpColumn = 24;

// Wraps `text` at kWidth, with each line indented to `column`. The first line starts at position
// `at`.
std::string wrapped(const std::string& text, std::size_t column, std::size_t at) {
  std::string out(at < column ? column - at : 0, ' ');
  std::size_t used = column;
  bool first = true;
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    if (!first && used + 1 + word.size() > kWidth) {
      out += "\n" + std::string(column, ' ');
      used = column;
      first = true;
    }
    if (!first) out += ' ';
    out += word;
    used += word.size() + (first ? 0 : 1);
    first = false;
  }
  return out + "\n";
}

std::string entry(const std::string& left, const std::string& right) {
  std::string out = "  " + left;
  if (out.size() + 2 > kHelpColumn) {
    out += "\n";
    return out + wrapped(right, kHelpColumn, 0);
  }
  return out + wrapped(right, kHelpColumn, out.size());
}

}  // namespace

const char kHelpOption[] = "print this help";

std::string listed(const std::vector<std::string>& items) {
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += i + 1 == items.size() ? " or " : ", ";
    out += items[i];
  }
  return out;
}

std::string written_option(const Option& option) {
  std::string out = option.letter == 0 ? "" : std::string("-") + option.letter + ", ";
  out += "--" + option.name;
  if (option.kind == Kind::kSwitch) return out;
  const std::string choices = joined(option.choices, "|");
  if (option.kind == Kind::kChoices && option.value.empty()) return out + "=" + choices + "[,...]";
  return out + "=" + (option.value.empty() ? choices : option.value);
}

std::string explained_option(const Option& option) {
  std::string initial;
  if (const auto* text = std::get_if<std::string*>(&option.storage)) initial = **text;
  // A number that is 0 has no default of its own: the help says what happens without it.
  if (const auto* number = std::get_if<int*>(&option.storage); number && **number != 0) {
    initial = std::to_string(**number);
  }
  return option.help + (initial.empty() ? "" : " (default: " + initial + ")");
}

std::string usage_line(const Command& command) {
  return "torchada " + command.name + " [OPTION...]" +
         (command.arguments.empty() ? "" : " " + command.arguments);
}

std::string help_of(const Command& command) {
  std::string out = "usage: " + usage_line(command) + "\n\n";
  for (const std::string& paragraph : command.description) out += wrapped(paragraph, 0, 0) + "\n";
  out += "options:\n";
  for (const Option& option : command.options) {
    if (option.is_hidden) continue;
    out += entry(written_option(option), explained_option(option));
  }
  out += entry("-h, --help", kHelpOption);
  out += "\nexit status:\n";
  for (const ExitStatus& exit : command.exits) {
    out += entry(std::to_string(exit.status), exit.meaning);
  }
  if (!command.examples.empty()) out += "\nexamples:\n";
  for (const Example& example : command.examples) {
    out += "  torchada " + example.words + "\n" + wrapped(example.meaning, 6, 0);
  }
  return out;
}

std::string replaced_libraries() {
  std::string out = TORCHADA_STEMS;
  const std::size_t last = out.rfind(", ");
  return last == std::string::npos ? out : out.replace(last, 2, " and ");
}

std::string help_of_all() {
  std::string out =
      "usage: torchada COMMAND [OPTION...] [WORD...]\n\n" +
      wrapped("Runs CUDA programs on Moore Threads GPUs, with drop-in replacements of " +
                  replaced_libraries() + " that call MUSA.",
              0, 0) +
      "\ncommands:\n";
  for (const Command* command : all_commands()) out += entry(command->name, command->summary);
  out +=
      "\noptions:\n" +
      entry("-h, --help", "print this help; torchada COMMAND --help prints the help of a command");
  return out + entry("--version", "print the version");
}

}  // namespace torchada
