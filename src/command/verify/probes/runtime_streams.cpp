// Streams and events of libmusart.
#include <atomic>

#include "src/command/verify/probes/memory.h"
#include "src/command/verify/probes/probes.h"

namespace torchada::verify {
namespace {

constexpr std::size_t kBytes = 4096;

std::atomic<int> callbacks{0};
void* callback_data = nullptr;

void count_call(void* data) {
  callback_data = data;
  ++callbacks;
}

void count_stream_call(void* stream, int status, void* data) {
  if (stream != nullptr && status == 0) count_call(data);
}

void probe_streams(Probing& p) {
  Device device(p);
  OutBuffer buffer;
  p.good("musaStreamCreate", {{"pStream", &buffer}});
  void* stream = buffer.pointer();
  auto* place = static_cast<unsigned char*>(device.allocate(kBytes));
  p.good("musaMemsetAsync",
         {{"devPtr", place}, {"value", 0x3311}, {"count", kBytes}, {"stream", stream}});
  std::vector<unsigned char> back(kBytes);
  const Arguments copy = {{"dst", back.data()},
                          {"src", place},
                          {"count", kBytes},
                          {"kind", p.value("musaMemcpyKind", "musaMemcpyDeviceToHost")},
                          {"stream", stream}};
  p.good("musaMemcpyAsync", copy);
  p.good("musaStreamSynchronize", {{"stream", stream}});
  p.expect(std::count(back.begin(), back.end(), 0x11) == kBytes,
           {"musaStreamCreate", "musaMemsetAsync", "musaMemcpyAsync", "musaStreamSynchronize"},
           "the bytes that were set", "different values");
  p.attempt([&] {
    p.good("musaStreamQuery", {{"stream", stream}});
    p.expect(true, {"musaStreamQuery"}, "", "a stream without work is ready");
  });
  p.attempt([&] {
    callbacks = 0;
    int cookie = 0;
    p.good(
        "musaLaunchHostFunc",
        {{"stream", stream}, {"fn", reinterpret_cast<void*>(count_call)}, {"userData", &cookie}});
    p.good("musaStreamSynchronize", {{"stream", stream}});
    p.expect(callbacks == 1 && callback_data == &cookie, {"musaLaunchHostFunc"},
             "one call with the given data", std::to_string(callbacks) + " calls");
    const Fact* type = p.facts().find("type:musart/musaHostFn_t");
    if (type && callbacks == 1) p.decide(type->id, callback_data == &cookie, type->claim, "called");
  });
  p.attempt([&] {
    callbacks = 0;
    int cookie = 0;
    p.good("musaStreamAddCallback", {{"stream", stream},
                                     {"callback", reinterpret_cast<void*>(count_stream_call)},
                                     {"userData", &cookie},
                                     {"flags", 0}});
    p.good("musaStreamSynchronize", {{"stream", stream}});
    const bool holds = callbacks == 1 && callback_data == &cookie;
    p.expect(holds, {"musaStreamAddCallback"}, "one call with the stream, success and the data",
             std::to_string(callbacks) + " such calls");
    const Fact* type = p.facts().find("type:musart/musaStreamCallback_t");
    if (type && holds) p.confirm(type->id, "called");
  });
  p.attempt([&] {
    OutBuffer least;
    OutBuffer greatest;
    p.good("musaDeviceGetStreamPriorityRange",
           {{"leastPriority", &least}, {"greatestPriority", &greatest}});
    p.expect(greatest.integer() <= least.integer(), {"musaDeviceGetStreamPriorityRange"},
             "the greatest priority has the lower number", std::to_string(greatest.integer()));
    OutBuffer other;
    constexpr int kNonBlocking = 1;
    p.good("musaStreamCreateWithPriority",
           {{"pStream", &other}, {"flags", kNonBlocking}, {"priority", greatest.integer()}});
    OutBuffer priority;
    p.good("musaStreamGetPriority", {{"hStream", other.pointer()}, {"priority", &priority}});
    p.expect(priority.integer() == greatest.integer(),
             {"musaStreamCreateWithPriority", "musaStreamGetPriority"},
             "the priority of its creation", std::to_string(priority.integer()));
    OutBuffer flags;
    p.good("musaStreamGetFlags", {{"hStream", other.pointer()}, {"flags", &flags}});
    p.expect(flags.integer() == kNonBlocking, {"musaStreamGetFlags"}, "the flag of its creation",
             std::to_string(flags.integer()));
  });
  p.attempt([&] {
    OutBuffer first;
    OutBuffer second;
    p.good("musaStreamGetId", {{"hStream", stream}, {"streamId", &first}});
    OutBuffer other;
    p.good("musaStreamCreateWithFlags", {{"pStream", &other}, {"flags", 0}});
    p.good("musaStreamGetId", {{"hStream", other.pointer()}, {"streamId", &second}});
    p.expect(first.integer() != second.integer(), {"musaStreamGetId"}, "two streams have two ids",
             "the same");
    p.good("musaStreamDestroy", {{"stream", other.pointer()}});
    p.expect(true, {"musaStreamCreateWithFlags"}, "", "a stream was created");
  });
  p.attempt([&] {
    p.good("musaStreamDestroy", {{"stream", stream}});
    p.expect(true, {"musaStreamDestroy"}, "", "destroyed");
  });
}

void probe_events(Probing& p) {
  OutBuffer stream;
  p.good("musaStreamCreate", {{"pStream", &stream}});
  OutBuffer start;
  OutBuffer end;
  p.good("musaEventCreate", {{"event", &start}});
  p.good("musaEventCreateWithFlags", {{"event", &end}, {"flags", 0}});
  p.good("musaEventRecord", {{"event", start.pointer()}, {"stream", stream.pointer()}});
  p.good("musaEventRecord", {{"event", end.pointer()}, {"stream", stream.pointer()}});
  p.good("musaEventSynchronize", {{"event", end.pointer()}});
  p.good("musaEventQuery", {{"event", end.pointer()}});
  OutBuffer elapsed;
  p.good("musaEventElapsedTime",
         {{"ms", &elapsed}, {"start", start.pointer()}, {"end", end.pointer()}});
  const float ms = elapsed.get<float>();
  p.expect(ms >= 0 && ms < 10000,
           {"musaEventCreate", "musaEventCreateWithFlags", "musaEventRecord",
            "musaEventSynchronize", "musaEventQuery", "musaEventElapsedTime"},
           "some milliseconds between two events", std::to_string(ms));
  p.attempt([&] {
    p.good("musaStreamWaitEvent",
           {{"stream", stream.pointer()}, {"event", end.pointer()}, {"flags", 0}});
    p.good("musaStreamSynchronize", {{"stream", stream.pointer()}});
    p.expect(true, {"musaStreamWaitEvent"}, "", "waited");
  });
  p.attempt([&] {
    p.good("musaEventRecordWithFlags",
           {{"event", start.pointer()}, {"stream", stream.pointer()}, {"flags", 0}});
    p.good("musaEventSynchronize", {{"event", start.pointer()}});
    p.expect(true, {"musaEventRecordWithFlags"}, "", "recorded");
  });
  p.attempt([&] {
    constexpr int kDisableTiming = 2;
    OutBuffer silent;
    p.good("musaEventCreateWithFlags", {{"event", &silent}, {"flags", kDisableTiming}});
    const std::int64_t status =
        p.call("musaEventElapsedTime",
               {{"ms", &elapsed}, {"start", start.pointer()}, {"end", silent.pointer()}})
            .number;
    const Fact* code = p.facts().value("musaError_t", "musaErrorInvalidResourceHandle");
    if (code && status != 0) {
      p.decide(code->id, status == code->value, code->claim, std::to_string(status));
    }
  });
  p.attempt([&] {
    p.good("musaEventDestroy", {{"event", start.pointer()}});
    p.expect(true, {"musaEventDestroy"}, "", "destroyed");
  });
}

}  // namespace

std::vector<Probe> runtime_stream_probes() {
  return {{"streams", probe_streams}, {"events", probe_events}};
}

}  // namespace torchada::verify
