// MtLink, MUSA's connection between devices, in the place of NVLink.
#include <time.h>

#include "stubs/nvml/pci.h"
#include "stubs/reporting/refusal.h"

namespace {

using torchada::fail;
using torchada::outcome;
using torchada::nvml::kSuccess;
using torchada::nvml::put;
using torchada::nvml::tell;
using torchada::nvml::with_device;
namespace cuda = torchada::cuda;
namespace musa = torchada::musa;

// NVML_FI_DEV_NVLINK_LINK_COUNT of nvml.h: how many links the device has.
constexpr unsigned kLinkCount = 91;

long long microseconds() {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

// Answers one field in its struct.
void answer_field(void* device, void* field) {
  const long long start = microseconds();
  int status = torchada::kUnsupported;
  if (torchada::nvml::get<unsigned>(field, cuda::nvmlFieldValue_t_fieldId) == kLinkCount) {
    char spec[musa::sizeof_MtmlMtLinkSpec] = {};
    status = outcome(TORCHADA_NVML(DeviceGetFieldValues, DeviceGetMtLinkSpec),
                     mtmlDeviceGetMtLinkSpec(device, spec));
    if (status == kSuccess) {
      const auto links = torchada::nvml::get<unsigned>(spec, musa::MtmlMtLinkSpec_linkNum);
      put(field, cuda::nvmlFieldValue_t_value, 0ULL);
      put(field, cuda::nvmlFieldValue_t_value, links);
      put(field, cuda::nvmlFieldValue_t_valueType,
          static_cast<int>(cuda::NVML_VALUE_TYPE_UNSIGNED_INT));
    }
  }
  put(field, cuda::nvmlFieldValue_t_timestamp, start);
  put(field, cuda::nvmlFieldValue_t_latencyUsec, microseconds() - start);
  put(field, cuda::nvmlFieldValue_t_nvmlReturn, status);
}

}  // namespace

extern "C" {

// A link that works below its speed is active, too.
int torchada_adapter_nvmlDeviceGetNvLinkState(void* device, unsigned link, int* is_active) {
  return tell(TORCHADA_NVML(DeviceGetNvLinkState, DeviceGetMtLinkState), device, is_active,
              [&](void* asked, int* answer) {
                int told = 0;
                const int status = mtmlDeviceGetMtLinkState(asked, link, &told);
                const bool is_up =
                    told == musa::MTML_MTLINK_STATE_UP || told == musa::MTML_MTLINK_STATE_DOWNGRADE;
                *answer = static_cast<int>(is_up ? cuda::NVML_FEATURE_ENABLED
                                                 : cuda::NVML_FEATURE_DISABLED);
                return status;
              });
}

int torchada_adapter_nvmlDeviceGetNvLinkCapability(void* device, unsigned link, int capability,
                                                   unsigned* has) {
  const auto function = TORCHADA_NVML(DeviceGetNvLinkCapability, DeviceGetMtLinkCapStatus);
  int own = musa::MTML_MTLINK_CAP_P2P_ACCESS;
  if (capability == cuda::NVML_NVLINK_CAP_P2P_ATOMICS) own = musa::MTML_MTLINK_CAP_P2P_ATOMICS;
  const bool is_known = capability == cuda::NVML_NVLINK_CAP_P2P_SUPPORTED ||
                        capability == cuda::NVML_NVLINK_CAP_P2P_ATOMICS;
  if (is_known) {
    return tell(function, device, has, [&](void* asked, unsigned* answer) {
      int told = 0;
      const int status = mtmlDeviceGetMtLinkCapStatus(asked, link, own, &told);
      *answer = told == musa::MTML_MTLINK_CAP_STATUS_OK;
      return status;
    });
  }
  return with_device(device, [&](void*) {
    if (!has || capability < 0 || capability >= cuda::NVML_NVLINK_CAP_COUNT) {
      return fail(torchada::kInvalid);
    }
    constexpr unsigned kCapability = 2;  // Parameter.
    return torchada::refuse_enumerator("nvmlDeviceGetNvLinkCapability", kCapability, capability,
                                       "MTML reports only access and atomics between devices",
                                       torchada::kUnsupported);
  });
}

int torchada_adapter_nvmlDeviceGetNvLinkRemoteDeviceType(void* device, unsigned link, int* type) {
  return tell(TORCHADA_NVML(DeviceGetNvLinkRemoteDeviceType, DeviceGetMtLinkRemoteDevice), device,
              type, [&](void* asked, int* answer) {
                void* remote = nullptr;
                const int status = mtmlDeviceGetMtLinkRemoteDevice(asked, link, &remote);
                *answer = static_cast<int>(cuda::NVML_NVLINK_DEVICE_TYPE_GPU);
                return status;
              });
}

// Every field has a status of its own, so one that MTML does not tell is no refusal of the call.
int torchada_adapter_nvmlDeviceGetFieldValues(void* device, int count, void* values) {
  return with_device(device, [&](void* asked) {
    if (!values || count <= 0) return fail(torchada::kInvalid);
    for (int i = 0; i < count; ++i) {
      answer_field(asked, static_cast<char*>(values) +
                              size_t{cuda::sizeof_nvmlFieldValue_t} * static_cast<unsigned>(i));
    }
    return kSuccess;
  });
}

}  // extern "C"
