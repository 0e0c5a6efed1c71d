// Where devices are, seen from each other and from the host's processors.
#include "stubs/nvml/session.h"
#include "stubs/reporting/refusal.h"
#include "stubs/system/mapped_memory.h"

namespace {

using torchada::fail;
using torchada::Function;
using torchada::MappedMemory;
using torchada::outcome;
using torchada::nvml::kSuccess;
using torchada::nvml::open_device;
using torchada::nvml::with_device;
namespace cuda = torchada::cuda;
namespace musa = torchada::musa;

// Both lists in the order of growing distance.
constexpr long long kLevels[][2] = {
    {musa::MTML_TOPOLOGY_INTERNAL, cuda::NVML_TOPOLOGY_INTERNAL},
    {musa::MTML_TOPOLOGY_SINGLE, cuda::NVML_TOPOLOGY_SINGLE},
    {musa::MTML_TOPOLOGY_MULTIPLE, cuda::NVML_TOPOLOGY_MULTIPLE},
    {musa::MTML_TOPOLOGY_HOSTBRIDGE, cuda::NVML_TOPOLOGY_HOSTBRIDGE},
    {musa::MTML_TOPOLOGY_NODE, cuda::NVML_TOPOLOGY_NODE},
    {musa::MTML_TOPOLOGY_SYSTEM, cuda::NVML_TOPOLOGY_SYSTEM},
};

constexpr long long kPeerStatuses[][2] = {
    {musa::MTML_P2P_STATUS_OK, cuda::NVML_P2P_STATUS_OK},
    {musa::MTML_P2P_STATUS_CHIPSET_NOT_SUPPORTED, cuda::NVML_P2P_STATUS_CHIPSET_NOT_SUPPORTED},
    {musa::MTML_P2P_STATUS_GPU_NOT_SUPPORTED, cuda::NVML_P2P_STATUS_GPU_NOT_SUPPORTED},
    {musa::MTML_P2P_STATUS_UNKNOWN, cuda::NVML_P2P_STATUS_UNKNOWN},
};

// The number in column `to` of the row that has `number` in column `from`; false if none has.
template <unsigned kRows>
bool translate(const long long (&rows)[kRows][2], unsigned from, unsigned to, long long number,
               int* translated) {
  for (const auto& row : rows) {
    if (row[from] != number) continue;
    *translated = static_cast<int>(row[to]);
    return true;
  }
  return false;
}

constexpr unsigned kMusa = 0, kCuda = 1;

// Two devices, both open.
template <typename Call>
int with_pair(const void* first, const void* second, Call call) {
  return with_device(first, [&](void* own) {
    void* other = nullptr;
    const int status = open_device(second, &other);
    return status ? status : call(own, other);
  });
}

// MTML's level between two devices, by NVML's number.
int level_between(const Function& function, const void* own, const void* other, int* level) {
  int told = 0;
  if (const int status = mtmlDeviceGetTopologyLevel(own, other, &told)) {
    return outcome(function, status);
  }
  if (translate(kLevels, kMusa, kCuda, told, level)) return kSuccess;
  return torchada::refuse(function, "MTML reports a level that its header does not have");
}

int linked(const Function& function, const void* own, const void* other, int* peer) {
  unsigned links = 0;
  if (const int status = mtmlDeviceCountMtLinkLayouts(own, other, &links)) {
    return outcome(function, status);
  }
  *peer =
      static_cast<int>(links != 0 ? cuda::NVML_P2P_STATUS_OK : cuda::NVML_P2P_STATUS_NOT_SUPPORTED);
  return kSuccess;
}

int reached(const Function& function, const void* own, const void* other, int capability,
            int* peer) {
  int told = 0;
  if (const int status = mtmlDeviceGetP2PStatus(own, other, capability, &told)) {
    return outcome(function, status);
  }
  if (!translate(kPeerStatuses, kMusa, kCuda, told, peer)) {
    *peer = static_cast<int>(cuda::NVML_P2P_STATUS_UNKNOWN);
  }
  return kSuccess;
}

}  // namespace

