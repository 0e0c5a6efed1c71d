// What the tests of libcuda's adapters share. The backend returns numbers that are not success, so
// an adapter never makes a second call of a function that does the work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "tests/recording/behaviour.h"
#include "tests/recording/call_log.h"
#include "tests/recording/words.h"

namespace recording::driver {

inline constexpr const char* kFile = "driver/libcuda.so.1";
inline constexpr int kUnknown = 999;  // CUDA_ERROR_UNKNOWN, for a number that is no status.

// kOwn: a value that the adapter supplies, such as the address of its own variable.
inline constexpr std::uint64_t kOwn = ~std::uint64_t{0};

// A struct of the program, of which MUSA gets a copy that begins with the same word. As an expected
// word; no address has this bit.
inline constexpr std::uint64_t kCopy = std::uint64_t{1} << 63;

inline std::uint64_t at(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

// Calls that ask about the thread: they come around those of the runtime.
inline bool does_the_work(const LoggedCall& call) {
  return call.musa != "muCtxGetCurrent" && call.musa != "musaPeekAtLastError" &&
         call.musa != "musaGetLastError";
}

inline CallLog work_log() {
  CallLog out;
  for (const LoggedCall& call : backend_log()) {
    if (does_the_work(call)) out.push_back(call);
  }
  return out;
}

// A library for which the driver is initialised and a context is current.
inline Library opened() {
  static const std::uint64_t context = 0x77000;
  recording_answer("muCtxGetCurrent", 0);
  recording_write("muCtxGetCurrent", 0, &context, sizeof context);
  return {kFile, MUSA_ROOT};
}

inline bool is_copy(std::uint64_t word) { return word != kOwn && (word & kCopy) != 0; }

// Whether recording_look saw the word that lies at `address` in the last call of `musa`.
inline bool was_seen(const std::string& musa, std::uint64_t address) {
  for (std::size_t i = recording_count(); i-- > 0;) {
    const recording_call call = recording_get(i);
    if (call.name != musa) continue;
    return std::memcmp(call.seen[0], reinterpret_cast<const void*>(address),
                       sizeof(std::uint64_t)) == 0;
  }
  return false;
}

// Empty if the call arrived as one call of `musa` with these words.
// What becomes of MUSA's status, which is no number of CUDA's: a row that is delegated to a direct
// one returns it as that one does.
enum class Status { kConverted, kAsItIs };

inline std::string objection(const Library& driver, const std::string& cuda, const Words& passed,
                             const std::string& musa, const Words& expected,
                             Status kind = Status::kConverted) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (is_copy(expected[i])) recording_look(musa.c_str(), 0, static_cast<unsigned>(i));
  }
  const int status = driver.call(cuda, passed);
  const CallLog log = work_log();
  if (log.size() != 1 || log[0].musa != musa) {
    return cuda + ": " + std::to_string(log.size()) + " calls" +
           (log.empty() ? "" : ", the first of " + log[0].musa) + "\n";
  }
  std::string out;
  const int returned = static_cast<int>(log[0].exchange.results.rax);
  if (status != (kind == Status::kAsItIs ? returned : kUnknown))
    out += cuda + ": status " + std::to_string(status) + "\n";
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::uint64_t got = received(log[0], i);
    if (is_copy(expected[i])) {
      const std::uint64_t own = expected[i] & ~kCopy;
      if (got == own) out += cuda + ": MUSA got the program's struct\n";
      if (!was_seen(musa, own)) out += cuda + ": the struct did not arrive\n";
      continue;
    }
    // The upper half of an int is undefined.
    const bool small = expected[i] < 0x1000;
    if (expected[i] == kOwn ? got > 0xffff : (small ? got & 0xffffffff : got) == expected[i]) {
      continue;
    }
    out += cuda + ": argument " + std::to_string(i) + " is " + std::to_string(got) + "\n";
  }
  return out;
}

}  // namespace recording::driver
