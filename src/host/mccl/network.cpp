#include "src/host/mccl/network.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace host_mccl {
namespace {

constexpr int kConnectTime = 20000;  // milliseconds
constexpr int kBacklog = 4096;

struct Plain {
  sockaddr_storage storage{};
  socklen_t size = 0;
  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

Plain plain(const NetAddress& address) {
  Plain result;
  if (address.family == AF_INET) {
    auto* const v4 = reinterpret_cast<sockaddr_in*>(&result.storage);
    v4->sin_family = AF_INET;
    v4->sin_port = htons(address.port);
    std::memcpy(&v4->sin_addr, address.bytes.data(), sizeof v4->sin_addr);
    result.size = sizeof *v4;
  } else {
    auto* const v6 = reinterpret_cast<sockaddr_in6*>(&result.storage);
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(address.port);
    v6->sin6_scope_id = address.scope;
    std::memcpy(&v6->sin6_addr, address.bytes.data(), sizeof v6->sin6_addr);
    result.size = sizeof *v6;
  }
  return result;
}

// In the abstract namespace, which leaves no file to remove.
Plain plain(const std::string& local_name) {
  Plain result;
  auto* const local = reinterpret_cast<sockaddr_un*>(&result.storage);
  local->sun_family = AF_UNIX;
  const std::size_t length = std::min(local_name.size(), sizeof local->sun_path - 1);
  std::memcpy(local->sun_path + 1, local_name.data(), length);
  result.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
  return result;
}

Socket make_socket(int family, int more = 0) {
  return Socket(socket(family, SOCK_STREAM | SOCK_CLOEXEC | more, 0));
}

Socket listening(Plain address) {
  Socket made = make_socket(address.storage.ss_family, SOCK_NONBLOCK);
  if (!made || bind(made.get(), address.get(), address.size) != 0 ||
      listen(made.get(), kBacklog) != 0) {
    return {};
  }
  return made;
}

void set_option(const Socket& socket, int level, int name, int value) {
  static_cast<void>(setsockopt(socket.get(), level, name, &value, sizeof value));
}

// Detects within seven seconds a host that vanished without closing its connections. A rank that is
// only slow or stopped passes, because its kernel still answers.
void notice_vanished_hosts(const Socket& socket) {
  set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(socket, IPPROTO_TCP, TCP_KEEPIDLE, 2);
  set_option(socket, IPPROTO_TCP, TCP_KEEPINTVL, 1);
  set_option(socket, IPPROTO_TCP, TCP_KEEPCNT, 5);
  set_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, 7000);
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
}

Socket connected(Plain address) {
  Socket made = make_socket(address.storage.ss_family);
  if (!made) return {};
  const int flags = fcntl(made.get(), F_GETFL);
  static_cast<void>(fcntl(made.get(), F_SETFL, flags | O_NONBLOCK));
  if (connect(made.get(), address.get(), address.size) != 0) {
    // A Unix socket whose queue is full fails with EAGAIN.
    for (int tries = 0; errno == EAGAIN && tries < kConnectTime; ++tries) {
      usleep(1000);
      if (connect(made.get(), address.get(), address.size) == 0) errno = 0;
    }
    if (errno == EINPROGRESS) {
      pollfd waited{made.get(), POLLOUT, 0};
      int result = 0;
      do {
        result = poll(&waited, 1, kConnectTime);
      } while (result < 0 && errno == EINTR);
      int error = ETIMEDOUT;
      socklen_t size = sizeof error;
      if (result > 0) getsockopt(made.get(), SOL_SOCKET, SO_ERROR, &error, &size);
      errno = error;
    }
    if (errno != 0) return {};
  }
  static_cast<void>(fcntl(made.get(), F_SETFL, flags));
  if (address.storage.ss_family != AF_UNIX) notice_vanished_hosts(made);
  return made;
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

// False for a socket that is no Unix socket.
bool credentials_of(const Socket& socket, ucred& peer) {
  int family = 0;
  socklen_t size = sizeof family;
  if (getsockopt(socket.get(), SOL_SOCKET, SO_DOMAIN, &family, &size) != 0 || family != AF_UNIX) {
    return false;
  }
  size = sizeof peer;
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

std::string text_of(const NetAddress& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address.family == 0 ||
      inet_ntop(address.family, address.bytes.data(), text.data(), text.size()) == nullptr) {
    return "none";
  }
  return text.data();
}

Socket listen_at(NetAddress& address) {
  if (address.family == 0) return {};
  address.port = 0;
  Socket made = listening(plain(address));
  if (!made) return {};
  Plain bound;
  bound.size = sizeof bound.storage;
  if (getsockname(made.get(), bound.get(), &bound.size) != 0) return {};
  address.port = ntohs(bound.storage.ss_family == AF_INET
                           ? reinterpret_cast<sockaddr_in*>(&bound.storage)->sin_port
                           : reinterpret_cast<sockaddr_in6*>(&bound.storage)->sin6_port);
  return made;
}

Socket listen_at(const std::string& local_name) { return listening(plain(local_name)); }

Socket connect_to(const NetAddress& address) {
  if (address.family != 0) return connected(plain(address));
  errno = ENETUNREACH;
  return {};
}

Socket connect_to(const std::string& local_name) { return connected(plain(local_name)); }

Socket accept_from(const Socket& listener) {
  Plain peer;
  peer.size = sizeof peer.storage;
  Socket accepted(accept4(listener.get(), peer.get(), &peer.size, SOCK_CLOEXEC));
  if (accepted && peer.storage.ss_family != AF_UNIX) notice_vanished_hosts(accepted);
  return accepted;
}

bool is_of_allowed_user(const Socket& socket) {
  ucred peer{};
  if (!credentials_of(socket, peer)) return true;
  const uid_t own = geteuid();
  return peer.uid == own || peer.uid == 0 || own == 0;
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

bool send_descriptor(const Socket& socket, int descriptor) {
  DescriptorMessage carrier;
  msghdr& message = carrier.message;
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  return sendmsg(socket.get(), &message, MSG_NOSIGNAL) == 1;
}

int receive_descriptor(const Socket& socket) {
  DescriptorMessage carrier;
  msghdr& message = carrier.message;
  ssize_t got = 0;
  do {
    got = recvmsg(socket.get(), &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  const cmsghdr* const header = got == 1 ? CMSG_FIRSTHDR(&message) : nullptr;
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS) return -1;
  int descriptor = -1;
  std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return host::above_standard(descriptor);
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
