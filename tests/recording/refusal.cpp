#include "tests/recording/refusal.h"

namespace recording {
namespace {

// A function without a known prototype is assumed to return a status, as almost all do.
bool returns_status(const std::string& type) {
  return type == "?" || type.ends_with("Status_t") || type.ends_with("Error_t") ||
         type.ends_with("Result_t") || type.ends_with("Result") || type == "CUresult" ||
         type == "nvmlReturn_t";
}

bool says_no_device(const std::string& name) {
  return name.find("GLGetDevices") != std::string::npos || name == "cuGetExportTable";
}

}  // namespace

std::string objection_to_refusal(const Decision& decision, const CudaLibrary& library,
                                 const Invocation& invocation) {
  const std::uint64_t rax = invocation.exchange.results.rax;
  if (decision.returns == "void") return "";
  if (decision.returns == "const char *") {
    const bool readable = rax != 0 && *reinterpret_cast<const char*>(rax) != '\0';
    return readable ? "" : decision.cuda + ": returned no text\n";
  }
  int expected = 0;
  if (returns_status(decision.returns)) {
    expected = decision.decision == "no_image" ? library.no_device_code : library.unsupported;
    if (says_no_device(decision.cuda)) expected = library.no_devices;
  }
  // A status is 32 bits wide; the rest of the register is undefined.
  const int returned = static_cast<int>(rax);
  if (returned == expected) return "";
  return decision.cuda + ": returned " + std::to_string(returned) + " instead of " +
         std::to_string(expected) + "\n";
}

}  // namespace recording
