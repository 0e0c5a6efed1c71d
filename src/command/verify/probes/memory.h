// Device memory for probes, allocated, filled and read by MUSA's own functions.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "src/command/verify/probe.h"

namespace torchada::verify {

// The function that fills all of musaDeviceProp. From SDK 4.3 on, that is the second form; the
// first may keep the shorter struct.
inline std::string properties_function(Probing& p) {
  const std::string newer = "musaGetDeviceProperties_v2";
  return p.has(newer) ? newer : "musaGetDeviceProperties";
}

// Never freed: probes are short and end with their process.
class Device {
 public:
  explicit Device(Probing& probing) : probing_(probing) {}

  void* allocate(std::size_t bytes) {
    OutBuffer buffer;
    probing_.good("musaMalloc", {{"devPtr", &buffer}, {"size", bytes}});
    return buffer.pointer();
  }

  template <typename T>
  T* upload(const std::vector<T>& values) {
    const std::size_t bytes = std::max<std::size_t>(1, std::span(values).size_bytes());
    void* out = allocate(bytes);
    copy(out, values.data(), std::span(values).size_bytes(), "musaMemcpyHostToDevice");
    return static_cast<T*>(out);
  }

  template <typename T>
  std::vector<T> download(const void* from, std::size_t count) {
    synchronize();
    std::vector<T> out(count);
    copy(out.data(), from, std::span(out).size_bytes(), "musaMemcpyDeviceToHost");
    return out;
  }

  void copy(void* to, const void* from, std::size_t bytes, const std::string& kind) {
    probing_.good("musaMemcpy", {{"dst", to},
                                 {"src", from},
                                 {"count", bytes},
                                 {"kind", probing_.value("musaMemcpyKind", kind)}});
  }

  void synchronize() { probing_.good("musaDeviceSynchronize", {}); }

 private:
  Probing& probing_;
};

}  // namespace torchada::verify
