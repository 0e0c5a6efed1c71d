// One subcommand, defined once: parsing, --help, the manual page and the completions come from it.
//
// To add one: a file that defines `const Command& NAME_command()`, and its line in command_list.h.
#pragma once

#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace torchada {

// Exit statuses that several subcommands share. What each means there is in its Command.
constexpr int kExitOk = 0;
constexpr int kExitNo = 1;      // Done, and the answer is no: unknown, not there, not supported.
constexpr int kExitUsage = 2;   // Bad usage.
constexpr int kExitFailed = 3;  // Could not be done: damaged installation, output not written.
constexpr int kExitNotExecutable = 126;  // As shells do.
constexpr int kExitNotFound = 127;

// Which words a value may be: decides what is refused and what a shell completes.
enum class Kind { kSwitch, kText, kChoice, kChoices, kNumber, kFolder, kFile };

struct Option {
  std::string name;  // As people write it: "musa-root".
  Kind kind = Kind::kText;
  std::string value;  // What stands for the value in texts: "DIR". Empty for choices and switches.
  std::string help;   // A sentence without a full stop; default and choices are added.
  // Where the value goes; what is there when the command line is parsed is the default.
  std::variant<bool*, std::string*, std::vector<std::string>*, int*> storage;
  std::vector<std::string> choices = {};  // Of kChoice and kChoices (comma-separated).
  char letter = 0;                        // -v
};

enum class Words {
  kNone,
  kSome,            // Words of the subcommand's own, anywhere among the options.
  kProgram,         // The first word that is no option starts a program and its arguments.
  kSomeAndProgram,  // Words of its own; a program after two dashes.
};

struct ExitStatus {
  int status;
  std::string meaning;
};

struct Example {
  std::string words;  // After "torchada ".
  std::string meaning;
};

// What the user wrote, without the options, whose values are in their storage.
struct Invocation {
  std::vector<std::string> words;
  std::vector<std::string> program;
  std::set<std::string> given;  // Names of the options that were written.
};

struct Command {
  std::string name;
  std::string summary;    // One line.
  std::string arguments;  // After the options in the usage line: "NAME|CODE ...".
  Words words = Words::kNone;
  Kind completes = Kind::kText;          // The words: kFolder, kFile, or nothing.
  std::vector<std::string> description;  // Paragraphs.
  std::vector<Option> options;
  std::vector<ExitStatus> exits;
  std::vector<Example> examples;
  std::function<int(const Invocation&)> run;  // Returns the exit status.
};

// In the order in which they are listed.
const std::vector<const Command*>& all_commands();
const Command* find_command(const std::string& name);

// Bad usage: said on stderr with the name of the subcommand, exit status 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// It could not be done: said on stderr, exit status 3.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace torchada
