// Structs: how much MUSA writes, and whether members agree with attributes.
#include <map>
#include <set>

#include "src/command/verify/probes/memory.h"
#include "src/command/verify/probes/probes.h"

namespace torchada::verify {
namespace {

// A member of musaDeviceProp and the attribute with the same value. For an array, also the element.
struct Pair {
  const char* field;
  const char* attribute;
  int element = 0;
};

constexpr Pair kPairs[] = {
    {"sharedMemPerBlock", "musaDevAttrMaxSharedMemoryPerBlock"},
    {"regsPerBlock", "musaDevAttrMaxRegistersPerBlock"},
    {"warpSize", "musaDevAttrWarpSize"},
    {"memPitch", "musaDevAttrMaxPitch"},
    {"maxThreadsPerBlock", "musaDevAttrMaxThreadsPerBlock"},
    {"maxThreadsDim", "musaDevAttrMaxBlockDimX", 0},
    {"maxThreadsDim", "musaDevAttrMaxBlockDimY", 1},
    {"maxThreadsDim", "musaDevAttrMaxBlockDimZ", 2},
    {"maxGridSize", "musaDevAttrMaxGridDimX", 0},
    {"maxGridSize", "musaDevAttrMaxGridDimY", 1},
    {"maxGridSize", "musaDevAttrMaxGridDimZ", 2},
    {"clockRate", "musaDevAttrClockRate"},
    {"totalConstMem", "musaDevAttrTotalConstantMemory"},
    {"major", "musaDevAttrComputeCapabilityMajor"},
    {"minor", "musaDevAttrComputeCapabilityMinor"},
    {"textureAlignment", "musaDevAttrTextureAlignment"},
    {"texturePitchAlignment", "musaDevAttrTexturePitchAlignment"},
    {"deviceOverlap", "musaDevAttrGpuOverlap"},
    {"multiProcessorCount", "musaDevAttrMultiProcessorCount"},
    {"kernelExecTimeoutEnabled", "musaDevAttrKernelExecTimeout"},
    {"integrated", "musaDevAttrIntegrated"},
    {"canMapHostMemory", "musaDevAttrCanMapHostMemory"},
    {"computeMode", "musaDevAttrComputeMode"},
    {"maxTexture1D", "musaDevAttrMaxTexture1DWidth"},
    {"maxTexture1DMipmap", "musaDevAttrMaxTexture1DMipmappedWidth"},
    {"maxTexture1DLinear", "musaDevAttrMaxTexture1DLinearWidth"},
    {"maxTexture2D", "musaDevAttrMaxTexture2DWidth", 0},
    {"maxTexture2D", "musaDevAttrMaxTexture2DHeight", 1},
    {"maxTexture2DMipmap", "musaDevAttrMaxTexture2DMipmappedWidth", 0},
    {"maxTexture2DMipmap", "musaDevAttrMaxTexture2DMipmappedHeight", 1},
    {"maxTexture2DLinear", "musaDevAttrMaxTexture2DLinearWidth", 0},
    {"maxTexture2DLinear", "musaDevAttrMaxTexture2DLinearHeight", 1},
    {"maxTexture2DLinear", "musaDevAttrMaxTexture2DLinearPitch", 2},
    {"maxTexture2DGather", "musaDevAttrMaxTexture2DGatherWidth", 0},
    {"maxTexture2DGather", "musaDevAttrMaxTexture2DGatherHeight", 1},
    {"maxTexture3D", "musaDevAttrMaxTexture3DWidth", 0},
    {"maxTexture3D", "musaDevAttrMaxTexture3DHeight", 1},
    {"maxTexture3D", "musaDevAttrMaxTexture3DDepth", 2},
    {"maxTexture3DAlt", "musaDevAttrMaxTexture3DWidthAlt", 0},
    {"maxTexture3DAlt", "musaDevAttrMaxTexture3DHeightAlt", 1},
    {"maxTexture3DAlt", "musaDevAttrMaxTexture3DDepthAlt", 2},
    {"maxTextureCubemap", "musaDevAttrMaxTextureCubemapWidth"},
    {"maxTexture1DLayered", "musaDevAttrMaxTexture1DLayeredWidth", 0},
    {"maxTexture1DLayered", "musaDevAttrMaxTexture1DLayeredLayers", 1},
    {"maxTexture2DLayered", "musaDevAttrMaxTexture2DLayeredWidth", 0},
    {"maxTexture2DLayered", "musaDevAttrMaxTexture2DLayeredHeight", 1},
    {"maxTexture2DLayered", "musaDevAttrMaxTexture2DLayeredLayers", 2},
    {"maxTextureCubemapLayered", "musaDevAttrMaxTextureCubemapLayeredWidth", 0},
    {"maxTextureCubemapLayered", "musaDevAttrMaxTextureCubemapLayeredLayers", 1},
    {"maxSurface1D", "musaDevAttrMaxSurface1DWidth"},
    {"maxSurface2D", "musaDevAttrMaxSurface2DWidth", 0},
    {"maxSurface2D", "musaDevAttrMaxSurface2DHeight", 1},
    {"maxSurface3D", "musaDevAttrMaxSurface3DWidth", 0},
    {"maxSurface3D", "musaDevAttrMaxSurface3DHeight", 1},
    {"maxSurface3D", "musaDevAttrMaxSurface3DDepth", 2},
    {"maxSurface1DLayered", "musaDevAttrMaxSurface1DLayeredWidth", 0},
    {"maxSurface1DLayered", "musaDevAttrMaxSurface1DLayeredLayers", 1},
    {"maxSurface2DLayered", "musaDevAttrMaxSurface2DLayeredWidth", 0},
    {"maxSurface2DLayered", "musaDevAttrMaxSurface2DLayeredHeight", 1},
    {"maxSurface2DLayered", "musaDevAttrMaxSurface2DLayeredLayers", 2},
    {"maxSurfaceCubemap", "musaDevAttrMaxSurfaceCubemapWidth"},
    {"maxSurfaceCubemapLayered", "musaDevAttrMaxSurfaceCubemapLayeredWidth", 0},
    {"maxSurfaceCubemapLayered", "musaDevAttrMaxSurfaceCubemapLayeredLayers", 1},
    {"surfaceAlignment", "musaDevAttrSurfaceAlignment"},
    {"concurrentKernels", "musaDevAttrConcurrentKernels"},
    {"ECCEnabled", "musaDevAttrEccEnabled"},
    {"pciBusID", "musaDevAttrPciBusId"},
    {"pciDeviceID", "musaDevAttrPciDeviceId"},
    {"pciDomainID", "musaDevAttrPciDomainId"},
    {"tccDriver", "musaDevAttrTccDriver"},
    {"asyncEngineCount", "musaDevAttrAsyncEngineCount"},
    {"unifiedAddressing", "musaDevAttrUnifiedAddressing"},
    {"memoryClockRate", "musaDevAttrMemoryClockRate"},
    {"memoryBusWidth", "musaDevAttrGlobalMemoryBusWidth"},
    {"l2CacheSize", "musaDevAttrL2CacheSize"},
    {"persistingL2CacheMaxSize", "musaDevAttrMaxPersistingL2CacheSize"},
    {"maxThreadsPerMultiProcessor", "musaDevAttrMaxThreadsPerMultiProcessor"},
    {"streamPrioritiesSupported", "musaDevAttrStreamPrioritiesSupported"},
    {"globalL1CacheSupported", "musaDevAttrGlobalL1CacheSupported"},
    {"localL1CacheSupported", "musaDevAttrLocalL1CacheSupported"},
    {"sharedMemPerMultiprocessor", "musaDevAttrMaxSharedMemoryPerMultiprocessor"},
    {"regsPerMultiprocessor", "musaDevAttrMaxRegistersPerMultiprocessor"},
    {"managedMemory", "musaDevAttrManagedMemory"},
    {"isMultiGpuBoard", "musaDevAttrIsMultiGpuBoard"},
    {"multiGpuBoardGroupID", "musaDevAttrMultiGpuBoardGroupID"},
    {"hostNativeAtomicSupported", "musaDevAttrHostNativeAtomicSupported"},
    {"singleToDoublePrecisionPerfRatio", "musaDevAttrSingleToDoublePrecisionPerfRatio"},
    {"pageableMemoryAccess", "musaDevAttrPageableMemoryAccess"},
    {"concurrentManagedAccess", "musaDevAttrConcurrentManagedAccess"},
    {"computePreemptionSupported", "musaDevAttrComputePreemptionSupported"},
    {"canUseHostPointerForRegisteredMem", "musaDevAttrCanUseHostPointerForRegisteredMem"},
    {"cooperativeLaunch", "musaDevAttrCooperativeLaunch"},
    {"cooperativeMultiDeviceLaunch", "musaDevAttrCooperativeMultiDeviceLaunch"},
    {"sharedMemPerBlockOptin", "musaDevAttrMaxSharedMemoryPerBlockOptin"},
    {"pageableMemoryAccessUsesHostPageTables", "musaDevAttrPageableMemoryAccessUsesHostPageTables"},
    {"directManagedMemAccessFromHost", "musaDevAttrDirectManagedMemAccessFromHost"},
    {"maxBlocksPerMultiProcessor", "musaDevAttrMaxBlocksPerMultiprocessor"},
    {"accessPolicyMaxWindowSize", "musaDevAttrMaxAccessPolicyWindowSize"},
    {"reservedSharedMemPerBlock", "musaDevAttrReservedSharedMemoryPerBlock"},
    {"hostRegisterSupported", "musaDevAttrHostRegisterSupported"},
    {"sparseMusaArraySupported", "musaDevAttrSparseMusaArraySupported"},
    {"hostRegisterReadOnlySupported", "musaDevAttrHostRegisterReadOnlySupported"},
    {"timelineSemaphoreInteropSupported", "musaDevAttrMaxTimelineSemaphoreInteropSupported"},
    {"memoryPoolsSupported", "musaDevAttrMemoryPoolsSupported"},
    {"gpuDirectRDMASupported", "musaDevAttrGPUDirectRDMASupported"},
    {"gpuDirectRDMAFlushWritesOptions", "musaDevAttrGPUDirectRDMAFlushWritesOptions"},
    {"gpuDirectRDMAWritesOrdering", "musaDevAttrGPUDirectRDMAWritesOrdering"},
    {"memoryPoolSupportedHandleTypes", "musaDevAttrMemoryPoolSupportedHandleTypes"},
};

int attribute(Probing& p, const char* name) {
  OutBuffer buffer;
  p.good("musaDeviceGetAttribute",
         {{"value", &buffer}, {"attr", p.value("musaDeviceAttr", name)}, {"device", 0}});
  p.forget();
  return static_cast<int>(buffer.integer());
}

// For each number, how many attributes return it. A number that two attributes return does not tell
// them apart.
using Answers = std::map<int, int>;

Answers ask_all(Probing& p) {
  Answers out;
  std::set<std::int64_t> asked;
  for (const Fact* fact : p.facts().values("musaDeviceAttr")) {
    if (!fact->value || !asked.insert(*fact->value).second) continue;
    OutBuffer buffer;
    const Answer answer =
        p.call("musaDeviceGetAttribute",
               {{"value", &buffer}, {"attr", static_cast<int>(*fact->value)}, {"device", 0}});
    if (answer.number == 0) ++out[static_cast<int>(buffer.integer())];
  }
  return out;
}

// 0 and 1 prove nothing: many attributes return them.
bool tells(const Answers& answers, int number) {
  const auto found = answers.find(number);
  return (number < 0 || number > 1) && found != answers.end() && found->second == 1;
}

void probe_pair(Probing& p, const OutBuffer& properties, const Answers& answers, const Pair& pair) {
  const Fact* field = p.facts().field("musaDeviceProp", pair.field);
  const Fact* value = p.facts().value("musaDeviceAttr", pair.attribute);
  if (!field || !value) return;
  const int asked = attribute(p, pair.attribute);
  const bool wide = field->field_type == "size_t";
  const auto at = static_cast<std::size_t>(field->offset) +
                  sizeof(std::int32_t) * static_cast<std::size_t>(pair.element);
  const std::int64_t member =
      wide ? properties.get<std::int64_t>(at) : properties.get<std::int32_t>(at);
  const std::string found = std::string(pair.field) + " is " + std::to_string(member) + ", " +
                            pair.attribute + " is " + std::to_string(asked);
  if (asked != member) {
    p.contradict(field->id, std::string("as ") + pair.attribute + " says", found);
    p.contradict(value->id, std::string("as ") + pair.field + " says", found);
  } else if (tells(answers, asked)) {
    p.confirm(field->id, found);
    p.confirm(value->id, found);
  } else {
    const std::string reason = found + ", a value that many other attributes have too";
    p.leave(field->id, reason);
    p.leave(value->id, reason);
  }
}

void probe_properties(Probing& p) {
  OutBuffer properties;
  const std::string function = properties_function(p);
  p.good(function, {{"prop", &properties}, {"device", 0}});
  p.expect_size("musaDeviceProp", properties, true);
  p.expect(true, {function, "musaDeviceGetAttribute"}, "", "answered");
  p.attempt([&] {
    OutBuffer plain;
    p.good("musaGetDeviceProperties", {{"prop", &plain}, {"device", 0}});
    p.expect(true, {"musaGetDeviceProperties"}, "",
             std::to_string(plain.written()) + " bytes were written");
  });
  const Answers answers = ask_all(p);
  for (const Pair& pair : kPairs) {
    p.attempt([&] { probe_pair(p, properties, answers, pair); });
  }
  const Fact* name = p.facts().field("musaDeviceProp", "name");
  if (name) {
    const unsigned char first = properties.bytes()[name->offset];
    p.decide(name->id, first > ' ' && first < 0x7F, "a string", "none");
  }
  const Fact* memory = p.facts().field("musaDeviceProp", "totalGlobalMem");
  if (memory) {
    OutBuffer available;
    OutBuffer total;
    p.good("musaMemGetInfo", {{"free", &available}, {"total", &total}});
    const auto member = properties.get<std::uint64_t>(static_cast<std::size_t>(memory->offset));
    const auto told = static_cast<std::uint64_t>(total.integer());
    // Drivers keep some memory for themselves.
    p.decide(memory->id, member >= told && member / 2 <= told,
             std::to_string(told) + " bytes, or a little more", std::to_string(member));
  }
}

// Attributes without a known member in the struct. An impossible value contradicts the number; a
// possible one confirms nothing, because other attributes return such values too.
void probe_attributes(Probing& p) {
  const int major = attribute(p, "musaDevAttrComputeCapabilityMajor");
  const int minor = attribute(p, "musaDevAttrComputeCapabilityMinor");
  const int threads = attribute(p, "musaDevAttrMaxThreadsPerBlock");
  const int warp = attribute(p, "musaDevAttrWarpSize");
  const int per_processor = attribute(p, "musaDevAttrMaxThreadsPerMultiProcessor");
  const auto decide = [&](const char* name, bool holds, const std::string& expected, int found) {
    const Fact* fact = p.facts().value("musaDeviceAttr", name);
    if (!fact) return;
    if (holds) {
      p.leave(fact->id, std::to_string(found) + ", which other attributes could return too");
    } else {
      p.contradict(fact->id, expected, std::to_string(found));
    }
  };
  decide("musaDevAttrComputeCapabilityMajor", major >= 1 && major < 20, "1 to 19", major);
  decide("musaDevAttrComputeCapabilityMinor", minor >= 0 && minor < 10, "0 to 9", minor);
  const auto is_power = [](int number) { return number > 0 && (number & (number - 1)) == 0; };
  decide("musaDevAttrWarpSize", is_power(warp) && warp <= 128, "a power of two up to 128", warp);
  decide("musaDevAttrMaxThreadsPerBlock",
         is_power(threads) && threads >= 256 && threads % warp == 0,
         "a power of two, multiple of the warp size", threads);
  decide("musaDevAttrMaxThreadsPerMultiProcessor", per_processor >= threads,
         "at least as many as a block has", per_processor);
}

void probe_ipc(Probing& p) {
  Device device(p);
  OutBuffer memory;
  p.good("musaIpcGetMemHandle", {{"handle", &memory}, {"devPtr", device.allocate(1 << 21)}});
  p.expect_size("musaIpcMemHandle_t", memory, false);
  p.expect(true, {"musaIpcGetMemHandle"}, "", "a handle");
  OutBuffer event;
  constexpr int kInterprocess = 4 | 2;
  p.good("musaEventCreateWithFlags", {{"event", &event}, {"flags", kInterprocess}});
  OutBuffer handle;
  p.good("musaIpcGetEventHandle", {{"handle", &handle}, {"event", event.pointer()}});
  p.expect_size("musaIpcEventHandle_t", handle, false);
  p.expect(true, {"musaIpcGetEventHandle"}, "", "a handle");
}

// A struct passed by value, and one returned.
void probe_3d(Probing& p) {
  std::vector<unsigned char> extent(24);
  const auto put = [&](const char* field, std::uint64_t number) {
    const Fact* fact = p.facts().field("musaExtent", field);
    if (!fact) throw Stop("the layout of musaExtent is not known");
    __builtin_memcpy(extent.data() + fact->offset, &number, sizeof number);
  };
  put("width", 40);
  put("height", 6);
  put("depth", 3);
  OutBuffer pitched;
  p.good("musaMalloc3D", {{"pitchedDevPtr", &pitched}, {"extent", extent}});
  p.expect_size("musaPitchedPtr", pitched, true);
  const auto member = [&](const char* name) {
    const Fact* fact = p.facts().field("musaPitchedPtr", name);
    return fact ? pitched.get<std::uint64_t>(static_cast<std::size_t>(fact->offset)) : 0;
  };
  const auto decide = [&](const char* struct_name, const char* name, bool holds,
                          std::uint64_t found) {
    const Fact* fact = p.facts().field(struct_name, name);
    if (fact) p.decide(fact->id, holds, "as the extent requests", std::to_string(found));
  };
  const std::uint64_t pitch = member("pitch");
  decide("musaPitchedPtr", "pitch", pitch >= 40 && pitch < 65536, pitch);
  decide("musaPitchedPtr", "xsize", member("xsize") == 40, member("xsize"));
  decide("musaPitchedPtr", "ysize", member("ysize") == 6, member("ysize"));
  decide("musaPitchedPtr", "ptr", member("ptr") != 0, member("ptr"));
  const bool holds = member("xsize") == 40 && member("ysize") == 6;
  decide("musaExtent", "width", member("xsize") == 40, member("xsize"));
  decide("musaExtent", "height", member("ysize") == 6, member("ysize"));
  p.expect(holds, {"musaMalloc3D"}, "memory of this extent", "a different size");
  p.attempt([&] {
    // Fills exactly three planes: the bytes after them must stay.
    std::vector<unsigned char> place(pitched.bytes(), pitched.bytes() + 32);
    p.good("musaMemset3D", {{"pitchedDevPtr", place}, {"value", 0x4A21}, {"extent", extent}});
    Device device(p);
    const auto back = device.download<unsigned char>(
        reinterpret_cast<void*>(static_cast<std::uintptr_t>(member("ptr"))),
        static_cast<std::size_t>(pitch * 6 * 2 + pitch * 5 + 40));
    bool filled = true;
    for (std::size_t z = 0; z < 3; ++z) {
      for (std::size_t y = 0; y < 6; ++y) {
        const auto row = back.begin() + static_cast<std::ptrdiff_t>((z * 6 + y) * pitch);
        filled = filled && std::count(row, row + 40, 0x21) == 40;
      }
    }
    p.expect(filled, {"musaMemset3D"}, "three planes filled", "different values");
    decide("musaExtent", "depth", filled, 3);
    const Fact* size = p.facts().size("musaExtent");
    if (size) p.decide(size->id, filled, size->claim, "passed by value");
  });
}

// No source shows the layout of musaChannelFormatDesc. MUSA gets CUDA's, and says of the array what
// it then had.
void probe_array(Probing& p) {
  constexpr std::uint32_t kFormat[16] = {32, 0, 0, 0, 2};  // One float.
  OutBuffer array;
  const std::int64_t status =
      p.call("musaMallocArray",
             {{"array", &array}, {"desc", kFormat}, {"width", 40}, {"height", 6}, {"flags", 0}})
          .number;
  if (status != 0) throw Stop("musaMallocArray returned " + std::to_string(status));
  OutBuffer format;
  p.good("musaGetChannelDesc", {{"desc", &format}, {"array", array.pointer()}});
  const bool same = format.get<std::uint32_t>() == 32 && format.get<std::uint32_t>(4) == 0;
  p.expect(same, {"musaMallocArray", "musaGetChannelDesc"}, "the format that was passed",
           "different values");
  OutBuffer told;
  OutBuffer extent;
  OutBuffer flags;
  p.good("musaArrayGetInfo",
         {{"desc", &told}, {"extent", &extent}, {"flags", &flags}, {"array", array.pointer()}});
  const bool holds = extent.get<std::uint64_t>() == 40 && extent.get<std::uint64_t>(8) == 6 &&
                     told.written() == format.written();
  p.expect(holds, {"musaArrayGetInfo"}, "40 by 6 of that format", "different values");
  p.good("musaFreeArray", {{"array", array.pointer()}});
  p.expect(true, {"musaFreeArray"}, "", "freed");
}

}  // namespace

std::vector<Probe> layout_probes() {
  return {{"layouts.properties", probe_properties},
          {"layouts.attributes", probe_attributes},
          {"layouts.ipc", probe_ipc},
          {"layouts.3d", probe_3d},
          {"layouts.array", probe_array}};
}

}  // namespace torchada::verify
