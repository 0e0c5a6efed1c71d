// torchada-kernels: makes an image of device code for the CPU stand-in. `torchada kernels build
// --backend=host` runs it; it is a program of its own because only this needs libclang.
//   torchada-kernels --headers=FOLDER --output=IMAGE [--arch=mp_31] [-std=c++17] [FLAG...] --
//   SOURCE...
// FLAG: of the compiler, for parsing and for compiling (-I, -D, -U, -isystem, -include).
//
//   torchada-kernels --seal=IMAGE
// judges an image that was linked by hand, and writes size and checksum into it.
//
// libmtrtc runs it as well, with options of its own (src/host/mtrtc/translate/run_time_request.h).
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string_view>
#include <system_error>

#include "src/host/kernels/translate/source.h"
#include "src/host/mtrtc/translate/run_time_request.h"
#include "src/host/shared/image_file.h"

extern char** environ;

namespace {

namespace fs = std::filesystem;

std::string folder;

struct Request {
  kernels::Settings settings;
  host_mtrtc::RunTimeRequest run_time;
  std::string output;
  std::vector<std::string> sources;
};

bool parse(int count, char** words, Request* request) {
  kernels::Settings& settings = request->settings;
  std::string arch = "mp_31";
  const std::map<std::string, std::string*> options = {{"--arch=", &arch},
                                                       {"--headers=", &settings.headers},
                                                       {"--output=", &request->output},
                                                       {"-std=", &settings.standard}};
  char** const end = words + count;
  char** const dashes = std::find(words, end, std::string_view("--"));
  for (const std::string word : std::span(words + 1, dashes)) {
    const std::size_t size = word.find('=') + 1;
    const auto option = options.find(word.substr(0, size));
    if (option != options.end()) {
      *option->second = word.substr(size);
    } else if (!request->run_time.take(word, &settings)) {
      settings.compiler_flags.push_back(word);
    }
  }
  if (dashes != end) request->sources.assign(dashes + 1, end);
  settings.warp_size = arch == "mp_31" ? 32 : 128;
  return !request->sources.empty() && !request->output.empty() && !settings.headers.empty();
}

// Macros of the program come after our headers, which they could break: -DN=4, -DT=float. Names
// with an underscore are for headers of the system.
bool move_macros(std::vector<std::string>* flags) {
  std::string macros;
  std::vector<std::string> others;
  for (const std::string& flag : *flags) {
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
  if (macros.empty()) return true;
  const std::string file = folder + "/macros.h";
  std::ofstream(file, std::ios::binary) << "#line 1 \"command line\"\n" << macros;
  others.insert(others.begin(), {"-include", file});
  *flags = std::move(others);
  return fs::exists(file);
}

void print(const std::vector<kernels::Message>& messages, const char* kind, bool with_columns) {
  for (const kernels::Message& message : messages) {
    std::cerr << message.place.file << ':';
    if (message.place.line != 0) std::cerr << message.place.line << ':';
    if (with_columns && message.place.column != 0) std::cerr << message.place.column << ':';
    std::cerr << ' ' << kind << ": " << message.text << '\n';
  }
}

// CXX may have arguments of its own, as in make.
std::vector<std::string> compiler() {
  const char* const cxx = std::getenv("CXX");
  std::istringstream words(cxx != nullptr && *cxx != '\0' ? cxx : "c++");
  return {std::istream_iterator<std::string>(words), {}};
}

bool run(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ);
  if (error != 0) {
    std::cerr << "torchada kernels build: " << words[0] << ": "
              << std::generic_category().message(error)
              << "; install a C++ compiler, or name one in CXX\n";
    return false;
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Compiles the files and links the image.
bool compile(const std::vector<std::string>& files, const std::vector<std::string>& flags,
             const std::string& made) {
  std::vector<std::string> words = compiler();
  const std::string name = fs::path(words.front()).filename();
  // Variables of templates belong to the module, not to the process. Only g++ has to be told.
  if (name.find("clang") == std::string::npos) words.emplace_back("-fno-gnu-unique");
  words.insert(words.end(), {"-O3", "-funroll-loops", "-fPIC", "-fvisibility=hidden",
                             "-fno-strict-aliasing", "-fno-math-errno", "-fno-trapping-math",
                             "-shared", "-nostartfiles", "-Wl,-z,defs", "-Wl,-z,now", "-o", made});
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(), files.begin(), files.end());
  return run(words);
}

using Sources = std::vector<std::unique_ptr<kernels::Source>>;

// Where the program declares a function; the file alone if nobody knows.
kernels::Place place_of(const std::string& mangled, const Sources& sources) {
  kernels::Place place;
  for (const auto& source : sources) {
    if (place.line == 0) place = source->place_of_function(mangled);
  }
  if (place.line == 0) place.file = sources.front()->path();
  return place;
}

// Completes what the linker made. A message if device code may not have what is in it.
std::optional<kernels::Message> complete(std::string* image, const Sources& sources) {
  const host::ImageFault fault = host::find_forbidden(*image);
  if (fault) {
    return kernels::Message{
        place_of(fault.symbol, sources),
        "the device code cannot be used: " + fault.text +
            "; expected only device functions that are defined, variables with constant "
            "initialisers, and no constructor or destructor of the program"};
  }
  if (host::seal_image(image)) return std::nullopt;
  return kernels::Message{place_of("", sources), "the linker has removed the image's mark"};
}

// Both print why not.
bool read_file(const std::string& path, std::string* bytes) {
  std::ifstream in(path, std::ios::binary);
  bytes->assign(std::istreambuf_iterator<char>(in), {});
  if (!in) std::cerr << path << ": error: " << std::generic_category().message(errno) << '\n';
  return in.good();
}

bool write_file(const std::string& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << bytes << std::flush;
  if (!out) std::cerr << path << ": error: " << std::generic_category().message(errno) << '\n';
  return out.good();
}

int seal(const std::string& path) {
  std::string image;
  if (!read_file(path, &image)) return EXIT_FAILURE;
  const host::ImageFault fault = host::find_forbidden(image);
  if (fault || !host::seal_image(&image)) {
    std::cerr << path << ": error: "
              << (fault ? fault.text : "it has no TORCHADA_SEAL, or is of another version") << '\n';
    return EXIT_FAILURE;
  }
  return write_file(path, image) ? EXIT_SUCCESS : EXIT_FAILURE;
}

bool build(const Request& request) {
  const bool at_run_time = request.settings.at_run_time;
  std::vector<std::string> files;
  std::vector<kernels::Message> name_errors;
  bool good = true;
  std::size_t kernels = 0;
  Sources sources;
  for (const std::string& path : request.sources) {
    std::error_code error;
    const std::string source = fs::absolute(path, error).lexically_normal();
    if (!fs::is_regular_file(source, error)) {
      std::cerr << path << ": error: no such file\n";
      good = false;
      continue;
    }
    const std::string own = folder + "/" + std::to_string(files.size());
    fs::create_directory(own);
    const kernels::Source& parsed =
        *sources.emplace_back(std::make_unique<kernels::Source>(request.settings, source));
    print(parsed.errors(), "error", at_run_time);
    print(parsed.warnings(), "warning", at_run_time);
    good = good && parsed.errors().empty();
    if (good && at_run_time) name_errors = request.run_time.answer(parsed);
    kernels += parsed.kernel_count();
    files.push_back(parsed.write(own));
  }
  if (good && kernels == 0 && !at_run_time) {
    std::cerr << request.sources.front()
              << ": error: no kernel: expected a __global__ function, or a template of one that is "
                 "launched or instantiated\n";
    return false;
  }
  const std::string made = folder + "/image.so";
  if (!good || !compile(files, request.settings.flags(), made)) return false;
  print(name_errors, "error", at_run_time);
  if (!name_errors.empty()) return false;
  std::string image;
  if (!read_file(made, &image)) return false;
  if (const auto error = complete(&image, sources)) {
    print({*error}, "error", at_run_time);
    return false;
  }
  return write_file(request.output, image);
}

// Builds in a process group of its own, so that this process can end the compilers and remove the
// folder when the user interrupts it, or when libclang fails. Returns the exit status.
// `interrupted`: the user's signal, or 0.
int build_in_child(const Request& request, int* interrupted) {
  sigset_t awaited, before;
  sigemptyset(&awaited);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) {
    struct sigaction action;
    sigaction(number, nullptr, &action);
    if (action.sa_handler != SIG_IGN) sigaddset(&awaited, number);
  }
  sigprocmask(SIG_BLOCK, &awaited, &before);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(EXIT_FAILURE);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    setenv("TMPDIR", folder.c_str(), 1);  // of the compilers
    _exit(build(request) ? EXIT_SUCCESS : EXIT_FAILURE);
  }
  if (child < 0) {
    std::perror("torchada kernels build: fork");
    return EXIT_FAILURE;
  }
  setpgid(child, child);
  int status = 0;
  *interrupted = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    int number = 0;
    if (sigwait(&awaited, &number) != 0 || number == SIGCHLD) continue;
    *interrupted = number;
    kill(-child, SIGKILL);
    waitpid(child, &status, 0);
    break;
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  if (*interrupted == 0) {
    std::cerr << "torchada kernels build: reading " << request.sources.front()
              << " ended with signal " << WTERMSIG(status) << " (" << strsignal(WTERMSIG(status))
              << "); nothing was made\n";
  }
  return EXIT_FAILURE;
}

}  // namespace

int main(int count, char** words) {
  constexpr std::string_view kSeal = "--seal=";
  if (count == 2 && std::string_view(words[1]).starts_with(kSeal)) {
    return seal(words[1] + kSeal.size());
  }
  Request request;
  if (!parse(count, words, &request)) {
    std::cerr << "usage: torchada-kernels --headers=FOLDER --output=IMAGE [FLAG...] -- SOURCE...\n"
                 "       torchada-kernels --seal=IMAGE    writes the checksum of IMAGE into it\n";
    constexpr int kUsage = 2;
    return kUsage;
  }
  request.settings.headers = fs::weakly_canonical(request.settings.headers);
  std::error_code ignored;
  folder = fs::temp_directory_path() / "torchada-kernels-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr || !move_macros(&request.settings.compiler_flags)) {
    std::perror(folder.c_str());
    return EXIT_FAILURE;
  }
  int interrupted = 0;
  const int status = build_in_child(request, &interrupted);
  if (std::getenv("TORCHADA_KERNELS_KEEP") != nullptr) {
    std::cerr << "kept: " << folder << '\n';
  } else {
    fs::remove_all(folder, ignored);
  }
  if (interrupted != 0) raise(interrupted);
  return status;
}
