#include "stubs/kernels/refuse_name.h"

#include "stubs/kernels/demangled.h"
#include "stubs/kernels/files.h"
#include "stubs/reporting/refusal.h"

namespace torchada::kernels {

int refuse_name(const char* function, const char* name, int status) {
  Text<200> reason;
  reason << "it is in none of the " << static_cast<int64_t>(file_count())
         << " kernel libraries of TORCHADA_KERNELS: " << kAddImage;
  return refuse_argument(function, "name", shown_name(name).c_str(), reason.c_str(), status);
}

}  // namespace torchada::kernels
