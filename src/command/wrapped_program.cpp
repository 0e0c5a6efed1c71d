#include "src/command/wrapped_program.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include "src/command/check/module_path.h"
#include "src/command/program.h"
#include "src/command/shell_script.h"
#include "src/shared/split.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;
using WordList = std::vector<std::string>;

constexpr int kMostWrappers = 16;
constexpr std::size_t kLongestScript = std::size_t{64} << 10;

// Starts its remaining words after its own options and `positional` words.
struct Simple {
  std::string_view name;
  std::string_view with_value;  // Letters of options that take a word.
  std::size_t positional = 0;
};
constexpr Simple kSimple[] = {{"nice", "n"},
                              {"ionice", "cn"},
                              {"nohup", ""},
                              {"timeout", "ks", 1},
                              {"time", "fo"},
                              {"setsid", ""},
                              {"stdbuf", "ioe"},
                              {"numactl", "NmCpiP"},
                              {"taskset", "", 1},
                              {"chrt", "TPD", 1},
                              {"strace", "oepsEuOaIbPSX"}};
// Their long options that take a word.
constexpr std::string_view kLongWithValue[] = {
    "--adjustment", "--class",       "--classdata", "--signal",    "--kill-after",
    "--input",      "--output",      "--error",     "--format",    "--cpunodebind",
    "--membind",    "--physcpubind", "--preferred", "--interleave"};

// Of uv run, poetry and conda run.
constexpr std::string_view kEnvironmentWithValue[] = {
    "--with",  "--with-editable", "--with-requirements", "--python",
    "-p",      "--project",       "--directory",         "--extra",
    "--group", "--env-file",      "--index-url",         "--package",
    "--cwd"};

constexpr std::string_view kShells[] = {"sh", "bash", "dash", "zsh", "ksh"};
constexpr std::string_view kLaunchers[] = {"torch.distributed.run", "torch.distributed.launch",
                                           "accelerate.commands.launch",
                                           "deepspeed.launcher.runner"};

template <typename Item, std::size_t N>
bool contains(const Item (&items)[N], std::string_view word) {
  return std::find(std::begin(items), std::end(items), word) != std::end(items);
}

bool is_python(const std::string& name) {
  return name.starts_with("python") || name.starts_with("pypy");
}

std::string beginning_of_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text(kLongestScript, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return text;
}

WordList from(const WordList& words, std::size_t at) {
  return at < words.size() ? WordList(words.begin() + static_cast<std::ptrdiff_t>(at), words.end())
                           : WordList();
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void prefer_folder(const std::string& folder) {
  setenv("PATH", (folder + ":" + variable("PATH")).c_str(), 1);
}

// One wrapper less. Empty words with a reason if what is started is not known; both empty if the
// first word is no wrapper.
struct Step {
  WordList words;
  std::string unknown;
};

Step step_simple(const Simple& wrapper, const WordList& words) {
  std::size_t at = 1;
  for (; at < words.size() && words[at].size() > 1 && words[at][0] == '-'; ++at) {
    if (words[at] == "--") {
      ++at;
      break;
    }
    if (words[at].starts_with("--")) {
      at += contains(kLongWithValue, words[at]);
    } else {
      at +=
          words[at].size() == 2 && wrapper.with_value.find(words[at][1]) != std::string_view::npos;
    }
  }
  return {from(words, at + wrapper.positional), ""};
}

Step step_env(const WordList& words) {
  std::size_t at = 1;
  for (; at < words.size(); ++at) {
    const std::string& word = words[at];
    if (word == "-i" || word == "-" || word == "--ignore-environment") {
      const std::string path = variable("PATH");
      clearenv();
      setenv("PATH", path.c_str(), 1);  // By which env itself finds the program.
    } else if (word == "-u" && at + 1 < words.size()) {
      unsetenv(words[++at].c_str());
    } else if (word.starts_with("--unset=")) {
      unsetenv(word.substr(word.find('=') + 1).c_str());
    } else if (word.starts_with("-S") || word.starts_with("--split-string") || word == "-C" ||
               word.starts_with("--chdir")) {
      return {{}, "its option " + word + " is not followed"};
    } else if (word.empty() || (word[0] != '-' && word.find('=') == std::string::npos)) {
      break;
    } else if (word[0] != '-' && word[0] != '=') {
      setenv(word.substr(0, word.find('=')).c_str(), word.substr(word.find('=') + 1).c_str(), 1);
    }
  }
  return {from(words, at), ""};
}

Step step_module(const std::string& python, const std::string& module, const WordList& rest) {
  check::ModulePath path(check::module_folders(
      "", python.find('/') == std::string::npos ? find_program(python) : python));
  const std::string importer = (fs::current_path() / "command").string();
  for (const std::string& name : {module + ".__main__", module}) {
    PythonImport import;
    import.module = name;
    const check::FoundModule found = path.find(import, importer);
    if (found.state == check::FoundModule::State::kStandard) break;
    if (found.state != check::FoundModule::State::kFound || found.files.empty()) continue;
    WordList out = {python, found.files.back()};
    out.insert(out.end(), rest.begin(), rest.end());
    return {out, ""};
  }
  return {{}, "the file of the module " + module + " was not found"};
}

// The arguments of torchrun and its like: the first file of Python is the script.
Step step_launcher(const std::string& python, const WordList& arguments) {
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const std::string& word = arguments[at];
    if (word == "--no_python" || word == "--no-python") break;
    if ((word == "-m" || word == "--module") && at + 1 < arguments.size()) {
      return step_module(python, arguments[at + 1], from(arguments, at + 2));
    }
    if (word.starts_with('-') || !word.ends_with(".py")) continue;
    WordList out = from(arguments, at);
    out.insert(out.begin(), python);
    return {out, ""};
  }
  return {{}, "its arguments name no script (*.py)"};
}

