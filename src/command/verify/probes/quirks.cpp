// What MUSA does differently from CUDA, of mappings/musa/quirks.yaml.
#include <dlfcn.h>
#include <link.h>

#include <algorithm>

#include "src/command/verify/probes/copying_graph.h"
#include "src/command/verify/probes/memory.h"
#include "src/command/verify/probes/probes.h"
#include "src/command/verify/probes/quirk.h"
#include "src/inspect/elf_file.h"

namespace torchada::verify {
namespace {

int attribute(Probing& p, const char* name) {
  OutBuffer buffer;
  p.good("musaDeviceGetAttribute",
         {{"value", &buffer}, {"attr", p.value("musaDeviceAttr", name)}, {"device", 0}});
  return static_cast<int>(buffer.integer());
}

void probe_devices(Probing& p) {
  const int major = attribute(p, "musaDevAttrComputeCapabilityMajor");
  const int minor = attribute(p, "musaDevAttrComputeCapabilityMinor");
  const int warp = attribute(p, "musaDevAttrWarpSize");
  const std::string chip = "mp_" + std::to_string(major) + std::to_string(minor);
  const bool known = chip == "mp_21" || chip == "mp_22" || chip == "mp_31";
  decide_quirk(p, "capability_is_the_architecture", known, chip);
  decide_quirk(p, "warp_size_follows_the_architecture",
               known && warp == (chip == "mp_31" ? 32 : 128),
               chip + " with " + std::to_string(warp));
}

void probe_capture(Probing& p) {
  OutBuffer stream;
  p.good("musaStreamCreate", {{"pStream", &stream}});
  p.good("musaStreamBeginCapture",
         {{"stream", stream.pointer()},
          {"mode", p.value("musaStreamCaptureMode", "musaStreamCaptureModeGlobal")}});
  OutBuffer memory;
  const std::int64_t status = p.call("musaMalloc", {{"devPtr", &memory}, {"size", 64}}).number;
  decide_quirk(p, "musaMalloc_in_capture_fails", status != 0, "status " + std::to_string(status));
}

void probe_kept_graph(Probing& p) {
  CopyingGraph graph(p);
  const std::int64_t status = graph.launch();
  decide_quirk(p, "graph_survives_its_executable", status == 0 && graph.has_copied(),
               "launched while the graph exists: status " + std::to_string(status));
}

void probe_random(Probing& p) {
  Device device(p);
  const auto make = [&](const char* type) {
    OutBuffer buffer;
    p.good("murandCreateGenerator",
           {{"generator", &buffer}, {"rng_type", p.value("murandRngType_t", type)}});
    return buffer.pointer();
  };
  p.attempt([&] {
    constexpr std::size_t kCount = 1 << 20;
    void* place = device.allocate(kCount * sizeof(float));
    p.good(
        "murandGenerateUniform",
        {{"generator", make("MURAND_RNG_PSEUDO_XORWOW")}, {"outputPtr", place}, {"num", kCount}});
    const auto values = device.download<float>(place, kCount);
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    decide_quirk(p, "uniform_excludes_zero", *least > 0 && *greatest <= 1,
                 std::to_string(*least) + " to " + std::to_string(*greatest));
  });
  p.attempt([&] {
    const std::int64_t status =
        p.call("murandGenerateNormal", {{"generator", make("MURAND_RNG_PSEUDO_XORWOW")},
                                        {"outputPtr", device.allocate(64)},
                                        {"n", 7},
                                        {"mean", 0.0},
                                        {"stddev", 1.0}})
            .number;
    decide_quirk(p, "normal_needs_an_even_count", status != 0, "status " + std::to_string(status));
  });
  p.attempt([&] {
    const std::int64_t status =
        p.call("murandGenerateLongLong", {{"generator", make("MURAND_RNG_PSEUDO_PHILOX4_32_10")},
                                          {"outputPtr", device.allocate(64)},
                                          {"num", 4}})
            .number;
    decide_quirk(p, "philox_has_no_64_bit_numbers",
                 status == p.value("murandStatus_t", "MURAND_STATUS_TYPE_ERROR"),
                 "status " + std::to_string(status));
  });
}

void probe_half_scalars(Probing& p) {
  // The product that decides the computation type also decides this: half scalars give the right
  // result.
  Device device(p);
  OutBuffer handle;
  p.good("mublasCreate", {{"handle", &handle}});
  const std::vector<std::uint16_t> one = {0x3C00};
  auto* place = device.upload(std::vector<std::uint16_t>(1));
  const std::uint16_t two = 0x4000;
  const std::uint16_t zero = 0;
  const int none = p.value("mublasOperation_t", "MUBLAS_OP_N");
  const int half = p.value("musaDataType_t", "MUSA_R_16F");
  p.good("mublasGemmEx", {{"handle", handle.pointer()},
                          {"transa", none},
                          {"transb", none},
                          {"m", 1},
                          {"n", 1},
                          {"k", 1},
                          {"alpha", &two},
                          {"A", device.upload(one)},
                          {"Atype", half},
                          {"lda", 1},
                          {"B", device.upload(one)},
                          {"Btype", half},
                          {"ldb", 1},
                          {"beta", &zero},
                          {"C", place},
                          {"Ctype", half},
                          {"ldc", 1},
                          {"computeType", p.value("mublasComputeType_t", "MUBLAS_COMPUTE_16F")},
                          {"algo", p.value("mublasGemmAlgo_t", "MUBLAS_GEMM_DEFAULT")}});
  const auto found = device.download<std::uint16_t>(place, 1);
  decide_quirk(p, "compute_16F_takes_half_scalars", found[0] == 0x4000, std::to_string(found[0]));
}

void probe_pageable(Probing& p) {
  std::vector<unsigned char> memory(64);
  OutBuffer attributes;
  const std::int64_t status =
      p.call("musaPointerGetAttributes", {{"attributes", &attributes}, {"ptr", memory.data()}})
          .number;
  const Fact* field = p.facts().field("musaPointerAttributes", "type");
  const Fact* none = p.facts().value("musaMemoryType", "musaMemoryTypeUnregistered");
  const std::int32_t type =
      field ? attributes.get<std::int32_t>(static_cast<std::size_t>(field->offset)) : -1;
  const bool unregistered = none && none->value == type;
  if (status == 0 && none) {
    p.decide(none->id, unregistered, none->claim, std::to_string(type));
  }
  decide_quirk(p, "pageable_memory_has_no_attributes", status != 0 || unregistered,
               "status " + std::to_string(status) + ", type " + std::to_string(type));
}

// The report says whose library it is, and names no folder.
void probe_libcuda(Probing& p) {
  void* const library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  link_map* file = nullptr;
  const bool is_own = library && dlinfo(library, RTLD_DI_LINKMAP, &file) == 0 &&
                      is_torchadas(read_elf_file(file->l_name));
  decide_quirk(p, "no_libcuda_of_musa", !library || is_own,
               !library ? "the loader finds none"
               : is_own ? "the loader finds torchada's"
                        : "the loader finds one that is not torchada's");
}

}  // namespace

std::vector<Probe> quirk_probes() {
  return {{"quirks.devices", probe_devices},
          {"quirks.capture", probe_capture},
          {"quirks.kept_graph", probe_kept_graph},
          {"quirks.random", probe_random},
          {"quirks.half_scalars", probe_half_scalars},
          {"quirks.pageable", probe_pageable},
          {"quirks.libcuda", probe_libcuda}};
}

}  // namespace torchada::verify
