// What every function of MTML does first and last.
#pragma once

#include <mtml.h>

#include <new>
#include <string>
#include <utility>

#include "src/host/mtml/machine.h"
#include "src/host/mtml/objects.h"
#include "src/host/mtml/ready.h"

namespace mtml {

// Programs may be C: no exception leaves a function.
template <typename Body>
MtmlReturn guarded(Body&& body) noexcept {
  try {
    make_ready();
    return std::forward<Body>(body)();
  } catch (const std::bad_alloc&) {
    return MTML_ERROR_INSUFFICIENT_MEMORY;
  } catch (...) {
    return MTML_ERROR_UNKNOWN;
  }
}

template <typename... Out>
bool any_null(const Out*... out) {
  return ((out == nullptr) || ...);
}

// Runs the body with the index of the object's device.
template <typename Object, typename Body>
MtmlReturn about(const Object* object, Body&& body) noexcept {
  return guarded([&]() -> MtmlReturn {
    const auto index = index_of(object);
    if (!index) return MTML_ERROR_INVALID_ARGUMENT;
    if (is_lost(*index)) return MTML_ERROR_DRIVER_FAILURE;
    return std::forward<Body>(body)(*index);
  });
}

// Stores what `value` returns for the index.
template <typename Object, typename Result, typename Value>
MtmlReturn give(const Object* object, Result* result, Value&& value) noexcept {
  if (result == nullptr) return MTML_ERROR_INVALID_ARGUMENT;
  return about(object, [&](int index) {
    *result = static_cast<Result>(std::forward<Value>(value)(index));
    return MTML_SUCCESS;
  });
}

// The same for something that may be unknown.
template <typename Object, typename Result, typename Value>
MtmlReturn give_if_known(const Object* object, Result* result, Value&& value) noexcept {
  if (result == nullptr) return MTML_ERROR_INVALID_ARGUMENT;
  return about(object, [&](int index) {
    const auto known = std::forward<Value>(value)(index);
    if (!known) return MTML_ERROR_NOT_SUPPORTED;
    *result = static_cast<Result>(*known);
    return MTML_SUCCESS;
  });
}

// A CPU has nothing of the kind, or nobody can know it.
template <typename Object, typename... Out>
MtmlReturn not_supported(const Object* object, const Out*... out) noexcept {
  if (any_null(out...)) return MTML_ERROR_INVALID_ARGUMENT;
  return about(object, [](int) { return MTML_ERROR_NOT_SUPPORTED; });
}

// `size` counts the bytes of the buffer.
inline MtmlReturn copy_text(const std::string& text, char* buffer, unsigned int size) {
  if (text.size() >= size) return MTML_ERROR_INSUFFICIENT_SIZE;
  buffer[text.copy(buffer, text.size())] = '\0';
  return MTML_SUCCESS;
}

}  // namespace mtml
