#include "src/host/mccl/remote_link.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstdlib>
#include <new>

#include "src/host/mccl/threads.h"

namespace host_mccl {
namespace {

constexpr std::size_t kCapacity = std::size_t{512} << 10;
// At a time, so that the ring has room for the next bytes while these are on their way.
constexpr std::size_t kAtOnce = std::size_t{128} << 10;

std::unique_ptr<std::byte, void (*)(void*)> zeroed_ring() {
  const std::size_t size = in_units(Ring::footprint(kCapacity));
  void* const memory = std::aligned_alloc(kRingUnit, size);
  if (memory == nullptr) throw std::bad_alloc();
  // The data area needs no initial value; leaving it untouched uses no memory before it is needed.
  std::memset(memory, 0, offsetof(RingMemory, bytes));
  return {static_cast<std::byte*>(memory), std::free};
}

}  // namespace

RemoteLink::RemoteLink(std::array<Socket, kChannelKinds> connections, FutexEvent& event)
    : event_(event) {
  for (int kind = 0; kind < kChannelKinds; ++kind) {
    Traffic& traffic = traffic_[kind];
    traffic.connection = std::move(connections[kind]);
    traffic.out_memory = zeroed_ring();
    traffic.in_memory = zeroed_ring();
    traffic.channel.out = Ring(reinterpret_cast<RingMemory*>(traffic.out_memory.get()), kCapacity,
                               &event, &traffic.out_event);
    traffic.channel.in = Ring(reinterpret_cast<RingMemory*>(traffic.in_memory.get()), kCapacity,
                              &traffic.in_event, &event);
  }
}

// What is on its way arrives also after the connection is closed, because this side has read
// whatever the other side may have sent: a rank leaves when its operations are complete.
RemoteLink::~RemoteLink() {
  stopping_ = true;
  for (Traffic& traffic : traffic_) {
    traffic.out_event.signal();
    traffic.in_event.signal();
    shutdown(traffic.connection.get(), SHUT_RDWR);
    if (traffic.sender.joinable()) traffic.sender.join();
    if (traffic.receiver.joinable()) traffic.receiver.join();
  }
}

bool RemoteLink::start(ChannelKind kind) {
  Traffic& traffic = traffic_[kind];
  std::call_once(traffic.once, [&] {
    traffic.sender = quiet_thread("mccl-send", [this, &traffic] { carry_out(traffic); });
    traffic.receiver = quiet_thread("mccl-receive", [this, &traffic] { carry_in(traffic); });
    traffic.running = traffic.sender.joinable() && traffic.receiver.joinable();
  });
  return traffic.running;
}

void RemoteLink::carry_out(Traffic& traffic) {
  Ring& ring = traffic.channel.out;
  while (!stopping_) {
    const std::uint32_t seen = traffic.out_event.value();
    const Bytes ready = ring.readable();
    if (ready.size == 0) {
      traffic.out_event.sleep(seen);
      continue;
    }
    const std::size_t size = std::min(ready.size, kAtOnce);
    // If it fails, the receiving thread notices too.
    if (!send_all(traffic.connection, ready.data, size)) return;
    ring.consumed(size);
  }
}

void RemoteLink::carry_in(Traffic& traffic) {
  Ring& ring = traffic.channel.in;
  while (!stopping_) {
    const std::uint32_t seen = traffic.in_event.value();
    const Bytes room = ring.writable();
    if (room.size == 0) {
      traffic.in_event.sleep(seen);
      continue;
    }
    const ssize_t got = recv(traffic.connection.get(), room.data, std::min(room.size, kAtOnce), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    ring.wrote(static_cast<std::size_t>(got));
    ring.tell_reader();
  }
  traffic.ended = true;
  event_.signal();
}

}  // namespace host_mccl
