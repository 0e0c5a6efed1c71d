#include "src/host/musa/ipc_handle.h"

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>

#include "src/host/musa/process_start.h"
#include "src/host/shared/own_descriptor.h"

namespace musa {
namespace {

constexpr char kMagic[4] = {'t', 'o', 'r', 'h'};

std::uint64_t checksum(const IpcContents& contents) {
  std::uint64_t sum = 0xcbf29ce484222325u;
  for (const std::uint64_t part :
       {static_cast<std::uint64_t>(contents.kind), static_cast<std::uint64_t>(contents.pid),
        static_cast<std::uint64_t>(contents.descriptor), contents.started, contents.offset,
        contents.size, contents.secret}) {
    sum = (sum ^ part) * 0x100000001b3u;
    sum ^= sum >> 32;
  }
  return sum;
}

}  // namespace

std::uint64_t new_secret() {
  std::uint64_t secret = 0;
  return getrandom(&secret, sizeof(secret), 0) == sizeof(secret) ? secret | 1 : 0;
}

IpcContents make_contents(SharedKind kind, const SharedFile& file, std::uint64_t offset,
                          std::size_t size, std::uint64_t secret) {
  IpcContents contents{};
  std::memcpy(contents.magic, kMagic, sizeof(kMagic));
  contents.kind = kind;
  contents.pid = getpid();
  contents.descriptor = file.descriptor();
  contents.started = start_of(getpid());
  contents.offset = offset;
  contents.size = size;
  contents.secret = secret;
  contents.check = checksum(contents);
  return contents;
}

void write_handle(const IpcContents& contents, void* handle, std::size_t handle_size) {
  std::memset(handle, 0, handle_size);
  std::memcpy(handle, &contents, sizeof(contents));
}

bool read_handle(const void* handle, SharedKind kind, IpcContents* contents) {
  std::memcpy(contents, handle, sizeof(*contents));
  return std::memcmp(contents->magic, kMagic, sizeof(kMagic)) == 0 && contents->kind == kind &&
         contents->check == checksum(*contents) && contents->size > 0;
}

bool is_from_this_process(const IpcContents& contents) {
  return contents.pid == getpid() && contents.started == start_of(getpid());
}

std::string key_of(const IpcContents& contents) {
  std::array<char, 96> key{};
  std::snprintf(key.data(), key.size(), "%d-%llx-%llx-%llx", contents.pid,
                static_cast<unsigned long long>(contents.started),
                static_cast<unsigned long long>(contents.offset),
                static_cast<unsigned long long>(contents.secret));
  return key.data();
}

std::shared_ptr<SharedFile> open_file(const IpcContents& contents) {
  if (contents.started == 0 || start_of(contents.pid) != contents.started) return nullptr;
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/%d/fd/%d", contents.pid, contents.descriptor);
  // The path may lead to something else by now. These flags make sure that opening it has no
  // effect.
  const int descriptor =
      host::above_standard(open(path.data(), O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  return descriptor < 0 ? nullptr : SharedFile::adopt(descriptor, SharedFile::Use::kProcess);
}

}  // namespace musa
