// torchada doctor
#include "src/command/command.h"

#include "src/command/common_options.h"
#include "src/command/doctor/checks.h"
#include "src/command/doctor/findings.h"
#include "src/command/doctor/prepare.h"
#include "src/command/installation.h"
#include "src/command/output.h"

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
    throw UsageError("write -- before the command: -- " + invocation.words.front());
  }
  if (options.timeout < 1)
    throw UsageError("--timeout=" + std::to_string(options.timeout) +
                     ": expected a number of seconds, at least 1");
  if (by_pid && options.pid < 1)
    throw UsageError("--pid=" + std::to_string(options.pid) + ": expected the number of a process");
  if (by_pid && (by_root || !invocation.program.empty())) {
    throw UsageError("--pid cannot be given together with --root or a command");
  }
  if (options.as_run && (by_pid || by_root || invocation.program.empty())) {
    throw UsageError("--run needs a command, and cannot be given with --pid or --root");
  }
}

void prepare(const Invocation& invocation, Subject* subject) {
  subject->tables = &tables::read(installation_root());
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
    if (subject.mode == Mode::kHere) doctor::check_script(&subject, &report);
    doctor::check_libraries(subject, &report);
    if (subject.mode == Mode::kHere && subject.has_program) {
      doctor::check_static_tls(subject, &report);
    }
    doctor::check_offered_driver(subject, &report);
    doctor::check_offered_nvml(subject, &report);
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
      "find out why a program does not run, and what to do",
      "[-- PROGRAM [ARGUMENT...]]",
      Words::kSomeAndProgram,
      Kind::kFile,
      {"Finds problems with a program, its libraries, MUSA and the driver. Prints each with "
       "evidence and a remedy, the most important first. An error stops a program; a warning "
       "affects part of it.",
       "With PROGRAM, examines how it would start here. The program itself is not started: the "
       "loader is asked which libraries it would load. If the program is Python, doctor starts the "
       "interpreter (isolated from the current directory and PYTHONPATH) to ask where it finds "
       "libraries, and `torchada check` reads the script. MUSA is asked for its devices. Without "
       "PROGRAM, examines the environment only.",
       "If PROGRAM is a wrapper, doctor examines the program that it starts: behind env, nice and "
       "their like, shell scripts that set variables and start one program, python -m, torchrun, "
       "accelerate launch, deepspeed, conda run, uv run and the shims of pyenv. If that program is "
       "not found, a warning says so."},
      {format_option(&options.format, {"text", "json"}),
       {"pid", Kind::kNumber, "PID", "examine a running process by the files that it has mapped",
        &options.pid},
       {"root", Kind::kFolder, "DIR",
        "examine only files below DIR, for example a container's; nothing there is started, and no "
        "variables are read",
        &options.root},
       {"run", Kind::kSwitch, "", "examine PROGRAM as torchada run would start it",
        &options.as_run},
       {"timeout", Kind::kNumber, "SECONDS",
        "how long to wait for the loader, the interpreter and the driver", &options.timeout}},
      {{kExitOk, "no errors; there may be warnings"},
       {kExitNo, "at least one error was found"},
       {kExitUsage, "bad usage"},
       {kExitFailed,
        "the process cannot be examined, the installation's tables are damaged, or the "
        "output could not be written"}},
      {{"doctor -- python3 my_cuda_script.py", "before starting it"},
       {"doctor --run -- ./my_cuda_program", "as torchada run would start it"},
       {"doctor --pid 4711", "a running process"}},
      run_doctor};
  return command;
}

}  // namespace torchada
