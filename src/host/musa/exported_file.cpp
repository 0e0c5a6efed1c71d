// The last page of the file says what it is. The file is sealed: nobody who has the descriptor can
// change its size, so that access to the mapped pages never fails.
#include "src/host/musa/exported_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "src/host/musa/shared_file.h"
#include "src/host/shared/own_descriptor.h"

namespace musa {
namespace {

struct Trailer {
  char magic[8];
  std::uint64_t size;
  std::int64_t physical_device;
};

constexpr char kMagic[8] = {'t', 'o', 'r', 'c', 'h', 'v', 'm', '1'};
constexpr unsigned int kAllowSealing = 2;  // Of memfd_create().
constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

std::size_t trailer_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

bool write_contents(int descriptor, std::size_t size, int physical_device) {
  Trailer trailer{};
  std::memcpy(trailer.magic, kMagic, sizeof(kMagic));
  trailer.size = size;
  trailer.physical_device = physical_device;
  return ftruncate(descriptor, static_cast<off_t>(size + trailer_size())) == 0 &&
         pwrite(descriptor, &trailer, sizeof(trailer), static_cast<off_t>(size)) ==
             static_cast<ssize_t>(sizeof(trailer)) &&
         fcntl(descriptor, F_ADD_SEALS, kSeals) == 0;
}

bool read_contents(int descriptor, Trailer* trailer) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const int seals = fcntl(descriptor, F_GET_SEALS);
  if (seals < 0 || (seals & kSeals) != kSeals) return false;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size <= trailer_size()) return false;
  const std::uint64_t contents = size - trailer_size();
  return pread(descriptor, trailer, sizeof(*trailer), static_cast<off_t>(contents)) ==
             static_cast<ssize_t>(sizeof(*trailer)) &&
         std::memcmp(trailer->magic, kMagic, sizeof(kMagic)) == 0 && trailer->size == contents;
}

}  // namespace

std::shared_ptr<ExportedFile> ExportedFile::create(std::size_t size, int physical_device) {
  if (!may_grow_to(size + trailer_size())) return nullptr;
  const int descriptor = make_memory_file("torchada-musa-vm", kAllowSealing);
  if (descriptor < 0) return nullptr;
  std::shared_ptr<ExportedFile> file(new ExportedFile(descriptor, size, physical_device));
  return write_contents(descriptor, size, physical_device) ? file : nullptr;
}

std::shared_ptr<ExportedFile> ExportedFile::open(int descriptor) {
  Trailer trailer{};
  if (!read_contents(descriptor, &trailer)) return nullptr;
  const int copy = host::copy_descriptor(descriptor);
  if (copy < 0) return nullptr;
  return std::shared_ptr<ExportedFile>(
      new ExportedFile(copy, trailer.size, static_cast<int>(trailer.physical_device)));
}

ExportedFile::~ExportedFile() { close(descriptor_); }

}  // namespace musa
