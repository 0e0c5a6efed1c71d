// torchada: the command that users meet, started by bin/torchada (src/launcher).
#include <cstdlib>
#include <string>
#include <vector>

#include "src/command/command.h"
#include "src/command/command_line.h"
#include "src/command/help.h"
#include "src/command/messages.h"
#include "src/command/nearest.h"
#include "src/command/output.h"
#include "src/shared/set_aside.h"

namespace torchada {
namespace {

// From here on, the environment is the user's own: for the program, and for what `doctor` says.
void take_back_loader_variables() {
  for (const char* name : kLoaderVariables) {
    const std::string other = std::string(kSetAside) + name;
    const char* value = std::getenv(other.c_str());
    if (value == nullptr) continue;
    setenv(name, value, 1);
    unsetenv(other.c_str());
  }
}

int refuse_command(const std::string& name) {
  if (name.empty()) {
    log_error("no command given (torchada --help lists the commands)");
    return kExitUsage;
  }
  std::vector<std::string> names = {"help"};
  for (const Command* command : all_commands()) names.push_back(command->name);
  const bool option = name[0] == '-';
  const std::vector<std::string> close = nearest(name, names, 1);
  log_error("unknown {} '{}'{} (see torchada --help)", option ? "option" : "command", name,
            close.empty() || option ? "" : "; did you mean '" + close.front() + "'?");
  return kExitUsage;
}

int help(const std::vector<std::string>& words) {
  if (words.empty()) return write_output(help_of_all(), kExitOk);
  const Command* command = find_command(words.front());
  return command ? write_output(help_of(*command), kExitOk) : refuse_command(words.front());
}

int run(const Command& command, const std::vector<std::string>& words) {
  // Prepare the help first, because parsing overwrites the defaults that it shows.
  const std::string text = help_of(command);
  try {
    const Parsed parsed = parse_words(command, words);
    if (parsed.wants_help) return write_output(text, kExitOk);
    return command.run(parsed.invocation);
  } catch (const UsageError& error) {
    log_error("{} (see torchada {} --help)", error.what(), command.name);
    return kExitUsage;
  } catch (const std::exception& error) {
    log_error("{}", error.what());
    return kExitFailed;
  }
}

int start(const std::vector<std::string>& words) {
  if (words.empty()) return refuse_command("");
  const std::string& first = words.front();
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (first == "--help" || first == "-h") return help({});
  if (first == "help") return help(rest);
  if (first == "--version") return write_output("torchada " TORCHADA_VERSION "\n", kExitOk);
  const Command* command = find_command(first);
  return command ? run(*command, rest) : refuse_command(first);
}

}  // namespace
}  // namespace torchada

int main(int argc, char** argv) {
  torchada::take_back_loader_variables();
  torchada::occupy_closed_streams();
  torchada::set_up_messages();
  return torchada::start({argv + 1, argv + argc});
}
