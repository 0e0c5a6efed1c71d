#include "src/command/documents/documents.h"
#include "src/command/help.h"
#include "src/command/text_layout.h"

namespace torchada::documents {
namespace {

std::vector<std::string> command_names() {
  std::vector<std::string> out;
  for (const Command* command : all_commands()) out.push_back(command->name);
  return out;
}

// How bash completes a value: a command whose output is the candidates.
std::string bash_values(const Option& option) {
  if (!option.choices.empty()) return "-W '" + joined(option.choices, " ") + "'";
  if (option.kind == Kind::kFolder) return "-d";
  if (option.kind == Kind::kFile) return "-f";
  return "-W ''";
}

std::string bash_words(const Command& command) {
  if (command.words == Words::kProgram) return "-c -f";
  if (command.completes == Kind::kFolder) return "-d";
  if (command.completes == Kind::kFile) return "-f";
  return "-W ''";
}

std::string bash_case(const Command& command) {
  std::string options;
  std::string values;
  for (const Option& option : command.options) {
    if (option.is_hidden) continue;
    const bool has_value = option.kind != Kind::kSwitch;
    options += "--" + option.name + (has_value ? "= " : " ");
    if (option.letter != 0) options += std::string("-") + option.letter + " ";
    if (has_value) {
      values += "        --" + option.name + ") how=(" + bash_values(option) + ") ;;\n";
    }
  }
  return "    " + command.name + ")\n      options='" + options + "--help'\n      words=(" +
         bash_words(command) + ")\n      case $option in\n" + values + "      esac\n      ;;\n";
}

// Text in a zsh specification, within single quotes.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return out;
}

std::string zsh_action(Kind kind, const std::vector<std::string>& choices) {
  if (kind == Kind::kChoices) return "_values -s , value " + joined(choices, " ");
  if (!choices.empty()) return "(" + joined(choices, " ") + ")";
  if (kind == Kind::kFolder) return "_files -/";
  if (kind == Kind::kFile) return "_files";
  return " ";
}

std::string zsh_case(const Command& command) {
  std::string out = "    (" + command.name + ")\n      _arguments \\\n";
  for (const Option& option : command.options) {
    if (option.is_hidden) continue;
    const bool has_value = option.kind != Kind::kSwitch;
    const std::string help = "[" + zsh_text(explained_option(option)) + "]";
    out += "        '--" + option.name + (has_value ? "=" : "") + help;
    if (has_value) out += ":" + option.name + ":" + zsh_action(option.kind, option.choices);
    out += "' \\\n";
    if (option.letter != 0) out += std::string("        '-") + option.letter + help + "' \\\n";
  }
  out += std::string("        '(- *)'{-h,--help}'[") + kHelpOption + "]' \\\n";
  if (command.words == Words::kProgram) {
    out += "        '(-)1:program: _command_names -e' '*::arguments: _normal'\n";
  } else if (command.words == Words::kNone) {
    out += "        && return 0\n";
  } else {
    out += "        '*:word:" + zsh_action(command.completes, {}) + "'\n";
  }
  return out + "      ;;\n";
}

}  // namespace

std::string bash_completion() {
  std::string out =
      "# bash completion for torchada, written from the definitions of its options.\n"
      "_torchada() {\n"
      "  # By hand, because COMP_WORDS breaks at '='.\n"
      "  local line=${COMP_LINE:0:COMP_POINT} word command='' option='' current='' options=''\n"
      "  local -a typed how=() words=()\n"
      "  read -ra typed <<<\"$line\"\n"
      "  case $line in *[[:space:]]) typed+=('') ;; esac\n"
      "  local last=$((${#typed[@]} - 1)) i\n"
      "  current=${typed[last]}\n"
      "  COMPREPLY=()\n"
      "  if ((last == 1)); then\n"
      "    COMPREPLY=($(compgen -W '" +
      joined(command_names(), " ") +
      " help --help --version' -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  command=${typed[1]}\n"
      "  case $current in\n"
      "    --*=*) option=${current%%=*} current=${current#*=} ;;\n"
      "    *) case ${typed[last - 1]} in --*=* | --) ;; --*) option=${typed[last - 1]} ;; esac ;;\n"
      "  esac\n"
      "  case $command in\n"
      "    help) words=(-W '" +
      joined(command_names(), " ") + "') ;;\n";
  for (const Command* command : all_commands()) out += bash_case(*command);
  return out +
         "  esac\n"
         "  if ((${#how[@]})); then\n"
         "    # A list with commas: only its last item is completed.\n"
         "    local done=''\n"
         "    case $current in *,*) done=${current%,*}, current=${current##*,} ;; esac\n"
         "    COMPREPLY=($(compgen -P \"$done\" \"${how[@]}\" -- \"$current\"))\n"
         "    return\n"
         "  fi\n"
         "  case $current in\n"
         "    -*)\n"
         "      COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
         "      if ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == *= ]]; then compopt -o "
         "nospace 2>/dev/null; fi\n"
         "      ;;\n"
         "    *) if ((${#words[@]})); then COMPREPLY=($(compgen \"${words[@]}\" -- \"$current\")); "
         "fi ;;\n"
         "  esac\n"
         "}\n"
         "complete -F _torchada torchada\n";
}

std::string zsh_completion() {
  std::string out =
      "#compdef torchada\n"
      "# zsh completion for torchada, written from the definitions of its options.\n"
      "_torchada() {\n"
      "  local -a commands\n"
      "  commands=(\n";
  for (const Command* command : all_commands()) {
    out += "    '" + command->name + ":" + zsh_text(command->summary) + "'\n";
  }
  out +=
      "    'help:print the help of a command'\n"
      "  )\n"
      "  if ((CURRENT == 2)); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  ((CURRENT--))\n"
      "  case $command in\n"
      "    (help) _describe command commands ;;\n";
  for (const Command* command : all_commands()) out += zsh_case(*command);
  return out +
         "  esac\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _torchada ]; then _torchada \"$@\"; else compdef _torchada "
         "torchada; fi\n";
}

}  // namespace torchada::documents
