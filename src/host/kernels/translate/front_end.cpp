#include "src/host/kernels/translate/front_end.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <system_error>

#include "src/host/kernels/translate/diagnostics.h"

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

// The files of a rule of make: "target: file file \".
std::vector<std::string> files_of_rule(const std::string& file) {
  const std::string text = content_of(file);
  std::vector<std::string> files;
  std::string name;
  for (std::size_t i = text.find(": ") + 1; i != 0 && i <= text.size(); ++i) {
    const bool is_escaped = i + 1 < text.size() && text[i] == '\\' && text[i + 1] != '\n';
    if (is_escaped || (i < text.size() && text[i] == '$')) ++i;
    const bool ends =
        i == text.size() || (!is_escaped && (std::isspace(text[i]) != 0 || text[i] == '\\'));
    if (!ends) {
      name += text[i];
    } else if (!name.empty()) {
      files.push_back(std::move(name));
      name.clear();
    }
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
void replace_crash(std::string* log, int status, const std::string& source, unsigned int seconds) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
    *log = source + too_long(seconds);
    return;
  }
  const std::size_t memory = log->find("LLVM ERROR: out of memory");
  const std::size_t report = log->find("PLEASE submit a bug report");
  const std::size_t end = std::min({memory, report, log->size()});
  if (end == log->size() && !(status != -1 && WIFSIGNALED(status))) return;
  log->resize(end);
  *log += source + ": error: " +
          (memory != std::string::npos
               ? "compiling it needs more than 2 GB of memory\n"
               : "clang gives up: it may be nested too deeply, or clang has a defect\n");
}

bool is_of_system(const std::string& file, const std::vector<std::string>& flags) {
  for (std::size_t i = 1; i < flags.size(); ++i) {
    if (flags[i - 1] == "-isystem" && file.starts_with(flags[i] + "/")) return true;
  }
  return file.starts_with("/usr/");
}

}  // namespace

std::string too_long(unsigned int seconds) {
  return ": error: it was ended after " + std::to_string(seconds) +
         " seconds of compiling; --seconds sets the limit\n";
}

std::string content_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> clang_words() {
  const char* const set = std::getenv("TORCHADA_CLANG");
  std::istringstream words(set != nullptr && *set != '\0' ? set : "clang++-19");
  return {std::istream_iterator<std::string>(words), {}};
}

int run_program(const std::vector<std::string>& words, const std::string& output_file) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
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
  made.bitcode = folder + "/device.bc";
  std::vector<std::string> words = clang_words();
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
        "-MD"}) {
    words.emplace_back(word);
  }
  words.push_back("-fplugin=" + request.plugin_file());
  words.push_back("-std=" + request.standard);
  words.push_back("-DTORCHADA_WARP_SIZE=" + std::to_string(request.warp_size));
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
  words.insert(words.end(), {"-o", made.bitcode, source});
  const std::string log = folder + "/log";
  const int status = run_program(words, log);
  made.success = status == 0;
  std::string text = content_of(log);
  if (!made.success) replace_crash(&text, status, source, request.seconds);
  made.log = in_our_words(text, request, source, &made.wrong_names, &made.only_names_are_wrong);
  for (const std::string& file : files_of_rule(folder + "/files")) {
    const bool is_ours = file.starts_with(request.headers + "/") || file.starts_with(folder + "/");
    if (is_ours) continue;
    made.files.push_back(file);
    if (file == source || !is_of_system(file, request.flags)) made.own_files.push_back(file);
  }
  return made;
}

}  // namespace kernels
