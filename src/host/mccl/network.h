// Sockets between ranks: Unix ones within a host, TCP between hosts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "per_process.h"

namespace host_mccl {

class Socket {
 public:
  Socket() = default;
  explicit Socket(int descriptor) : descriptor_(descriptor) { close_in_children(descriptor); }
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

// An IP address and a port, as it travels between processes. Family 0: none.
struct NetAddress {
  std::uint16_t family;
  std::uint16_t port;
  std::uint32_t scope;
  std::array<std::uint8_t, 16> bytes;
};
static_assert(sizeof(NetAddress) == 24);

// The address other hosts reach this one at: of the first interface that MCCL_SOCKET_IFNAME allows.
// Unset, loopback comes last and bridges of containers before it.
NetAddress own_address();
std::string text_of(const NetAddress& address);

// Connections are refused, and nothing is listened on, with an empty Socket and errno.
Socket listen_at(NetAddress& address);  // sets the port
Socket listen_at(const std::string& local_name);
Socket connect_to(const NetAddress& address);
Socket connect_to(const std::string& local_name);
Socket accept_from(const Socket& listener);

// All of it or false, with errno (0 when the other side has closed).
bool send_all(const Socket& socket, const void* data, std::size_t size);
bool receive_all(const Socket& socket, void* data, std::size_t size);
// False after so many milliseconds without anything to read.
bool readable_within(const Socket& socket, int milliseconds);

bool send_descriptor(const Socket& socket, int descriptor);
int receive_descriptor(const Socket& socket);  // -1: none came

// The same in all processes that share a kernel and a network namespace; MCCL_HOSTID tells apart
// what the user wants told apart.
std::uint64_t host_key();

}  // namespace host_mccl
