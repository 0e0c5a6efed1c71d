#include "stubs/cupti/accepted.h"

#include "facts.h"
#include "stubs/table.h"

namespace torchada::cupti {

int accepted(const char* function, const char* why) {
  static const char* said[8];
  for (const char*& place : said) {
    if (place == function) return cuda::CUPTI_SUCCESS;
    if (place) continue;
    place = function;
    break;
  }
  Line line;
  line << function << " has no effect: " << why;
  log(LogLevel::kInfo, line);
  return cuda::CUPTI_SUCCESS;
}

}  // namespace torchada::cupti
