#include "stubs/reporting/log.h"

#include <errno.h>
#include <execinfo.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/shared/companion_interface.h"
#include "src/shared/printable.h"
#include "src/shared/without_pipe_signal.h"
#include "stubs/reporting/companion.h"
#include "stubs/table.h"

namespace torchada {
namespace {

bool write_to_file(LogLevel level, const Line& text) {
  if (!environment("TORCHADA_LOG_FILE")) return false;
  const CompanionWork work;
  auto* const log_line =
      companion_function<decltype(torchada_companion_log)>("torchada_companion_log");
  return log_line && log_line(static_cast<int32_t>(level), torchada_library.soname,
                              printable(text).c_str()) != 0;
}

// The file has the warnings of all ranks, stderr those that no other rank of the node has printed.
void say(LogLevel level, const Line& text, bool is_said_elsewhere) {
  const int saved_errno = errno;
  const bool in_file = write_to_file(level, text);
  if (!is_said_elsewhere && (!in_file || level <= LogLevel::kWarn)) print_line(text);
  errno = saved_errno;
}

}  // namespace

Line printable(const Line& text) {
  Line out;
  append_printable(&out, text.c_str(), text.size());
  return out;
}

void log(LogLevel level, const Line& text) {
  if (level <= log_level()) say(level, text, is_repeated(level, text));
}

void stop_with_backtrace(const Line& text) {
  const Line safe = printable(text);
  auto* const say_backtrace =
      companion_function<decltype(torchada_companion_backtrace)>("torchada_companion_backtrace");
  if (say_backtrace) {
    say_backtrace(torchada_library.soname, safe.c_str(), &torchada_library);
  } else {
    say(LogLevel::kWarn, text, false);
    const WithoutPipeSignal quiet;
    void* frames[64];
    const int count = backtrace(frames, 64);
    backtrace_symbols_fd(frames, count, STDERR_FILENO);
  }
  abort();
}

}  // namespace torchada
