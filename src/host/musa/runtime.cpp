#include "src/host/musa/runtime.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "src/host/musa/busy_time.h"
#include "src/host/musa/device_properties.h"
#include "src/host/musa/operations.h"

namespace musa {
namespace {

constexpr std::uint64_t kLegacyStreamId = 1;

std::uint64_t next_stream_id() {
  // 1 and 2 are the handles of the two default streams.
  static std::atomic<std::uint64_t> next{3};
  return next.fetch_add(1);
}

musaDeviceProp properties_of(const DeviceIdentity& device) {
  musaDeviceProp prop = fixed_properties(device);
  prop.maxGridSize[1] = prop.maxGridSize[2] = grid_limit_yz();
  return prop;
}

}  // namespace

// cppcheck 2.10 does not see that braces initialize the members of a base class.
// cppcheck-suppress uninitDerivedMemberVar
Device::Device(const DeviceIdentity& identity, SharedAccount& shared_account)
    : DeviceState(identity, shared_account),
      properties(properties_of(identity)),
      legacy_(std::make_shared<Stream>(*this, musaStreamDefault, 0, kLegacyStreamId)) {}

void Device::forget_finished_streams() {
  std::erase_if(streams_, [](const auto& stream) { return stream->is_finished(); });
}

// The legacy stream runs after all blocking streams, and every blocking stream after the legacy
// stream.
std::vector<Milestone> Device::ordering_of(const std::shared_ptr<Stream>& stream) {
  std::vector<Milestone> after;
  if (stream == legacy_) {
    forget_finished_streams();
    for (const auto& other : streams_) {
      if (other->is_blocking() && !other->is_idle()) after.push_back(other->latest());
    }
  } else if (stream->is_blocking() && !legacy_->is_idle()) {
    after.push_back(legacy_->latest());
  }
  return after;
}

std::uint64_t Device::submit(const std::shared_ptr<Stream>& stream, std::function<void()> run) {
  const std::lock_guard lock(submit_mutex_);
  Task task{ordering_of(stream), std::move(run)};
  const std::uint64_t position = stream->push(std::move(task));
  // Another thread may have destroyed it since the caller found it.
  if (stream->is_closed() && std::ranges::find(streams_, stream) == streams_.end()) {
    streams_.push_back(stream);
  }
  return position;
}

bool Device::begin_here(const std::shared_ptr<Stream>& stream) {
  const std::lock_guard lock(submit_mutex_);
  return ordering_of(stream).empty() && stream->begin_here();
}

void Device::run_on_legacy(std::function<void()> run, std::size_t bytes, bool wait_for_completion) {
  constexpr std::size_t kShort = std::size_t{1} << 16;  // to count it would take long in comparison
  Milestone milestone;
  std::function<void()> run_here;
  {
    const std::lock_guard lock(submit_mutex_);
    Task task{ordering_of(legacy_), std::move(run)};
    if (!task.after.empty() || !legacy_->is_idle()) {
      milestone = {legacy_, legacy_->push(std::move(task))};
    } else {
      run_here = std::move(task.run);
    }
  }
  if (run_here) {
    std::optional<Busy> busy;
    if (bytes > kShort) busy.emplace(busy_time());
    run_here();
  } else if (wait_for_completion) {
    milestone.wait();
  }
}

std::vector<Milestone> Device::pending_before(const std::shared_ptr<Stream>& stream) {
  const std::lock_guard lock(submit_mutex_);
  std::vector<Milestone> pending;
  if (stream == legacy_) pending = ordering_of(stream);
  if (!stream->is_idle()) pending.push_back(stream->latest());
  return pending;
}

std::vector<Milestone> Device::pending_everywhere() {
  const std::lock_guard lock(submit_mutex_);
  forget_finished_streams();
  std::vector<Milestone> pending;
  if (!legacy_->is_idle()) pending.push_back(legacy_->latest());
  for (const auto& stream : streams_) {
    if (!stream->is_idle()) pending.push_back(stream->latest());
  }
  return pending;
}

std::shared_ptr<Stream> Device::add_stream(unsigned int stream_flags, int priority) {
  auto stream = std::make_shared<Stream>(*this, stream_flags, priority, next_stream_id());
  const std::lock_guard lock(submit_mutex_);
  streams_.push_back(stream);
  return stream;
}

void Device::remove_stream(const std::shared_ptr<Stream>& stream) {
  stream->close();
  const std::lock_guard lock(submit_mutex_);
  // A closed stream with work left stays listed until the work is done: the device and the legacy
  // stream still wait for it.
  forget_finished_streams();
}

Runtime& Runtime::make() {
  static Runtime* const runtime = new Runtime;
  made_.store(runtime, std::memory_order_release);
  return *runtime;
}

int Runtime::first_valid() {
  const std::lock_guard lock(valid_mutex_);
  return valid_devices_.empty() ? 0 : valid_devices_.front();
}

int Runtime::make_current() {
  const int ordinal = current_ordinal();
  ensure_context(ordinal);
  return ordinal;
}

void Runtime::set_valid_devices(std::vector<int> ordinals) {
  const std::lock_guard lock(valid_mutex_);
  valid_devices_ = std::move(ordinals);
}

musaError_t wait_all(Device& device, const std::vector<Milestone>& milestones) {
  if (!milestones.empty() && on_stream_thread()) return musaErrorNotPermitted;
  for (const Milestone& milestone : milestones) milestone.wait();
  return device.fault.load();
}

}  // namespace musa
