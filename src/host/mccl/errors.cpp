#include "src/host/mccl/errors.h"

#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <string_view>

#include "src/host/shared/never_destroyed.h"

namespace host_mccl {
namespace {

using Message = std::array<char, 256>;

// One message for the whole process: watchdog threads ask for the error of another thread.
struct LastError {
  std::mutex mutex;
  Message message{};
};

LastError& last_error() { return host::never_destroyed<LastError>(); }

// MCCL_DEBUG has NCCL's levels. All of them except VERSION include warnings.
bool wants_warnings() {
  const char* const level = std::getenv("MCCL_DEBUG");
  if (level == nullptr) return false;
  const std::string_view text(level);
  return text == "WARN" || text == "INFO" || text == "ABORT" || text == "TRACE";
}

}  // namespace

mcclResult_t fail(mcclResult_t code, const char* format, ...) {
  Message message{};
  va_list arguments;
  va_start(arguments, format);
  // The analyzer of clang 14 does not know that va_start initialises.
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized)
  std::vsnprintf(message.data(), message.size(), format, arguments);
  va_end(arguments);
  // Like NCCL on standard output, because the texts of error codes advise it.
  if (wants_warnings()) {
    std::fprintf(stdout, "MCCL WARN %s\n", message.data());
    std::fflush(stdout);
  }
  auto& last = last_error();
  const std::lock_guard lock(last.mutex);
  last.message = message;
  return code;
}

mcclResult_t check_musa(musaError_t status, const char* what) {
  if (status == musaSuccess) return mcclSuccess;
  return fail(mcclUnhandledMusaError, "%s failed: %s", what, musaGetErrorString(status));
}

}  // namespace host_mccl

const char* mcclGetErrorString(mcclResult_t result) {
  // In the order of mcclResult_t.
  constexpr const char* kTexts[] = {"no error",
                                    "unhandled MUSA error",
                                    "unhandled system error",
                                    "internal error",
                                    "invalid argument",
                                    "invalid usage",
                                    "remote process exited or there was a network error",
                                    "MCCL operation in progress"};
  const auto number = static_cast<std::size_t>(result);
  return number < std::size(kTexts) ? kTexts[number] : "unknown result code";
}

const char* mcclGetLastError(mcclComm_t) {
  // A copy for each thread, so that the text a caller holds does not change.
  thread_local host_mccl::Message copy;
  auto& last = host_mccl::last_error();
  const std::lock_guard lock(last.mutex);
  copy = last.message;
  return copy.data();
}
