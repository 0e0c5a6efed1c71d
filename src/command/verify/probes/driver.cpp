// What libmusa says of itself, of devices, contexts and images of device code.
#include "src/command/verify/probes/driver.h"

#include <unistd.h>

#include <cctype>
#include <map>

#include "src/command/verify/probes/probes.h"

namespace torchada::verify {
namespace {

// ---- start, errors, entry points

void probe_start(Probing& p) {
  OutBuffer count;
  const Fact* early = p.facts().value("MUresult", "MUSA_ERROR_NOT_INITIALIZED");
  const std::int64_t status = p.call("muDeviceGetCount", {{"count", &count}}).number;
  if (early && status == 0) {
    p.leave(early->id, "the driver had started before muInit");
  } else if (early) {
    p.decide(early->id, status == early->value, early->claim,
             "muDeviceGetCount returned " + std::to_string(status) + " before muInit");
  }
  start_driver(p);
  count.clear();
  p.good("muDeviceGetCount", {{"count", &count}});
  p.expect(count.integer() > 0, {"muInit", "muDeviceGetCount"}, "a device",
           std::to_string(count.integer()));
  OutBuffer version;
  p.good("muDriverGetVersion", {{"driverVersion", &version}});
  p.expect(version.integer() > 0, {"muDriverGetVersion"}, "a version",
           std::to_string(version.integer()));
}

void probe_error_names(Probing& p) {
  for (const Fact* fact : p.facts().values("MUresult")) {
    if (!fact->value) continue;
    OutBuffer name;
    p.good("muGetErrorName", {{"error", *fact->value}, {"pStr", &name}});
    const char* const text = static_cast<const char*>(name.pointer());
    const std::string found = text ? text : "";
    p.decide(fact->id, found == fact->name, fact->name, "'" + found + "'");
  }
  OutBuffer text;
  p.good("muGetErrorString", {{"error", 0}, {"pStr", &text}});
  const char* const told = static_cast<const char*>(text.pointer());
  p.expect(told && *told, {"muGetErrorString"}, "a text", "none");
  p.expect(true, {"muGetErrorName"}, "", "names");
}

void probe_entry_points(Probing& p) {
  start_driver(p);
  OutBuffer version;
  p.good("muDriverGetVersion", {{"driverVersion", &version}});
  OutBuffer place;
  p.good("muGetProcAddress",
         {{"symbol", "muDeviceGetCount"},
          {"pfn", &place},
          {"cudaVersion", version.integer()},
          {"flags", p.value("MUdriverProcAddress_flags_enum", "MU_GET_PROC_ADDRESS_DEFAULT")}});
  if (!place.pointer()) throw Stop("muGetProcAddress found no muDeviceGetCount");
  OutBuffer expected;
  p.good("muDeviceGetCount", {{"count", &expected}});
  int count = -1;
  const int status = reinterpret_cast<int (*)(int*)>(place.pointer())(&count);
  p.expect(status == 0 && count == expected.integer(), {"muGetProcAddress"},
           "an address of muDeviceGetCount",
           "status " + std::to_string(status) + ", count " + std::to_string(count));
}

// ---- devices

std::string text_of(const OutBuffer& buffer) {
  const char* const text = reinterpret_cast<const char*>(buffer.bytes());
  return {text, strnlen(text, 256)};
}

bool is_text(const OutBuffer& buffer, std::size_t room) {
  const std::string text = text_of(buffer);
  return !text.empty() && text.size() < room && buffer.written() <= room &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return c >= ' ' && c < 127; });
}

void probe_device(Probing& p) {
  start_driver(p);
  constexpr int kRoom = 200;
  p.attempt([&] {
    OutBuffer device;
    p.good("muDeviceGet", {{"device", &device}, {"ordinal", 0}});
    p.expect(device.integer() == 0, {"muDeviceGet"}, "0", std::to_string(device.integer()));
    OutBuffer name;
    p.good("muDeviceGetName", {{"name", &name}, {"len", kRoom}, {"dev", 0}});
    p.expect(is_text(name, kRoom), {"muDeviceGetName"}, "a text", "none");
    OutBuffer uuid;
    p.good("muDeviceGetUuid_v2", {{"uuid", &uuid}, {"dev", 0}});
    p.expect_size("MUuuid", uuid, false);
    p.expect(true, {"muDeviceGetUuid_v2"}, "", "bytes");
  });
  p.attempt([&] {
    OutBuffer bytes;
    const std::string total = newest(p, "muDeviceTotalMem_v2");
    p.good(total, {{"bytes", &bytes}, {"dev", 0}});
    p.expect(bytes.integer() > 1 << 20, {total}, "more than a megabyte",
             std::to_string(bytes.integer()));
  });
  p.attempt([&] {
    OutBuffer id;
    p.good("muDeviceGetPCIBusId", {{"pciBusId", &id}, {"len", kRoom}, {"dev", 0}});
    OutBuffer device;
    p.good("muDeviceGetByPCIBusId", {{"dev", &device}, {"pciBusId", text_of(id).c_str()}});
    p.expect(device.integer() == 0, {"muDeviceGetPCIBusId", "muDeviceGetByPCIBusId"},
             "the same device", std::to_string(device.integer()));
  });
}

