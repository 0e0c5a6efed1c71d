#include "src/companion/output.h"

#include <unistd.h>

#include "src/companion/log_file.h"
#include "src/companion/write_all.h"
#include "src/shared/printable_string.h"

namespace torchada {

void say(const char* library, const std::string& text, const std::string& before) {
  const std::string safe = printable(text);
  write_all(STDERR_FILENO, "torchada: " + before + safe + "\n");
  if (has_log_file()) log_to_file(LogLevel::kWarn, library, safe);
}

}  // namespace torchada
