#include "tests/no_musa/library_calls.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <stdexcept>

namespace no_musa {
namespace {

using torchada::CudaSymbol;

constexpr std::size_t kWorkers = 2;

struct Export {
  std::string name;
  std::optional<ResultKind> kind;  // Empty: no prototype is known.
  std::vector<PointerPlace> pointers;
};

struct SharedOutcomes {
  Outcome zero, pages;
};

std::vector<Export> list_exports(const Subject& subject) {
  std::vector<Export> out;
  for (const CudaSymbol* symbol : torchada::exports_of(*subject.tables, subject.output)) {
    Export item;
    item.name = symbol->name;
    const std::string release = release_of(*symbol, subject.output);
    torchada::Output newest = subject.output;
    newest.releases = {release};
    if (const torchada::Prototype* prototype = torchada::prototype_in(*symbol, newest)) {
      item.kind = result_kind(*subject.tables, release, *prototype);
      item.pointers = pointers_of(*subject.tables, release, *prototype);
    }
    out.push_back(item);
  }
  return out;
}

bool is_function(void* address) {
  Dl_info info;
  void* found = nullptr;
  if (!dladdr1(address, &info, &found, RTLD_DL_SYMENT) || !found) return false;
  return ELF64_ST_TYPE(static_cast<const ElfW(Sym)*>(found)->st_info) == STT_FUNC;
}

[[noreturn]] void refuse(const char* what, const std::string& of) {
  std::fprintf(stderr, "no_driver: %s%s\n", what, of.c_str());
  _exit(1);
}

// Calls every kWorkers-th export from `first` on.
void call_share(const Subject& subject, void* library, const std::vector<Export>& exports,
                std::size_t first, int seconds, SharedOutcomes* out) {
  Call call;
  if (subject.output.library_name == "cudart") {
    call.peek_last_error = reinterpret_cast<int (*)()>(dlsym(library, "cudaPeekAtLastError"));
    call.get_last_error = reinterpret_cast<int (*)()>(dlsym(library, "cudaGetLastError"));
  }
  for (std::size_t i = first; i < exports.size(); i += kWorkers) {
    call.function = dlsym(library, exports[i].name.c_str());
    if (!call.function) refuse("no symbol ", exports[i].name);
    if (!is_function(call.function)) continue;
    call.result_is_text = exports[i].kind == ResultKind::kText;
    call.pointers.clear();
    call_in_child(call, seconds, &out[i].zero);
    if (!exports[i].kind) continue;
    call.pointers = exports[i].pointers;
    call_in_child(call, seconds, &out[i].pages);
  }
}

void wait_for(pid_t child, const std::string& path) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0) throw std::runtime_error(path + ": cannot be called");
}

// Opens the library once, before the calls: some take seconds to load.
[[noreturn]] void open_and_call(const Subject& subject, const std::vector<Export>& exports,
                                int seconds, SharedOutcomes* out) {
  void* library = dlopen(subject.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) refuse("", dlerror());
  pid_t workers[kWorkers];
  for (std::size_t i = 0; i < kWorkers; ++i) {
    workers[i] = fork();
    if (workers[i] < 0) refuse("fork", "");
    if (workers[i] == 0) {
      call_share(subject, library, exports, i, seconds, out);
      _exit(0);
    }
  }
  for (const pid_t worker : workers) wait_for(worker, subject.path);
  _exit(0);
}

Answer answer_of(const Export& item, const SharedOutcomes& outcomes) {
  const ResultKind* kind = item.kind ? &*item.kind : nullptr;
  Answer out;
  out.zero = words_of(outcomes.zero, kind);
  out.zero_last = last_error_words(outcomes.zero);
  if (kind && outcomes.pages.ending != Ending::kNotCalled) {
    out.pages = words_of(outcomes.pages, kind);
    out.pages_last = last_error_words(outcomes.pages);
    out.writes = written_pages(outcomes.pages, item.pointers);
  }
  return out;
}

}  // namespace

std::string release_of(const CudaSymbol& symbol, const torchada::Output& output) {
  for (auto release = output.releases.rbegin(); release != output.releases.rend(); ++release) {
    if (std::find(symbol.releases.begin(), symbol.releases.end(), *release) !=
        symbol.releases.end()) {
      return *release;
    }
  }
  throw std::logic_error(symbol.name + " is in no release of " + output.label());
}

LibraryAnswers call_library(const Subject& subject, int seconds) {
  const std::vector<Export> exports = list_exports(subject);
  const std::size_t bytes = exports.size() * sizeof(SharedOutcomes);
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
  auto* const outcomes = static_cast<SharedOutcomes*>(memory);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) open_and_call(subject, exports, seconds, outcomes);
  wait_for(child, subject.path);
  LibraryAnswers out;
  for (std::size_t i = 0; i < exports.size(); ++i) {
    out[exports[i].name] = answer_of(exports[i], outcomes[i]);
  }
  munmap(memory, bytes);
  return out;
}

}  // namespace no_musa
