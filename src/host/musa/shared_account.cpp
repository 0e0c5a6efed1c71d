#include "src/host/musa/shared_account.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "src/host/musa/process_start.h"
#include "src/host/shared/own_descriptor.h"

namespace musa {
namespace {

// An owner: the process in 32 bits, the device in 6, and the last bits of the process's start time,
// which tells apart processes that had the same number.
constexpr unsigned int kProcessShift = 32;
constexpr unsigned int kDeviceShift = 26;
constexpr std::uint64_t kDevices = 64;
// Objects of another layout have other names.
constexpr char kLayout[] = "c-";
constexpr std::uint64_t kStartMask = (std::uint64_t{1} << kDeviceShift) - 1;

// 0 if the process does not run.
std::uint64_t bits_of(pid_t process) {
  const std::uint64_t started = start_of(process);
  if (started == 0) return 0;
  return (static_cast<std::uint64_t>(process) << kProcessShift) | (started & kStartMask);
}

int device_of(std::uint64_t owner) {
  return static_cast<int>((owner >> kDeviceShift) & (kDevices - 1));
}

std::uint64_t without_device(std::uint64_t owner) {
  return owner & ~((kDevices - 1) << kDeviceShift);
}

bool runs(std::uint64_t owner) {
  const pid_t process = SharedAccount::process_of(owner);
  return process > 0 && bits_of(process) == without_device(owner);
}

// What the account's file holds. Another segment may have come to the same number.
struct Place {
  std::uint64_t tag;  // of the segment; never 0
  std::int64_t segment;
};

// Anybody can put a file of this name into /dev/shm, so it must be the user's own, closed to
// others, and of the expected size. What would make it too long for the process's limit would raise
// a signal.
bool is_usable(int descriptor) {
  struct stat status {};
  rlimit limit{};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
         (status.st_mode & (S_IRWXG | S_IRWXO)) == 0 && status.st_nlink == 1 &&
         (status.st_size == 0 || status.st_size == sizeof(Place)) &&
         getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur >= sizeof(Place);
}

// Its holder may have been stopped, or be no program of ours.
bool lock(int descriptor) {
  constexpr int kTries = 500;
  constexpr timespec kPause{0, 1000000};
  for (int i = 0; i < kTries; ++i) {
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return true;
    nanosleep(&kPause, nullptr);
  }
  return false;
}

// Null if it cannot be mapped.
void* attach(int segment) {
  void* const pages = shmat(segment, nullptr, 0);
  return pages == reinterpret_cast<void*>(-1) ? nullptr : pages;
}

bool is_our_segment(int segment, std::size_t size) {
  shmid_ds status{};
  return shmctl(segment, IPC_STAT, &status) == 0 && status.shm_segsz == size &&
         status.shm_perm.uid == geteuid() &&
         (status.shm_perm.mode & (S_IRWXU | S_IRWXG | S_IRWXO)) == (S_IRUSR | S_IWUSR);
}

}  // namespace

std::string account_path(const std::string& name) {
  // Process numbers have a meaning only within their namespace.
  struct stat space {};
  if (stat("/proc/self/ns/pid", &space) != 0) return {};
  return "/dev/shm/torchada-musa-" + std::to_string(geteuid()) + "-" +
         std::to_string(space.st_ino) + "-" + kLayout + name;
}

SharedAccount::SharedAccount(const std::string& name) {
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
  const std::string path = name.empty() ? name : account_path(name);
  process_ = bits_of(getpid());
  if (path.empty() || process_ == 0) return;
  const int before = errno;  // It belongs to the program, whose first call may begin the account.
  const int descriptor = host::above_standard(open(
      path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, S_IRUSR | S_IWUSR));
  if (descriptor >= 0) {
    if (is_usable(descriptor) && lock(descriptor)) {
      join(descriptor);
      if (shared_ == nullptr) begin(descriptor);
    }
    close(descriptor);
  }
  errno = before;
}

void SharedAccount::join(int descriptor) {
  Place place{};
  if (pread(descriptor, &place, sizeof(place), 0) != sizeof(place) || place.tag == 0) return;
  const auto segment = static_cast<int>(place.segment);
  if (segment != place.segment || !is_our_segment(segment, sizeof(Shared))) return;
  auto* const found = static_cast<Shared*>(attach(segment));
  if (found == nullptr) return;
  if (found->tag.load() == place.tag) {
    shared_ = found;
  } else {
    shmdt(found);
  }
}

void SharedAccount::begin(int descriptor) {
  const int segment = shmget(IPC_PRIVATE, sizeof(Shared), IPC_CREAT | S_IRUSR | S_IWUSR);
  if (segment < 0) return;
  shared_ = static_cast<Shared*>(attach(segment));
  // It ends with the last process that has it mapped; until then others can still map it.
  shmctl(segment, IPC_RMID, nullptr);
  if (shared_ == nullptr) return;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const Place place{process_ ^ static_cast<std::uint64_t>(now.tv_nsec), segment};
  shared_->tag.store(place.tag);
  if (pwrite(descriptor, &place, sizeof(place), 0) != sizeof(place)) {
    shmdt(shared_);
    shared_ = nullptr;
  }
}

std::span<SharedAccount::Entry> SharedAccount::reached() const {
  if (shared_ == nullptr) return {};
  return {shared_->entries, std::min<std::size_t>(shared_->reached.load(), kEntries)};
}

SharedAccount::Entry* SharedAccount::find(std::uint64_t owner) const {
  for (Entry& entry : reached()) {
    if (entry.owner.load() == owner) return &entry;
  }
  return nullptr;
}

SharedAccount::Entry* SharedAccount::claim(std::uint64_t owner) const {
  for (std::size_t i = 0; i < kEntries; ++i) {
    // Before the entry is claimed, so that no reader misses it.
    std::uint64_t reached = shared_->reached.load();
    while (reached <= i && !shared_->reached.compare_exchange_weak(reached, i + 1)) {
    }
    std::uint64_t free = 0;
    if (shared_->entries[i].owner.compare_exchange_strong(free, owner)) return &shared_->entries[i];
  }
  return nullptr;
}

SharedAccount::Entry* SharedAccount::own(int device, bool make) {
  if (shared_ == nullptr) return nullptr;
  const std::uint64_t owner = process_ | (static_cast<std::uint64_t>(device) << kDeviceShift);
  Entry*& entry = own_[static_cast<std::size_t>(device)];
  if (entry != nullptr && entry->owner.load() == owner) return entry;
  entry = find(owner);
  if (entry == nullptr && make) entry = claim(owner);
  if (entry == nullptr && make && remove_ended()) entry = claim(owner);
  if (entry != nullptr) {
    // What stands there is of the program that this process ran before, or of another process.
    entry->bytes.store(0);
    entry->busy.store(0);
  }
  return entry;
}

void SharedAccount::publish(int device, std::size_t bytes) {
  Entry* const entry = own(device, bytes != 0);
  if (entry != nullptr) entry->bytes.store(bytes);  // otherwise full: nobody sees this process
}

std::atomic<std::uint64_t>& SharedAccount::busy_time(int device) {
  Entry* const entry = own(device, true);
  return entry != nullptr ? entry->busy : unseen_[static_cast<std::size_t>(device)];
}

std::size_t SharedAccount::used_by_others(int device) const {
  std::size_t sum = 0;
  for (const Entry& entry : reached()) {
    const std::uint64_t owner = entry.owner.load();
    if (owner == 0 || device_of(owner) != device || without_device(owner) == process_) continue;
    if (__builtin_add_overflow(sum, entry.bytes.load(), &sum)) return SIZE_MAX;
  }
  return sum;
}

pid_t SharedAccount::process_of(std::uint64_t owner) {
  return static_cast<pid_t>(owner >> kProcessShift);
}

std::vector<SharedAccount::Use> SharedAccount::uses() const {
  remove_ended();
  std::vector<Use> found;
  for (const Entry& entry : reached()) {
    const std::uint64_t owner = entry.owner.load();
    if (owner == 0) continue;
    found.push_back({owner, device_of(owner), entry.bytes.load(), entry.busy.load()});
  }
  return found;
}

bool SharedAccount::remove_ended() const {
  bool removed = false;
  for (Entry& entry : reached()) {
    std::uint64_t owner = entry.owner.load();
    if (owner == 0 || without_device(owner) == process_ || runs(owner)) continue;
    removed |= entry.owner.compare_exchange_strong(owner, 0);
  }
  return removed;
}

}  // namespace musa
