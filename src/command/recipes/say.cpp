#include "src/command/recipes/say.h"

#include <cstdlib>
#include <mutex>

#include "src/command/messages.h"

namespace torchada::recipes {

void say(const std::string& text) {
  static std::mutex mutex;  // The command's logger is for one thread.
  const char* const level = std::getenv("TORCHADA_LOG");
  if (level != nullptr && std::string(level) == "off") return;
  const std::lock_guard<std::mutex> lock(mutex);
  log_info("kernels: {}", text);
}

std::string seconds_text(double seconds) { return fmt::format("{:.1f} s", seconds); }

}  // namespace torchada::recipes
