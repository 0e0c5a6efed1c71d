// What libmtml, the management library of the driver, says of devices.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>

#include "src/command/verify/probes/memory.h"
#include "src/command/verify/probes/probes.h"

namespace torchada::verify {
namespace {

constexpr unsigned kRoom = 200;

std::string text_of(const OutBuffer& buffer) {
  const char* const text = reinterpret_cast<const char*>(buffer.bytes());
  return {text, strnlen(text, kRoom)};
}

bool is_text(const std::string& text) {
  return !text.empty() && text.size() < kRoom &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return c >= ' ' && c < 127; });
}

// An open library. Nothing is closed but by the probe of closing: probes end with their process.
class Library {
 public:
  explicit Library(Probing& p) : probing_(p) {
    OutBuffer buffer;
    p.good("mtmlLibraryInit", {{"lib", &buffer}});
    handle_ = buffer.pointer();
    if (!handle_) throw Stop("mtmlLibraryInit gave no library");
  }

  const void* handle() const { return handle_; }

  void* device() const {
    OutBuffer buffer;
    probing_.good("mtmlLibraryInitDeviceByIndex",
                  {{"lib", handle_}, {"index", 0}, {"dev", &buffer}});
    return buffer.pointer();
  }

  void* part(const char* function, const char* parameter) const {
    OutBuffer buffer;
    probing_.good(function, {{"dev", device()}, {parameter, &buffer}});
    return buffer.pointer();
  }
  void* gpu() const { return part("mtmlDeviceInitGpu", "gpu"); }
  void* memory() const { return part("mtmlDeviceInitMemory", "mem"); }

 private:
  Probing& probing_;
  const void* handle_ = nullptr;
};

std::int64_t index_of(Probing& p, const void* device) {
  OutBuffer index;
  p.good("mtmlDeviceGetIndex", {{"dev", device}, {"index", &index}});
  return index.integer();
}

void expect_text(Probing& p, const OutBuffer& buffer, const std::string& function) {
  const std::string text = text_of(buffer);
  p.expect(is_text(text), {function}, "a text", "none");
}

void probe_library(Probing& p) {
  const Library library(p);
  OutBuffer version;
  p.good("mtmlLibraryGetVersion",
         {{"lib", library.handle()}, {"version", &version}, {"length", kRoom}});
  expect_text(p, version, "mtmlLibraryGetVersion");
  p.expect(true, {"mtmlLibraryInit"}, "", "a library");
}

// A library that another one was opened beside can still be used after that one is closed.
void probe_closing(Probing& p) {
  const Library kept(p);
  const Library closed(p);
  p.good("mtmlLibraryShutDown", {{"lib", closed.handle()}});
  OutBuffer count;
  const std::int64_t status =
      p.call("mtmlLibraryCountDevice", {{"lib", kept.handle()}, {"count", &count}}).number;
  p.expect(status == 0, {"mtmlLibraryShutDown"}, "the other library works",
           "status " + std::to_string(status));
}

void probe_system(Probing& p) {
  const Library library(p);
  OutBuffer system;
  p.good("mtmlLibraryInitSystem", {{"lib", library.handle()}, {"sys", &system}});
  OutBuffer version;
  p.good("mtmlSystemGetDriverVersion",
         {{"sys", system.pointer()}, {"version", &version}, {"length", kRoom}});
  expect_text(p, version, "mtmlSystemGetDriverVersion");
  p.expect(true, {"mtmlLibraryInitSystem"}, "", "a system");
}

// MUSA_VISIBLE_DEVICES may hide devices from the runtime only.
void probe_count(Probing& p) {
  const Library library(p);
  OutBuffer count;
  p.good("mtmlLibraryCountDevice", {{"lib", library.handle()}, {"count", &count}});
  OutBuffer of_runtime;
  p.good("musaGetDeviceCount", {{"count", &of_runtime}});
  p.expect(count.integer() >= of_runtime.integer(), {"mtmlLibraryCountDevice"},
           "at least " + std::to_string(of_runtime.integer()), std::to_string(count.integer()));
}

void probe_index(Probing& p) {
  const Library library(p);
  const std::int64_t index = index_of(p, library.device());
  p.expect(index == 0, {"mtmlLibraryInitDeviceByIndex", "mtmlDeviceGetIndex"}, "0",
           std::to_string(index));
}

void probe_name(Probing& p) {
  const Library library(p);
  OutBuffer name;
  p.good("mtmlDeviceGetName", {{"dev", library.device()}, {"name", &name}, {"length", kRoom}});
  expect_text(p, name, "mtmlDeviceGetName");
}

