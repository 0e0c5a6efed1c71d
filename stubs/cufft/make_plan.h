// What follows when a plan for a handle of cufftCreate was made.
#pragma once

namespace torchada::cufft {

// Returns `status`, the outcome of making the plan. If it was made, muFFT gets the stream that the
// program has set before.
int made(int handle, int status);

}  // namespace torchada::cufft