std::int64_t attribute(Probing& p, std::int64_t number) {
  OutBuffer buffer;
  p.good("muDeviceGetAttribute", {{"pi", &buffer}, {"attrib", number}, {"dev", 0}});
  return buffer.integer();
}

// "maxthreadsperblock" for MU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK and for
// musaDevAttrMaxThreadsPerBlock.
std::string plain_name(const std::string& enumerator, const char* prefix) {
  std::string out;
  for (const char letter : enumerator.substr(std::strlen(prefix))) {
    if (letter != '_') {
      out.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(letter))));
    }
  }
  return out;
}

// The runtime has most of the attributes. A value that no other attribute has shows that both
// numbers mean the same. Numbers that return different values contradict the driver's.
void probe_attributes(Probing& p) {
  start_driver(p);
  std::map<std::string, const Fact*> of_runtime;
  for (const Fact* fact : p.facts().values("musaDeviceAttr")) {
    if (fact->value) of_runtime[plain_name(fact->name, "musaDevAttr")] = fact;
  }
  std::map<std::int64_t, int> frequency;
  std::map<std::int64_t, std::int64_t> answers;
  for (const Fact* fact : p.facts().values("MUdevice_attribute")) {
    if (!fact->value || fact->name.view().ends_with("_MAX") || answers.count(*fact->value) != 0)
      continue;
    OutBuffer buffer;
    const Answer answer =
        p.call("muDeviceGetAttribute", {{"pi", &buffer}, {"attrib", *fact->value}, {"dev", 0}});
    if (answer.number != 0) continue;
    answers[*fact->value] = buffer.integer();
    ++frequency[buffer.integer()];
  }
  for (const Fact* fact : p.facts().values("MUdevice_attribute")) {
    const auto same = of_runtime.find(plain_name(fact->name, "MU_DEVICE_ATTRIBUTE_"));
    if (!fact->value || same == of_runtime.end() || answers.count(*fact->value) == 0) continue;
    p.attempt([&] {
      OutBuffer buffer;
      p.good("musaDeviceGetAttribute", {{"value", &buffer},
                                        {"attr", p.value("musaDeviceAttr", same->second->name)},
                                        {"device", 0}});
      const std::int64_t answer = answers[*fact->value];
      const std::string found = std::to_string(answer) + ", and " + same->second->name + " is " +
                                std::to_string(buffer.integer());
      const bool agree = answer == buffer.integer();
      if (agree && ((answer >= 0 && answer <= 1) || frequency[answer] != 1)) {
        p.leave(fact->id, found + ", which other attributes return too");
      } else {
        p.decide(fact->id, agree, "the same as " + same->second->name, found);
      }
    });
  }
  p.expect(true, {"muDeviceGetAttribute"}, "", "answered");
}

void probe_properties(Probing& p) {
  start_driver(p);
  constexpr std::pair<const char*, const char*> kPairs[] = {
      {"maxThreadsPerBlock", "MU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK"},
      {"sharedMemPerBlock", "MU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK"},
      {"totalConstantMemory", "MU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY"},
      {"SIMDWidth", "MU_DEVICE_ATTRIBUTE_WARP_SIZE"},
      {"regsPerBlock", "MU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK"},
      {"clockRate", "MU_DEVICE_ATTRIBUTE_CLOCK_RATE"},
      {"textureAlign", "MU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT"}};
  OutBuffer properties;
  p.good("muDeviceGetProperties", {{"prop", &properties}, {"dev", 0}});
  p.expect_size("MUdevprop", properties, true);
  p.expect(true, {"muDeviceGetProperties"}, "", "answered");
  for (const auto& [member, name] : kPairs) {
    p.attempt([&, member = member, name = name] {
      const Fact* field = p.facts().field("MUdevprop", member);
      if (!field) return;
      const std::int64_t asked = attribute(p, p.value("MUdevice_attribute", name));
      const auto found = properties.get<std::int32_t>(static_cast<std::size_t>(field->offset));
      p.decide(field->id, found == asked, std::string("as ") + name + " says",
               std::to_string(found) + " and " + std::to_string(asked));
    });
  }
  p.attempt([&] {
    OutBuffer major;
    OutBuffer minor;
    p.good("muDeviceComputeCapability", {{"major", &major}, {"minor", &minor}, {"dev", 0}});
    const std::int64_t first =
        attribute(p, p.value("MUdevice_attribute", "MU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR"));
    const std::int64_t second =
        attribute(p, p.value("MUdevice_attribute", "MU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR"));
    p.expect(major.integer() == first && minor.integer() == second, {"muDeviceComputeCapability"},
             std::to_string(first) + "." + std::to_string(second),
             std::to_string(major.integer()) + "." + std::to_string(minor.integer()));
  });
}

