#include "src/host/kernels/translate/front_end.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <system_error>

#include "src/host/kernels/translate/diagnostics.h"
#include "src/shared/word_pointers.h"

extern char** environ;

namespace kernels {
namespace {

// Macros of the program come after our headers, which they could break: -DN=4, -DT=float. Names
// with an underscore are for headers of the system. Returns the flags that remain.
std::vector<std::string> move_macros(const std::vector<std::string>& flags,
                                     const std::string& file) {
  std::string macros;
  std::vector<std::string> others;
  for (const std::string& flag : flags) {
    const bool defines = flag.starts_with("-D");
    std::string word = flag.substr(std::min<std::size_t>(flag.size(), 2));
    const std::string name = word.substr(0, word.find_first_of("(="));
    if ((!defines && !flag.starts_with("-U")) || name.empty() || name.front() == '_' ||
        name == "NDEBUG") {
      others.push_back(flag);
      continue;
    }
    const std::size_t equals = std::min(word.find('='), word.size());
    word.replace(equals, 1, equals == word.size() ? " 1" : " ");
    macros += "#undef " + name + (defines ? "\n#define " + word : "") + "\n";
  }
  if (macros.empty()) return others;
  std::ofstream(file, std::ios::binary) << "#line 1 \"command line\"\n" << macros;
  others.insert(others.begin(), {"-include", file});
  return others;
}

// The files of a rule of NMake, which quotes names: FILE: FILE "FILE" \.
std::vector<std::string> files_of_rule(const std::string& file) {
  std::istringstream rule(content_of(file));
  std::vector<std::string> files;
  std::string name;
  rule >> name;
  while (rule >> std::quoted(name, '"', '\0')) {
    if (name != "\\") files.push_back(name);
  }
  return files;
}

// CUDA 13 has CCCL in a folder of its own, which nvcc looks into as well.
std::vector<std::string> with_cccl(const std::vector<std::string>& flags) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    all.push_back(flags[i]);
    std::string folder;
    if (flags[i].size() > 2 && flags[i].starts_with("-I")) folder = flags[i].substr(2);
    if (i > 0 && (flags[i - 1] == "-I" || flags[i - 1] == "-isystem")) folder = flags[i];
    if (!folder.empty() && std::filesystem::is_directory(folder + "/cccl/cuda")) {
      all.push_back("-I" + folder + "/cccl");
    }
  }
  return all;
}

// What clang says of itself when it breaks is for its authors. clang's driver lives on after some
// crashes of its compiler.
std::string without_crash(std::string log, int status, const std::string& source,
                          unsigned int seconds) {
  if (status == 0) return log;
  rusage used;
  getrusage(RUSAGE_CHILDREN, &used);  // this process had no other child
  const std::string late = too_long(status, used, seconds);
  if (!late.empty()) return source + late;
  const std::size_t memory = log.find("LLVM ERROR: out of memory");
  const std::size_t report = log.find("PLEASE submit a bug report");
  const std::size_t end = std::min({memory, report, log.size()});
  if (end == log.size() && !(status != -1 && WIFSIGNALED(status))) return log;
  log.resize(end);
  return log + source + ": error: " +
         (memory != std::string::npos
              ? "compiling it needs more than 2 GB of memory\n"
              : "clang gives up: it may be nested too deeply, or clang has a defect\n");
}

}  // namespace

std::string too_long(int status, const rusage& used, unsigned int seconds) {
  const bool was_killed =
      WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 128 + SIGKILL;
  const auto time = used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1;  // rounded to either side
  if (!was_killed || seconds == 0 || time < seconds / 2) return "";
  return ": error: it was ended after " + std::to_string(seconds) +
         " seconds of compiling; --seconds sets the limit\n";
}

std::string content_of(const std::string& file) {
  std::string text;
  return host::read_file(file, &text) ? text : "";
}

int run_program(const std::vector<std::string>& words, const std::string& output_file) {
  const std::vector<char*> arguments = torchada::word_pointers(words);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, output_file.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    std::cerr << "torchada kernels build: " << words[0] << ": "
              << std::generic_category().message(error)
              << "; install clang-19, or name the clang++ of LLVM 19 in TORCHADA_CLANG\n";
    return -1;
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

FrontEnd run_front_end(const Request& request, const std::string& source,
                       const std::string& folder) {
  FrontEnd made;
  const timespec begin = host::now();
  const std::string bitcode = folder + "/device.bc";
  std::vector<std::string> words = host::clang_words();
  for (const char* const word :
       {"-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_70", "-nocudainc", "-nocudalib",
        "-Wno-unknown-cuda-version", "-emit-llvm", "-c", "-O1", "-Xclang", "-disable-llvm-passes",
        "-gline-tables-only", "-fno-strict-aliasing", "-fno-math-errno", "-fno-trapping-math",
        "-fno-exceptions",
        "-fno-temp-file",         // its name would need random bytes, which a sandbox may refuse
        "-fno-spell-checking",    // takes minutes for a name of 256 KB
        "-fclang-abi-compat=17",  // names of templates as nvcc has them
        // A shuffle may be given a variable that only one lane has set.
        "-Xclang", "-no-enable-noundef-analysis", "-fno-color-diagnostics", "-Wno-everything",
        "-MD", "-MV", "-MT", "device"}) {
    words.emplace_back(word);
  }
  const unsigned int arch = request.cuda_arch();
  words.insert(words.end(), {"-fplugin=" + request.plugin_file(), "-std=" + request.standard,
                             // The instructions of later ones than 800 are not here.
                             "-D__CUDA_ARCH__=" + std::to_string(std::clamp(arch, 700U, 800U)),
                             "-DTORCHADA_WARP_SIZE=" + std::to_string(request.warp_size),
                             // CUB's device code must choose as its host code does.
                             "-DCUB_PTX_ARCH=" + std::to_string(arch)});
  if (request.at_run_time) words.emplace_back("-DTORCHADA_AT_RUN_TIME=1");
  words.insert(words.end(),
               {"-I" + request.headers + "/cuda", "-include",
                request.headers + "/cuda/torchada_device.h", "-MF", folder + "/files"});
  const std::vector<std::string> flags =
      move_macros(with_cccl(request.flags), folder + "/macros.h");
  words.insert(words.end(), flags.begin(), flags.end());
  if (request.default_device) {
    words.insert(words.end(), {"-include", request.headers + "/cuda/torchada_default_device.h"});
  }
  words.insert(words.end(), {"-o", bitcode, source});
  const std::string log = folder + "/log";
  const int status = run_program(words, log);
  made.success = status == 0;
  const std::string text = without_crash(content_of(log), status, source, request.seconds);
  made.log = in_our_words(text, request, source, &made.wrong_names, &made.only_names_are_wrong);
  for (const std::string& file : files_of_rule(folder + "/files")) {
    const bool is_ours = file.starts_with(request.headers + "/") || file.starts_with(folder + "/");
    if (!is_ours) made.files.push_back(file);
  }
  if (!made.success) return made;
  made.bitcode = content_of(bitcode);
  if (!request.cache.empty()) made.as_read = host::read_files(made.files, begin);
  return made;
}

}  // namespace kernels
