#include "src/host/mccl/remote_link.h"

#include <cstdlib>
#include <new>

#include "src/host/mccl/threads.h"

namespace host_mccl {
namespace {

constexpr std::size_t kCapacity = std::size_t{512} << 10;
constexpr std::size_t kFrame = std::size_t{128} << 10;

// Begins each message on the network: the number of bytes that follow.
using Length = std::uint64_t;

std::unique_ptr<std::byte, void (*)(void*)> zeroed_ring() {
  const std::size_t size = in_units(Ring::footprint(kCapacity));
  void* const memory = std::aligned_alloc(kRingUnit, size);
  if (memory == nullptr) throw std::bad_alloc();
  // The data area needs no initial value; leaving it untouched uses no memory before it is needed.
  std::memset(memory, 0, offsetof(RingMemory, bytes));
  return {static_cast<std::byte*>(memory), std::free};
}

}  // namespace

RemoteLink::RemoteLink(const MCCLEngineCalls& calls, MCCLEngine* engine, int peer,
                       FutexEvent& event, std::atomic<bool>& gone)
    : calls_(calls), engine_(engine), peer_(peer), event_(event), gone_(gone) {
  for (Traffic& traffic : traffic_) {
    traffic.out_memory = zeroed_ring();
    traffic.in_memory = zeroed_ring();
    traffic.channel.out = Ring(reinterpret_cast<RingMemory*>(traffic.out_memory.get()), kCapacity,
                               &event, &traffic.out_event);
    traffic.channel.in = Ring(reinterpret_cast<RingMemory*>(traffic.in_memory.get()), kCapacity,
                              &traffic.in_event, &event);
  }
}

RemoteLink::~RemoteLink() {
  stopping_ = true;
  for (Traffic& traffic : traffic_) {
    traffic.out_event.signal();
    traffic.in_event.signal();
    for (MCCLEngineFlow* const flow : {traffic.out_flow, traffic.in_flow}) {
      if (flow != nullptr) calls_.stop(flow);
    }
    if (traffic.sender.joinable()) traffic.sender.join();
    if (traffic.receiver.joinable()) traffic.receiver.join();
    for (MCCLEngineFlow* const flow : {traffic.out_flow, traffic.in_flow}) {
      if (flow != nullptr) calls_.close_flow(flow);
    }
  }
}

bool RemoteLink::start(ChannelKind kind) {
  Traffic& traffic = traffic_[kind];
  std::call_once(traffic.once, [&] { traffic.running = run(kind); });
  return traffic.running;
}

bool RemoteLink::run(ChannelKind kind) {
  Traffic& traffic = traffic_[kind];
  traffic.out_frame.resize(sizeof(Length) + kFrame);
  traffic.in_frame.resize(sizeof(Length) + kFrame);
  const auto number = static_cast<std::uint64_t>(kind);
  traffic.out_flow =
      calls_.flow(engine_, peer_, number, traffic.out_frame.data(), traffic.out_frame.size());
  traffic.in_flow =
      calls_.flow(engine_, peer_, number, traffic.in_frame.data(), traffic.in_frame.size());
  if (traffic.out_flow == nullptr || traffic.in_flow == nullptr) return false;
  traffic.sender = quiet_thread("mccl-send", [this, &traffic] { carry_out(traffic); });
  traffic.receiver = quiet_thread("mccl-receive", [this, &traffic] { carry_in(traffic); });
  return traffic.sender.joinable() && traffic.receiver.joinable();
}

void RemoteLink::lose_peer() {
  if (stopping_) return;
  gone_ = true;
  event_.signal();
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
    const Length length = std::min(ready.size, kFrame);
    std::memcpy(traffic.out_frame.data(), &length, sizeof length);
    std::memcpy(traffic.out_frame.data() + sizeof length, ready.data, length);
    if (calls_.send(traffic.out_flow, sizeof length + length) == 0) return lose_peer();
    ring.consumed(length);
  }
}

void RemoteLink::carry_in(Traffic& traffic) {
  Ring& ring = traffic.channel.in;
  while (!stopping_) {
    Length length = 0;
    if (calls_.receive(traffic.in_flow) == 0) return lose_peer();
    std::memcpy(&length, traffic.in_frame.data(), sizeof length);
    if (length > kFrame) return lose_peer();
    for (Length done = 0; done < length && !stopping_;) {
      const std::uint32_t seen = traffic.in_event.value();
      const Bytes room = ring.writable();
      if (room.size == 0) {
        traffic.in_event.sleep(seen);
        continue;
      }
      const std::size_t size = std::min<std::size_t>(room.size, length - done);
      std::memcpy(room.data, traffic.in_frame.data() + sizeof length + done, size);
      ring.wrote(size);
      ring.tell_reader();
      done += size;
    }
  }
}

}  // namespace host_mccl
