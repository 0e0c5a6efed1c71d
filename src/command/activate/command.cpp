// torchada activate, torchada deactivate
#include "command.h"

#include <spdlog/spdlog.h>

#include <filesystem>

#include "common_options.h"
#include "installation.h"
#include "marked_block.h"
#include "output.h"
#include "shell_lines.h"
#include "startup_file.h"

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
    throw UsageError("--system and --file exclude each other");
  if (options.print && (options.system || !options.file.empty())) {
    throw UsageError("--print writes no file: it goes with neither --system nor --file");
  }
}

fs::path folder_of(const std::string& abi) {
  const fs::path lib = fs::path(installation_root()) / "lib";
  return abi.empty() ? lib : lib / ("cu" + abi);
}

int run_activate(const Invocation& invocation) {
  refuse_contradictions();
  if (options.yes && !options.system)
    throw UsageError("--yes confirms --system, which is not given");
  const fs::path folder = folder_of(options.abi);
  if (!fs::is_directory(folder))
    throw Failure(folder.string() + " does not exist: torchada is not installed completely");
  const std::string lines = activate::lines_that_add(folder);
  if (options.print) return write_output(lines, kExitOk);

  const fs::path file = options.system         ? activate::kSystemFile
                        : options.file.empty() ? activate::startup_file()
                                               : fs::absolute(options.file);
  if (options.system && !options.yes) {
    spdlog::warn(
        "every program of every user would find these libraries, and may take this machine for one "
        "with an NVIDIA GPU: installers, package builds, monitoring and services as well");
    spdlog::error("{} is not written; --yes writes it", activate::kSystemFile);
    return kExitNo;
  }
  const std::string before = activate::read_startup_file(file);
  const std::string after = activate::with_block(before, lines, file, fs::exists(file));
  if (after == before)
    return write_output(file.string() + " has it already; nothing is changed\n", kExitOk);
  activate::write_startup_file(file, after);
  std::string text = "written to " + file.string() + ", for login shells from now on:\n\n" + lines;
  text += "\nin this shell: eval \"$(torchada activate --print" +
          (options.abi.empty() ? "" : " --abi=" + options.abi) + ")\"\n";
  text += "to undo it: torchada deactivate";
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
    spdlog::error("nothing to remove: {}",
                  files.size() == 1 ? files.front().string() + " has no lines of ours"
                                    : "no file that a login shell reads has lines of ours");
    return kExitNo;
  }
  return write_output(text + "in this shell: eval \"$(torchada deactivate --print)\"\n", kExitOk);
}

Option print_option() {
  return {"print", Kind::kSwitch, "", "write the lines for this shell to standard output instead",
          &options.print};
}

Option file_option() {
  return {"file", Kind::kFile, "FILE", "this file instead of the one that the login shell reads",
          &options.file};
}

Option system_option() {
  return {"system", Kind::kSwitch, "", std::string("for all users: ") + activate::kSystemFile,
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
      "let this user's programs find the libraries without 'torchada run'",
      "",
      Words::kNone,
      Kind::kText,
      {"Puts the libraries' folder at the front of LD_LIBRARY_PATH in new login shells: marked "
       "lines in the file "
       "that the user's shell reads (.profile, .bash_profile, .zprofile), which are shown. Doing "
       "it again changes "
       "nothing, or replaces the lines.",
       "It reaches as far as LD_LIBRARY_PATH does: not programs with DT_RPATH, and not those that "
       "open a file by its "
       "path. 'torchada run' reaches those. Without MUSA such programs are told that there is no "
       "driver; the CPU "
       "stand-in is for 'torchada run' alone."},
      {print_option(),
       abi_option(&options.abi, "offer only this CUDA major"),
       file_option(),
       system_option(),
       {"yes", Kind::kSwitch, "", "confirm --system", &options.yes}},
      exits("--system is not confirmed; nothing is written"),
      {{"activate", "for this user"},
       {"activate --print --abi=13", "what to evaluate for this shell alone, with CUDA 13"}},
      run_activate};
  return command;
}

const Command& deactivate_command() {
  static const Command command = {"deactivate",
                                  "undo 'torchada activate'",
                                  "",
                                  Words::kNone,
                                  Kind::kText,
                                  {"Removes the lines that 'torchada activate' has written, and "
                                   "nothing else, from every file that a login shell "
                                   "of this user reads."},
                                  {print_option(), file_option(), system_option()},
                                  exits("there was nothing to remove"),
                                  {{"deactivate", "for this user"},
                                   {"deactivate --print", "what to evaluate for this shell alone"}},
                                  run_deactivate};
  return command;
}

}  // namespace torchada
