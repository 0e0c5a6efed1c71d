// How many compilers run at a time.
#pragma once

namespace host_mtrtc {

// Waits until fewer compilations run than the process may use cores, and counts as one of them
// until it is destroyed.
class Turn {
 public:
  Turn();
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
};

}  // namespace host_mtrtc
