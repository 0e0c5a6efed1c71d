#include "src/host/musa/stream_handles.h"

#include <map>

#include "src/host/musa/graph/capture.h"
#include "src/host/shared/never_destroyed.h"

namespace musa {
namespace {

using ThreadStreams = std::map<int, std::shared_ptr<Stream>>;

// A plain pointer, because static destructors may still call this library after the thread's own
// objects are destroyed.
thread_local ThreadStreams* thread_streams = nullptr;

struct ThreadStreamsEnd {
  ~ThreadStreamsEnd() {
    // After a fork the streams' locks may be held by threads that no longer exist.
    if (thread_streams == nullptr || in_forked_child()) return;
    for (const auto& [ordinal, stream] : *thread_streams) {
      leave_capture(*stream);
      Runtime::get().device(ordinal)->remove_stream(stream);
    }
    delete std::exchange(thread_streams, nullptr);
  }
  void touch() {}
};
thread_local ThreadStreamsEnd thread_streams_end;

std::shared_ptr<Stream> thread_stream(Device& device) {
  thread_streams_end.touch();
  if (thread_streams == nullptr) thread_streams = new ThreadStreams;
  std::shared_ptr<Stream>& stream = (*thread_streams)[device.ordinal];
  if (stream == nullptr) stream = device.add_stream(musaStreamDefault, 0);
  return stream;
}

}  // namespace

StreamHandles& stream_handles() { return host::never_destroyed<StreamHandles>(); }

std::shared_ptr<Stream> resolve_stream(Runtime& runtime, musaStream_t handle) {
  if (handle == nullptr || handle == musaStreamLegacy) return runtime.current().legacy_stream();
  if (handle == musaStreamPerThread) return thread_stream(runtime.current());
  return stream_handles().find(handle);
}

}  // namespace musa
