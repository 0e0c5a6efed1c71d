// Turns the outcome of a muFFT call into CUDA's terms.
#pragma once

namespace torchada::cufft {

// A function by its CUDA and MUSA names.
struct Function {
  const char* cuda;
  const char* musa;
};

// Like outcome, for a `musa_status` other than success.
int failed_outcome(const Function& function, int musa_status);

// The status to return for `musa_status`. Says in one line if the call did not reach MUSA: no MUSA,
// no muFFT in it, or a muFFT without the function.
inline int outcome(const Function& function, int musa_status) {
  return musa_status == 0 ? 0 : failed_outcome(function, musa_status);
}

// Says why muFFT cannot take a call, and returns the status for it.
int refuse(const char* function, const char* reason);

// What a call with the number of no plan returns. Without muFFT no plan can exist, and one line
// says why.
int no_plan(const char* function);

}  // namespace torchada::cufft

#define TORCHADA_CUFFT(name) (::torchada::cufft::Function{"cufft" #name, "mufft" #name})
