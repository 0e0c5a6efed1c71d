// torchada doctor
#include "command.h"

#include "checks.h"
#include "common_options.h"
#include "findings.h"
#include "installation.h"
#include "output.h"
#include "prepare.h"

namespace torchada {
namespace {

using doctor::Mode;
using doctor::Report;
using doctor::Subject;

struct Options {
  std::string format;
  int pid = 0;
  std::string root;
  bool as_run = false;
  int timeout = 60;
};
Options options;

void refuse_nonsense(const Invocation& invocation) {
  const bool by_pid = invocation.given.count("pid") != 0;
  const bool by_root = invocation.given.count("root") != 0;
  if (!invocation.words.empty()) {
    throw UsageError("give the command after two dashes: -- " + invocation.words.front());
  }
  if (options.timeout < 1) throw UsageError("--timeout is at least 1");
  if (by_pid && options.pid < 1) throw UsageError("--pid is the number of a process");
  if (by_pid && (by_root || !invocation.program.empty())) {
    throw UsageError("--pid excludes --root and a command");
  }
  if (options.as_run && (by_pid || by_root || invocation.program.empty())) {
    throw UsageError("--run wants a command, and neither --pid nor --root");
  }
}

void prepare(const Invocation& invocation, Subject* subject) {
  subject->tables = tables::read(installation_root());
  subject->timeout = options.timeout;
  if (invocation.given.count("pid") != 0) {
    doctor::prepare_process(options.pid, subject);
  } else if (invocation.given.count("root") != 0) {
    doctor::prepare_root(options.root, invocation.program, subject);
  } else {
    doctor::prepare_here(invocation.program, options.as_run, subject);
  }
}

int run_doctor(const Invocation& invocation) {
  refuse_nonsense(invocation);
  Subject subject;
  prepare(invocation, &subject);
  Report report;
  const bool goes_on = doctor::check_program(&subject, &report);
  if (subject.mode != Mode::kProcess) doctor::check_installation(subject, &report);
  if (goes_on) {
    doctor::check_libraries(subject, &report);
    doctor::check_environment(subject, &report);
    doctor::check_musa(subject, &report);
  }
  const std::string text =
      options.format == "json" ? doctor::write_json(report) : doctor::write_text(report);
  return write_output(text, report.has_errors() ? kExitNo : kExitOk);
}

}  // namespace

const Command& doctor_command() {
  static const Command command = {
      "doctor",
      "why a program does not run as it should, and what to do",
      "[-- PROGRAM [ARGUMENT...]]",
      Words::kSomeAndProgram,
      Kind::kFile,
      {"Finds what is wrong with a program, its libraries, MUSA and the driver; says by what "
       "evidence "
       "and how to remedy it, the most important first. Errors stop a program, warnings part of "
       "it.",
       "With PROGRAM: as it would start here. The program is not started, but the loader is asked "
       "which libraries win; a Python interpreter is started to ask it. MUSA is asked for devices. "
       "Without: the surroundings alone."},
      {format_option(&options.format, {"text", "json"}),
       {"pid", Kind::kNumber, "PID", "examine a process by what it has mapped", &options.pid},
       {"root", Kind::kFolder, "DIR",
        "look below DIR only, as into a container; nothing of it is started, no variable is read",
        &options.root},
       {"run", Kind::kSwitch, "", "examine PROGRAM as torchada run would start it",
        &options.as_run},
       {"timeout", Kind::kNumber, "SECONDS", "how long to wait for loader, interpreter and driver",
        &options.timeout}},
      {{kExitOk, "nothing stops a program; there may be warnings"},
       {kExitNo, "an error was found"},
       {kExitUsage, "bad usage"},
       {kExitFailed,
        "the process cannot be examined, the installation's tables are damaged, or the "
        "output could not be written"}},
      {{"doctor -- python3 my_cuda_script.py", "before it is started"},
       {"doctor --run -- ./my_cuda_program", "as torchada run would start it"},
       {"doctor --pid 4711", "a process that runs"}},
      run_doctor};
  return command;
}

}  // namespace torchada