void probe_uuid(Probing& p) {
  const Library library(p);
  OutBuffer uuid;
  p.good("mtmlDeviceGetUUID", {{"dev", library.device()}, {"uuid", &uuid}, {"length", kRoom}});
  expect_text(p, uuid, "mtmlDeviceGetUUID");
  OutBuffer found;
  p.good("mtmlLibraryInitDeviceByUuid",
         {{"library", library.handle()}, {"uuid", text_of(uuid).c_str()}, {"dev", &found}});
  const std::int64_t index = index_of(p, found.pointer());
  p.expect(index == 0, {"mtmlLibraryInitDeviceByUuid"}, "the same device", std::to_string(index));
}

// The members say what the text says.
void probe_pci(Probing& p) {
  const Library library(p);
  OutBuffer info;
  p.good("mtmlDeviceGetPciInfo", {{"dev", library.device()}, {"pci", &info}});
  p.expect_size("MtmlPciInfo", info, false);
  const Fact* text = p.facts().field("MtmlPciInfo", "sbdf");
  if (!text) return;
  const std::string sbdf = reinterpret_cast<const char*>(info.bytes()) + text->offset;
  unsigned int told[3] = {};
  const bool is_address = std::sscanf(sbdf.c_str(), "%x:%x:%x", &told[0], &told[1], &told[2]) == 3;
  p.decide(text->id, is_address, "segment:bus:device", is_address ? "such a text" : "none");
  p.expect(is_address, {"mtmlDeviceGetPciInfo"}, "an address", "none");
  if (!is_address) return;
  const char* const members[] = {"segment", "bus", "device"};
  for (int i = 0; i < 3; ++i) {
    const Fact* field = p.facts().field("MtmlPciInfo", members[i]);
    if (!field) continue;
    const auto found = info.get<std::uint32_t>(static_cast<std::size_t>(field->offset));
    p.decide(field->id, found == told[i], "as in sbdf", "another number");
  }
  OutBuffer device;
  p.good("mtmlLibraryInitDeviceByPciSbdf",
         {{"lib", library.handle()}, {"pciSbdf", sbdf.c_str()}, {"dev", &device}});
  const std::int64_t index = index_of(p, device.pointer());
  p.expect(index == 0, {"mtmlLibraryInitDeviceByPciSbdf"}, "the same device",
           std::to_string(index));
}

void probe_property(Probing& p) {
  const Library library(p);
  OutBuffer property;
  p.good("mtmlDeviceGetProperty", {{"dev", library.device()}, {"prop", &property}});
  p.expect_size("MtmlDeviceProperty", property, false);
  p.expect(true, {"mtmlDeviceGetProperty"}, "", "answered");
}

void probe_memory(Probing& p) {
  const Library library(p);
  OutBuffer total;
  p.good("mtmlMemoryGetTotal", {{"mem", library.memory()}, {"total", &total}});
  p.expect(total.integer() > 1 << 20, {"mtmlDeviceInitMemory", "mtmlMemoryGetTotal"},
           "more than a megabyte", std::to_string(total.integer()));
}

void probe_memory_in_use(Probing& p) {
  constexpr std::int64_t kBytes = 32 << 20;
  const Library library(p);
  OutBuffer device;
  p.good("musaGetDevice", {{"device", &device}});
  OutBuffer memory;
  p.good("musaMalloc", {{"devPtr", &memory}, {"size", kBytes}});
  const void* const object = library.memory();
  OutBuffer used;
  p.good("mtmlMemoryGetUsed", {{"mem", object}, {"used", &used}});
  OutBuffer total;
  p.good("mtmlMemoryGetTotal", {{"mem", object}, {"total", &total}});
  p.expect(used.integer() >= kBytes && used.integer() <= total.integer(), {"mtmlMemoryGetUsed"},
           "at least the " + std::to_string(kBytes) + " bytes that were allocated",
           std::to_string(used.integer()));
}

void probe_utilization(Probing& p) {
  const Library library(p);
  OutBuffer percent;
  p.good("mtmlGpuGetUtilization", {{"gpu", library.gpu()}, {"utilization", &percent}});
  p.expect(percent.integer() >= 0 && percent.integer() <= 100,
           {"mtmlDeviceInitGpu", "mtmlGpuGetUtilization"}, "at most 100",
           std::to_string(percent.integer()));
}

