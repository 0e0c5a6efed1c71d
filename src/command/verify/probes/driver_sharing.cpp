// Virtual memory of libmusa, and memory and events that two processes share.
#include <fcntl.h>

#include "src/command/verify/probes/child.h"
#include "src/command/verify/probes/driver.h"
#include "src/command/verify/probes/probes.h"

namespace torchada::verify {
namespace {

using Bytes = std::vector<unsigned char>;

// ---- virtual memory

class VirtualMemory {
 public:
  VirtualMemory(Probing& p, const char* handle_type)
      : p_(p), handle_type_(p.value("MUmemAllocationHandleType", handle_type)) {
    OutBuffer granule;
    Record properties = wanted();
    p.good("muMemGetAllocationGranularity",
           {{"granularity", &granule},
            {"prop", properties.data()},
            {"option",
             p.value("MUmemAllocationGranularity_flags", "MU_MEM_ALLOC_GRANULARITY_MINIMUM")}});
    size = granule.get<std::uint64_t>();
    p.expect(size > 0 && (size & (size - 1)) == 0 && size <= 1 << 30,
             {"muMemGetAllocationGranularity"}, "a power of two", std::to_string(size));
  }

  Record place() {
    Record out(p_, "MUmemLocation");
    out.set("type", p_.value("MUmemLocationType", "MU_MEM_LOCATION_TYPE_DEVICE")).set("id", 0);
    return out;
  }

  Record wanted() {
    Record out(p_, "MUmemAllocationProp");
    out.set("type", p_.value("MUmemAllocationType", "MU_MEM_ALLOCATION_TYPE_PINNED"))
        .set("requestedHandleTypes", static_cast<std::uint64_t>(handle_type_))
        .set("location", place());
    return out;
  }

  std::uint64_t create() {
    OutBuffer handle;
    p_.good("muMemCreate",
            {{"handle", &handle}, {"size", size}, {"prop", wanted().data()}, {"flags", 0}});
    return handle.get<std::uint64_t>();
  }

  std::uint64_t reserve(std::uint64_t bytes) {
    OutBuffer address;
    p_.good("muMemAddressReserve", {{"ptr", &address},
                                    {"size", bytes},
                                    {"alignment", 0},
                                    {"addr", std::uint64_t{0}},
                                    {"flags", 0}});
    return address.get<std::uint64_t>();
  }

  void map(std::uint64_t address, std::uint64_t handle) {
    p_.good("muMemMap",
            {{"ptr", address}, {"size", size}, {"offset", 0}, {"handle", handle}, {"flags", 0}});
    p_.good("muMemSetAccess",
            {{"ptr", address}, {"size", size}, {"desc", access().data()}, {"count", 1}});
  }

  Record access() {
    Record out(p_, "MUmemAccessDesc");
    out.set("location", place())
        .set("flags", p_.value("MUmemAccess_flags", "MU_MEM_ACCESS_FLAGS_PROT_READWRITE"));
    return out;
  }

  std::uint64_t size = 0;

