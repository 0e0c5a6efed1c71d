// Memory of libmusart.
#include <cstring>

#include "src/command/verify/probes/memory.h"
#include "src/command/verify/probes/probes.h"

namespace torchada::verify {
namespace {

constexpr std::size_t kBytes = 4096;

std::vector<unsigned char> pattern(std::size_t size) {
  std::vector<unsigned char> out(size);
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<unsigned char>(i * 37 + i / 256);
  return out;
}

void probe_round_trip(Probing& p) {
  Device device(p);
  const std::vector<unsigned char> bytes = pattern(kBytes);
  unsigned char* a = device.upload(bytes);
  auto* b = static_cast<unsigned char*>(device.allocate(kBytes));
  device.copy(b, a, kBytes, "musaMemcpyDeviceToDevice");
  const std::vector<unsigned char> back = device.download<unsigned char>(b, kBytes);
  p.expect(back == bytes, {"musaMalloc", "musaMemcpy", "musaDeviceSynchronize"},
           "the bytes that were copied in", "different values");
  // The arguments make sure that exchanging value and count would show.
  p.good("musaMemset", {{"devPtr", a}, {"value", 0x5A07}, {"count", kBytes / 2}});
  const std::vector<unsigned char> set = device.download<unsigned char>(a, kBytes);
  const bool holds = std::count(set.begin(), set.begin() + kBytes / 2, 0x07) == kBytes / 2 &&
                     std::equal(set.begin() + kBytes / 2, set.end(), bytes.begin() + kBytes / 2);
  p.expect(holds, {"musaMemset"}, "the first half holds 7, the second half is unchanged",
           "different values");
  p.good("musaFree", {{"devPtr", a}});
  p.good("musaFree", {{"devPtr", b}});
  p.expect(true, {"musaFree"}, "", "memory was freed");
}

// Whether a kind of copy works as named, and the wrong kind is refused. A MUSA that ignores the
// direction tells nothing about the number.
void probe_kind(Probing& p, const std::string& kind, bool from_device, bool to_device,
                const std::string& wrong) {
  // Other copies in this probe use the kind that needs no direction.
  constexpr char kAny[] = "musaMemcpyDefault";
  Device device(p);
  const std::vector<unsigned char> bytes = pattern(kBytes);
  std::vector<unsigned char> host = bytes;
  std::vector<unsigned char> target(kBytes);
  void* source = host.data();
  void* goal = target.data();
  if (from_device) {
    source = device.allocate(kBytes);
    device.copy(source, bytes.data(), kBytes, kAny);
  }
  if (to_device) goal = device.allocate(kBytes);
  const auto copied = [&](const std::string& name) {
    return p
        .call("musaMemcpy", {{"dst", goal},
                             {"src", source},
                             {"count", kBytes},
                             {"kind", p.value("musaMemcpyKind", name)}})
        .number;
  };
  const std::int64_t refused = wrong.empty() ? 1 : copied(wrong);
  const std::int64_t status = copied(kind);
  if (to_device) device.copy(target.data(), goal, kBytes, kAny);
  p.forget();
  const bool holds = status == 0 && target == bytes;
  if (holds && refused == 0) {
    p.leave(p.facts().value("musaMemcpyKind", kind)->id,
            "this MUSA also copies with " + wrong + ": it ignores the direction");
    return;
  }
  p.expect_value(holds, "musaMemcpyKind", kind, "copies in this direction",
                 "status " + std::to_string(status));
}

void probe_kinds(Probing& p) {
  p.attempt([&] { probe_kind(p, "musaMemcpyHostToHost", false, false, "musaMemcpyHostToDevice"); });
  p.attempt(
      [&] { probe_kind(p, "musaMemcpyHostToDevice", false, true, "musaMemcpyDeviceToHost"); });
  p.attempt(
      [&] { probe_kind(p, "musaMemcpyDeviceToHost", true, false, "musaMemcpyHostToDevice"); });
  p.attempt([&] { probe_kind(p, "musaMemcpyDeviceToDevice", true, true, "musaMemcpyHostToHost"); });
  p.attempt([&] { probe_kind(p, "musaMemcpyDefault", false, true, ""); });
}

void probe_2d(Probing& p) {
  Device device(p);
  constexpr std::size_t kWidth = 48;
  constexpr std::size_t kHeight = 5;
  OutBuffer pointer;
  OutBuffer pitch;
  p.good("musaMallocPitch",
         {{"devPtr", &pointer}, {"pitch", &pitch}, {"width", kWidth}, {"height", kHeight}});
  const auto row = static_cast<std::size_t>(pitch.integer());
  p.expect(row >= kWidth && row < kBytes, {"musaMallocPitch"}, "a pitch of at least the width",
           std::to_string(row));
  auto* place = static_cast<unsigned char*>(pointer.pointer());
  const std::vector<unsigned char> bytes = pattern(kWidth * kHeight);
  const auto back = [&] {
    std::vector<unsigned char> out(kWidth * kHeight);
    device.synchronize();
    p.good("musaMemcpy2D", {{"dst", out.data()},
                            {"dpitch", kWidth},
                            {"src", place},
                            {"spitch", row},
                            {"width", kWidth},
                            {"height", kHeight},
                            {"kind", p.value("musaMemcpyKind", "musaMemcpyDeviceToHost")}});
    return out;
  };
  const Arguments upload = {{"dst", place},
                            {"dpitch", row},
                            {"src", bytes.data()},
                            {"spitch", kWidth},
                            {"width", kWidth},
                            {"height", kHeight},
                            {"kind", p.value("musaMemcpyKind", "musaMemcpyHostToDevice")}};
  p.good("musaMemcpy2D", upload);
  p.expect(back() == bytes, {"musaMemcpy2D"}, "the rows that were copied in", "different values");
  // Three rows of 20 bytes.
  Arguments fill = {
      {"devPtr", place}, {"pitch", row}, {"value", 0x1109}, {"width", 20}, {"height", 3}};
  const auto is_filled = [&](const std::vector<unsigned char>& now, unsigned char value) {
    for (std::size_t i = 0; i < now.size(); ++i) {
      const bool inside = i % kWidth < 20 && i / kWidth < 3;
      if (now[i] != (inside ? value : bytes[i])) return false;
    }
    return true;
  };
  p.attempt([&] {
    p.good("musaMemset2D", fill);
    p.expect(is_filled(back(), 9), {"musaMemset2D"}, "3 rows of 20 bytes filled",
             "different values");
  });
  p.attempt([&] {
    Arguments again = fill;
    again[2].second = Value(0x22);
    again.emplace_back("stream", nullptr);
    p.good("musaMemset2DAsync", again);
    p.expect(is_filled(back(), 0x22), {"musaMemset2DAsync"}, "3 rows of 20 bytes filled",
             "different values");
  });
  p.attempt([&] {
    Arguments again = upload;
    again.emplace_back("stream", nullptr);
    p.good("musaMemcpy2DAsync", again);
    p.expect(back() == bytes, {"musaMemcpy2DAsync"}, "the rows that were copied in",
             "different values");
  });
}

void probe_info(Probing& p) {
  OutBuffer available;
  OutBuffer total;
  p.good("musaMemGetInfo", {{"free", &available}, {"total", &total}});
  const auto free_bytes = static_cast<std::uint64_t>(available.integer());
  const auto total_bytes = static_cast<std::uint64_t>(total.integer());
  p.expect(free_bytes <= total_bytes && total_bytes >= (1U << 20), {"musaMemGetInfo"},
           "free of total bytes",
           std::to_string(free_bytes) + " of " + std::to_string(total_bytes));
}

int memory_type(Probing& p, const void* pointer, OutBuffer* attributes) {
  p.good("musaPointerGetAttributes", {{"attributes", attributes}, {"ptr", pointer}});
  const Fact* type = p.facts().field("musaPointerAttributes", "type");
  if (!type) throw Stop("the layout of musaPointerAttributes is not known");
  return attributes->get<std::int32_t>(static_cast<std::size_t>(type->offset));
}

void probe_pointer(Probing& p, const void* pointer, const std::string& type,
                   const std::string& own_field) {
  OutBuffer attributes;
  const int found = memory_type(p, pointer, &attributes);
  p.expect_size("musaPointerAttributes", attributes, true);
  const Fact* value = p.facts().value("musaMemoryType", type);
  p.expect_value(value && found == value->value, "musaMemoryType", type,
                 value ? std::string(value->claim) : "", std::to_string(found));
  if (value && found == value->value) {
    p.confirm(p.facts().field("musaPointerAttributes", "type")->id, "holds the type");
  }
  const Fact* device = p.facts().field("musaPointerAttributes", "device");
  const auto number = attributes.get<std::int32_t>(static_cast<std::size_t>(device->offset));
  p.decide(device->id, number == 0, "device 0", std::to_string(number));
  if (const Fact* field = p.facts().field("musaPointerAttributes", own_field)) {
    const void* address = attributes.get<void*>(static_cast<std::size_t>(field->offset));
    p.decide(field->id, address == pointer, "the queried address", "a different address");
  }
  p.expect(true, {"musaPointerGetAttributes"}, "", "returned attributes");
}

void probe_host_memory(Probing& p) {
  Device device(p);
  p.attempt(
      [&] { probe_pointer(p, device.allocate(kBytes), "musaMemoryTypeDevice", "devicePointer"); });
  p.attempt([&] {
    OutBuffer buffer;
    p.good("musaMallocHost", {{"ptr", &buffer}, {"size", kBytes}});
    std::memset(buffer.pointer(), 1, kBytes);
    p.expect(true, {"musaMallocHost"}, "", "host memory that can be written");
    p.attempt([&] { probe_pointer(p, buffer.pointer(), "musaMemoryTypeHost", "hostPointer"); });
    p.good("musaFreeHost", {{"ptr", buffer.pointer()}});
    p.expect(true, {"musaFreeHost"}, "", "freed");
  });
  p.attempt([&] {
    OutBuffer buffer;
    constexpr int kMapped = 2;  // cudaHostAllocMapped; with UVA the device sees it either way.
    p.good("musaHostAlloc", {{"pHost", &buffer}, {"size", kBytes}, {"flags", kMapped}});
    std::memset(buffer.pointer(), 0x31, kBytes);
    p.expect(true, {"musaHostAlloc"}, "", "host memory that can be written");
    p.attempt([&] {
      OutBuffer seen;
      p.good("musaHostGetDevicePointer",
             {{"pDevice", &seen}, {"pHost", buffer.pointer()}, {"flags", 0}});
      std::vector<unsigned char> back(kBytes);
      device.copy(back.data(), seen.pointer(), kBytes, "musaMemcpyDefault");
      p.expect(std::count(back.begin(), back.end(), 0x31) == kBytes, {"musaHostGetDevicePointer"},
               "an address with the same bytes", "different values");
    });
    p.attempt([&] {
      OutBuffer flags;
      p.good("musaHostGetFlags", {{"pFlags", &flags}, {"pHost", buffer.pointer()}});
      p.expect((flags.integer() & kMapped) != 0, {"musaHostGetFlags"}, "the flag of its creation",
               std::to_string(flags.integer()));
    });
  });
  p.attempt([&] {
    static std::vector<unsigned char> own(4 * kBytes);
    unsigned char* page =
        own.data() + (kBytes - reinterpret_cast<std::uintptr_t>(own.data()) % kBytes);
    p.good("musaHostRegister", {{"ptr", page}, {"size", kBytes}, {"flags", 0}});
    p.good("musaHostUnregister", {{"ptr", page}});
    const std::int64_t again = p.call("musaHostUnregister", {{"ptr", page}}).number;
    p.expect(again != 0, {"musaHostRegister", "musaHostUnregister"},
             "unregistering twice is an error", "no error");
    const Fact* code = p.facts().value("musaError_t", "musaErrorHostMemoryNotRegistered");
    if (code && again == code->value) p.confirm(code->id, "was returned");
  });
  p.attempt([&] {
    OutBuffer buffer;
    constexpr int kAttachGlobal = 1;
    p.good("musaMallocManaged", {{"devPtr", &buffer}, {"size", kBytes}, {"flags", kAttachGlobal}});
    std::memset(buffer.pointer(), 0x42, kBytes);
    const auto back = device.download<unsigned char>(buffer.pointer(), kBytes);
    p.expect(std::count(back.begin(), back.end(), 0x42) == kBytes, {"musaMallocManaged"},
             "host and device see the same bytes", "different values");
    p.attempt(
        [&] { probe_pointer(p, buffer.pointer(), "musaMemoryTypeManaged", "devicePointer"); });
    p.attempt([&] {
      OutBuffer concurrent;
      p.good("musaDeviceGetAttribute",
             {{"value", &concurrent},
              {"attr", p.value("musaDeviceAttr", "musaDevAttrConcurrentManagedAccess")},
              {"device", 0}});
      if (concurrent.integer() == 0) throw Stop("this device prefetches no managed memory");
      p.forget();
      // A stream in place of the device, or the reverse, would be refused.
      constexpr int kHost = -1;
      for (const int place : {0, kHost}) {
        p.good("musaMemPrefetchAsync", {{"devPtr", buffer.pointer()},
                                        {"count", kBytes},
                                        {"dstDevice", place},
                                        {"stream", nullptr}});
      }
      device.synchronize();
      const std::int64_t status = p.call("musaMemPrefetchAsync", {{"devPtr", buffer.pointer()},
                                                                  {"count", kBytes},
                                                                  {"dstDevice", 4711},
                                                                  {"stream", nullptr}})
                                      .number;
      p.expect(status != 0, {"musaMemPrefetchAsync"}, "a device that does not exist is refused",
               "it is accepted");
    });
  });
}

void probe_peer_copy(Probing& p) {
  Device device(p);
  const std::vector<unsigned char> bytes = pattern(kBytes);
  unsigned char* a = device.upload(bytes);
  auto* b = static_cast<unsigned char*>(device.allocate(kBytes));
  const Arguments copy = {
      {"dst", b}, {"dstDevice", 0}, {"src", a}, {"srcDevice", 0}, {"count", kBytes}};
  p.attempt([&] {
    p.good("musaMemcpyPeer", copy);
    p.expect(device.download<unsigned char>(b, kBytes) == bytes, {"musaMemcpyPeer"},
             "the bytes that were copied in", "different values");
  });
  p.attempt([&] {
    p.good("musaMemset", {{"devPtr", b}, {"value", 0}, {"count", kBytes}});
    Arguments again = copy;
    again.emplace_back("stream", nullptr);
    p.good("musaMemcpyPeerAsync", again);
    p.expect(device.download<unsigned char>(b, kBytes) == bytes, {"musaMemcpyPeerAsync"},
             "the bytes that were copied in", "different values");
  });
}

void probe_pools(Probing& p) {
  Device device(p);
  OutBuffer stream;
  p.good("musaStreamCreate", {{"pStream", &stream}});
  OutBuffer memory;
  p.good("musaMallocAsync", {{"devPtr", &memory}, {"size", kBytes}, {"hStream", stream.pointer()}});
  p.good("musaMemsetAsync", {{"devPtr", memory.pointer()},
                             {"value", 0x66},
                             {"count", kBytes},
                             {"stream", stream.pointer()}});
  const auto back = device.download<unsigned char>(memory.pointer(), kBytes);
  p.expect(std::count(back.begin(), back.end(), 0x66) == kBytes, {"musaMallocAsync"},
           "memory that holds what was set", "different values");
  p.good("musaFreeAsync", {{"devPtr", memory.pointer()}, {"hStream", stream.pointer()}});
  p.good("musaStreamSynchronize", {{"stream", stream.pointer()}});
  p.expect(true, {"musaFreeAsync"}, "", "freed");
  OutBuffer usual;
  OutBuffer present;
  p.good("musaDeviceGetDefaultMemPool", {{"memPool", &usual}, {"device", 0}});
  p.good("musaDeviceGetMemPool", {{"memPool", &present}, {"device", 0}});
  p.expect(usual.pointer() != nullptr && usual.pointer() == present.pointer(),
           {"musaDeviceGetDefaultMemPool", "musaDeviceGetMemPool"}, "the same pool",
           "different values");
  p.attempt([&] {
    p.good("musaDeviceSetMemPool", {{"device", 0}, {"memPool", usual.pointer()}});
    p.good("musaMemPoolTrimTo", {{"memPool", usual.pointer()}, {"minBytesToKeep", 0}});
    p.expect(true, {"musaDeviceSetMemPool", "musaMemPoolTrimTo"}, "", "set and trimmed");
  });
  p.attempt([&] {
    OutBuffer from;
    p.good("musaMallocFromPoolAsync", {{"ptr", &from},
                                       {"size", kBytes},
                                       {"memPool", usual.pointer()},
                                       {"stream", stream.pointer()}});
    p.good("musaFreeAsync", {{"devPtr", from.pointer()}, {"hStream", stream.pointer()}});
    p.expect(from.pointer() != nullptr, {"musaMallocFromPoolAsync"}, "memory", "none");
  });
}

}  // namespace

std::vector<Probe> runtime_memory_probes() {
  return {{"memory.kinds", probe_kinds},
          {"memory.round_trip", probe_round_trip},
          {"memory.2d", probe_2d},
          {"memory.info", probe_info},
          {"memory.host", probe_host_memory},
          {"memory.peer", probe_peer_copy},
          {"memory.pools", probe_pools}};
}

}  // namespace torchada::verify
