#include "src/command/documents/documents.h"
#include "src/command/help.h"
#include "src/command/variables.h"

namespace torchada::documents {
namespace {

// Escapes text so that roff prints it literally.
std::string roff(const std::string& text) {
  std::string out;
  bool start = true;
  for (const char c : text) {
    if (start && (c == '.' || c == '\'')) out += "\\&";
    start = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '|') {
      out += "|\\:";  // A line may break here.
    } else {
      out += c;
    }
  }
  return out;
}

std::string upper(const std::string& text) {
  std::string out = text;
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

std::string head(const std::string& name, const std::string& summary) {
  // No date, so that the same definitions give the same bytes.
  return ".TH " + upper(roff(name)) +
         " 1 \"\" \"torchada " TORCHADA_VERSION "\" \"torchada\"\n.ad l\n" + ".SH NAME\n" +
         roff(name + " - ") + roff(summary) + "\n";
}

std::string item(const std::string& term, const std::string& text) {
  return ".TP\n.B " + roff(term) + "\n" + roff(text) + "\n";
}

}  // namespace

std::string man_page(const Command& command) {
  std::string out = head("torchada-" + command.name, command.summary);
  out += ".SH SYNOPSIS\n.B " + roff(usage_line(command)) + "\n.SH DESCRIPTION\n";
  for (std::size_t i = 0; i < command.description.size(); ++i) {
    out += (i == 0 ? "" : ".PP\n") + roff(command.description[i]) + "\n";
  }
  out += ".SH OPTIONS\n";
  for (const Option& option : command.options) {
    if (option.is_hidden) continue;
    out += item(written_option(option), explained_option(option));
  }
  out += item("-h, --help", kHelpOption);
  out += ".SH \"EXIT STATUS\"\n";
  for (const ExitStatus& exit : command.exits) {
    out += item(std::to_string(exit.status), exit.meaning);
  }
  if (!command.examples.empty()) out += ".SH EXAMPLES\n";
  for (const Example& example : command.examples) {
    out += item("torchada " + example.words, example.meaning);
  }
  return out + ".SH \"SEE ALSO\"\n.BR torchada (1)\n";
}

std::string man_page() {
  std::string out =
      head("torchada", "unmodified CUDA programs on Moore Threads GPUs") + ".SH SYNOPSIS\n.B " +
      roff("torchada COMMAND [OPTION...] [WORD...]") +
      "\n.SH DESCRIPTION\nDrop\\-in replacements of " + replaced_libraries() +
      " that call MUSA, and the command that runs programs with them.\nOutput is coloured "
      "only on terminals, and not if NO_COLOR is set.\n.SH COMMANDS\n";
  for (const Command* command : all_commands()) {
    out +=
        ".TP\n.BR " + roff("torchada-" + command->name) + " (1)\n" + roff(command->summary) + "\n";
  }
  out += ".SH OPTIONS\n" + item("-h, --help", kHelpOption) + item("--version", "print the version");
  out += ".SH ENVIRONMENT\nThe libraries read these variables, but not in setuid programs.\n";
  for (const OwnVariable& variable : own_variables()) out += item(variable.name, variable.meaning);
  return out;
}

}  // namespace torchada::documents
