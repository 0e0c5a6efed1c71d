#include "src/command/command.h"

namespace torchada {

#define TORCHADA_COMMAND(name) const Command& name##_command();
#include "src/command/command_list.h"
#undef TORCHADA_COMMAND

const std::vector<const Command*>& all_commands() {
  static const std::vector<const Command*> commands = {
#define TORCHADA_COMMAND(name) &name##_command(),
#include "src/command/command_list.h"
#undef TORCHADA_COMMAND
  };
  return commands;
}

const Command* find_command(const std::string& name) {
  for (const Command* command : all_commands()) {
    if (command->name == name) return command;
  }
  return nullptr;
}

}  // namespace torchada
