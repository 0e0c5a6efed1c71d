// A page before every range says whether the range can be mapped. The first page of the file says
// which process made it.
#include "src/host/musa/shared_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "src/host/shared/own_descriptor.h"
#include "src/host/shared/say.h"

namespace musa {
namespace {

struct RangeHeader {
  char magic[8];
  std::uint64_t size;
  std::uint64_t secret;
};

constexpr char kProcessMagic[8] = {'t', 'o', 'r', 'c', 'h', 'f', 'l', '1'};
constexpr char kPoolMagic[8] = {'t', 'o', 'r', 'c', 'h', 'p', 'l', '1'};
constexpr char kRangeMagic[8] = {'t', 'o', 'r', 'c', 'h', 'r', 'g', '1'};

// The file grows by more than it needs: most ranges then need no call of the system for that. Pages
// that nobody has touched take no memory.
constexpr std::uint64_t kGrowth = std::uint64_t{1} << 30;

std::uint64_t page_size() {
  static const auto size = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return size;
}

bool write_at(int descriptor, const void* data, std::size_t size, std::uint64_t offset) {
  return pwrite(descriptor, data, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
}

bool read_at(int descriptor, void* data, std::size_t size, std::uint64_t offset) {
  return pread(descriptor, data, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
}

const char (&magic_of(SharedFile::Use use))[8] {
  return use == SharedFile::Use::kPool ? kPoolMagic : kProcessMagic;
}

}  // namespace

// Not memfd_create(): glibc before 2.27 does not have it.
int make_memory_file(const char* name, unsigned int flags) {
  constexpr unsigned int kCloseOnExec = 1;
  return host::above_standard(
      static_cast<int>(syscall(SYS_memfd_create, name, kCloseOnExec | flags)));
}

bool may_grow_to(std::uint64_t size) {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
         size <= limit.rlim_cur;
}

SharedFile::SharedFile(int descriptor) : descriptor_(descriptor), end_(page_size()) {
  struct stat status {};
  if (fstat(descriptor, &status) == 0) {
    device_ = status.st_dev;
    inode_ = status.st_ino;
  }
}

SharedFile::~SharedFile() {
  if (is_intact()) close(descriptor_);
}

std::shared_ptr<SharedFile> SharedFile::create(Use use) {
  const int descriptor = make_memory_file("torchada-musa", 0);
  if (descriptor < 0) return nullptr;
  std::shared_ptr<SharedFile> file(new SharedFile(descriptor));
  return write_at(descriptor, magic_of(use), sizeof(kPoolMagic), 0) ? file : nullptr;
}

std::shared_ptr<SharedFile> SharedFile::adopt(int descriptor, Use use) {
  std::shared_ptr<SharedFile> file(new SharedFile(descriptor));
  struct stat status {};
  char magic[sizeof(kPoolMagic)] = {};
  const bool ours = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                    read_at(descriptor, magic, sizeof(magic), 0) &&
                    std::memcmp(magic, magic_of(use), sizeof(magic)) == 0;
  return ours ? file : nullptr;
}

bool SharedFile::is_intact() const {
  struct stat status {};
  return fstat(descriptor_, &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
}

bool SharedFile::add_range(std::size_t size, std::uint64_t* offset) {
  const std::lock_guard lock(mutex_);
  if (!is_intact()) return false;
  const std::uint64_t start = end_ + page_size();
  const std::uint64_t end = start + size;
  if (end < start || end > static_cast<std::uint64_t>(INT64_MAX) - kGrowth) return false;
  if (end > length_) {
    const std::uint64_t length = may_grow_to(end + kGrowth) ? end + kGrowth : end;
    if (!may_grow_to(length)) return false;
    if (ftruncate(descriptor_, static_cast<off_t>(length)) != 0) {
      host::say(std::string("device memory cannot grow: ftruncate: ") + std::strerror(errno));
      return false;
    }
    length_ = length;
  }
  end_ = end;
  *offset = start;
  return true;
}

std::uintptr_t SharedFile::map_new(std::size_t size, std::uint64_t* offset) {
  if (!add_range(size, offset)) return 0;
  void* pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_,
                     static_cast<off_t>(*offset));
  return pages == MAP_FAILED ? 0 : reinterpret_cast<std::uintptr_t>(pages);
}

bool SharedFile::publish(std::uint64_t offset, std::size_t size, std::uint64_t secret) {
  if (!is_intact()) return false;
  RangeHeader header{};
  std::memcpy(header.magic, kRangeMagic, sizeof(kRangeMagic));
  header.size = size;
  header.secret = secret;
  return write_at(descriptor_, &header, sizeof(header), offset - page_size());
}

void SharedFile::withdraw(std::uint64_t offset) {
  const RangeHeader nothing{};
  if (is_intact()) write_at(descriptor_, &nothing, sizeof(nothing), offset - page_size());
}

std::uintptr_t SharedFile::map_published(std::uint64_t offset, std::size_t size,
                                         std::uint64_t secret) const {
  RangeHeader header{};
  struct stat status {};
  if (offset < 2 * page_size() || offset % page_size() != 0 || size == 0 || !is_intact() ||
      fstat(descriptor_, &status) != 0 || static_cast<std::uint64_t>(status.st_size) < offset ||
      static_cast<std::uint64_t>(status.st_size) - offset < size ||
      !read_at(descriptor_, &header, sizeof(header), offset - page_size()) ||
      std::memcmp(header.magic, kRangeMagic, sizeof(kRangeMagic)) != 0 || header.size != size ||
      header.secret != secret) {
    return 0;
  }
  void* pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_,
                     static_cast<off_t>(offset));
  return pages == MAP_FAILED ? 0 : reinterpret_cast<std::uintptr_t>(pages);
}

bool SharedFile::release(std::uint64_t offset, std::size_t size) {
  return is_intact() && fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                  static_cast<off_t>(offset - page_size()),
                                  static_cast<off_t>(size + page_size())) == 0;
}

std::shared_ptr<SharedFile> process_file() {
  static auto* const mutex = new std::mutex;
  static auto* const current = new std::shared_ptr<SharedFile>;
  const std::lock_guard lock(*mutex);
  if (*current == nullptr || !(*current)->is_intact())
    *current = SharedFile::create(SharedFile::Use::kProcess);
  return *current;
}

}  // namespace musa
