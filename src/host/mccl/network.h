// Unix sockets between the ranks of a machine.
#pragma once

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

// If refused, or if listening fails: an empty Socket, and errno. accept_from() does not wait.
Socket listen_at(const std::string& name);
Socket connect_to(const std::string& name);
Socket accept_from(const Socket& listener);
// Two that are connected. Empty ones, and errno, if there is no free descriptor.
std::pair<Socket, Socket> connected_pair();

// Whether the other side runs for the same user or for root.
bool is_of_allowed_user(const Socket& socket);
// Whether the other side is in this process.
bool is_of_this_process(const Socket& socket);
// After this time send_all() gives up.
void limit_sending(const Socket& socket, int seconds);

// Moves all bytes, or returns false with errno (0 if the other side has closed).
bool send_all(const Socket& socket, const void* data, std::size_t size);
bool receive_all(const Socket& socket, void* data, std::size_t size);

// One byte with a descriptor. What receive_byte() finds without one leaves `descriptor` at -1.
// False: as above.
bool send_descriptor(const Socket& socket, char byte, int descriptor);
bool receive_byte(const Socket& socket, char& byte, int& descriptor);

// The same in all processes that share a kernel and a network namespace. Different values of
// MCCL_HOSTID separate processes further.
std::uint64_t host_key();

}  // namespace host_mccl
