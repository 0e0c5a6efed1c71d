// torchada-kernels: makes an image of device code for the CPU stand-in. `torchada kernels build
// --backend=host` runs it; it is a program of its own because only this needs libclang.
//   torchada-kernels --headers=FOLDER --output=IMAGE [--arch=mp_31] [-std=c++17] [FLAG...] --
//   SOURCE...
// FLAG: of the compiler, for parsing and for compiling (-I, -D, -U, -isystem, -include).
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string_view>
#include <system_error>

#include "src/host/kernels/translate/source.h"

extern char** environ;

namespace {

namespace fs = std::filesystem;

constexpr int kUsage = 2;

// Removed with what is in it, also when the user ends the program.
std::string folder;
void remove_folder() {
  std::error_code ignored;
  if (!folder.empty()) fs::remove_all(folder, ignored);
}

struct Request {
  kernels::Settings settings;
  std::string output;
  std::vector<std::string> sources;
};

bool parse(int count, char** words, Request* request) {
  bool sources = false;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto value_of = [&](std::string_view option, std::string* value) {
      if (word.compare(0, option.size(), option) != 0) return false;
      *value = word.substr(option.size());
      return true;
    };
    std::string arch;
    if (sources) {
      request->sources.push_back(word);
    } else if (word == "--") {
      sources = true;
    } else if (value_of("--arch=", &arch)) {
      request->settings.warp_size = arch == "mp_31" ? 32 : 128;
    } else if (!value_of("--headers=", &request->settings.headers) &&
               !value_of("--output=", &request->output) &&
               !value_of("-std=", &request->settings.standard)) {
      request->settings.compiler_flags.push_back(word);
    }
  }
  return !request->sources.empty() && !request->output.empty() &&
         !request->settings.headers.empty();
}

void print(const std::vector<kernels::Message>& messages, const char* kind) {
  for (const kernels::Message& message : messages) {
    std::cerr << message.file << ':';
    if (message.line != 0) std::cerr << message.line << ':';
    std::cerr << ' ' << kind << ": " << message.text << '\n';
  }
}

// CXX may have arguments of its own, as in make.
std::vector<std::string> compiler() {
  const char* const cxx = std::getenv("CXX");
  std::vector<std::string> words(1);
  for (const char c : std::string_view(cxx != nullptr && *cxx != '\0' ? cxx : "c++")) {
    if (c != ' ') {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
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

bool is_gcc(const std::string& compiler_name) {
  return fs::path(compiler_name).filename().string().find("clang") == std::string::npos;
}

// Compiles the files and links the image.
bool compile(const Request& request, const std::vector<std::string>& files) {
  const kernels::Settings& settings = request.settings;
  std::vector<std::string> flags = compiler();
  for (const std::string& flag :
       {std::string("-std=") + settings.standard, std::string("-O3"), std::string("-fPIC"),
        std::string("-fvisibility=hidden"), std::string("-fno-strict-aliasing"),
        std::string("-fno-math-errno"), std::string("-fno-trapping-math"), std::string("-w"),
        "-DTORCHADA_WARP_SIZE=" + std::to_string(settings.warp_size),
        "-I" + settings.headers + "/cuda", std::string("-include"),
        std::string("torchada_device.h")}) {
    flags.push_back(flag);
  }
  // Variables of templates belong to the module, not to the process. Only g++ has to be told.
  if (is_gcc(flags.front())) flags.emplace_back("-fno-gnu-unique");
  flags.insert(flags.end(), settings.compiler_flags.begin(), settings.compiler_flags.end());
  std::vector<std::string> objects;
  for (const std::string& file : files) {
    std::vector<std::string> words = flags;
    objects.push_back(folder + "/" + std::to_string(objects.size()) + ".o");
    words.insert(words.end(), {"-c", file, "-o", objects.back()});
    if (!run(words)) return false;
  }
  const std::string made = folder + "/image.so";
  std::vector<std::string> words = compiler();
  words.insert(words.end(), {"-shared", "-Wl,-z,defs", "-Wl,-z,now", "-o", made});
  words.insert(words.end(), objects.begin(), objects.end());
  if (!run(words)) return false;
  std::error_code error;
  fs::copy_file(made, request.output, fs::copy_options::overwrite_existing, error);
  if (error) std::cerr << request.output << ": error: " << error.message() << '\n';
  return !error;
}

bool build(const Request& request) {
  std::vector<std::string> files;
  bool good = true;
  std::size_t kernels = 0;
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
    const kernels::Source parsed(request.settings, source);
    print(parsed.errors(), "error");
    print(parsed.warnings(), "warning");
    good = good && parsed.errors().empty();
    kernels += parsed.kernel_count();
    files.push_back(parsed.write(own));
  }
  if (good && kernels == 0) {
    std::cerr << request.sources.front()
              << ": error: no kernel: expected a __global__ function, or a template of one that is "
                 "launched or instantiated\n";
    return false;
  }
  files.push_back(request.settings.headers + "/torchada_image_object.cpp");
  return good && compile(request, files);
}

}  // namespace

int main(int count, char** words) {
  Request request;
  if (!parse(count, words, &request)) {
    std::cerr << "usage: torchada-kernels --headers=FOLDER --output=IMAGE [FLAG...] -- SOURCE...\n";
    return kUsage;
  }
  request.settings.headers = fs::weakly_canonical(request.settings.headers);
  std::error_code ignored;
  if (fs::exists(TORCHADA_CLANG_RESOURCE_DIR, ignored)) {
    request.settings.resource_dir = TORCHADA_CLANG_RESOURCE_DIR;
  }
  std::string name = (fs::temp_directory_path() / "torchada-kernels-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    std::perror(name.c_str());
    return EXIT_FAILURE;
  }
  folder = name;
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    signal(signal_number, [](int number) {
      remove_folder();
      signal(number, SIG_DFL);
      raise(number);
    });
  }
  const bool keep = std::getenv("TORCHADA_KERNELS_KEEP") != nullptr;
  const bool built = build(request);
  if (keep) {
    std::cerr << "kept: " << folder << '\n';
  } else {
    remove_folder();
  }
  return built ? EXIT_SUCCESS : EXIT_FAILURE;
}