extern "C" {

int torchada_adapter_nvmlDeviceGetTopologyCommonAncestor(void* first, void* second, int* level) {
  const auto function = TORCHADA_NVML(DeviceGetTopologyCommonAncestor, DeviceGetTopologyLevel);
  return with_pair(first, second, [&](void* own, void* other) {
    if (!level) return fail(torchada::kInvalid);
    return level_between(function, own, other, level);
  });
}

int torchada_adapter_nvmlDeviceOnSameBoard(void* first, void* second, int* is_same) {
  const auto function = TORCHADA_NVML(DeviceOnSameBoard, DeviceGetTopologyLevel);
  return with_pair(first, second, [&](void* own, void* other) {
    if (!is_same) return fail(torchada::kInvalid);
    int level = 0;
    if (const int status = level_between(function, own, other, &level)) return status;
    *is_same = level == cuda::NVML_TOPOLOGY_INTERNAL;
    return kSuccess;
  });
}

int torchada_adapter_nvmlDeviceGetTopologyNearestGpus(void* device, int level, unsigned* count,
                                                      void** devices) {
  const auto function = TORCHADA_NVML(DeviceGetTopologyNearestGpus, DeviceGetDeviceByTopologyLevel);
  return with_device(device, [&](void* asked) {
    int own_level = 0;
    if (!count || !translate(kLevels, kCuda, kMusa, level, &own_level)) {
      return fail(torchada::kInvalid);
    }
    unsigned found = 0;
    if (const int status = mtmlDeviceCountDeviceByTopologyLevel(asked, own_level, &found)) {
      return outcome(function, status);
    }
    const unsigned room = *count;
    if (!devices || room == 0 || found == 0) {
      *count = found;
      return kSuccess;
    }
    const MappedMemory memory(size_t{found} * sizeof(void*));
    if (!memory.data()) return torchada::nvml::fail_with(cuda::NVML_ERROR_MEMORY);
    auto* const nearest = reinterpret_cast<void**>(memory.data());
    if (const int status = mtmlDeviceGetDeviceByTopologyLevel(asked, own_level, found, nearest)) {
      return outcome(function, status);
    }
    const unsigned told = found < room ? found : room;
    for (unsigned i = 0; i < told; ++i) {
      unsigned index = 0;
      if (const int status = mtmlDeviceGetIndex(nearest[i], &index)) {
        return outcome(function, status);
      }
      devices[i] = torchada::nvml::handle_of(index);
    }
    *count = told;
    return kSuccess;
  });
}

int torchada_adapter_nvmlDeviceGetP2PStatus(void* first, void* second, int capability,
                                            int* status) {
  const auto function = TORCHADA_NVML(DeviceGetP2PStatus, DeviceGetP2PStatus);
  return with_pair(first, second, [&](void* own, void* other) {
    if (!status) return fail(torchada::kInvalid);
    switch (capability) {
      case cuda::NVML_P2P_CAPS_INDEX_READ:
        return reached(function, own, other, musa::MTML_P2P_CAPS_READ, status);
      case cuda::NVML_P2P_CAPS_INDEX_WRITE:
        return reached(function, own, other, musa::MTML_P2P_CAPS_WRITE, status);
      case cuda::NVML_P2P_CAPS_INDEX_NVLINK:
        return linked(function, own, other, status);
      default:
        break;
    }
    if (capability < 0 || capability >= cuda::NVML_P2P_CAPS_INDEX_UNKNOWN) {
      return fail(torchada::kInvalid);
    }
    constexpr unsigned kCapability = 2;  // Parameter.
    return torchada::refuse_enumerator("nvmlDeviceGetP2PStatus", kCapability, capability,
                                       "MTML reports only reading, writing and links",
                                       torchada::kUnsupported);
  });
}

int torchada_adapter_nvmlDeviceGetNumaNodeId(void* device, unsigned* node) {
  const auto function = TORCHADA_NVML(DeviceGetNumaNodeId, DeviceGetMemoryAffinityWithinNode);
  return with_device(device, [&](void* asked) {
    if (!node) return fail(torchada::kInvalid);
    constexpr unsigned kWords = 16;  // Linux has at most 1024 nodes.
    constexpr unsigned kBits = 8 * sizeof(unsigned long);
    unsigned long set[kWords] = {};
    if (const int status = mtmlDeviceGetMemoryAffinityWithinNode(asked, kWords, set)) {
      return outcome(function, status);
    }
    unsigned nodes = 0, told = 0;
    for (unsigned bit = 0; bit < kWords * kBits; ++bit) {
      if ((set[bit / kBits] >> bit % kBits & 1) == 0) continue;
      told = bit;
      ++nodes;
    }
    if (nodes != 1) return torchada::refuse(function, "MTML does not tell one node");
    *node = told;
    return kSuccess;
  });
}

}  // extern "C"