Step step_python(const WordList& words) {
  for (std::size_t at = 1; at < words.size(); ++at) {
    const std::string& word = words[at];
    if (word.empty() || word[0] != '-' || word == "-" || word.starts_with("--")) return {};
    const std::size_t takes = word.find_first_of("cmWX", 1);
    if (takes == std::string::npos) continue;
    if (word[takes] == 'c') return {{}, "the code of its option -c is not read"};
    const bool apart = takes + 1 == word.size();
    if (word[takes] == 'm') {
      const std::string module =
          apart && at + 1 < words.size() ? words[at + 1] : word.substr(takes + 1);
      const WordList rest = from(words, at + (apart ? 2 : 1));
      return contains(kLaunchers, module) ? step_launcher(words[0], rest)
                                          : step_module(words[0], module, rest);
    }
    at += apart;
  }
  return {};
}

Step step_shell(const std::string& text, const WordList& arguments) {
  const ShellCommand command = command_of_script(text, arguments);
  return {command.words, command.unknown};
}

Step step_shell_program(const WordList& words) {
  std::size_t at = 1;
  bool is_text = false;
  for (; at < words.size() && words[at].size() > 1 && words[at][0] == '-'; ++at) {
    if (words[at] == "-o" || words[at].starts_with("--"))
      return {{}, "its options are not followed"};
    is_text |= words[at].find('c') != std::string::npos;
  }
  if (at == words.size()) return {};
  if (!is_text) return step_shell(beginning_of_text(words[at]), from(words, at));
  WordList arguments = from(words, at + 1);
  if (arguments.empty()) arguments = {words[0]};
  return step_shell(words[at], arguments);
}

// Which of pyenv's versions a shim starts: PYENV_VERSION, .python-version, or the global one.
Step step_pyenv(const fs::path& shim, const WordList& words) {
  const fs::path root = shim.parent_path().parent_path();
  std::string versions = variable("PYENV_VERSION");
  std::error_code error;
  for (fs::path folder = fs::current_path(error); versions.empty() && !folder.empty();
       folder = folder.parent_path()) {
    versions = beginning_of_text(folder / ".python-version");
    if (folder == folder.root_path()) break;
  }
  if (versions.empty()) versions = beginning_of_text(root / "version");
  for (const std::string& version : split(versions, ": \n")) {
    const fs::path program = root / "versions" / version / "bin" / shim.filename();
    if (!fs::exists(program, error)) continue;
    WordList out = words;
    out[0] = program;
    return {out, ""};
  }
  return {{}, "which of pyenv's versions it starts was not found"};
}

// The words after the options. `name` and `prefix` get the values of these options.
WordList after_options(const WordList& words, std::size_t at, std::string* name,
                       std::string* prefix) {
  for (; at < words.size() && words[at].starts_with('-') && words[at] != "-m"; ++at) {
    if (words[at] == "--") return from(words, at + 1);
    const std::size_t equals = words[at].find('=');
    const std::string option = words[at].substr(0, equals);
    const bool is_name = option == "-n" || option == "--name";
    const bool is_prefix = prefix != nullptr && (option == "-p" || option == "--prefix");
    const bool takes = is_name || is_prefix || contains(kEnvironmentWithValue, option);
    if (!takes) continue;
    if (equals == std::string::npos && at + 1 >= words.size()) break;
    const std::string value =
        equals == std::string::npos ? words[++at] : words[at].substr(equals + 1);
    if (is_name && name != nullptr) *name = value;
    if (is_prefix) *prefix = value;
  }
  return from(words, at);
}

