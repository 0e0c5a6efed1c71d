// MUSA's driver as probes use it. The runtime is not called beside it.
#pragma once

#include <cstring>
#include <vector>

#include "src/command/verify/probes/record.h"

namespace torchada::verify {

inline void start_driver(Probing& p) { p.good("muInit", {{"Flags", 0}}); }

// The name of `function`, or the one without its _v2 where MUSA exports only that.
inline std::string newest(Probing& p, const std::string& function) {
  constexpr std::size_t kSuffix = sizeof "_v2" - 1;
  const std::string plain = function.substr(0, function.size() - kSuffix);
  return !p.has(function) && p.has(plain) ? plain : function;
}

inline std::vector<unsigned char> counted_bytes(std::size_t size, unsigned start = 0) {
  std::vector<unsigned char> out(size);
  for (std::size_t i = 0; i < size; ++i) {
    out[i] = static_cast<unsigned char>((i + start) * 37 + i / 256);
  }
  return out;
}

// The primary context of device 0 is current. Nothing is freed: probes are short and end with their
// process.
class Driver {
 public:
  explicit Driver(Probing& p)
      : allocate_name(newest(p, "muMemAlloc_v2")),
        to_device_name(newest(p, "muMemcpyHtoD_v2")),
        to_host_name(newest(p, "muMemcpyDtoH_v2")),
        probing_(p) {
    start_driver(p);
    OutBuffer context;
    p.good("muDevicePrimaryCtxRetain", {{"pctx", &context}, {"dev", 0}});
    context_ = context.pointer();
    p.good("muCtxSetCurrent", {{"ctx", context_}});
  }

  void* context() const { return context_; }

  std::uint64_t allocate(std::size_t bytes) {
    OutBuffer buffer;
    probing_.good(allocate_name, {{"dptr", &buffer}, {"bytesize", bytes}});
    return buffer.get<std::uint64_t>();
  }

  void write(std::uint64_t to, const std::vector<unsigned char>& bytes) {
    probing_.good(to_device_name,
                  {{"dstDevice", to}, {"srcHost", bytes.data()}, {"ByteCount", bytes.size()}});
  }

  std::uint64_t upload(const std::vector<unsigned char>& bytes) {
    const std::uint64_t to = allocate(bytes.size());
    write(to, bytes);
    return to;
  }

  std::vector<unsigned char> read(std::uint64_t from, std::size_t bytes) {
    probing_.good("muCtxSynchronize", {});
    std::vector<unsigned char> out(bytes);
    probing_.good(to_host_name,
                  {{"dstHost", out.data()}, {"srcDevice", from}, {"ByteCount", bytes}});
    return out;
  }

  void* stream() {
    OutBuffer buffer;
    probing_.good(
        "muStreamCreate",
        {{"phStream", &buffer}, {"Flags", value("MUstream_flags_enum", "MU_STREAM_NON_BLOCKING")}});
    return buffer.pointer();
  }

  void* event(const char* flag) {
    OutBuffer buffer;
    probing_.good("muEventCreate",
                  {{"phEvent", &buffer}, {"Flags", value("MUevent_flags_enum", flag)}});
    return buffer.pointer();
  }

  int value(const std::string& type, const std::string& enumerator) {
    return probing_.value(type, enumerator);
  }

  const std::string allocate_name, to_device_name, to_host_name;

 private:
  Probing& probing_;
  void* context_ = nullptr;
};

}  // namespace torchada::verify