 private:
  Probing& p_;
  const int handle_type_;
};

// Two pieces of memory under one address after the other: the address keeps, the contents do not.
void probe_round_trip(Probing& p) {
  Driver driver(p);
  VirtualMemory memory(p, "MU_MEM_HANDLE_TYPE_NONE");
  const std::uint64_t one = memory.create();
  const std::uint64_t two = memory.create();
  const std::uint64_t address = memory.reserve(memory.size);
  const Bytes bytes = counted_bytes(1000);
  const Bytes others = counted_bytes(1000, 5);
  const auto unmap = [&] {
    p.good("muCtxSynchronize", {});
    p.good("muMemUnmap", {{"ptr", address}, {"size", memory.size}});
  };
  memory.map(address, one);
  p.attempt([&] {
    const Record place = memory.place();
    OutBuffer flags;
    p.good("muMemGetAccess", {{"flags", &flags}, {"location", place.data()}, {"ptr", address}});
    p.expect(flags.integer() == p.value("MUmemAccess_flags", "MU_MEM_ACCESS_FLAGS_PROT_READWRITE"),
             {"muMemGetAccess"}, "what was set", std::to_string(flags.integer()));
  });
  driver.write(address, bytes);
  unmap();
  memory.map(address, two);
  driver.write(address, others);
  unmap();
  memory.map(address, one);
  const bool holds = driver.read(address, bytes.size()) == bytes;
  p.attempt([&] {
    OutBuffer handle;
    p.good("muMemRetainAllocationHandle",
           {{"handle", &handle}, {"addr", reinterpret_cast<const void*>(address)}});
    p.expect(handle.get<std::uint64_t>() != 0, {"muMemRetainAllocationHandle"}, "a handle", "none");
    Record told(p, "MUmemAllocationProp");
    p.good("muMemGetAllocationPropertiesFromHandle",
           {{"prop", told.filled()}, {"handle", handle.get<std::uint64_t>()}});
    const bool same = told.get("type") == memory.wanted().get("type");
    told.decide(same, "what the memory was made with", "different values");
    p.expect(same, {"muMemGetAllocationPropertiesFromHandle"}, "what the memory was made with",
             "different values");
    p.good("muMemRelease", {{"handle", handle.get<std::uint64_t>()}});
  });
  unmap();
  p.good("muMemRelease", {{"handle", one}});
  p.good("muMemRelease", {{"handle", two}});
  p.good("muMemAddressFree", {{"ptr", address}, {"size", memory.size}});
  const char* const expected = "each piece of memory keeps its contents under one address";
  p.expect(holds,
           {"muMemCreate", "muMemAddressReserve", "muMemMap", "muMemSetAccess", "muMemUnmap",
            "muMemRelease", "muMemAddressFree"},
           expected, "different values");
  if (!holds) return;
  memory.access().decide(true, expected, "");
  memory.place().decide(true, expected, "");
}

std::int64_t exported(Probing& p, std::uint64_t handle) {
  OutBuffer descriptor;
  p.good("muMemExportToShareableHandle",
         {{"shareableHandle", &descriptor},
          {"handle", handle},
          {"handleType",
           p.value("MUmemAllocationHandleType", "MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR")},
          {"flags", 0}});
  return descriptor.get<std::int32_t>();
}

void probe_descriptor(Probing& p) {
  Driver driver(p);
  VirtualMemory memory(p, "MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR");
  const std::uint64_t own = memory.create();
  const std::int64_t descriptor = exported(p, own);
  if (fcntl(static_cast<int>(descriptor), F_GETFD) < 0) {
    p.expect(false, {"muMemExportToShareableHandle"}, "a descriptor", std::to_string(descriptor));
    return;
  }
  OutBuffer imported;
  p.good("muMemImportFromShareableHandle",
         {{"handle", &imported},
          {"osHandle", reinterpret_cast<const void*>(descriptor)},
          {"shHandleType",
           p.value("MUmemAllocationHandleType", "MU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR")}});
  const std::uint64_t address = memory.reserve(2 * memory.size);
  memory.map(address, own);
  memory.map(address + memory.size, imported.get<std::uint64_t>());
  const Bytes bytes = counted_bytes(1000);
  driver.write(address, bytes);
  p.expect(driver.read(address + memory.size, bytes.size()) == bytes,
           {"muMemExportToShareableHandle", "muMemImportFromShareableHandle"},
           "the same memory under two addresses", "different values");
}

// Handles for other machines: whether the device has them, and how long MUSA writes them.
void probe_fabric(Probing& p) {
  Driver driver(p);
  constexpr const char* kAttribute = "MU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED";
  constexpr const char* kType = "MU_MEM_HANDLE_TYPE_FABRIC";
  const Fact* size = p.facts().size("MUmemFabricHandle");
  const int type = p.value("MUmemAllocationHandleType", kType);
  OutBuffer able;
  p.good("muDeviceGetAttribute",
         {{"pi", &able}, {"attrib", p.value("MUdevice_attribute", kAttribute)}, {"dev", 0}});
  const std::string says = "the attribute is " + std::to_string(able.integer());
  VirtualMemory memory(p, "MU_MEM_HANDLE_TYPE_NONE");
  Record wanted = memory.wanted();
  wanted.set("requestedHandleTypes", type);
  OutBuffer own;
  const std::int64_t made =
      p.call("muMemCreate",
             {{"handle", &own}, {"size", memory.size}, {"prop", wanted.data()}, {"flags", 0}})
          .number;
  p.forget();
  const std::string found = says + ", muMemCreate of such memory returned " + std::to_string(made);
  if (made != 0 && (able.integer() == 0 || able.integer() == 1)) {
    // Many attributes are 0, and a process may lack the right to make such memory.
    for (const Fact* fact : {p.facts().value("MUdevice_attribute", kAttribute),
                             p.facts().value("MUmemAllocationHandleType", kType), size}) {
      if (fact) p.leave(fact->id, found);
    }
    return;
  }
  if (made != 0 || able.integer() != 1) {
    p.expect_value(false, "MUdevice_attribute", kAttribute,
                   "1 where memory for other machines can be made, else 0", found);
    return;
  }
  OutBuffer handle;
  p.good("muMemExportToShareableHandle", {{"shareableHandle", &handle},
                                          {"handle", own.get<std::uint64_t>()},
                                          {"handleType", type},
                                          {"flags", 0}});
  p.expect_value(able.integer() == 1, "MUdevice_attribute", kAttribute, "1", found);
  p.expect_value(handle.written() > 0, "MUmemAllocationHandleType", kType, "a handle is exported",
                 std::to_string(handle.written()) + " bytes were written");
  if (size && handle.written() < static_cast<std::size_t>(*size->size)) {
    p.leave(size->id, std::to_string(handle.written()) +
                          " bytes were written; MUSA may leave the rest of a handle as it is");
  } else {
    p.expect_size("MUmemFabricHandle", handle, true);
  }
}

// ---- two processes

Bytes as_bytes(const OutBuffer& buffer, std::int64_t size) {
  return Bytes(buffer.bytes(), buffer.bytes() + size);
}

std::int64_t size_or_stop(Probing& p, const char* type) {
  const Fact* size = p.facts().size(type);
  if (!size || !size->size) throw Stop(std::string("the size of ") + type + " is not known");
  return *size->size;
}

void probe_ipc_memory(Probing& p) {
  const std::int64_t size = size_or_stop(p, "MUipcMemHandle");
  const Bytes bytes = counted_bytes(1 << 20);
  const Child child(p, [&](Probing& own) {
    Driver driver(own);
    OutBuffer handle;
    own.good("muIpcGetMemHandle", {{"pHandle", &handle}, {"dptr", driver.upload(bytes)}});
    own.good("muCtxSynchronize", {});
    return as_bytes(handle, size);
  });
  Driver driver(p);
  p.attempt([&] {
    OutBuffer handle;
    p.good("muIpcGetMemHandle", {{"pHandle", &handle}, {"dptr", driver.allocate(1 << 20)}});
    p.expect_size("MUipcMemHandle", handle, false);
    p.expect(true, {"muIpcGetMemHandle"}, "", "a handle");
  });
  if (static_cast<std::int64_t>(child.message.size()) != size) {
    throw Stop("another process got no handle");
  }
  OutBuffer address;
  p.good("muIpcOpenMemHandle_v2",
         {{"pdptr", &address},
          {"handle", child.message},
          {"Flags", p.value("MUipcMem_flags_enum", "MU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS")}});
  const auto place = address.get<std::uint64_t>();
  const Bytes start(bytes.begin(), bytes.begin() + 1000);
  p.expect(driver.read(place, start.size()) == start, {"muIpcOpenMemHandle_v2"},
           "the memory of another process", "different values");
  p.good("muIpcCloseMemHandle", {{"dptr", place}});
  p.expect(true, {"muIpcCloseMemHandle"}, "", "closed");
}

void* interprocess_event(Probing& p) {
  const int flags = p.value("MUevent_flags_enum", "MU_EVENT_DISABLE_TIMING") |
                    p.value("MUevent_flags_enum", "MU_EVENT_INTERPROCESS");
  OutBuffer event;
  p.good("muEventCreate", {{"phEvent", &event}, {"Flags", flags}});
  return event.pointer();
}

void probe_ipc_events(Probing& p) {
  const std::int64_t size = size_or_stop(p, "MUipcEventHandle");
  const Child child(p, [&](Probing& own) {
    Driver driver(own);
    void* const event = interprocess_event(own);
    own.good("muEventRecord", {{"hEvent", event}, {"hStream", driver.stream()}});
    own.good("muCtxSynchronize", {});
    OutBuffer handle;
    own.good("muIpcGetEventHandle", {{"pHandle", &handle}, {"event", event}});
    return as_bytes(handle, size);
  });
  const Driver driver(p);
  p.attempt([&] {
    OutBuffer handle;
    p.good("muIpcGetEventHandle", {{"pHandle", &handle}, {"event", interprocess_event(p)}});
    p.expect_size("MUipcEventHandle", handle, false);
    p.expect(true, {"muIpcGetEventHandle"}, "", "a handle");
  });
  if (static_cast<std::int64_t>(child.message.size()) != size) {
    throw Stop("another process got no handle");
  }
  OutBuffer event;
  p.good("muIpcOpenEventHandle", {{"phEvent", &event}, {"handle", child.message}});
  const std::int64_t status = p.call("muEventQuery", {{"hEvent", event.pointer()}}).number;
  p.expect(status == 0, {"muIpcOpenEventHandle"}, "an event that another process recorded",
           "muEventQuery returned " + std::to_string(status));
}

}  // namespace

std::vector<Probe> driver_sharing_probes() {
  return {{"driver_sharing.virtual_memory", probe_round_trip},
          {"driver_sharing.descriptor", probe_descriptor},
          {"driver_sharing.fabric", probe_fabric},
          {"driver_sharing.ipc_memory", probe_ipc_memory},
          {"driver_sharing.ipc_events", probe_ipc_events}};
}

}  // namespace torchada::verify
