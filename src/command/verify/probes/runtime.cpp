// Devices and errors of libmusart.
#include <algorithm>
#include <cstring>

#include "src/command/verify/probes/probes.h"

namespace torchada::verify {
namespace {

void probe_devices(Probing& p) {
  OutBuffer count;
  p.good("musaGetDeviceCount", {{"count", &count}});
  p.expect(count.integer() > 0, {"musaGetDeviceCount"}, "a device",
           std::to_string(count.integer()));
  p.good("musaSetDevice", {{"device", count.integer() - 1}});
  OutBuffer device;
  p.good("musaGetDevice", {{"device", &device}});
  p.expect(device.integer() == count.integer() - 1, {"musaSetDevice", "musaGetDevice"},
           "the device that was set", std::to_string(device.integer()));
  p.good("musaSetDevice", {{"device", 0}});
  p.attempt([&] {
    OutBuffer id;
    p.good("musaDeviceGetPCIBusId", {{"pciBusId", &id}, {"len", 64}, {"device", 0}});
    id.bytes();
    OutBuffer found;
    p.good("musaDeviceGetByPCIBusId", {{"device", &found}, {"pciBusId", id.data()}});
    p.expect(found.integer() == 0, {"musaDeviceGetPCIBusId", "musaDeviceGetByPCIBusId"},
             "device 0 by its PCI bus id", std::to_string(found.integer()));
  });
  p.attempt([&] {
    OutBuffer can;
    p.good("musaDeviceCanAccessPeer",
           {{"canAccessPeer", &can}, {"device", 0}, {"peerDevice", count.integer() - 1}});
    p.expect(can.integer() == 0 || can.integer() == 1, {"musaDeviceCanAccessPeer"}, "yes or no",
             std::to_string(can.integer()));
  });
  p.attempt([&] {
    OutBuffer flags;
    p.good("musaGetDeviceFlags", {{"flags", &flags}});
    p.good("musaSetDeviceFlags", {{"flags", flags.integer()}});
    p.expect(true, {"musaGetDeviceFlags", "musaSetDeviceFlags"}, "", "accepts the current flags");
  });
  p.attempt([&] {
    p.good("musaDeviceReset", {});
    OutBuffer again;
    p.good("musaMalloc", {{"devPtr", &again}, {"size", 4096}});
    p.expect(true, {"musaDeviceReset"}, "", "the device works afterwards");
  });
}

void probe_error_names(Probing& p) {
  for (const Fact* fact : p.facts().values("musaError_t")) {
    if (!fact->value) continue;
    const Answer name = p.call("musaGetErrorName", {{"error", *fact->value}});
    const std::string found = name.pointer ? static_cast<const char*>(name.pointer) : "";
    p.decide(fact->id, found == fact->name, fact->name, "'" + found + "'");
  }
  const Answer name = p.call("musaGetErrorName", {{"error", 0}});
  const Answer text = p.call("musaGetErrorString", {{"error", 0}});
  p.expect(name.pointer != nullptr, {"musaGetErrorName"}, "a string", "none");
  p.expect(text.pointer != nullptr && std::strlen(static_cast<const char*>(text.pointer)) > 0,
           {"musaGetErrorString"}, "a string", "none");
}

void provoke(Probing& p, const std::string& code, const std::string& function,
             const Arguments& arguments) {
  p.attempt([&] {
    const Fact* fact = p.facts().value("musaError_t", code);
    if (!fact || !fact->value) return;
    const std::int64_t status = p.call(function, arguments).number;
    if (status == 0) {
      p.leave(fact->id, function + " is not refused");
      return;
    }
    p.decide(fact->id, status == fact->value, fact->claim,
             function + " returned " + std::to_string(status));
    const std::int64_t peeked = p.call("musaPeekAtLastError", {}).number;
    const std::int64_t last = p.call("musaGetLastError", {}).number;
    const std::int64_t after = p.call("musaGetLastError", {}).number;
    p.expect(peeked == status && last == status && after == 0,
             {"musaPeekAtLastError", "musaGetLastError"}, "the error, and then none",
             std::to_string(peeked) + ", " + std::to_string(last) + ", " + std::to_string(after));
  });
}

void probe_errors(Probing& p) {
  OutBuffer buffer;
  provoke(p, "musaErrorInvalidValue", "musaMalloc", {{"devPtr", nullptr}, {"size", 64}});
  provoke(p, "musaErrorMemoryAllocation", "musaMalloc",
          {{"devPtr", &buffer}, {"size", std::int64_t{1} << 50}});
  provoke(p, "musaErrorInvalidDevice", "musaSetDevice", {{"device", 4711}});
  provoke(p, "musaErrorInvalidMemcpyDirection", "musaMemcpy",
          {{"dst", buffer.data()}, {"src", buffer.data()}, {"count", 8}, {"kind", 77}});
}

void probe_profiler(Probing& p) {
  for (const char* function : {"musaProfilerStart", "musaProfilerStop"}) {
    p.attempt([&] {
      p.good(function, {});
      p.expect(true, {function}, "", "success");
    });
  }
}

// What mcc makes of <<<grid, block, shared, stream>>>: two calls around the kernel's stub. dim3
// goes by value.
void probe_configuration(Probing& p) {
  const auto dimensions = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    std::vector<unsigned char> out(size_of(p.facts(), "dim3"));
    const std::pair<const char*, std::uint32_t> members[] = {{"x", x}, {"y", y}, {"z", z}};
    for (const auto& [name, number] : members) {
      const Fact* field = p.facts().field("dim3", name);
      if (!field) throw Stop("the layout of dim3 is not known");
      std::memcpy(out.data() + field->offset, &number, sizeof number);
    }
    return out;
  };
  const std::vector<unsigned char> grid = dimensions(2, 3, 4);
  const std::vector<unsigned char> block = dimensions(5, 6, 7);
  constexpr std::size_t kShared = 80;
  OutBuffer made;
  p.good("musaStreamCreate", {{"pStream", &made}});
  p.good(
      "__musaPushCallConfiguration",
      {{"gridDim", grid}, {"blockDim", block}, {"sharedMem", kShared}, {"stream", made.pointer()}});
  OutBuffer found[4];
  p.good("__musaPopCallConfiguration", {{"gridDim", &found[0]},
                                        {"blockDim", &found[1]},
                                        {"sharedMem", &found[2]},
                                        {"stream", &found[3]}});
  const auto is_same = [](const OutBuffer& told, const std::vector<unsigned char>& passed) {
    return std::equal(passed.begin(), passed.end(), told.bytes());
  };
  const bool holds = is_same(found[0], grid) && is_same(found[1], block) &&
                     found[2].get<std::size_t>() == kShared && found[3].pointer() == made.pointer();
  p.expect_size("dim3", found[0], true);
  for (const char* name : {"x", "y", "z"}) {
    p.decide(p.facts().field("dim3", name)->id, holds, "the dimensions that were passed",
             holds ? "the dimensions that were passed" : "different values");
  }
  p.expect(holds, {"__musaPushCallConfiguration", "__musaPopCallConfiguration"},
           "what was passed comes back", "different values");
}

}  // namespace

std::vector<Probe> runtime_probes() {
  return {{"devices", probe_devices},
          {"errors.names", probe_error_names},
          {"errors.provoked", probe_errors},
          {"profiler", probe_profiler},
          {"launches.configuration", probe_configuration}};
}

}  // namespace torchada::verify
