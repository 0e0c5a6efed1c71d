#include "src/host/musa/shared_event.h"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

#include "src/host/musa/process_start.h"

namespace musa {
namespace {

static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

// How often to check whether the recording process still lives.
constexpr long kLookNanoseconds = 20'000'000;

// The counters wrap around.
bool has_passed(std::uint32_t count, std::uint32_t recording) {
  return static_cast<std::int32_t>(count - recording) >= 0;
}

}  // namespace

std::shared_ptr<SharedEvent> SharedEvent::create() {
  Mapping mapping{0, round_to_pages(sizeof(State)), process_file(), 0};
  if (mapping.file == nullptr) return nullptr;
  const std::uint64_t secret = new_secret();
  mapping.base = mapping.file->map_new(mapping.size, &mapping.offset);
  if (mapping.base == 0) return nullptr;
  std::shared_ptr<SharedEvent> event(new SharedEvent(mapping, secret, false));
  if (secret == 0 || !mapping.file->publish(mapping.offset, mapping.size, secret)) return nullptr;
  return event;
}

std::shared_ptr<SharedEvent> SharedEvent::open(const IpcContents& contents) {
  Mapping mapping{0, round_to_pages(contents.size), open_file(contents), contents.offset};
  if (mapping.file == nullptr || contents.size != sizeof(State)) return nullptr;
  mapping.base = mapping.file->map_published(contents.offset, mapping.size, contents.secret);
  if (mapping.base == 0) return nullptr;
  return std::shared_ptr<SharedEvent>(new SharedEvent(mapping, contents.secret, true));
}

SharedEvent::~SharedEvent() {
  // Other processes keep their open mappings.
  if (!imported_) mapping_.file->withdraw(mapping_.offset);
  munmap(reinterpret_cast<void*>(mapping_.base), mapping_.size);
}

IpcContents SharedEvent::contents() const {
  return make_contents(SharedKind::kEvent, *mapping_.file, mapping_.offset, sizeof(State), secret_);
}

std::uint32_t SharedEvent::issue() {
  state().recorder_started.store(start_of(getpid()));
  state().recorder.store(getpid());
  return state().issued.fetch_add(1) + 1;
}

std::uint32_t SharedEvent::latest() const { return state().issued.load(); }

void SharedEvent::complete(std::uint32_t recording) {
  std::uint32_t completed = state().completed.load();
  while (!has_passed(completed, recording)) {
    if (!state().completed.compare_exchange_weak(completed, recording)) continue;
    syscall(SYS_futex, &state().completed, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
    return;
  }
}

bool SharedEvent::recorder_is_gone() const {
  const pid_t recorder = state().recorder.load();
  return recorder != getpid() && start_of(recorder) != state().recorder_started.load();
}

bool SharedEvent::is_done(std::uint32_t recording) const {
  return has_passed(state().completed.load(), recording) || recorder_is_gone();
}

void SharedEvent::wait(std::uint32_t recording) const {
  while (true) {
    const std::uint32_t completed = state().completed.load();
    if (has_passed(completed, recording) || recorder_is_gone()) return;
    const timespec pause{0, kLookNanoseconds};
    syscall(SYS_futex, &state().completed, FUTEX_WAIT, completed, &pause, nullptr, 0);
  }
}

}  // namespace musa
