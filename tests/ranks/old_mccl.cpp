// MCCL 2.11.4 as far as adapters need it, with one rank for each thread that starts one. Ranks that
// share an identifier meet; rank R is on device R. All data moves as bytes: types other than
// mcclInt8 (0) are refused, so that a test notices what was requested.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "tests/ranks/old_musart.h"

namespace {

constexpr int kInvalidArgument = 4;
constexpr int kInvalidUsage = 5;
constexpr int kInProgress = 7;
constexpr int kInt8 = 0;

struct UniqueId {
  char internal[128];
};

// All ranks that start with one identifier.
class Meeting {
 public:
  explicit Meeting(int ranks) : ranks_(ranks), parts_(static_cast<std::size_t>(ranks)) {}

  int ranks() const { return ranks_; }

  // Waits until every rank is here.
  void meet() {
    std::unique_lock lock(mutex_);
    const int round = round_;
    if (++here_ == ranks_) {
      here_ = 0;
      ++round_;
      changed_.notify_all();
      return;
    }
    changed_.wait(lock, [&] { return round_ != round; });
  }

  void show(int rank, const void* part) {
    const std::lock_guard lock(mutex_);
    parts_[static_cast<std::size_t>(rank)] = part;
  }
  const void* part(int rank) {
    const std::lock_guard lock(mutex_);
    return parts_[static_cast<std::size_t>(rank)];
  }

  void post(int from, int to, std::string bytes) {
    const std::lock_guard lock(mutex_);
    mail_[{from, to}].push_back(std::move(bytes));
    changed_.notify_all();
  }
  // Waits for what is fetched, but not for ever.
  bool fetch(int from, int to, void* memory, std::size_t size) {
    std::unique_lock lock(mutex_);
    auto& box = mail_[{from, to}];
    changed_.wait_for(lock, std::chrono::seconds(10), [&] { return !box.empty(); });
    if (box.empty() || box.front().size() != size) return false;
    std::memcpy(memory, box.front().data(), size);
    box.pop_front();
    return true;
  }

 private:
  const int ranks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int here_ = 0, round_ = 0;
  std::vector<const void*> parts_;
  std::map<std::pair<int, int>, std::deque<std::string>> mail_;
};

struct Communicator {
  std::shared_ptr<Meeting> meeting;
  int rank, device;
};

std::mutex mutex;
std::map<std::string, std::weak_ptr<Meeting>>& meetings() {
  static auto& all = *new std::map<std::string, std::weak_ptr<Meeting>>;
  return all;
}

thread_local bool fail_unique_id = false;
thread_local int depth = 0;
thread_local int in_progress = 0;  // how many times to report work in progress
thread_local int async_error = 0;
std::atomic<int> refused_configs{0};

struct Transfer {
  bool is_send;
  const Communicator* communicator;
  std::string bytes;
  void* memory;
  std::size_t size;
  int peer;
};
thread_local std::vector<Transfer> collected;

// Ranks that send and receive nothing take no part.
int finish_group() {
  std::vector<Transfer> transfers;
  transfers.swap(collected);
  if (transfers.empty()) return 0;
  const Communicator& own = *transfers[0].communicator;
  for (Transfer& transfer : transfers) {
    if (transfer.is_send) own.meeting->post(own.rank, transfer.peer, std::move(transfer.bytes));
  }
  int status = 0;
  for (const Transfer& transfer : transfers) {
    if (!transfer.is_send &&
        !own.meeting->fetch(transfer.peer, own.rank, transfer.memory, transfer.size)) {
      status = kInvalidUsage;
    }
  }
  return status;
}

}  // namespace

extern "C" {

void old_mccl_fail_next_unique_id() { fail_unique_id = true; }
void old_mccl_be_in_progress(int times) { in_progress = times; }
int old_mccl_in_progress() { return in_progress; }
void old_mccl_have_failed(int error) { async_error = error; }
int old_mccl_refused_configs() { return refused_configs; }

int mcclGetVersion(int* version) {
  *version = 21104;
  return 0;
}

int mcclGetUniqueId(UniqueId* id) {
  static int next = 0;
  if (fail_unique_id) {
    fail_unique_id = false;
    return 2;
  }
  const std::lock_guard lock(mutex);
  std::memset(id, 0x5a, sizeof *id);
  ++next;
  std::memcpy(id->internal, &next, sizeof next);
  return 0;
}

int mcclCommInitRank(void** made, int ranks, UniqueId id, int rank) {
  if (made == nullptr || rank < 0 || rank >= ranks || id.internal[127] != 0x5a) {
    return kInvalidArgument;
  }
  std::shared_ptr<Meeting> meeting;
  {
    const std::lock_guard lock(mutex);
    auto& slot = meetings()[std::string(id.internal, sizeof id.internal)];
    meeting = slot.lock();
    if (!meeting) slot = meeting = std::make_shared<Meeting>(ranks);
  }
  if (meeting->ranks() != ranks) return kInvalidArgument;
  *made = new Communicator{meeting, rank, old_musart_device()};
  meeting->meet();
  return 0;
}

// Like an MCCL whose configuration differs from what the adapters assume.
int mcclCommInitRankConfig(void**, int, UniqueId, int, void*) {
  ++refused_configs;
  return kInvalidArgument;
}

int mcclCommGetAsyncError(void*, int* error) {
  *error = in_progress > 0 ? kInProgress : async_error;
  if (in_progress > 0) --in_progress;
  return 0;
}

int mcclCommDestroy(void* communicator) {
  delete static_cast<Communicator*>(communicator);
  return 0;
}

int mcclCommCount(const void* communicator, int* count) {
  *count = static_cast<const Communicator*>(communicator)->meeting->ranks();
  return 0;
}

int mcclCommUserRank(const void* communicator, int* rank) {
  *rank = static_cast<const Communicator*>(communicator)->rank;
  return 0;
}

int mcclCommMuDevice(const void* communicator, int* device) {
  *device = static_cast<const Communicator*>(communicator)->device;
  return 0;
}

int mcclAllGather(const void* send, void* receive, size_t count, int type, void* communicator,
                  void*) {
  const Communicator& own = *static_cast<const Communicator*>(communicator);
  if (type != kInt8 || depth != 0 || old_musart_device() != own.device) return kInvalidArgument;
  own.meeting->show(own.rank, send);
  own.meeting->meet();
  for (int rank = 0; rank < own.meeting->ranks(); ++rank) {
    std::memcpy(static_cast<char*>(receive) + static_cast<std::size_t>(rank) * count,
                own.meeting->part(rank), count);
  }
  own.meeting->meet();
  return in_progress > 0 ? kInProgress : 0;
}

int mcclGroupStart() {
  ++depth;
  return 0;
}

int mcclGroupEnd() {
  if (depth == 0) return kInvalidUsage;
  return --depth == 0 ? finish_group() : 0;
}

int mcclSend(const void* memory, size_t count, int type, int peer, void* communicator, void*) {
  if (type != kInt8 || depth == 0) return kInvalidArgument;
  collected.push_back({true, static_cast<const Communicator*>(communicator),
                       std::string(static_cast<const char*>(memory), count), nullptr, count, peer});
  return 0;
}

int mcclRecv(void* memory, size_t count, int type, int peer, void* communicator, void*) {
  if (type != kInt8 || depth == 0) return kInvalidArgument;
  collected.push_back(
      {false, static_cast<const Communicator*>(communicator), "", memory, count, peer});
  return 0;
}

}  // extern "C"
