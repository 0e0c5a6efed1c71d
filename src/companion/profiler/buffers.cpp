#include "src/companion/profiler/buffers.h"

#include <cstring>
#include <utility>

namespace torchada::profiler {
namespace {

std::uint32_t kind_at(const std::uint8_t* record) {
  std::uint32_t kind = 0;
  std::memcpy(&kind, record, sizeof kind);
  return kind;
}

}  // namespace

void Buffers::give(RequestBuffer request, CompleteBuffer complete) {
  const std::lock_guard lock(mutex_);
  request_ = request;
  complete_ = complete;
}

void Buffers::add(const Record& record) {
  const std::vector<std::uint8_t>& bytes = record.bytes();
  const std::lock_guard lock(mutex_);
  records_.insert(records_.end(), bytes.begin(), bytes.end());
  waiting_.store(records_.size(), std::memory_order_relaxed);
}

Buffers::Room Buffers::ask_for_room() {
  Room out;
  RequestBuffer ask = nullptr;
  {
    const std::lock_guard lock(mutex_);
    ask = request_;
    out.complete = complete_;
  }
  if (ask) ask(&out.start, &out.size, &out.most);
  return out;
}

Buffers::Room Buffers::take_room() {
  {
    const std::lock_guard lock(mutex_);
    if (!held_.empty()) {
      const Room out = held_.back();
      held_.pop_back();
      holds_.store(!held_.empty());
      return out;
    }
  }
  return ask_for_room();
}

void Buffers::hold() {
  if (waiting_.load(std::memory_order_relaxed) == 0 || holds_.exchange(true)) return;
  const Room room = ask_for_room();
  const std::lock_guard lock(mutex_);
  if (room.start) held_.push_back(room);
  holds_.store(!held_.empty());
}

void Buffers::let_go() {
  std::vector<Room> rooms;
  {
    const std::lock_guard lock(mutex_);
    rooms.swap(held_);
    holds_.store(false);
  }
  for (const Room& room : rooms) room.complete(nullptr, 0, room.start, room.size, 0);
}

void Buffers::deliver() {
  std::vector<std::uint8_t> taken;
  {
    const std::lock_guard lock(mutex_);
    taken.swap(records_);
    waiting_.store(0, std::memory_order_relaxed);
  }
  std::size_t done = 0;
  bool has_room = true;
  while (done < taken.size() && has_room) {
    const Room room = take_room();
    if (!room.start) break;
    std::size_t valid = 0;
    for (std::size_t count = 0; done + valid < taken.size(); ++count) {
      const std::size_t next = size_of_(kind_at(taken.data() + done + valid));
      if (next > room.size - valid || (room.most != 0 && count == room.most)) break;
      valid += next;
    }
    has_room = valid != 0;
    std::memcpy(room.start, taken.data() + done, valid);
    done += valid;
    room.complete(nullptr, 0, room.start, room.size, valid);
  }
  for (; done < taken.size(); done += size_of_(kind_at(taken.data() + done))) drop();
}

bool Buffers::next(std::uint8_t* buffer, std::size_t valid, void** record) const {
  std::size_t place = 0;
  if (auto* const last = static_cast<std::uint8_t*>(*record)) {
    place = static_cast<std::size_t>(last - buffer) + size_of_(kind_at(last));
  }
  if (place >= valid || size_of_(kind_at(buffer + place)) == 0) return false;
  *record = buffer + place;
  return true;
}

void Buffers::forget() {
  request_ = nullptr;
  complete_ = nullptr;
  records_.clear();
  held_.clear();
  holds_.store(false);
  waiting_.store(0);
  dropped_.store(0);
}

}  // namespace torchada::profiler
