// Lines on stderr from inside a program. Header only: the libraries have no libstdc++.
#pragma once

#include <sys/uio.h>
#include <unistd.h>

#include "src/shared/printable.h"
#include "src/shared/text.h"
#include "src/shared/without_pipe_signal.h"

namespace torchada {

// Writes `start`, `text` as append_printable makes it, and a newline, in one write() so that lines
// of several threads do not mix. What does not fit into `start` is left out. A stderr that is
// closed, full or a pipe without a reader does no harm.
template <size_t kLongest, size_t kText>
void write_line(Text<kLongest>* start, const Text<kText>& text) {
  append_printable(start, text.c_str(), text.size());  // No copy: threads may have small stacks.
  const WithoutPipeSignal quiet;
  char end[] = "\n";  // Apart, because escapes may have filled the line.
  const iovec parts[] = {{const_cast<char*>(start->c_str()), start->size()}, {end, 1}};
  if (writev(STDERR_FILENO, parts, 2) < 0) return;
}

}  // namespace torchada
