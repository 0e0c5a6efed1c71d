#include "stubs/nccl/config.h"

#include <string.h>

#include "facts.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/log.h"
#include "stubs/reporting/report.h"

namespace torchada::nccl {
namespace {

constexpr int kUndefined = static_cast<int>(NCCL_CONFIG_UNDEF_INT);

// The program's struct. Members beyond its size read as undefined.
class Fields {
 public:
  // False for a struct that NCCL_CONFIG_INITIALIZER did not make.
  bool read(const void* given) {
    static_assert(cuda::ncclConfig_t_size == 0);
    memcpy(&size_, given, sizeof size_);
    if (size_ > sizeof bytes_) size_ = sizeof bytes_;
    if (size_ < cuda::ncclConfig_t_version) return false;
    memcpy(bytes_, given, size_);
    return static_cast<unsigned>(get(cuda::ncclConfig_t_magic)) ==
           static_cast<unsigned>(NCCL_API_MAGIC);
  }
  int get(unsigned offset) const {
    int value = kUndefined;
    if (offset + sizeof value <= size_) memcpy(&value, bytes_ + offset, sizeof value);
    return value;
  }
  const char* text(unsigned offset) const {
    const char* value = nullptr;
    if (offset + sizeof value <= size_) memcpy(&value, bytes_ + offset, sizeof value);
    return value;
  }
  bool is_flag(unsigned offset) const {
    const int value = get(offset);
    return value == kUndefined || value == 0 || value == 1;
  }
  bool is_at_least(unsigned offset, int least) const {
    const int value = get(offset);
    return value == kUndefined || value >= least;
  }

 private:
  size_t size_ = 0;
  char bytes_[cuda::sizeof_ncclConfig_t];
};

// What NCCL refuses. The rest are hints, or settings of sharing and networks that only change
// speed.
bool is_valid(const Fields& fields) {
  return fields.is_flag(cuda::ncclConfig_t_blocking) &&
         fields.is_at_least(cuda::ncclConfig_t_cgaClusterSize, 0) &&
         fields.is_at_least(cuda::ncclConfig_t_minCTAs, 1) &&
         fields.is_at_least(cuda::ncclConfig_t_maxCTAs, 1) &&
         // As in NCCL, which therefore also refuses a minimum without a maximum.
         fields.get(cuda::ncclConfig_t_minCTAs) <= fields.get(cuda::ncclConfig_t_maxCTAs) &&
         fields.is_flag(cuda::ncclConfig_t_splitShare) &&
         fields.is_flag(cuda::ncclConfig_t_collnetEnable) &&
         fields.is_at_least(cuda::ncclConfig_t_CTAPolicy, 0) &&
         fields.is_flag(cuda::ncclConfig_t_shrinkShare) &&
         fields.is_at_least(cuda::ncclConfig_t_nvlsCTAs, 1) &&
         fields.is_at_least(cuda::ncclConfig_t_nChannelsPerNetPeer, 1) &&
         fields.is_flag(cuda::ncclConfig_t_nvlinkCentricSched);
}

}  // namespace

int read_config(const void* given, Config* config) {
  *config = {true, nullptr};
  if (!given) return 0;
  Fields fields;
  if (!fields.read(given) || !is_valid(fields)) {
    return fail(static_cast<int>(cuda::ncclInvalidArgument));
  }
  config->is_blocking = fields.get(cuda::ncclConfig_t_blocking) != 0;
  config->net_name = fields.text(cuda::ncclConfig_t_netName);
  return 0;
}

int accept_config(const Config& config, const char* function) {
  static uint8_t net_said;
  if (config.net_name) {
    Line line;
    line << function << " is not supported with netName=" << config.net_name
         << ": MCCL has no setting for the network; leave netName unset; returning "
            "ncclInvalidUsage ("
         << static_cast<int>(cuda::ncclInvalidUsage) << ")";
    report_once(&net_said, line);
    return fail(static_cast<int>(cuda::ncclInvalidUsage));
  }
  return 0;
}

void say_blocking(const char* function) {
  static uint8_t said;
  if (__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED) != 0) return;
  Line line;
  line << function
       << " blocks although config.blocking is 0; it returns when all ranks have joined";
  log(LogLevel::kInfo, line);
}

}  // namespace torchada::nccl
