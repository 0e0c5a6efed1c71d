#include "src/inspect/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace torchada {

MappedFile::MappedFile(const std::string& path) {
  // O_NONBLOCK: if the name is a FIFO, do not wait for a writer.
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) throw std::runtime_error(std::strerror(errno));
  struct stat status {};
  void* start = nullptr;
  std::string error;
  if (fstat(descriptor, &status) != 0) {
    error = std::strerror(errno);
  } else if (!S_ISREG(status.st_mode)) {
    error = "not a regular file";
  } else if (status.st_size > 0) {
    start = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE,
                 descriptor, 0);
    if (start == MAP_FAILED) error = std::strerror(errno);
  }
  close(descriptor);
  if (!error.empty()) throw std::runtime_error(error);
  if (start == nullptr) return;
  bytes_ = {static_cast<const char*>(start), static_cast<std::size_t>(status.st_size)};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

}  // namespace torchada
