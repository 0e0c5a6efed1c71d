#include "src/host/mccl/network.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace host_mccl {
namespace {

constexpr int kBacklog = 4096;
constexpr int kMilliseconds = 20000;  // for which others may take no descriptor

// In the abstract namespace, which leaves no file to remove.
struct Address {
  explicit Address(const std::string& name) {
    plain.sun_family = AF_UNIX;
    const std::size_t length = std::min(name.size(), sizeof plain.sun_path - 1);
    std::memcpy(plain.sun_path + 1, name.data(), length);
    size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&plain); }

  sockaddr_un plain{};
  socklen_t size;
};

Socket make_socket(int more = 0) {
  return Socket(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | more, 0));
}

// A message of one byte with room for a descriptor. It contains pointers to itself, so it must not
// move.
struct DescriptorMessage {
  DescriptorMessage() {
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
  }
  DescriptorMessage(const DescriptorMessage&) = delete;
  DescriptorMessage& operator=(const DescriptorMessage&) = delete;

  char byte = 0;
  iovec part{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
};

bool credentials_of(const Socket& socket, ucred& peer) {
  socklen_t size = sizeof peer;
  return getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
}

std::string boot() {
  const Socket file(open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC));
  std::array<char, 36> text{};
  const ssize_t size = read(file.get(), text.data(), text.size());
  return {text.data(), size < 0 ? 0 : static_cast<std::size_t>(size)};
}

std::uint64_t mixed(std::uint64_t hash, const void* data, std::size_t size) {
  const auto* const bytes = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3U;
  return hash;
}

}  // namespace

Socket listen_at(const std::string& name) {
  const Address address(name);
  Socket made = make_socket(SOCK_NONBLOCK);
  if (!made || bind(made.get(), address.get(), address.size) != 0 ||
      listen(made.get(), kBacklog) != 0) {
    return {};
  }
  return made;
}

Socket connect_to(const std::string& name) {
  const Address address(name);
  Socket made = make_socket();
  if (!made) return {};
  int result = 0;
  do {
    result = connect(made.get(), address.get(), address.size);
  } while (result != 0 && errno == EINTR);
  return result == 0 ? std::move(made) : Socket();
}

Socket accept_from(const Socket& listener) {
  return Socket(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
}

std::pair<Socket, Socket> connected_pair() {
  std::array<int, 2> ends{-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return {};
  return {Socket(ends[0]), Socket(ends[1])};
}

bool is_of_allowed_user(const Socket& socket) {
  ucred peer{};
  if (!credentials_of(socket, peer)) return false;
  return peer.uid == geteuid() || peer.uid == 0;
}

bool is_of_this_process(const Socket& socket) {
  ucred peer{};
  return credentials_of(socket, peer) && peer.pid == getpid();
}

void limit_sending(const Socket& socket, int seconds) {
  const timeval time{seconds, 0};
  static_cast<void>(setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time));
}

bool send_all(const Socket& socket, const void* data, std::size_t size) {
  const auto* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t sent = send(socket.get(), at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(const Socket& socket, void* data, std::size_t size) {
  auto* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = recv(socket.get(), at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = 0;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool send_descriptor(const Socket& socket, char byte, int descriptor) {
  DescriptorMessage carrier;
  carrier.byte = byte;
  cmsghdr* const header = CMSG_FIRSTHDR(&carrier.message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  for (int tries = 0; tries < kMilliseconds; ++tries) {
    if (sendmsg(socket.get(), &carrier.message, MSG_NOSIGNAL) == 1) return true;
    // The kernel limits how many are on their way; the ranks take them soon.
    if (errno == ETOOMANYREFS) usleep(1000);
    if (errno != ETOOMANYREFS && errno != EINTR) break;
  }
  return false;
}

bool receive_byte(const Socket& socket, char& byte, int& descriptor) {
  DescriptorMessage carrier;
  ssize_t got = 0;
  do {
    got = recvmsg(socket.get(), &carrier.message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got == 0) errno = 0;
  if (got != 1) return false;
  byte = carrier.byte;
  descriptor = -1;
  const cmsghdr* const header = CMSG_FIRSTHDR(&carrier.message);
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS) {
    std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  }
  return true;
}

std::uint64_t host_key() {
  std::uint64_t hash = 0xcbf29ce484222325U;
  const std::string started = boot();
  hash = mixed(hash, started.data(), started.size());
  struct stat space {};
  if (stat("/proc/self/ns/net", &space) == 0)
    hash = mixed(hash, &space.st_ino, sizeof space.st_ino);
  if (const char* const chosen = std::getenv("MCCL_HOSTID")) {
    hash = mixed(hash, chosen, std::strlen(chosen));
  }
  return hash;
}

}  // namespace host_mccl