// ---- contexts

void probe_primary_context(Probing& p) {
  start_driver(p);
  const int yields = p.value("MUctx_flags_enum", "MU_CTX_SCHED_YIELD");
  const std::string set_flags = "muDevicePrimaryCtxSetFlags_v2";
  const std::string release = newest(p, "muDevicePrimaryCtxRelease_v2");
  p.good(set_flags, {{"dev", 0}, {"flags", yields}});
  const auto state = [&] {
    OutBuffer flags;
    OutBuffer active;
    p.good("muDevicePrimaryCtxGetState", {{"dev", 0}, {"flags", &flags}, {"active", &active}});
    return std::pair(flags.integer(), active.integer());
  };
  OutBuffer context;
  p.good("muDevicePrimaryCtxRetain", {{"pctx", &context}, {"dev", 0}});
  const auto [flags, active] = state();
  p.good(release, {{"dev", 0}});
  const auto [later_flags, later_active] = state();
  const int mask = p.value("MUctx_flags_enum", "MU_CTX_SCHED_MASK");
  p.expect(active == 1 && later_active == 0 && context.pointer(),
           {"muDevicePrimaryCtxRetain", release, "muDevicePrimaryCtxGetState"},
           "active, and no longer after it is released",
           std::to_string(active) + ", then " + std::to_string(later_active));
  p.expect((flags & mask) == yields, {set_flags}, "the flags that were set",
           std::to_string(flags) + ", later " + std::to_string(later_flags));
}

void probe_contexts(Probing& p) {
  const Driver driver(p);
  const std::string create = newest(p, "muCtxCreate_v2");
  const std::string destroy = newest(p, "muCtxDestroy_v2");
  const auto current = [&] {
    OutBuffer context;
    p.good("muCtxGetCurrent", {{"pctx", &context}});
    return context.pointer();
  };
  void* const first = current();
  p.expect(first == driver.context(), {"muCtxSetCurrent", "muCtxGetCurrent"},
           "the context that was made current", "another one");
  const int spins = p.value("MUctx_flags_enum", "MU_CTX_SCHED_SPIN");
  OutBuffer made;
  p.good(create, {{"pctx", &made}, {"flags", spins}, {"dev", 0}});
  OutBuffer flags;
  p.good("muCtxGetFlags", {{"flags", &flags}});
  OutBuffer device;
  p.good("muCtxGetDevice", {{"device", &device}});
  OutBuffer version;
  p.good("muCtxGetApiVersion", {{"ctx", made.pointer()}, {"version", &version}});
  const int mask = p.value("MUctx_flags_enum", "MU_CTX_SCHED_MASK");
  p.expect(current() == made.pointer(), {create}, "a context that is current", "another one");
  p.expect((flags.integer() & mask) == spins, {"muCtxGetFlags"}, "the flags that were set",
           std::to_string(flags.integer()));
  p.expect(device.integer() == 0, {"muCtxGetDevice"}, "0", std::to_string(device.integer()));
  p.expect(version.integer() > 0, {"muCtxGetApiVersion"}, "a version",
           std::to_string(version.integer()));
  p.attempt([&] {
    p.good("muCtxPushCurrent_v2", {{"ctx", first}});
    void* const pushed = current();
    OutBuffer popped;
    p.good("muCtxPopCurrent_v2", {{"pctx", &popped}});
    p.expect(pushed == first && popped.pointer() == first && current() == made.pointer(),
             {"muCtxPushCurrent_v2", "muCtxPopCurrent_v2"}, "a stack of contexts",
             "another context is current");
  });
  p.good(destroy, {{"ctx", made.pointer()}});
  p.expect(current() != made.pointer(), {destroy}, "no longer current", "still current");
}

