#include "src/companion/file_contents.h"

#include <fcntl.h>
#include <unistd.h>

#include "src/shared/own_descriptor.h"

namespace torchada {

std::string file_contents(const char* path) {
  std::string out;
  const int file = above_standard(open(path, O_RDONLY | O_CLOEXEC));
  if (file < 0) return out;
  char piece[4096];
  for (ssize_t size; (size = read(file, piece, sizeof piece)) > 0;) {
    out.append(piece, static_cast<std::size_t>(size));
  }
  close(file);
  return out;
}

}  // namespace torchada
