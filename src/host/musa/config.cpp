#include "src/host/musa/config.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <numeric>
#include <string_view>

#include "src/host/shared/variables.h"

namespace musa {
namespace {

std::size_t half_of_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_size = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_size <= 0) return std::size_t{1} << 30;
  return static_cast<std::size_t>(pages) / 2 * static_cast<std::size_t>(page_size);
}

// Becomes part of a file's name.
std::string read_account() {
  constexpr const char* kVariable = "TORCHADA_HOST_ACCOUNT";
  const char* const text = secure_getenv(kVariable);
  constexpr std::size_t kLongest = 32;
  constexpr const char* kEveryone = "all";
  if (text == nullptr || *text == '\0') return kEveryone;
  std::string name = text;
  const bool valid = name.size() <= kLongest && std::ranges::all_of(name, [](unsigned char c) {
                       return std::isalnum(c) != 0 || c == '_';
                     });
  if (!valid) {
    host::say_ignored(kVariable, name, "a name of up to 32 letters, digits and underscores");
    return kEveryone;
  }
  return name == "none" ? "" : name;
}

}  // namespace

std::optional<std::size_t> parse_size(const char* text) {
  if (std::isdigit(static_cast<unsigned char>(*text)) == 0) return std::nullopt;
  char* end = nullptr;
  errno = 0;
  unsigned long long size = std::strtoull(text, &end, 10);
  if (errno != 0) return std::nullopt;
  int shift = 0;
  switch (std::toupper(static_cast<unsigned char>(*end))) {
    case 'K':
      shift = 10;
      break;
    case 'M':
      shift = 20;
      break;
    case 'G':
      shift = 30;
      break;
    case '\0':
      return size;
    default:
      return std::nullopt;
  }
  if (end[1] != '\0' || size > (~std::size_t{0} >> shift)) return std::nullopt;
  return size << shift;
}

std::vector<int> parse_visible_devices(const char* text, int device_count) {
  std::vector<int> visible;
  if (text == nullptr) {
    visible.resize(static_cast<std::size_t>(device_count));
    std::iota(visible.begin(), visible.end(), 0);
    return visible;
  }
  while (true) {
    char* end = nullptr;
    errno = 0;
    const long index = std::strtol(text, &end, 10);
    if (end == text || errno != 0 || index < 0 || index >= device_count) break;
    while (*end == ' ') ++end;
    if (*end != ',' && *end != '\0') break;
    const int device = static_cast<int>(index);
    if (std::find(visible.begin(), visible.end(), device) != visible.end()) break;
    visible.push_back(device);
    if (*end == '\0') break;
    text = end + 1;
  }
  return visible;
}

namespace {

std::size_t read_memory(std::size_t fallback) {
  constexpr const char* kVariable = "TORCHADA_HOST_MEMORY";
  const char* const text = secure_getenv(kVariable);
  if (text == nullptr || *text == '\0') return fallback;
  if (const auto size = parse_size(text)) return *size;
  host::say_ignored(kVariable, text, "a size such as 512M or 8G, below 16777216G");
  return fallback;
}

}  // namespace

Config read_config() {
  Config config;
  config.devices =
      static_cast<int>(host::number_variable("TORCHADA_HOST_DEVICES", 0, kMaxDevices, 1));
  config.visible_devices =
      parse_visible_devices(secure_getenv("MUSA_VISIBLE_DEVICES"), config.devices);
  // All devices together have half of the machine's memory: what they give must be there.
  config.memory_per_device =
      read_memory(half_of_memory() / static_cast<std::size_t>(std::max(config.devices, 1)));
  config.account = read_account();
  return config;
}

const Architecture& architecture() {
  static const Architecture known = [] {
    const char* const text = secure_getenv("TORCHADA_HOST_ARCH");
    const std::string_view name = text == nullptr ? "" : text;
    if (name == "mp_21") return Architecture{2, 1, 128};
    if (name == "mp_22") return Architecture{2, 2, 128};
    if (!name.empty() && name != "mp_31") {
      host::say_ignored("TORCHADA_HOST_ARCH", text, "mp_21, mp_22 or mp_31");
    }
    return Architecture{};
  }();
  return known;
}

}  // namespace musa
