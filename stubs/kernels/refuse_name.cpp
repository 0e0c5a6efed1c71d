#include "stubs/kernels/refuse_name.h"

#include "stubs/kernels/files.h"
#include "stubs/refusal.h"

namespace torchada::kernels {

int refuse_name(const char* function, const char* name, int status) {
  Text<500> shown;
  shown << name;
  if (shown.truncated()) {
    shown.clear();
    shown.append(name, 490);
    shown << "...";
  }
  Text<150> reason;
  reason << "it is in none of the " << static_cast<int64_t>(file_count())
         << " kernel libraries of TORCHADA_KERNELS; compile its source for MUSA with mcc";
  return refuse_argument(function, "name", shown.c_str(), reason.c_str(), status);
}

}  // namespace torchada::kernels
