#pragma once

namespace host_mublas {

// OpenBLAS unmaps its buffers when the process exits, while streams may still compute: kernels in
// flight at exit are normal for a GPU program. So exit waits for the computation that is running
// and lets no other start.
class BlasGate {
 public:
  // From now on, exit closes the gate before OpenBLAS is destroyed.
  static void close_at_exit();

  // Whether OpenBLAS will find memory for its buffers, of which each thread needs one: it asks for
  // them again and again, for ever. Where the address space is limited when the first computation
  // comes, they are taken then, and computations run one after the other.
  static bool has_room();

  // Whether the process is exiting. A computation of many parts then starts no further part.
  static bool closed();

  // One computation. Converts to false when the process is already exiting.
  BlasGate();
  ~BlasGate();
  BlasGate(const BlasGate&) = delete;
  BlasGate& operator=(const BlasGate&) = delete;
  explicit operator bool() const { return entered_; }

 private:
  bool entered_;
  bool alone_;
};

}  // namespace host_mublas
