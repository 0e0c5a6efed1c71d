// torchada activate, torchada deactivate
#include "src/command/command.h"

#include <filesystem>

#include "src/command/activate/marked_block.h"
#include "src/command/activate/shell_lines.h"
#include "src/command/activate/startup_file.h"
#include "src/command/common_options.h"
#include "src/command/installation.h"
#include "src/command/messages.h"
#include "src/command/output.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string abi;
  std::string file;
  bool print = false;
  bool system = false;
  bool yes = false;
};
Options options;

void refuse_contradictions() {
  if (options.system && !options.file.empty())
    throw UsageError("--system and --file cannot be given together");
  if (options.print && (options.system || !options.file.empty())) {
    throw UsageError("--print cannot be given with --system or --file, because it writes no file");
  }
}

fs::path folder_of(const std::string& abi) {
  const fs::path lib = fs::path(installation_root()) / "lib";
  return abi.empty() ? lib : lib / ("cu" + abi);
}

int run_activate(const Invocation& invocation) {
  refuse_contradictions();
  if (options.yes && !options.system) throw UsageError("--yes can only be given with --system");
  const fs::path folder = folder_of(options.abi);
  if (!fs::is_directory(folder))
    throw Failure(folder.string() +
                  " does not exist: the installation is incomplete; reinstall torchada");
  const std::string lines = activate::lines_that_add(folder);
  if (options.print) return write_output(lines, kExitOk);

  const fs::path file = options.system         ? activate::kSystemFile
                        : options.file.empty() ? activate::startup_file()
                                               : fs::absolute(options.file);
  if (options.system && !options.yes) {
    log_warning(
        "with --system, every program of every user finds these libraries: installers, package "
        "builds, monitoring and services may take this machine for one with an NVIDIA GPU");
    log_error("{} was not written; add --yes to write it", activate::kSystemFile);
    return kExitNo;
  }
  const std::string before = activate::read_startup_file(file);
  const std::string after = activate::with_block(before, lines, file, fs::exists(file));
  if (after == before)
    return write_output(file.string() + " already has these lines; nothing was changed\n", kExitOk);
  activate::write_startup_file(file, after);
  std::string text = "written to " + file.string() + "; new login shells read it:\n\n" + lines;
  text += "\nfor this shell: eval \"$(torchada activate --print" +
          (options.abi.empty() ? "" : " --abi=" + options.abi) + ")\"\n";
  text += "to undo: torchada deactivate";
  if (options.system) text += " --system";
  if (invocation.given.count("file") != 0) text += " --file=" + options.file;
  return write_output(text + "\n", kExitOk);
}

std::string printed_removal() {
  std::vector<fs::path> folders = {folder_of("")};
  for (const std::string& abi : abi_option(&options.abi, "").choices)
    folders.push_back(folder_of(abi));
  return activate::lines_that_remove(folders);
}

int run_deactivate(const Invocation&) {
  refuse_contradictions();
  if (options.print) return write_output(printed_removal(), kExitOk);
  std::vector<fs::path> files;
  if (options.system) {
    files = {activate::kSystemFile};
  } else if (!options.file.empty()) {
    files = {fs::absolute(options.file)};
  } else {
    files = activate::startup_files();
  }
  std::string text;
  for (const fs::path& file : files) {
    const std::string before = activate::read_startup_file(file);
    const std::string after = activate::without_block(before, file);
    if (after == before) continue;
    if (after.empty() && !activate::was_empty_before(before)) {
      activate::remove_startup_file(file);
    } else {
      activate::write_startup_file(file, after);
    }
    text += "removed from " + file.string() + "\n";
  }
  if (text.empty()) {
    log_error("nothing to remove: {}",
              files.size() == 1 ? files.front().string() + " has no lines from torchada"
                                : "no start-up file of your login shells has lines from torchada");
    return kExitNo;
  }
  return write_output(text + "for this shell: eval \"$(torchada deactivate --print)\"\n", kExitOk);
}

Option print_option() {
  return {"print", Kind::kSwitch, "", "print the lines for this shell instead of changing a file",
          &options.print};
}

Option file_option() {
  return {"file", Kind::kFile, "FILE", "use this file instead of the login shell's start-up file",
          &options.file};
}

Option system_option() {
  return {"system", Kind::kSwitch, "", std::string("for all users: use ") + activate::kSystemFile,
          &options.system};
}

std::vector<ExitStatus> exits(const char* no) {
  return {{kExitOk, "done"},
          {kExitNo, no},
          {kExitUsage, "bad usage"},
          {kExitFailed, "a file could not be read or written, or the installation is damaged"}};
}

}  // namespace

const Command& activate_command() {
  static const Command command = {
      "activate",
      "make your programs find the libraries without 'torchada run'",
      "",
      Words::kNone,
      Kind::kText,
      {"Puts torchada's library directory first in LD_LIBRARY_PATH of new login shells. Adds "
       "marked lines to the start-up file that your shell reads (.profile, .bash_profile or "
       ".zprofile) and prints them. Running it again replaces these lines, or changes nothing.",
       "Programs with DT_RPATH, and programs that open a library by its path, ignore "
       "LD_LIBRARY_PATH: use 'torchada run' for them. Use it also for programs that need the CUDA "
       "driver, which only 'torchada run' offers. Without MUSA, no device is found: only 'torchada "
       "run' uses the CPU stand-in.",
       "A running Python is not changed: torchada_native.activate() of the package for pip does "
       "that, and changes no file."},
      {print_option(),
       abi_option(&options.abi, "offer only the libraries of this CUDA major version"),
       file_option(),
       system_option(),
       {"yes", Kind::kSwitch, "", "confirm that --system may write its file", &options.yes}},
      exits("--system was given without --yes; nothing was written"),
      {{"activate", "for this user"},
       {"activate --print --abi=13", "the lines for this shell only, with CUDA 13"}},
      run_activate};
  return command;
}

const Command& deactivate_command() {
  static const Command command = {
      "deactivate",
      "undo 'torchada activate'",
      "",
      Words::kNone,
      Kind::kText,
      {"Removes the lines that 'torchada activate' wrote, and nothing else, from all start-up "
       "files of your login shells."},
      {print_option(), file_option(), system_option()},
      exits("nothing to remove"),
      {{"deactivate", "for this user"}, {"deactivate --print", "the lines for this shell only"}},
      run_deactivate};
  return command;
}

}  // namespace torchada
