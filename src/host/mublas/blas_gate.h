#pragma once

namespace host_mublas {

// OpenBLAS unmaps its buffers when the process exits, while streams may still compute: kernels in
// flight at exit are normal for a GPU program. So exit waits for the computation that is running
// and lets no other start.
class BlasGate {
 public:
  // From now on, exit closes the gate before OpenBLAS goes.
  static void close_at_exit();

  // The process is exiting and waits: a computation of many parts does not begin the next one.
  static bool closed();

  // One computation. Converts to false when the process is already exiting.
  BlasGate();
  ~BlasGate();
  BlasGate(const BlasGate&) = delete;
  BlasGate& operator=(const BlasGate&) = delete;
  explicit operator bool() const { return entered_; }

 private:
  bool entered_;
};

}  // namespace host_mublas
