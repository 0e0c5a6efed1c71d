// The modules that come with Python.
#pragma once

#include <string_view>

namespace torchada::check {

// `name` has no dots: "ctypes". False for modules that someone installed.
bool is_standard_module(std::string_view name);

}  // namespace torchada::check
