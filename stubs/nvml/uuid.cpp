#include "stubs/nvml/uuid.h"

#include "stubs/nvml/text.h"

namespace torchada::nvml {
namespace {

// MTML's identifiers are not known to have it, but a MUSA that has learnt to is not given a second.
constexpr char kPrefix[] = "GPU-";
constexpr unsigned kPrefixLength = sizeof kPrefix - 1;

// -1 for what is no hexadecimal digit.
int digit_of(char character) {
  if (character >= '0' && character <= '9') return character - '0';
  if (character >= 'a' && character <= 'f') return character - 'a' + 10;
  if (character >= 'A' && character <= 'F') return character - 'A' + 10;
  return -1;
}

}  // namespace

int uuid_of(void* device, char* text, unsigned size) {
  memcpy(text, kPrefix, kPrefixLength);
  char* const own = text + kPrefixLength;
  const int status = mtmlDeviceGetUUID(device, own, size - kPrefixLength);
  text[size - 1] = '\0';
  if (strncmp(own, kPrefix, kPrefixLength) == 0) memmove(text, own, strlen(own) + 1);
  return status;
}

bool has_bytes(const char* uuid, const char* bytes) {
  constexpr unsigned kDigits = 32;
  unsigned count = 0;
  for (const char* at = uuid + kPrefixLength; *at; ++at) {
    if (*at == '-') continue;
    const int digit = digit_of(*at);
    if (digit < 0 || count == kDigits) return false;
    const auto byte = static_cast<unsigned char>(bytes[count / 2]);
    if (digit != (count % 2 == 0 ? byte >> 4 : byte & 15)) return false;
    ++count;
  }
  return count == kDigits;
}

}  // namespace torchada::nvml
