#include "stubs/log.h"

#include <errno.h>
#include <execinfo.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/shared/companion_interface.h"
#include "src/shared/printable.h"
#include "src/shared/said_on_node.h"
#include "src/shared/without_pipe_signal.h"
#include "src/shared/write_line.h"
#include "stubs/companion.h"
#include "stubs/table.h"

namespace torchada {
namespace {

TORCHADA_APART void print(const Line& text) {
  Text<1200> line;
  line << "torchada: " << torchada_library.soname << ": ";
  write_line(&line, text);
}

bool write_to_file(LogLevel level, const Line& text) {
  if (!environment("TORCHADA_LOG_FILE")) return false;
  const CompanionWork work;
  auto* const log_line =
      companion_function<decltype(torchada_companion_log)>("torchada_companion_log");
  return log_line && log_line(static_cast<int32_t>(level), torchada_library.soname,
                              printable(text).c_str()) != 0;
}

void say(LogLevel level, const Line& text, bool is_repeated) {
  const int saved_errno = errno;
  const bool in_file = write_to_file(level, text);
  if (!is_repeated && (!in_file || level <= LogLevel::kWarn)) print(text);
  errno = saved_errno;
}

// The file has the warnings of all ranks, stderr those that no other rank of the node has printed.
// Lines that TORCHADA_LOG asks for come from every rank.
bool is_repeated(LogLevel level, const Line& text) {
  return level == LogLevel::kWarn && is_said_on_node(torchada_library.soname, text.c_str());
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
