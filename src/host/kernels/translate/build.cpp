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
#include <map>
#include <new>
#include <set>
#include <sstream>
#include <system_error>

#include "src/host/kernels/translate/assembly.h"
#include "src/host/kernels/translate/device_module.h"
#include "src/host/kernels/translate/front_end.h"
#include "src/host/kernels/translate/source_cache.h"
#include "src/host/shared/image_file.h"

namespace kernels {
namespace {

namespace fs = std::filesystem;

constexpr rlim_t kMostMemory = rlim_t{2} << 30;
constexpr rlim_t kMostStack = rlim_t{64} << 20;  // for expressions of many parts

// False: a name expression names nothing that an image has. `wrong`: the numbers of those of which
// clang has said so. `code`: null if no image is made.
bool write_report(const Request& request, const FrontEnd& read, const std::set<std::size_t>& wrong,
                  DeviceModule* code) {
  if (request.report.empty()) return true;
  std::ofstream out(request.report, std::ios::binary);
  bool good = wrong.empty();
  for (std::size_t i = 0; code != nullptr && i < request.names.size(); ++i) {
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
  if (code != nullptr && code->is_whole) out << "whole\n";
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
  host::write_file(source, text);
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

Outcome compile(const Request& request, const SourceCache& cache, const std::string& source,
                const std::string& folder) {
  std::optional<FrontEnd> kept = cache.find_bitcode(source);
  FrontEnd read = kept ? std::move(*kept) : run_front_end(request, source, folder);
  if (!kept) cache.keep_bitcode(source, read);
  std::cerr << read.log;
  const std::set<std::size_t> wrong = read.wrong_names;
  if (!read.success && read.only_names_are_wrong) {
    // The other names may be wrong in ways of which clang does not know.
    take_out_names(request, source, wrong);
    read = run_front_end(request, source, folder);
  }
  if (!read.success) return kFailed;
  if (request.front_end_only) {
    return write_report(request, read, wrong, nullptr) ? kCompiled : kFailed;
  }
  llvm::LLVMContext context;
  bool has_error = false;
  context.setDiagnosticHandlerCallBack(print_error, &has_error);
  context.setDiscardValueNames(true);
  DeviceModule code = read_module(&context, read.bitcode, source);
  const Target target{request.warp_size, request.cpu_level, request.cuda_arch()};
  const std::string missing = choose(&code, request.wanted);
  if (!missing.empty()) {
    std::cerr << source << ": error: no " << missing << '\n';
    return kMissing;
  }
  if (!write_report(request, read, wrong, &code)) return kFailed;
  drop_unreached(&code);
  expand_assembly(&code, request.assembly_file(), request.warp_size);
  const std::vector<Message> refused = find_refused(code, request.headers);
  for (const Message& message : refused) {
    std::cerr << line_of(refusal(message.place, message.text), "error");
  }
  for (const Message& message : find_warnings(request, source, read.files, code)) {
    std::cerr << line_of(message, "warning");
  }
  if (!refused.empty()) return kFailed;
  compile_module(&code, target, request.runtime_file(), object_in(folder));
  if (has_error) return kFailed;
  const bool is_empty = code.kernels.empty() && request.wanted.variables.empty();
  const Outcome outcome = is_empty ? kWithoutKernel : kCompiled;
  cache.keep_object(source, folder, read, outcome);
  return outcome;
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
  // Killed at once: on SIGXCPU clang leaves what it does by longjmp(), and its heap may be broken.
  const rlimit time{seconds, seconds};
  if (seconds != 0) setrlimit(RLIMIT_CPU, &time);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // shadows are larger
  const rlimit memory{kMostMemory, kMostMemory};
  setrlimit(RLIMIT_DATA, &memory);
#endif
}

// In a process of its own, whose messages go to a file. Returns its number.
pid_t start_compiling(const Request& request, const SourceCache& cache, const std::string& source,
                      const std::string& folder) {
  std::cerr.flush();
  const pid_t child = fork();
  if (child != 0) return child;
  const int messages = open(messages_in(folder).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(messages, STDERR_FILENO);
  limit_process(source, request.seconds);
  Outcome outcome = kFailed;
  try {
    outcome = compile(request, cache, source, folder);
  } catch (const std::exception& error) {
    std::cerr << source << ": error: " << error.what() << '\n';
  }
  _exit(outcome);
}

// The outcome of a process that has ended.
Outcome outcome_of(int status, const rusage& used, const std::string& source,
                   unsigned int seconds) {
  if (WIFEXITED(status)) return static_cast<Outcome>(WEXITSTATUS(status));
  const std::string late = too_long(status, used, seconds);
  std::cerr << source << late;
  if (late.empty()) {
    std::cerr << ": error: compiling it ended with signal " << WTERMSIG(status) << " ("
              << strsignal(WTERMSIG(status)) << ")\n";
  }
  return kFailed;
}

// Compiles all sources, as many at a time as the request says.
class Sources {
 public:
  Sources(const Request& request, const std::string& folder)
      : request_(request), folder_(folder), cache_(request) {}

  // Gives the objects. Returns kFailed or kMissing if one of them was not made.
  Outcome compile(std::vector<std::string>* objects) {
    std::size_t begun = 0;
    while (begun < request_.sources.size() || !running_.empty()) {
      if (begun < request_.sources.size() && running_.size() < request_.jobs) {
        begin(begun++);
      } else {
        await_one();
      }
    }
    if (outcome_ == kCompiled && !has_kernel_ && !request_.at_run_time) {
      std::cerr << path_of(0)
                << ": error: no kernel: expected a __global__ function, or a template "
                << "of one that is launched or instantiated\n";
      outcome_ = kFailed;
    }
    for (std::size_t i = 0; i < begun; ++i) objects->push_back(object_in(own_folder(i)));
    return outcome_;
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
      outcome_ = kFailed;
      return;
    }
    fs::create_directory(folder);
    const std::optional<Outcome> kept = cache_.find_object(source, folder);
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
      outcome_ = kFailed;
    }
  }

  void await_one() {
    int status = 0;
    rusage used;
    const auto ended = running_.find(wait4(-1, &status, 0, &used));
    if (ended == running_.end()) return;
    const std::size_t number = ended->second;
    running_.erase(ended);
    end(number, outcome_of(status, used, request_.sources[number], request_.seconds));
  }

  void end(std::size_t number, Outcome outcome) {
    std::cerr << content_of(messages_in(own_folder(number)));
    if (outcome == kFailed || (outcome == kMissing && outcome_ == kCompiled)) outcome_ = outcome;
    has_kernel_ = has_kernel_ || outcome == kCompiled;
  }

  const Request& request_;
  const std::string& folder_;
  const SourceCache cache_;
  std::map<pid_t, std::size_t> running_;
  Outcome outcome_ = kCompiled;
  bool has_kernel_ = false;
};

bool link(const std::vector<std::string>& objects, const std::string& made,
          const std::string& folder) {
  std::vector<std::string> words = host::clang_words();
  words.insert(words.end(), {"-shared", "-nostartfiles", "-Wl,--as-needed", "-Wl,-z,defs",
                             "-Wl,-z,now", "-o", made});
  words.insert(words.end(), objects.begin(), objects.end());
  words.emplace_back("-lm");
  const std::string log = folder + "/log";
  if (run_program(words, log) == 0) return true;
  std::cerr << content_of(log);
  return false;
}

// Completes what the linker made, or says of `shown` why device code may not have what is in it.
bool complete(const std::string& made, const std::string& shown, const std::string& output) {
  std::string image, why;
  if (!host::read_file(made, &image)) {
    why = host::last_error();
  } else if (const host::ImageFault fault = host::find_forbidden(image)) {
    why = "the device code cannot be used: " + fault.text +
          "; expected only device functions that are defined, variables with constant "
          "initialisers, and no constructor or destructor of the program";
  } else if (!host::seal_image(&image)) {
    why = "it has no TORCHADA_SEAL, or is of another version";
  } else {
    std::ofstream out(output, std::ios::binary | std::ios::trunc);
    out << image << std::flush;
    if (!out) why = output + ": " + host::last_error();
  }
  if (!why.empty()) std::cerr << shown << ": error: " << why << '\n';
  return why.empty();
}

}  // namespace

int build_image(const Request& request, const std::string& folder) {
  std::vector<std::string> objects;
  const std::string made = folder + "/image.so";
  const Outcome outcome = Sources(request, folder).compile(&objects);
  if (outcome != kCompiled || request.front_end_only) return outcome;
  const bool good =
      link(objects, made, folder) && complete(made, request.sources.front(), request.output);
  return good ? kCompiled : kFailed;
}

bool seal_image_file(const std::string& path) { return complete(path, path, path); }

}  // namespace kernels
