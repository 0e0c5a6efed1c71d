// One subcommand, defined once: parsing, --help, the manual page and the completions use the
// definition.
//
// To add one, write a file that defines `const Command& NAME_command()`, and add its line to
// command_list.h.
#pragma once

#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace torchada {

// Exit statuses shared by several subcommands. Each Command says what they mean there.
constexpr int kExitOk = 0;
constexpr int kExitNo = 1;      // Done, but the answer is no: unknown, not found, not supported.
constexpr int kExitUsage = 2;   // Bad usage.
constexpr int kExitFailed = 3;  // Not possible: damaged installation, output not written.
constexpr int kExitCannot = 4;  // Files were examined, and cannot run.
constexpr int kExitNotExecutable = 126;  // As in shells.
constexpr int kExitNotFound = 127;

// What a value may be. Decides which values are refused and what a shell completes.
enum class Kind { kSwitch, kText, kChoice, kChoices, kNumber, kFolder, kFile };
// kText, kFolder and kFile with a list as storage may be given several times. If they have a
// letter, the value may follow it at once, as for compilers: -IDIR.

struct Option {
  std::string name;  // As users write it: "musa-root".
  Kind kind = Kind::kText;
  std::string value;  // The placeholder in texts: "DIR". Empty for choices and switches.
  std::string help;   // A sentence without a full stop. Default and choices are appended.
  // Where the value goes. Its contents before parsing are the default.
  std::variant<bool*, std::string*, std::vector<std::string>*, int*> storage;
  std::vector<std::string> choices = {};  // For kChoice and kChoices (comma-separated).
  char letter = 0;                        // 'v' for -v
  bool is_hidden = false;                 // Not for users: no text names it.
};

enum class Words {
  kNone,
  kSome,            // Words of the subcommand, anywhere among the options.
  kProgram,         // The first word that is not an option starts a program and its arguments.
  kSomeAndProgram,  // Words of the subcommand, then a program after "--".
};

struct ExitStatus {
  int status;
  std::string meaning;
};

struct Example {
  std::string words;  // After "torchada ".
  std::string meaning;
};

// What the user wrote, except option values, which are in their storage.
struct Invocation {
  std::vector<std::string> words;
  std::vector<std::string> program;
  std::set<std::string> given;  // Names of the options that the user wrote.
};

struct Command {
  std::string name;
  std::string summary;    // One line.
  std::string arguments;  // After the options in the usage line: "NAME|CODE ...".
  Words words = Words::kNone;
  Kind completes = Kind::kText;          // How to complete words: kFolder, kFile, or not.
  std::vector<std::string> description;  // Paragraphs.
  std::vector<Option> options;
  std::vector<ExitStatus> exits;
  std::vector<Example> examples;
  std::function<int(const Invocation&)> run;  // Returns the exit status.
};

// In the order of the list in --help.
const std::vector<const Command*>& all_commands();
const Command* find_command(const std::string& name);

// Wrong usage: reported on stderr with the name of the subcommand, exit status 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The work is not possible: reported on stderr, exit status 3.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace torchada
