// Chooses which of this host's addresses to tell the others.
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>

#include "src/host/mccl/network.h"

namespace host_mccl {
namespace {

// MCCL_SOCKET_IFNAME: name prefixes, separated by commas. A leading "=" means whole names, "^"
// means all other names, "^=" means both.
bool allowed(const std::string& name, std::string rule) {
  const bool exclude = rule.starts_with("^");
  if (exclude) rule.erase(0, 1);
  const bool whole = rule.starts_with("=");
  if (whole) rule.erase(0, 1);
  std::istringstream parts(rule);
  bool listed = false;
  for (std::string part; std::getline(parts, part, ',');) {
    listed = listed || (whole ? name == part : name.starts_with(part));
  }
  return listed != exclude;
}

// Lower is better.
int rank_of(const ifaddrs& entry) {
  const std::string name = entry.ifa_name;
  const int family = entry.ifa_addr->sa_family == AF_INET ? 0 : 1;
  if ((entry.ifa_flags & IFF_LOOPBACK) != 0) return 4 + family;
  return (name.starts_with("docker") || name.starts_with("virbr") ? 2 : 0) + family;
}

bool is_usable(const ifaddrs& entry) {
  if (entry.ifa_addr == nullptr || (entry.ifa_flags & IFF_UP) == 0) return false;
  if (entry.ifa_addr->sa_family == AF_INET) return true;
  if (entry.ifa_addr->sa_family != AF_INET6) return false;
  return !IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<sockaddr_in6*>(entry.ifa_addr)->sin6_addr);
}

NetAddress address_of(const ifaddrs& entry) {
  NetAddress result{};
  result.family = entry.ifa_addr->sa_family;
  if (result.family == AF_INET) {
    std::memcpy(result.bytes.data(), &reinterpret_cast<sockaddr_in*>(entry.ifa_addr)->sin_addr, 4);
  } else {
    const auto* const v6 = reinterpret_cast<sockaddr_in6*>(entry.ifa_addr);
    std::memcpy(result.bytes.data(), &v6->sin6_addr, 16);
    result.scope = v6->sin6_scope_id;
  }
  return result;
}

}  // namespace

NetAddress own_address() {
  ifaddrs* listed = nullptr;
  if (getifaddrs(&listed) != 0) return {};
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owned(listed, freeifaddrs);
  const char* const rule = std::getenv("MCCL_SOCKET_IFNAME");
  const bool ruled = rule != nullptr && *rule != '\0';
  const ifaddrs* best = nullptr;
  for (const ifaddrs* entry = listed; entry != nullptr; entry = entry->ifa_next) {
    if (!is_usable(*entry) || (ruled && !allowed(entry->ifa_name, rule))) continue;
    if (best == nullptr || rank_of(*entry) < rank_of(*best)) best = entry;
  }
  return best == nullptr ? NetAddress{} : address_of(*best);
}

}  // namespace host_mccl
