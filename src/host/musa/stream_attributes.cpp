// Attributes of streams. A CPU offers no choice of caches or ways of waiting, so the values are
// checked and kept only to be read back.
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "src/host/musa/device_properties.h"
#include "src/host/musa/operations.h"
#include "src/host/musa/stream_handles.h"
#include "src/host/shared/never_destroyed.h"

namespace musa {
namespace {

struct Attributes {
  std::weak_ptr<Stream> stream;
  musaAccessPolicyWindow window{};
  musaSynchronizationPolicy synchronization = musaSyncPolicyAuto;
};

class AttributeTable {
 public:
  static AttributeTable& get() { return host::never_destroyed<AttributeTable>(); }
  Attributes read(const Stream& stream) {
    const std::lock_guard lock(mutex_);
    const auto found = attributes_.find(key(stream));
    return found == attributes_.end() ? Attributes{} : found->second;
  }
  template <typename Change>
  void change(const std::shared_ptr<Stream>& stream, Change&& apply) {
    const std::lock_guard lock(mutex_);
    // Drop the attributes of destroyed streams.
    std::erase_if(attributes_, [](const auto& entry) { return entry.second.stream.expired(); });
    Attributes& attributes = attributes_[key(*stream)];
    attributes.stream = stream;
    apply(attributes);
  }

 private:
  // The default streams of all devices have the same id.
  static std::pair<std::uint64_t, int> key(const Stream& stream) {
    return {stream.id(), stream.device()};
  }

  std::mutex mutex_;
  std::map<std::pair<std::uint64_t, int>, Attributes> attributes_;
};

musaError_t get(const Stream& stream, musaLaunchAttributeID id, musaLaunchAttributeValue* value) {
  const Attributes attributes = AttributeTable::get().read(stream);
  musaLaunchAttributeValue read{};
  switch (static_cast<int>(id)) {
    case musaLaunchAttributeAccessPolicyWindow:
      read.accessPolicyWindow = attributes.window;
      break;
    case musaLaunchAttributeSynchronizationPolicy:
      read.syncPolicy = attributes.synchronization;
      break;
    case musaLaunchAttributePriority:
      read.priority = stream.priority();
      break;
    default:
      return musaErrorInvalidValue;
  }
  *value = read;
  return musaSuccess;
}

musaError_t set(const Device& device, const std::shared_ptr<Stream>& stream,
                musaLaunchAttributeID id, const musaLaunchAttributeValue& value) {
  switch (static_cast<int>(id)) {
    case musaLaunchAttributeAccessPolicyWindow:
      MUSA_RETURN_IF_ERROR(check_window(device.properties, value.accessPolicyWindow));
      AttributeTable::get().change(
          stream, [&](Attributes& kept) { kept.window = value.accessPolicyWindow; });
      return musaSuccess;
    case musaLaunchAttributeSynchronizationPolicy:
      if (value.syncPolicy < musaSyncPolicyAuto || value.syncPolicy > musaSyncPolicyBlockingSync) {
        return musaErrorInvalidValue;
      }
      AttributeTable::get().change(
          stream, [&](Attributes& kept) { kept.synchronization = value.syncPolicy; });
      return musaSuccess;
    default:
      // The priority is fixed when the stream is made.
      return musaErrorInvalidValue;
  }
}

}  // namespace

musaError_t stream_get_attribute(musaStream_t hStream, musaLaunchAttributeID attr,
                                 musaLaunchAttributeValue* value_out) {
  return api([&](Runtime& runtime) {
    if (value_out == nullptr) return musaErrorInvalidValue;
    const auto stream = resolve_stream(runtime, hStream);
    if (stream == nullptr) return musaErrorInvalidResourceHandle;
    return get(*stream, attr, value_out);
  });
}

musaError_t stream_set_attribute(musaStream_t hStream, musaLaunchAttributeID attr,
                                 const musaLaunchAttributeValue* value) {
  return api([&](Runtime& runtime) {
    if (value == nullptr) return musaErrorInvalidValue;
    const auto stream = resolve_stream(runtime, hStream);
    if (stream == nullptr) return musaErrorInvalidResourceHandle;
    return set(*runtime.device(stream->device()), stream, attr, *value);
  });
}

musaError_t stream_copy_attributes(musaStream_t dst, musaStream_t src) {
  return api([&](Runtime& runtime) {
    const auto to = resolve_stream(runtime, dst);
    const auto from = resolve_stream(runtime, src);
    if (to == nullptr || from == nullptr) return musaErrorInvalidResourceHandle;
    if (to->device() != from->device()) return musaErrorInvalidValue;
    const Attributes attributes = AttributeTable::get().read(*from);
    AttributeTable::get().change(to, [&](Attributes& kept) {
      kept.window = attributes.window;
      kept.synchronization = attributes.synchronization;
    });
    return musaSuccess;
  });
}

}  // namespace musa
