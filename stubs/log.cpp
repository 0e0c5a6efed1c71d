#include "log.h"

#include <execinfo.h>
#include <stdlib.h>
#include <unistd.h>

#include "table.h"

namespace torchada {

void log(LogLevel level, const Line& text) {
  if (level > log_level()) return;
  Text<1200> line;
  line << "torchada: " << torchada_library.soname << ": " << text.c_str() << "\n";
  // A closed or full stderr is no reason to fail the program's call.
  if (write(STDERR_FILENO, line.c_str(), line.size()) < 0) return;
}

void stop_with_backtrace() {
  void* frames[64];
  const int count = backtrace(frames, 64);
  backtrace_symbols_fd(frames, count, STDERR_FILENO);
  abort();
}

}  // namespace torchada