void probe_limits(Probing& p) {
  const Driver driver(p);
  const auto get = [&](int limit) {
    OutBuffer buffer;
    p.good("muCtxGetLimit", {{"pvalue", &buffer}, {"limit", limit}});
    return buffer.get<std::uint64_t>();
  };
  const int stack = p.value("MUlimit", "MU_LIMIT_STACK_SIZE");
  const int heap = p.value("MUlimit", "MU_LIMIT_MALLOC_HEAP_SIZE");
  const std::uint64_t before = get(heap);
  const std::uint64_t wanted = get(stack) == 4096 ? 8192 : 4096;
  p.good("muCtxSetLimit", {{"limit", stack}, {"value", wanted}});
  const std::uint64_t found = get(stack);
  p.expect(found >= wanted && found < wanted * 16 && get(heap) == before,
           {"muCtxSetLimit", "muCtxGetLimit"}, "at least the limit that was set",
           std::to_string(found));
}

void probe_settings(Probing& p) {
  const Driver driver(p);
  p.attempt([&] {
    const int wanted = p.value("MUfunc_cache", "MU_FUNC_CACHE_PREFER_L1");
    p.good("muCtxSetCacheConfig", {{"config", wanted}});
    OutBuffer found;
    p.good("muCtxGetCacheConfig", {{"pconfig", &found}});
    // A device without such a setting keeps none.
    const bool none = found.integer() == p.value("MUfunc_cache", "MU_FUNC_CACHE_PREFER_NONE");
    p.expect(found.integer() == wanted || none, {"muCtxSetCacheConfig", "muCtxGetCacheConfig"},
             "what was set, or none", std::to_string(found.integer()));
  });
  p.attempt([&] {
    OutBuffer before;
    p.good("muCtxGetSharedMemConfig", {{"pConfig", &before}});
    p.good("muCtxSetSharedMemConfig", {{"config", before.integer()}});
    p.expect(before.integer() >= 0 && before.integer() <= 2,
             {"muCtxGetSharedMemConfig", "muCtxSetSharedMemConfig"}, "0 to 2",
             std::to_string(before.integer()));
  });
  p.attempt([&] {
    OutBuffer least;
    OutBuffer greatest;
    p.good("muCtxGetStreamPriorityRange",
           {{"leastPriority", &least}, {"greatestPriority", &greatest}});
    p.expect(least.integer() >= greatest.integer() && greatest.integer() > -100,
             {"muCtxGetStreamPriorityRange"}, "lower numbers for greater priority",
             std::to_string(least.integer()) + " to " + std::to_string(greatest.integer()));
  });
  p.attempt([&] {
    p.good("muCtxResetPersistingL2Cache", {});
    p.expect(true, {"muCtxResetPersistingL2Cache"}, "", "done");
  });
}

// ---- images of device code

// Nothing here can make one that MUSA runs. What is no image is refused, and a missing file is.
void probe_images(Probing& p) {
  const Driver driver(p);
  const auto refuses = [&](const std::string& function, const Arguments& arguments) {
    const std::int64_t status = p.call(function, arguments).number;
    p.expect(status != 0, {function}, "an error for what is no image", "success");
    return status;
  };
  const std::string text = "This is no image of device code. It ends with a zero.";
  OutBuffer module;
  p.attempt([&] { refuses("muModuleLoadData", {{"module", &module}, {"image", text.c_str()}}); });
  p.attempt([&] {
    refuses("muModuleLoadDataEx", {{"module", &module},
                                   {"image", text.c_str()},
                                   {"numOptions", 0},
                                   {"options", nullptr},
                                   {"optionValues", nullptr}});
  });
  p.attempt([&] {
    const std::int64_t status =
        refuses("muModuleLoad", {{"module", &module}, {"fname", "/nonexistent/image"}});
    const Fact* missing = p.facts().value("MUresult", "MUSA_ERROR_FILE_NOT_FOUND");
    if (missing && missing->value) {
      p.decide(missing->id, status == missing->value, missing->claim,
               "muModuleLoad of a missing file returned " + std::to_string(status));
    }
  });
}

}  // namespace

std::vector<Probe> driver_probes() {
  return {{"driver.start", probe_start},
          {"driver.error_names", probe_error_names},
          {"driver.entry_points", probe_entry_points},
          {"driver.device", probe_device},
          {"driver.attributes", probe_attributes},
          {"driver.properties", probe_properties},
          {"driver.primary_context", probe_primary_context},
          {"driver.contexts", probe_contexts},
          {"driver.limits", probe_limits},
          {"driver.settings", probe_settings},
          {"driver.images", probe_images}};
}

}  // namespace torchada::verify
