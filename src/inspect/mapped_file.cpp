#include "src/inspect/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace torchada {
namespace {

constexpr std::size_t kBeginning = 1024;
// To map and unmap a file takes longer than to copy so many bytes, most of all with several
// threads.
constexpr std::size_t kLargestRead = std::size_t{64} << 10;

class Descriptor {
 public:
  // O_NONBLOCK: if the name is a FIFO, do not wait for a writer.
  explicit Descriptor(const std::string& path)
      : number(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
    if (number < 0) throw std::runtime_error(std::strerror(errno));
  }
  ~Descriptor() { close(number); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  const int number;
};

// Reads up to `size` bytes at `offset`. Returns fewer if the file ends before.
std::size_t read_at(int descriptor, char* out, std::size_t size, std::size_t offset) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got =
        pread(descriptor, out + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw std::runtime_error(std::strerror(errno));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

// Of less than this, the kernel reads all when the first page is missing: at least 128 KiB.
constexpr std::size_t kSmallestWithPlaces = std::size_t{1} << 20;
// For so few pages, the advice costs more than it saves.
constexpr std::size_t kSmallestWhole = std::size_t{16} << 10;
// Of a longer part the kernel may read only the beginning: as much as it reads ahead by itself.
constexpr std::size_t kMostAtOnce = std::size_t{128} << 10;

void advise(std::string_view part, int advice) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(part.data()) / page * page;
  const std::size_t before = reinterpret_cast<std::uintptr_t>(part.data()) - begin;
  madvise(const_cast<char*>(part.data()) - before, part.size() + before, advice);
}

}  // namespace

void will_read_all(std::string_view part) {
  if (part.size() < kSmallestWhole) return;
  for (; !part.empty(); part.remove_prefix(std::min(part.size(), kMostAtOnce))) {
    advise(part.substr(0, kMostAtOnce), MADV_WILLNEED);
  }
}

void will_read_places(std::string_view part) {
  if (part.size() >= kSmallestWithPlaces) advise(part, MADV_RANDOM);
}

MappedFile::MappedFile(const std::string& path) {
  const Descriptor descriptor(path);
  load(descriptor.number, nullptr);
}

MappedFile::MappedFile(const std::string& path,
                       const std::function<bool(std::string_view)>& wants) {
  const Descriptor descriptor(path);
  load(descriptor.number, wants);
}

void MappedFile::load(int descriptor, const std::function<bool(std::string_view)>& wants) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) throw std::runtime_error(std::strerror(errno));
  if (!S_ISREG(status.st_mode)) throw std::runtime_error("not a regular file");
  const auto size = static_cast<std::size_t>(status.st_size);
  const bool is_short = size <= kLargestRead;
  if (!is_short && !wants) return map(descriptor, size);

  read_.reset(new char[is_short ? size : kBeginning]);  // Not initialized.
  std::size_t had = 0;
  if (wants) {
    had = read_at(descriptor, read_.get(), std::min(size, kBeginning), 0);
    bytes_ = {read_.get(), had};
    if (!wants(bytes_)) return;
  }
  if (is_short) {
    had += read_at(descriptor, read_.get() + had, size - had, had);
    bytes_ = {read_.get(), had};
  } else {
    map(descriptor, size);
    read_.reset();
  }
}

void MappedFile::map(int descriptor, std::size_t size) {
  void* start = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (start == MAP_FAILED) throw std::runtime_error(std::strerror(errno));
  bytes_ = {static_cast<const char*>(start), size};
}

std::string beginning_of(const std::string& path) {
  try {
    return std::string(MappedFile(path, [](std::string_view) { return false; }).bytes());
  } catch (const std::runtime_error&) {
    return "";
  }
}

MappedFile::~MappedFile() {
  if (!read_ && !bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

}  // namespace torchada