Step step_conda(const std::string& path, const WordList& words) {
  std::string name;
  std::string prefix;
  const WordList command = after_options(words, 2, &name, &prefix);
  std::error_code error;
  const std::string own = variable("CONDA_EXE").empty() ? path : variable("CONDA_EXE");
  std::string root = variable("MAMBA_ROOT_PREFIX");
  if (root.empty()) root = fs::canonical(own, error).parent_path().parent_path();
  if (prefix.empty()) prefix = name.empty() || name == "base" ? root : root + "/envs/" + name;
  if (!fs::is_directory(prefix + "/bin", error)) {
    return {{}, "its environment was not found in " + prefix};
  }
  prefer_folder(prefix + "/bin");
  setenv("CONDA_PREFIX", prefix.c_str(), 1);
  return {command, ""};
}

Step step_uv(const WordList& words) {
  WordList command = after_options(words, 2, nullptr, nullptr);
  std::error_code error;
  fs::path folder = fs::current_path(error);
  while (!fs::is_directory(folder / ".venv" / "bin", error) && folder != folder.root_path()) {
    folder = folder.parent_path();
  }
  const std::string bin = folder / ".venv" / "bin";
  if (!fs::is_directory(bin, error)) return {{}, "its environment (.venv) is not there yet"};
  prefer_folder(bin);
  setenv("VIRTUAL_ENV", (folder / ".venv").c_str(), 1);
  if (!command.empty() && (command[0].ends_with(".py") || command[0] == "-m")) {
    command.insert(command.begin(), bin + "/python");
  }
  return {command, ""};
}

// A file with "#!": a script of a shell, or one by which pip starts a function of a package.
Step step_script(const std::string& path, const std::string& interpreter, const WordList& words) {
  const std::string name = fs::path(path).filename();
  if (is_python(fs::path(interpreter).filename())) {
    if (name == "torchrun" || name == "deepspeed")
      return step_launcher(interpreter, from(words, 1));
    if (name == "accelerate" && words.size() > 1 && words[1] == "launch") {
      return step_launcher(interpreter, from(words, 2));
    }
    if ((name == "conda" || name == "mamba") && words.size() > 1 && words[1] == "run") {
      return step_conda(path, words);
    }
    return {};
  }
  if (!contains(kShells, fs::path(interpreter).filename().string())) {
    return {{}, "what a script of " + interpreter + " does is not read"};
  }
  const std::string text = beginning_of_text(path);
  if (fs::path(path).parent_path().filename() == "shims" &&
      text.find("pyenv") != std::string::npos) {
    return step_pyenv(path, words);
  }
  WordList arguments = words;
  arguments[0] = path;
  return step_shell(text, arguments);
}

Step step(const WordList& words) {
  const std::string path = find_program(words[0]);
  if (path.empty()) return {};
  const std::string interpreter = interpreter_of_program(path);
  if (!interpreter.empty()) return step_script(path, interpreter, words);
  const std::string name = fs::path(path).filename();
  if (is_python(name)) return step_python(words);
  if (name == "env") return step_env(words);
  for (const Simple& wrapper : kSimple) {
    if (name == wrapper.name) return step_simple(wrapper, words);
  }
  if (contains(kShells, name)) return step_shell_program(words);
  if (words.size() > 1 && words[1] == "run") {
    if (name == "uv") return step_uv(words);
    if (name == "conda" || name == "mamba" || name == "micromamba") return step_conda(path, words);
  }
  if (words.size() > 1 && runs_others(path))
    return {{}, "what it starts is not read from its words"};
  return {};
}

}  // namespace

Unwrapped unwrap(const WordList& words) {
  Unwrapped out;
  out.words = words;
  for (int i = 0; i < kMostWrappers; ++i) {
    const Step next = step(out.words);
    if (!next.unknown.empty()) {
      out.unknown = next.unknown;
      return out;
    }
    if (next.words.empty()) return out;
    // python -m NAME is the same program with a file.
    if (next.words[0] != out.words[0]) out.wrappers.push_back(out.words[0]);
    out.words = next.words;
  }
  out.unknown = "there are too many wrappers";
  return out;
}

}  // namespace torchada
