// Sockets between ranks: Unix ones within a host, TCP between hosts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "src/host/mccl/per_process.h"
#include "src/host/shared/own_descriptor.h"

namespace host_mccl {

class Socket {
 public:
  Socket() = default;
  explicit Socket(int descriptor) : descriptor_(host::above_standard(descriptor)) {
    close_in_children(descriptor_);
  }
  Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() { close_descriptor(descriptor_); }

  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

// An IP address and a port, in the form sent between processes. Family 0: none.
struct NetAddress {
  std::uint16_t family;
  std::uint16_t port;
  std::uint32_t scope;
  std::array<std::uint8_t, 16> bytes;
};
static_assert(sizeof(NetAddress) == 24);

// The address where other hosts reach this one: that of the first interface that MCCL_SOCKET_IFNAME
// allows. If unset, container bridges come second to last and loopback last.
NetAddress own_address();
std::string text_of(const NetAddress& address);

// If refused, or if listening fails: an empty Socket, and errno. accept_from() does not wait.
Socket listen_at(NetAddress& address);  // sets the port
Socket listen_at(const std::string& local_name);
Socket connect_to(const NetAddress& address);
Socket connect_to(const std::string& local_name);
Socket accept_from(const Socket& listener);

// Whether the other side of a Unix socket runs for the same user or for root, or this process does
// for root. A TCP connection does not say.
bool is_of_allowed_user(const Socket& socket);
// Whether the other side of a Unix socket is in this process.
bool is_of_this_process(const Socket& socket);
// After this time send_all() gives up.
void limit_sending(const Socket& socket, int seconds);

// Moves all bytes, or returns false with errno (0 if the other side has closed).
bool send_all(const Socket& socket, const void* data, std::size_t size);
bool receive_all(const Socket& socket, void* data, std::size_t size);

bool send_descriptor(const Socket& socket, int descriptor);
int receive_descriptor(const Socket& socket);  // -1: none arrived

// The same in all processes that share a kernel and a network namespace. Different values of
// MCCL_HOSTID separate processes further.
std::uint64_t host_key();

}  // namespace host_mccl
