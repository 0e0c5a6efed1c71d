// What CUDA does and programs count on, of mappings/musa/quirks.yaml: `stand_in: true`.
#include <atomic>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "src/command/verify/probes/blas_handle.h"
#include "src/command/verify/probes/child.h"
#include "src/command/verify/probes/copying_graph.h"
#include "src/command/verify/probes/memory.h"
#include "src/command/verify/probes/probes.h"
#include "src/command/verify/probes/quirk.h"

namespace torchada::verify {
namespace {

using Bytes = std::vector<unsigned char>;

std::string status_text(std::int64_t status) { return "status " + std::to_string(status); }

int count_of_devices(Probing& p) {
  OutBuffer count;
  p.good("musaGetDeviceCount", {{"count", &count}});
  return static_cast<int>(count.integer());
}

void use_device(Probing& p, int device) { p.good("musaSetDevice", {{"device", device}}); }

// ---- muBLAS

// The bytes of 2, 3 and 6 in one type, and how it multiplies.
struct Type {
  const char* name;
  const char* compute;
  Bytes two, three, six;
};

template <typename T>
Bytes bytes_of(T value) {
  Bytes out(sizeof value);
  __builtin_memcpy(out.data(), &value, sizeof value);
  return out;
}

template <typename T>
Type make_type(const char* name, const char* compute, T two, T three, T six) {
  return {name, compute, bytes_of(two), bytes_of(three), bytes_of(six)};
}

// The product of two matrices of one element.
std::int64_t multiply(Probing& p, Blas& blas, const Type& type, int algorithm, Bytes* product) {
  const int data = p.value("musaDataType_t", type.name);
  const Bytes zero(type.six.size(), 0);
  auto* place = blas.device.upload(zero);
  const bool is_double = std::string(type.compute) == "MUBLAS_COMPUTE_64F";
  const float single[] = {1, 0};
  const double twice[] = {1, 0};
  const void* alpha = is_double ? static_cast<const void*>(&twice[0]) : &single[0];
  const void* beta = is_double ? static_cast<const void*>(&twice[1]) : &single[1];
  const std::int64_t status =
      p.call("mublasGemmEx", {{"handle", blas.handle()},
                              {"transa", blas.op("N")},
                              {"transb", blas.op("N")},
                              {"m", 1},
                              {"n", 1},
                              {"k", 1},
                              {"alpha", alpha},
                              {"A", blas.device.upload(type.two)},
                              {"Atype", data},
                              {"lda", 1},
                              {"B", blas.device.upload(type.three)},
                              {"Btype", data},
                              {"ldb", 1},
                              {"beta", beta},
                              {"C", place},
                              {"Ctype", data},
                              {"ldc", 1},
                              {"computeType", p.value("mublasComputeType_t", type.compute)},
                              {"algo", algorithm}})
          .number;
  *product = blas.device.download<unsigned char>(place, zero.size());
  return status;
}

void probe_algorithms(Probing& p) {
  constexpr std::uint16_t kHalf[] = {0x4000, 0x4200, 0x4600};
  constexpr std::uint16_t kBrain[] = {0x4000, 0x4040, 0x40C0};
  const Type types[] = {
      make_type("MUSA_R_32F", "MUBLAS_COMPUTE_32F", 2.0F, 3.0F, 6.0F),
      make_type("MUSA_R_64F", "MUBLAS_COMPUTE_64F", 2.0, 3.0, 6.0),
      make_type("MUSA_R_16F", "MUBLAS_COMPUTE_32F", kHalf[0], kHalf[1], kHalf[2]),
      make_type("MUSA_R_16BF", "MUBLAS_COMPUTE_32F", kBrain[0], kBrain[1], kBrain[2])};
  bool holds = true;
  std::string found;
  for (const Type& type : types) {
    Blas blas(p);
    Bytes product;
    const int usual = p.value("mublasGemmAlgo_t", "MUBLAS_GEMM_DEFAULT");
    const std::int64_t status = multiply(p, blas, type, usual, &product);
    found += std::string(found.empty() ? "" : ", ") + type.name + ": ";
    if (status != 0) {
      found += "not with the default, " + status_text(status);
      continue;
    }
    for (const int algorithm : {0, 1}) {
      const std::int64_t told = multiply(p, blas, type, algorithm, &product);
      const bool is_right = told == 0 && product == type.six;
      holds = holds && is_right;
      found += std::to_string(algorithm) + " ";
      found += is_right ? "works" : told == 0 ? "multiplies wrongly" : status_text(told);
      found += algorithm == 0 ? ", " : "";
    }
  }
  decide_quirk(p, "tensor_op_algorithm_takes_every_type", holds, found);
}

// Large and not transposed, as where it was seen.
void probe_pending(Probing& p) {
  constexpr int kSize = 1024;
  Blas blas(p);
  const auto place = [&] { return blas.device.allocate(sizeof(float) * kSize * kSize); };
  const float one = 1;
  const float zero = 0;
  p.call("musaGetLastError", {});
  p.good("mublasSgemm",
         {{"handle", blas.handle()},
          {"transa", blas.op("N")},
          {"transb", blas.op("N")},
          {"m", kSize},
          {"n", kSize},
          {"k", kSize},
          {"alpha", &one},
          {"A", place()},
          {"lda", kSize},
          {"B", place()},
          {"ldb", kSize},
          {"beta", &zero},
          {"C", place()},
          {"ldc", kSize}},
         true);
  const std::int64_t status = p.call("musaGetLastError", {}).number;
  decide_quirk(p, "success_leaves_no_error", status == 0, status_text(status));
}

// ---- graphs, attributes

void probe_destroyed_graph(Probing& p) {
  CopyingGraph graph(p);
  graph.destroy_graph();
  const std::int64_t status = graph.launch();
  const bool is_done = status == 0 && graph.has_copied();
  decide_quirk(p, "executable_outlives_its_graph", is_done,
               status != 0 ? status_text(status)
               : is_done   ? "it ran"
                           : "it copied nothing");
}

void probe_later_attributes(Probing& p) {
  constexpr int kFirst = 125;
  constexpr int kLast = 160;
  bool holds = true;
  std::string found;
  for (int number = kFirst; number <= kLast; ++number) {
    OutBuffer value;
    const std::int64_t status =
        p.call("musaDeviceGetAttribute", {{"value", &value}, {"attr", number}, {"device", 0}})
            .number;
    if (status != 0) continue;
    holds = false;
    found += (found.empty() ? "" : ", ") + std::to_string(number) + " is " +
             std::to_string(value.integer());
  }
  if (found.empty()) {
    found = "all refused; then musaGetLastError returns " +
            std::to_string(p.call("musaGetLastError", {}).number);
  }
  decide_quirk(p, "later_attributes_are_refused", holds, found);
}

// Ends well before the probe's own time, whatever MUSA does.
constexpr int kSeconds = 5;

// A graph is captured and instantiated so often that a model of many layers has no more; it stops
// at the first failure. The process and its context end with the probe.
void probe_many_executables(Probing& p) {
  constexpr const char* kName = "many_executables_live";
  constexpr int kMost = 4096;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(kSeconds);
  CopyingGraph graph(p);
  std::vector<void*> executables;
  std::int64_t status = 0;
  while (status == 0 && executables.size() < kMost) {
    if (std::chrono::steady_clock::now() >= end) break;
    OutBuffer executable;
    status = p.call("musaGraphInstantiateWithFlags",
                    {{"pGraphExec", &executable}, {"graph", graph.handle()}, {"flags", 0}})
                 .number;
    if (status == 0) executables.push_back(executable.pointer());
  }
  const std::string made = std::to_string(executables.size()) + " executables";
  // All of them, the first one too, still work.
  const bool runs = status == 0 && graph.launch() == 0 && graph.has_copied();
  for (void* const executable : executables) {
    if (!runs || p.call("musaGraphExecDestroy", {{"graphExec", executable}}).number != 0) break;
  }
  if (status == 0 && runs && executables.size() < kMost) {
    leave_quirk(p, kName, made + " in " + std::to_string(kSeconds) + " seconds, none failed");
    return;
  }
  decide_quirk(p, kName, runs,
               made + (status != 0 ? ", then " + status_text(status)
                       : runs      ? ""
                                   : ", but the first no longer runs"));
}

// A call that waits for work that is only captured may wait for ever.
void probe_waiting_in_capture(Probing& p) {
  const Watched watched(p, kSeconds, [](Probing& own, const Watched::Say& say) {
    OutBuffer stream;
    own.good("musaStreamCreate", {{"pStream", &stream}});
    OutBuffer available;
    OutBuffer total;
    const std::vector<std::pair<std::string, Arguments>> calls = {
        {"musaMemGetInfo", {{"free", &available}, {"total", &total}}},
        {"musaStreamSynchronize", {{"stream", stream.pointer()}}},
        {"musaDeviceSynchronize", {}}};
    std::string before;
    for (const auto& [function, arguments] : calls) {
      own.good("musaStreamBeginCapture",
               {{"stream", stream.pointer()},
                {"mode", own.value("musaStreamCaptureMode", "musaStreamCaptureModeThreadLocal")}});
      say(before + function + " ");
      say(status_text(own.call(function, arguments).number));
      OutBuffer graph;
      own.call("musaStreamEndCapture", {{"stream", stream.pointer()}, {"pGraph", &graph}});
      before = ", ";
    }
  });
  const bool is_right = watched.ended && watched.status == 0;
  std::string found = watched.said;
  if (!watched.ended) found += "does not return in " + std::to_string(kSeconds) + " seconds";
  if (watched.ended && !is_right) found += "; the process ended";
  decide_quirk(p, "waiting_in_capture_returns", is_right, found);
}

// ---- two devices

void probe_ipc_device(Probing& p) {
  constexpr const char* kName = "memory_of_another_process_opens_on_any_device";
  const Fact* size = p.facts().size("musaIpcMemHandle_t");
  if (!size || !size->size) throw Stop("the size of musaIpcMemHandle_t is not known");
  const Bytes bytes(1 << 20, 7);
  const Child child(p, [&](Probing& own) {
    Device device(own);
    OutBuffer handle;
    own.good("musaIpcGetMemHandle", {{"handle", &handle}, {"devPtr", device.upload(bytes)}});
    device.synchronize();
    return Bytes(handle.bytes(), handle.bytes() + *size->size);
  });
  if (count_of_devices(p) < 2) {
    leave_quirk(p, kName, "this machine has one device");
    return;
  }
  if (child.message.size() != static_cast<std::size_t>(*size->size)) {
    throw Stop("another process got no handle");
  }
  use_device(p, 1);
  Device device(p);
  OutBuffer address;
  const std::int64_t status =
      p.call("musaIpcOpenMemHandle",
             {{"devPtr", &address}, {"handle", child.message}, {"flags", 1}})
          .number;
  const bool is_right =
      status == 0 && device.download<unsigned char>(address.pointer(), bytes.size()) == bytes;
  decide_quirk(p, kName, is_right,
               status != 0 ? status_text(status)
               : is_right  ? "opened"
                           : "different bytes");
}

void probe_peer_copy(Probing& p) {
  constexpr const char* kName = "peer_copy_needs_no_peer_access";
  if (count_of_devices(p) < 2) {
    leave_quirk(p, kName, "this machine has one device");
    return;
  }
  Device device(p);
  const Bytes bytes(100000, 3);
  use_device(p, 1);
  void* const to = device.upload(Bytes(bytes.size(), 0));
  void* const again = device.upload(Bytes(bytes.size(), 0));
  use_device(p, 0);
  void* const from = device.upload(bytes);
  OutBuffer stream;
  p.good("musaStreamCreate", {{"pStream", &stream}});
  const std::int64_t plain = p.call("musaMemcpyPeer", {{"dst", to},
                                                       {"dstDevice", 1},
                                                       {"src", from},
                                                       {"srcDevice", 0},
                                                       {"count", bytes.size()}})
                                 .number;
  const std::int64_t queued = p.call("musaMemcpyPeerAsync", {{"dst", again},
                                                             {"dstDevice", 1},
                                                             {"src", from},
                                                             {"srcDevice", 0},
                                                             {"count", bytes.size()},
                                                             {"stream", stream.pointer()}})
                                  .number;
  p.good("musaStreamSynchronize", {{"stream", stream.pointer()}});
  use_device(p, 1);
  const bool is_right = plain == 0 && queued == 0 &&
                        device.download<unsigned char>(to, bytes.size()) == bytes &&
                        device.download<unsigned char>(again, bytes.size()) == bytes;
  decide_quirk(p, kName, is_right,
               is_right ? "copied" : status_text(plain) + " and " + status_text(queued));
}

// ---- default streams

std::atomic<bool> released;

// Holds a stream until the probe lets it go. Ends by itself, in case a call waits for the stream.
extern "C" void hold_stream(void*) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  while (!released && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

class Streams {
 public:
  explicit Streams(Probing& probing) : p_(probing) {
    not_ready_ = p_.value("musaError_t", "musaErrorNotReady");
    OutBuffer stream;
    p_.good("musaStreamCreate", {{"pStream", &stream}});
    other_ = stream.pointer();
    Device device(p_);
    place_ = device.allocate(64);
  }
  void* other() const { return other_; }
  static const void* handle(std::uintptr_t number) { return reinterpret_cast<const void*>(number); }

  void hold(const void* stream) {
    released = false;
    p_.good("musaLaunchHostFunc", {{"stream", stream},
                                   {"fn", reinterpret_cast<const void*>(hold_stream)},
                                   {"userData", nullptr}});
  }
  void work(const void* stream) {
    p_.good("musaMemsetAsync",
            {{"devPtr", place_}, {"value", 1}, {"count", 64}, {"stream", stream}});
  }
  std::int64_t query(const void* stream) {
    return p_.call("musaStreamQuery", {{"stream", stream}}).number;
  }
  bool is_busy(const void* stream) { return query(stream) == not_ready_; }
  // Whether the stream has nothing to do within a second.
  bool becomes_idle(const void* stream) {
    for (int i = 0; i < 100; ++i) {
      if (query(stream) == 0) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  void release() {
    released = true;
    p_.good("musaDeviceSynchronize", {});
  }

 private:
  Probing& p_;
  int not_ready_ = 0;
  void* other_ = nullptr;
  void* place_ = nullptr;
};

void probe_default_streams(Probing& p) {
  Streams streams(p);
  const void* const legacy = Streams::handle(1);
  const void* const own = Streams::handle(2);
  p.attempt([&] {
    streams.hold(nullptr);
    const std::int64_t status = streams.query(legacy);
    const bool is_busy = streams.is_busy(legacy);
    streams.release();
    decide_quirk(p, "handle_1_is_the_legacy_stream", is_busy && streams.query(legacy) == 0,
                 "while the default stream works, musaStreamQuery returns " +
                     std::to_string(status) + " for handle 1");
  });
  p.attempt([&] {
    streams.hold(streams.other());
    streams.work(own);
    const bool is_free = streams.becomes_idle(own);
    streams.release();
    streams.hold(own);
    const bool is_busy = streams.is_busy(own);
    std::int64_t elsewhere = -1;
    std::thread([&] { elsewhere = streams.query(own); }).join();
    streams.release();
    decide_quirk(p, "handle_2_is_the_threads_own_stream", is_free && is_busy && elsewhere == 0,
                 std::string(is_free ? "waits for no other stream" : "waits for another stream") +
                     ", " + (is_busy ? "busy" : "idle") + " while it works, " +
                     status_text(elsewhere) + " in another thread");
  });
  p.attempt([&] {
    streams.hold(streams.other());
    streams.work(nullptr);
    const bool waits = !streams.becomes_idle(nullptr);
    streams.release();
    streams.hold(nullptr);
    streams.work(streams.other());
    const bool is_waited_for = !streams.becomes_idle(streams.other());
    streams.release();
    decide_quirk(p, "legacy_stream_waits_for_other_streams", waits && is_waited_for,
                 std::string(waits ? "it waits" : "it does not wait") + ", " +
                     (is_waited_for ? "and is waited for" : "and is not waited for"));
  });
}

// ---- copies, identity

void probe_narrow_rows(Probing& p) {
  constexpr std::size_t kWidth = 8;
  constexpr std::size_t kPitch = 512;
  constexpr std::size_t kRows = 128;
  constexpr int kTimes = 64;
  Device device(p);
  Bytes source(kPitch * kRows);
  for (std::size_t i = 0; i < source.size(); ++i) {
    source[i] = static_cast<unsigned char>(i / kPitch + i % kPitch);
  }
  Bytes expected;
  for (std::size_t row = 0; row < kRows; ++row) {
    const auto start = source.begin() + static_cast<std::ptrdiff_t>(row * kPitch);
    expected.insert(expected.end(), start, start + kWidth);
  }
  unsigned char* from = device.upload(source);
  const int kind = p.value("musaMemcpyKind", "musaMemcpyDeviceToHost");
  int right = 0;
  std::int64_t last = 0;
  for (int i = 0; i < kTimes; ++i) {
    Bytes found(expected.size(), 0);
    const std::int64_t status = p.call("musaMemcpy2D", {{"dst", found.data()},
                                                        {"dpitch", kWidth},
                                                        {"src", from},
                                                        {"spitch", kPitch},
                                                        {"width", kWidth},
                                                        {"height", kRows},
                                                        {"kind", kind}})
                                    .number;
    right += status == 0 && found == expected ? 1 : 0;
    if (status != 0) last = status;
  }
  decide_quirk(p, "narrow_rows_are_copied", right == kTimes,
               std::to_string(right) + " of " + std::to_string(kTimes) + " copies were right, " +
                   status_text(last));
}

// The report shows whether there are identities, never which.
void probe_identity(Probing& p) {
  constexpr std::size_t kBytes = 16;
  p.good("muInit", {{"Flags", 0}});
  OutBuffer own;
  p.good("muDeviceGetUuid_v2", {{"uuid", &own}, {"dev", 0}});
  const Bytes uuid(own.bytes(), own.bytes() + kBytes);
  OutBuffer properties;
  p.good(properties_function(p), {{"prop", &properties}, {"device", 0}});
  const unsigned char* const start = properties.bytes();
  const unsigned char* const end = start + OutBuffer::kSize;
  const auto place = std::search(start, end, uuid.begin(), uuid.end());
  const bool is_zero = std::count(uuid.begin(), uuid.end(), 0) == kBytes;
  const Fact* field = p.facts().field("musaDeviceProp", "uuid");
  const bool is_there = place != end && (!field || place - start == field->offset);
  std::string found = is_zero ? "a uuid of zeros" : "a uuid";
  found += place == end ? ", which the struct does not have"
                        : " at byte " + std::to_string(place - start);
  if (const Fact* luid = p.facts().field("musaDeviceProp", "luid")) {
    const unsigned char* const id = start + luid->offset;
    found += std::count(id, id + 8, 0) == 8 ? "; luid of zeros" : "; a luid";
  }
  decide_quirk(p, "devices_have_a_uuid", !is_zero && is_there, found);
}

// The digits of an identifier that libmtml tells.
std::string digits_by_mtml(Probing& p, const void* library, int number) {
  OutBuffer device;
  p.good("mtmlLibraryInitDeviceByIndex", {{"lib", library}, {"index", number}, {"dev", &device}});
  OutBuffer uuid;
  constexpr int kRoom = 100;
  p.good("mtmlDeviceGetUUID", {{"dev", device.pointer()}, {"uuid", &uuid}, {"length", kRoom}});
  std::string out;
  for (const char c : std::string(reinterpret_cast<const char*>(uuid.bytes()))) {
    if (c != '-') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

std::string digits_by_musa(Probing& p, int number) {
  OutBuffer uuid;
  p.good("muDeviceGetUuid_v2", {{"uuid", &uuid}, {"dev", number}});
  std::string out;
  for (int i = 0; i < 16; ++i) {
    for (const int digit : {uuid.bytes()[i] >> 4, uuid.bytes()[i] & 15}) {
      out += "0123456789abcdef"[digit];
    }
  }
  return out;
}

// torchada asks libmtml for the number of a device that CUDA_VISIBLE_DEVICES names.
void probe_device_numbers(Probing& p) {
  constexpr const char* kName = "mtml_numbers_devices_as_musa";
  if (std::getenv("MUSA_VISIBLE_DEVICES") != nullptr) {
    leave_quirk(p, kName, "MUSA_VISIBLE_DEVICES is set");
    return;
  }
  p.good("muInit", {{"Flags", 0}});
  OutBuffer library;
  p.good("mtmlLibraryInit", {{"lib", &library}});
  const int devices = count_of_devices(p);
  if (devices < 2) {
    leave_quirk(p, kName, "this machine has one device");
    return;
  }
  int same = 0;
  for (int i = 0; i < devices; ++i) {
    same += digits_by_mtml(p, library.pointer(), i) == digits_by_musa(p, i) ? 1 : 0;
  }
  decide_quirk(p, kName, same == devices,
               std::to_string(same) + " of " + std::to_string(devices) + " devices have one uuid");
}

}  // namespace

std::vector<Probe> behaviour_probes() {
  return {{"behaviour.algorithms", probe_algorithms},
          {"behaviour.pending_error", probe_pending},
          {"behaviour.destroyed_graph", probe_destroyed_graph},
          {"behaviour.later_attributes", probe_later_attributes},
          {"behaviour.many_executables", probe_many_executables},
          {"behaviour.waiting_in_capture", probe_waiting_in_capture},
          {"behaviour.ipc_device", probe_ipc_device},
          {"behaviour.peer_copy", probe_peer_copy},
          {"behaviour.default_streams", probe_default_streams},
          {"behaviour.narrow_rows", probe_narrow_rows},
          {"behaviour.identity", probe_identity},
          {"behaviour.device_numbers", probe_device_numbers}};
}

}  // namespace torchada::verify
