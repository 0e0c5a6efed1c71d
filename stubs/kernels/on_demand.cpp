#include "stubs/kernels/on_demand.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>

#include "src/shared/companion_interface.h"
#include "stubs/reporting/companion.h"
#include "stubs/reporting/log.h"
#include "stubs/system/environment.h"
#include "stubs/system/system_call.h"

namespace torchada::kernels {
namespace {

constexpr const char* kRecipe = "TORCHADA_KERNELS_FROM";
constexpr const char* kRecord = "TORCHADA_RECORD_KERNELS";

enum : int { kNotAsked, kNone, kGiven };
int recipe_given = kNotAsked;
int record_given = kNotAsked;

bool is_given(const char* variable, int* given) {
  int known = __atomic_load_n(given, __ATOMIC_RELAXED);
  if (known == kNotAsked) {
    known = environment(variable) ? kGiven : kNone;
    __atomic_store_n(given, known, __ATOMIC_RELAXED);
  }
  return known == kGiven;
}

// Several texts in one piece of memory.
class Joined {
 public:
  template <typename... Texts>
  explicit Joined(Texts... texts) : memory_((strlen(texts) + ...)) {
    if (memory_.data()) (append(texts), ...);
  }
  const char* data() const { return memory_.data(); }
  size_t size() const { return size_; }

 private:
  void append(const char* text) {
    const size_t length = strlen(text);
    memcpy(memory_.data() + size_, text, length);
    size_ += length;
  }

  MappedMemory memory_;
  size_t size_ = 0;
};

// The end of the pipe for the answer, or a negative number of errno.
int send(const char* recipe, const Joined& request) {
  const int before = errno;
  const CompanionWork work;
  auto* const ask = companion_function<decltype(torchada_companion_ask_for_kernel)>(
      "torchada_companion_ask_for_kernel");
  const int answer = ask ? ask(recipe, request.data(), request.size()) : -ENOSYS;
  errno = before;
  return answer;
}

// `room` has place for any Line.
TORCHADA_APART void write_why_not_reached(int64_t error, char* room) {
  Line why;
  why << "the process that makes kernels cannot be reached (error " << error << ")";
  memcpy(room, why.c_str(), why.size() + 1);
}

// The text behind `word` and a space, at the beginning of `line`; null if it does not begin so.
char* behind(char* line, const char* word) {
  const size_t length = strlen(word);
  return strncmp(line, word, length) == 0 && line[length] == ' ' ? line + length + 1 : nullptr;
}

TORCHADA_APART void say_not_recorded(const char* path, int64_t error) {
  static uint8_t said;
  if (__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED) != 0) return;
  Line line;
  line << kRecord << ": " << path << " cannot be written (error " << error
       << "); kernels are not recorded";
  log(LogLevel::kWarn, line);
}

}  // namespace

bool is_made_on_demand() { return is_given(kRecipe, &recipe_given); }
bool is_recorded() { return is_given(kRecord, &record_given); }

Answer::Answer(const char* source, Kind kind, const char* name) {
  const char* const recipe = environment(kRecipe);
  const Joined request("make\n", source, kind == Kind::kKernel ? "\nkernel\n" : "\nvariable\n",
                       name, "\n");
  if (!line_.data() || !request.data() || !recipe) return;
  int pipe = send(recipe, request);
  // Once more if it ended: it may have been ending when it got the request.
  for (int left = 2; pipe >= 0; pipe = send(recipe, request)) {
    read_from(pipe);
    system_call(SYS_close, pipe);
    if (*line_.data() || --left == 0) break;
  }
  if (pipe >= 0) {
    understand();
  } else {
    write_why_not_reached(-int64_t{pipe}, line_.data());
    reason_ = line_.data();
  }
  if (summary()) count();
}

// The rest of a line that is too long is left out.
void Answer::read_from(int pipe) {
  size_t size = 0;
  while (size < kRoom - 1) {
    const int64_t got = system_call(SYS_read, pipe, line_.data() + size, kRoom - 1 - size);
    if (got == -EINTR) continue;
    if (got <= 0) break;
    size += static_cast<size_t>(got);
  }
  line_.data()[size] = '\0';
}

void Answer::understand() {
  char* const line = line_.data();
  line[strcspn(line, "\n")] = '\0';
  if (char* const rest = behind(line, "image")) {
    understand_image(rest);
  } else if (const char* const none = behind(line, "none")) {
    reason_ = none;
  } else if (const char* const failed = behind(line, "failed")) {
    reason_ = failed;
  } else {
    reason_ = *line ? "the process that makes kernels gave no answer that torchada understands"
                    : "the process that makes kernels ended";
  }
}

void Answer::understand_image(char* rest) {
  reason_ = "the process that makes kernels named no image";
  char* const kept = behind(rest, "kept");
  char* at = kept ? kept : behind(rest, "made");
  if (!at) return;
  is_kept_ = kept != nullptr;
  for (; *at >= '0' && *at <= '9'; ++at) milliseconds_ = milliseconds_ * 10 + (*at - '0');
  if (at[0] == ' ' && at[1] == '/') image_ = at + 1;
}

void Answer::count() const {
  const CompanionWork work;
  auto* const count = companion_function<decltype(torchada_companion_count_kernel)>(
      "torchada_companion_count_kernel");
  const auto outcome = !image_    ? KernelOutcome::kFailed
                       : is_kept_ ? KernelOutcome::kKept
                                  : KernelOutcome::kMade;
  if (count) count(static_cast<int32_t>(outcome), milliseconds_);
}

void record(const char* source, const char* name) {
  const char* const path = environment(kRecord);
  const Joined line(source, "\t", name, "\n");
  if (!path || !line.data()) return;
  const int64_t file =
      system_call(SYS_openat, AT_FDCWD, path,
                  O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
  if (file < 0) return say_not_recorded(path, -file);
  // In one piece, so that lines of threads and ranks do not mix.
  const int64_t written = system_call(SYS_write, file, line.data(), line.size());
  if (written < 0) say_not_recorded(path, -written);
  system_call(SYS_close, file);
}

}  // namespace torchada::kernels
