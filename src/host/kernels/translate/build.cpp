#include "src/host/kernels/translate/build.h"

#include <fcntl.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/raw_ostream.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <new>
#include <set>
#include <sstream>
#include <system_error>

#include "src/host/kernels/translate/assembly.h"
#include "src/host/kernels/translate/device_module.h"
#include "src/host/kernels/translate/diagnostics.h"
#include "src/host/kernels/translate/front_end.h"
#include "src/host/kernels/translate/object_cache.h"
#include "src/host/kernels/translate/warnings.h"
#include "src/host/shared/image_file.h"

namespace kernels {
namespace {

namespace fs = std::filesystem;

constexpr rlim_t kMostMemory = rlim_t{2} << 30;
constexpr rlim_t kMostStack = rlim_t{64} << 20;  // for expressions of many parts

// Both print why not.
bool read_file(const std::string& path, std::string* bytes) {
  const bool good = host::read_file(path, bytes);
  if (!good) std::cerr << path << ": error: " << host::last_error() << '\n';
  return good;
}

bool write_file(const std::string& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << bytes << std::flush;
  if (!out) std::cerr << path << ": error: " << std::generic_category().message(errno) << '\n';
  return out.good();
}

// What libmtrtc wants to know. False: a name expression names nothing that an image has.
// `wrong`: the numbers of those of which clang has said so.
bool write_result(const Request& request, const FrontEnd& read, const std::set<std::size_t>& wrong,
                  DeviceModule* code) {
  std::ofstream out(request.result, std::ios::binary);
  bool good = wrong.empty();
  for (std::size_t i = 0; i < request.names.size(); ++i) {
    const std::string name = take_named(code, "torchada_name_" + std::to_string(i));
    out << "name " << name << '\n';
    if (!name.empty() || wrong.count(i) != 0) continue;
    good = false;
    std::cerr << line_of(
        {{"name expression '" + request.names[i] + "'"},
         "names no __global__ function, and no __device__ or __constant__ variable"},
        "error");
  }
  for (const std::string& file : read.files) out << "file " << file << '\n';
  return good && out.good();
}

// The source without the lines of these name expressions.
void take_out_names(const Request& request, const std::string& source,
                    const std::set<std::size_t>& numbers) {
  std::istringstream lines(content_of(source));
  std::string text;
  std::size_t number = 1;
  for (std::string line; std::getline(lines, line); ++number) {
    const bool is_out =
        number >= request.names_line && numbers.count(number - request.names_line) != 0;
    text += (is_out ? "" : line) + "\n";
  }
  write_file(source, text);
}

// LLVM's remarks, on loops that it could not unroll, are for nobody. `has_error`: a bool.
void print_error(const llvm::DiagnosticInfo* info, void* has_error) {
  if (info->getSeverity() != llvm::DS_Error) return;
  *static_cast<bool*>(has_error) = true;
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::DiagnosticPrinterRawOStream printer(out);
  info->print(printer);
  std::cerr << "error: " << text << '\n';
}

// `files`: that were read.
Outcome compile(const Request& request, const std::string& source, const std::string& folder,
                std::vector<std::string>* files) {
  FrontEnd read = run_front_end(request, source, folder);
  std::cerr << read.log;
  const std::set<std::size_t> wrong = read.wrong_names;
  if (!read.success && read.only_names_are_wrong) {
    // The other names may be wrong in ways of which clang does not know.
    take_out_names(request, source, wrong);
    read = run_front_end(request, source, folder);
  }
  if (!read.success) return kFailed;
  *files = read.files;
  llvm::LLVMContext context;
  bool has_error = false;
  context.setDiagnosticHandlerCallBack(print_error, &has_error);
  context.setDiscardValueNames(true);
  DeviceModule code = read_module(&context, read.bitcode, source, request.only);
  const Target target{request.warp_size, request.cpu_level};
  if (request.at_run_time && !write_result(request, read, wrong, &code)) return kFailed;
  drop_unreached(&code);
  expand_assembly(&code, request.assembly_file(), request.warp_size);
  const std::vector<Message> refused = find_refused(code, request.headers);
  for (const Message& message : refused) {
    std::cerr << line_of(refusal(message.place, message.text), "error");
  }
  for (const Message& message : find_warnings(request, read.own_files, code)) {
    std::cerr << line_of(message, "warning");
  }
  if (!refused.empty()) return kFailed;
  const bool has_kernel = !code.kernels.empty();
  compile_module(&code, target, request.runtime_file(), object_in(folder));
  if (has_error) return kFailed;
  return has_kernel ? kCompiled : kWithoutKernel;
}

// A process has one.
std::string source_of_process;

[[noreturn]] void end_for_memory() {
  dprintf(STDERR_FILENO, "%s: error: compiling it needs more than 2 GB of memory\n",
          source_of_process.c_str());
  _exit(kFailed);
}

// LLVM would abort.
void end_for_error(void*, const char* reason, bool) {
  dprintf(STDERR_FILENO, "%s: error: LLVM cannot compile it: %s\n", source_of_process.c_str(),
          reason);
  _exit(kFailed);
}

// Of this process and of clang.
void limit_process(const std::string& source, unsigned int seconds) {
  source_of_process = source;
  llvm::install_fatal_error_handler(end_for_error);
  llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { end_for_memory(); });
  std::set_new_handler(end_for_memory);
  rlimit stack;
  getrlimit(RLIMIT_STACK, &stack);
  stack.rlim_cur = std::min(kMostStack, stack.rlim_max);
  setrlimit(RLIMIT_STACK, &stack);
  const rlimit time{seconds, seconds + rlim_t{5}};  // told to end first, then killed
  if (seconds != 0) setrlimit(RLIMIT_CPU, &time);
#ifndef __SANITIZE_ADDRESS__  // its shadow is larger
  const rlimit memory{kMostMemory, kMostMemory};
  setrlimit(RLIMIT_DATA, &memory);
#endif
}

// In a process of its own, whose messages go to a file. Returns its number.
pid_t start_compiling(const Request& request, const ObjectCache& cache, const std::string& source,
                      const std::string& folder) {
  std::cerr.flush();
  const pid_t child = fork();
  if (child != 0) return child;
  const int messages = open(messages_in(folder).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(messages, STDERR_FILENO);
  limit_process(source, request.seconds);
  const timespec begin = host::now();
  std::vector<std::string> files;
  Outcome outcome = kFailed;
  try {
    outcome = compile(request, source, folder, &files);
  } catch (const std::exception& error) {
    std::cerr << source << ": error: " << error.what() << '\n';
  }
  std::cerr.flush();
  cache.keep(source, folder, files, begin, outcome);
  _exit(outcome);
}

// The outcome of a process that has ended.
Outcome outcome_of(int status, const std::string& source, unsigned int seconds) {
  if (WIFEXITED(status)) return static_cast<Outcome>(WEXITSTATUS(status));
  if (WTERMSIG(status) == SIGXCPU) {
    std::cerr << source << too_long(seconds);
    return kFailed;
  }
  std::cerr << source << ": error: compiling it ended with signal " << WTERMSIG(status) << " ("
            << strsignal(WTERMSIG(status)) << ")\n";
  return kFailed;
}

void print_messages(const std::string& folder) {
  std::ifstream in(messages_in(folder), std::ios::binary);
  if (in.peek() != std::ifstream::traits_type::eof()) std::cerr << in.rdbuf();
}

// Compiles all sources, as many at a time as the request says.
class Sources {
 public:
  Sources(const Request& request, const std::string& folder)
      : request_(request), folder_(folder), cache_(request) {}

  // Gives the objects.
  bool compile(std::vector<std::string>* objects) {
    std::size_t begun = 0;
    while (begun < request_.sources.size() || !running_.empty()) {
      if (begun < request_.sources.size() && running_.size() < request_.jobs) {
        begin(begun++);
      } else {
        await_one();
      }
    }
    if (good_ && !has_kernel_ && !request_.at_run_time) {
      std::cerr << path_of(0)
                << ": error: no kernel: expected a __global__ function, or a template "
                << "of one that is launched or instantiated\n";
      good_ = false;
    }
    for (std::size_t i = 0; i < begun; ++i) objects->push_back(object_in(own_folder(i)));
    return good_;
  }

 private:
  std::string own_folder(std::size_t number) const {
    return folder_ + "/" + std::to_string(number);
  }
  std::string path_of(std::size_t number) const {
    std::error_code error;
    return fs::absolute(request_.sources[number], error).lexically_normal();
  }

  void begin(std::size_t number) {
    const std::string source = path_of(number);
    const std::string folder = own_folder(number);
    const std::size_t count = request_.sources.size();
    std::error_code error;
    if (!fs::is_regular_file(source, error)) {
      std::cerr << request_.sources[number] << ": error: no such file\n";
      good_ = false;
      return;
    }
    fs::create_directory(folder);
    const std::optional<Outcome> kept = cache_.find(source, folder);
    if (count > 1) {
      std::cerr << number + 1 << " of " << count << ": " << request_.sources[number]
                << (kept ? " (from the cache)" : "") << std::endl;
    }
    if (kept) {
      end(number, *kept);
      return;
    }
    const pid_t child = start_compiling(request_, cache_, source, folder);
    if (child > 0) {
      running_[child] = number;
    } else {
      std::perror("torchada kernels build: fork");
      good_ = false;
    }
  }

  void await_one() {
    int status = 0;
    const auto ended = running_.find(waitpid(-1, &status, 0));
    if (ended == running_.end()) return;
    const std::size_t number = ended->second;
    running_.erase(ended);
    end(number, outcome_of(status, request_.sources[number], request_.seconds));
  }

  void end(std::size_t number, Outcome outcome) {
    print_messages(own_folder(number));
    good_ = good_ && outcome != kFailed;
    has_kernel_ = has_kernel_ || outcome == kCompiled;
  }

  const Request& request_;
  const std::string& folder_;
  const ObjectCache cache_;
  std::map<pid_t, std::size_t> running_;
  bool good_ = true;
  bool has_kernel_ = false;
};

bool link(const std::vector<std::string>& objects, const std::string& made,
          const std::string& folder) {
  std::vector<std::string> words = clang_words();
  words.insert(words.end(), {"-shared", "-nostartfiles", "-Wl,--as-needed", "-Wl,-z,defs",
                             "-Wl,-z,now", "-o", made});
  words.insert(words.end(), objects.begin(), objects.end());
  words.emplace_back("-lm");
  const std::string log = folder + "/log";
  if (run_program(words, log) == 0) return true;
  std::string text;
  if (read_file(log, &text)) std::cerr << text;
  return false;
}

// Completes what the linker made. False, and says why, if device code may not have what is in it.
bool complete(std::string* image, const Request& request) {
  const std::string& source = request.sources.front();
  if (const host::ImageFault fault = host::find_forbidden(*image)) {
    std::cerr << source << ": error: the device code cannot be used: " << fault.text
              << "; expected only device functions that are defined, variables with constant "
                 "initialisers, and no constructor or destructor of the program\n";
    return false;
  }
  if (host::seal_image(image)) return true;
  std::cerr << source << ": error: the linker has removed the image's mark\n";
  return false;
}

}  // namespace

bool build_image(const Request& request, const std::string& folder) {
  std::vector<std::string> objects;
  const std::string made = folder + "/image.so";
  std::string image;
  return Sources(request, folder).compile(&objects) && link(objects, made, folder) &&
         read_file(made, &image) && complete(&image, request) && write_file(request.output, image);
}

bool seal_image_file(const std::string& path) {
  std::string image;
  if (!read_file(path, &image)) return false;
  const host::ImageFault fault = host::find_forbidden(image);
  if (fault || !host::seal_image(&image)) {
    std::cerr << path << ": error: "
              << (fault ? fault.text : "it has no TORCHADA_SEAL, or is of another version") << '\n';
    return false;
  }
  return write_file(path, image);
}

}  // namespace kernels
