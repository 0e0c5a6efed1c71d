// The plans of this process. A program holds a small number for each plan, MUSA a pointer.
#pragma once

namespace torchada::cufft {

// What a program's number stands for.
struct Plan {
  void* musa;    // muFFT's handle.
  void* stream;  // The stream for a plan that is not made yet.
  bool made;     // Whether muFFT has made the plan, so that it accepts a stream.
};

// The number for a new plan, from 1 on; 0 if there are too many plans. A number is not used again
// until most others have been used.
int add_plan(void* musa);

// False if no plan has this number. Several threads may look up plans while others add and remove
// some. As in cuFFT, a program must not use a plan while it destroys it.
bool find_plan(int handle, Plan* plan);

// Both do nothing if no plan has this number.
void set_stream(int handle, void* stream);
void set_made(int handle);

// Takes the plan out and returns muFFT's handle, or null if no plan has this number. If several
// threads remove the same plan, one gets it.
void* remove_plan(int handle);

}  // namespace torchada::cufft
