// The thread's last error, and the wrapper every API function runs in.
#ifndef TORCHADA_HOST_MUSART_ERROR_H_
#define TORCHADA_HOST_MUSART_ERROR_H_

#include <new>
#include <system_error>
#include <utility>

#include "musa_runtime_api.h"
#include "src/host/musart/fork_guard.h"

namespace musart {

// Remembers `error` for musaGetLastError and returns it. Success leaves an earlier error in place;
// so does musaErrorNotReady, which answers a query and is not a failure.
musaError_t record_error(musaError_t error);

const char* error_name(musaError_t error);
const char* error_text(musaError_t error);

// Runs the body of an API function. The caller may be C, so no exception leaves it.
template <typename Body>
musaError_t api_call(Body&& body) noexcept {
  // Worker threads and held locks do not survive a fork, so a call in the child fails at once.
  if (in_forked_child()) return record_error(musaErrorInitializationError);
  try {
    return record_error(std::forward<Body>(body)());
  } catch (const std::bad_alloc&) {
    return record_error(musaErrorMemoryAllocation);
  } catch (const std::system_error&) {
    return record_error(musaErrorOperatingSystem);
  } catch (...) {
    return record_error(musaErrorUnknown);
  }
}

}  // namespace musart

#define MUSART_RETURN_IF_ERROR(expression)                    \
  do {                                                        \
    const musaError_t status_of_call = (expression);          \
    if (status_of_call != musaSuccess) return status_of_call; \
  } while (false)

#endif  // TORCHADA_HOST_MUSART_ERROR_H_