// A device and itself.
void probe_topology(Probing& p) {
  const Library library(p);
  const void* const device = library.device();
  OutBuffer level;
  p.good("mtmlDeviceGetTopologyLevel", {{"dev1", device}, {"dev2", device}, {"level", &level}});
  p.expect_value(level.integer() == p.value("MtmlDeviceTopologyLevel", "MTML_TOPOLOGY_INTERNAL"),
                 "MtmlDeviceTopologyLevel", "MTML_TOPOLOGY_INTERNAL", "of a device to itself",
                 std::to_string(level.integer()));
  p.expect(true, {"mtmlDeviceGetTopologyLevel"}, "", "answered");
}

// Statuses that a call gives on purpose.
void probe_statuses(Probing& p) {
  const Library library(p);
  const auto gives = [&](const char* name, const std::string& function,
                         const Arguments& arguments) {
    p.attempt([&] {
      const std::int64_t status = p.call(function, arguments).number;
      p.expect_value(status == p.value("MtmlReturn", name), "MtmlReturn", name, function,
                     function + " returned " + std::to_string(status));
    });
  };
  OutBuffer result;
  gives("MTML_ERROR_INVALID_ARGUMENT", "mtmlLibraryCountDevice",
        {{"lib", library.handle()}, {"count", nullptr}});
  gives("MTML_ERROR_INSUFFICIENT_SIZE", "mtmlDeviceGetName",
        {{"dev", library.device()}, {"name", &result}, {"length", 1}});
  gives("MTML_ERROR_NOT_FOUND", "mtmlLibraryInitDeviceByPciSbdf",
        {{"lib", library.handle()}, {"pciSbdf", "0000fffe:fe:1e.0"}, {"dev", &result}});
}

void probe_error_texts(Probing& p) {
  std::set<std::string> texts;
  std::size_t asked = 0;
  for (const Fact* fact : p.facts().values("MtmlReturn")) {
    if (!fact->value) continue;
    const Answer answer = p.call("mtmlErrorString", {{"result", *fact->value}});
    const char* const text = static_cast<const char*>(answer.pointer);
    texts.insert(text ? text : "");
    ++asked;
  }
  const bool known = texts.size() == asked && texts.count("") == 0;
  p.expect(known, {"mtmlErrorString"}, std::to_string(asked) + " texts",
           std::to_string(texts.size()) + " different ones");
}

// Structs that the library fills: nothing may be written behind them.
void probe_structs(Probing& p) {
  const Library library(p);
  const auto fill = [&](const char* type, const char* function, const Arguments& own,
                        const char* parameter) {
    p.attempt([&] {
      if (!p.has(function)) return;
      OutBuffer told;
      Arguments arguments = own;
      arguments.emplace_back(parameter, &told);
      const std::int64_t status = p.call(function, arguments).number;
      if (status != 0) throw Stop(std::string(function) + " returned " + std::to_string(status));
      p.expect_size(type, told, false);
      p.expect(true, {function}, "", "answered");
    });
  };
  const void* const device = library.device();
  fill("MtmlMtLinkSpec", "mtmlDeviceGetMtLinkSpec", {{"device", device}}, "spec");
  fill("MtmlDispIntfSpec", "mtmlDeviceGetDisplayInterfaceSpec",
       {{"device", device}, {"intfIndex", 0}}, "dispIntfSpec");
  fill("MtmlPciSlotInfo", "mtmlDeviceGetPcieSlotInfo", {{"dev", device}}, "slotInfo");
  fill("MtmlMpcConfiguration", "mtmlDeviceGetMpcConfiguration", {{"parentDevice", device}},
       "config");
  fill("MtmlLogConfiguration", "mtmlLogGetConfiguration", {}, "configuration");
  p.attempt([&] {
    const void* const memory = library.memory();
    fill("MtmlPageRetirementCount", "mtmlMemoryGetRetiredPagesCount", {{"mem", memory}}, "count");
  });
  p.attempt([&] {
    if (!p.has("mtmlDeviceInitVpu")) return;
    const void* const vpu = library.part("mtmlDeviceInitVpu", "vpu");
    fill("MtmlCodecUtil", "mtmlVpuGetUtilization", {{"vpu", vpu}}, "utilization");
  });
}

}  // namespace

std::vector<Probe> management_probes() {
  return {{"management.library", probe_library},
          {"management.closing", probe_closing},
          {"management.system", probe_system},
          {"management.count", probe_count},
          {"management.index", probe_index},
          {"management.name", probe_name},
          {"management.uuid", probe_uuid},
          {"management.pci", probe_pci},
          {"management.property", probe_property},
          {"management.structs", probe_structs},
          {"management.memory", probe_memory},
          {"management.memory_in_use", probe_memory_in_use},
          {"management.utilization", probe_utilization},
          {"management.topology", probe_topology},
          {"management.statuses", probe_statuses},
          {"management.error_texts", probe_error_texts}};
}

}  // namespace torchada::verify
