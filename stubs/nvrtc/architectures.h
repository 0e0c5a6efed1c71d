// The architectures that code can be compiled for: those of the devices.
#pragma once

namespace torchada::nvrtc {

struct Architecture {
  int told;  // As CUDA programs are told: 31 for a device of compute capability 3.1.
  int musa;  // As MUSA's compiler names it: 31 for mp_31.
};

inline constexpr int kMaxArchitectures = 64;

// Writes the architectures of the devices, each once, by what programs are told. Returns their
// number; 0 without MUSA or a device. A row whose adapter calls it lists muInit, muDeviceGetCount,
// muDeviceGet and muDeviceComputeCapability.
int architectures(Architecture (&out)[kMaxArchitectures]);

}  // namespace torchada::nvrtc
