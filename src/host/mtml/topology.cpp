// The devices share memory and nothing else is known of their distance: they are as far apart as
// two devices of a machine can be. There are no links between them.
#include "src/host/mtml/call.h"

namespace mtml {
namespace {

bool is_level(MtmlDeviceTopologyLevel level) {
  return level >= MTML_TOPOLOGY_INTERNAL && level <= MTML_TOPOLOGY_SYSTEM;
}

// Runs the body with both indices.
template <typename Body>
MtmlReturn between(const MtmlDevice* one, const MtmlDevice* other, Body&& body) noexcept {
  return about(one, [&](int first) {
    return about(other, [&](int second) { return body(first, second); });
  });
}

// The devices at this level from that one.
unsigned int count_at(MtmlDeviceTopologyLevel level) {
  return level == MTML_TOPOLOGY_SYSTEM ? static_cast<unsigned int>(device_count()) - 1 : 0;
}

template <typename... Out>
MtmlReturn no_links(const MtmlDevice* one, const MtmlDevice* other, const Out*... out) noexcept {
  if (any_null(out...)) return MTML_ERROR_INVALID_ARGUMENT;
  return between(one, other, [](int, int) { return MTML_ERROR_NOT_SUPPORTED; });
}

}  // namespace
}  // namespace mtml

using mtml::no_links;
using mtml::not_supported;

MtmlReturn mtmlDeviceGetTopologyLevel(const MtmlDevice* one, const MtmlDevice* other,
                                      MtmlDeviceTopologyLevel* level) {
  if (level == nullptr) return MTML_ERROR_INVALID_ARGUMENT;
  return mtml::between(one, other, [&](int first, int second) {
    *level = first == second ? MTML_TOPOLOGY_INTERNAL : MTML_TOPOLOGY_SYSTEM;
    return MTML_SUCCESS;
  });
}

MtmlReturn mtmlDeviceCountDeviceByTopologyLevel(const MtmlDevice* device,
                                                MtmlDeviceTopologyLevel level,
                                                unsigned int* count) {
  if (!mtml::is_level(level)) return MTML_ERROR_INVALID_ARGUMENT;
  return mtml::give(device, count, [&](int) { return mtml::count_at(level); });
}

// The caller closes them, as those of an Init function.
MtmlReturn mtmlDeviceGetDeviceByTopologyLevel(const MtmlDevice* device,
                                              MtmlDeviceTopologyLevel level, unsigned int count,
                                              MtmlDevice** devices) {
  if (!mtml::is_level(level) || devices == nullptr) return MTML_ERROR_INVALID_ARGUMENT;
  return mtml::about(device, [&](int index) {
    if (count > mtml::count_at(level)) return MTML_ERROR_INVALID_ARGUMENT;
    for (int other = 0; count > 0; ++other) {
      if (other == index) continue;
      *devices++ = mtml::open<MtmlDevice>(other);
      --count;
    }
    return MTML_SUCCESS;
  });
}

MtmlReturn mtmlDeviceGetP2PStatus(const MtmlDevice* one, const MtmlDevice* other,
                                  MtmlDeviceP2PCaps capability, MtmlDeviceP2PStatus* status) {
  if (status == nullptr || capability < MTML_P2P_CAPS_READ || capability > MTML_P2P_CAPS_WRITE) {
    return MTML_ERROR_INVALID_ARGUMENT;
  }
  return mtml::between(one, other, [&](int first, int second) {
    // As musaDeviceCanAccessPeer(): a device is not its own peer.
    *status = first == second ? MTML_P2P_STATUS_GPU_NOT_SUPPORTED : MTML_P2P_STATUS_OK;
    return MTML_SUCCESS;
  });
}

MtmlReturn mtmlDeviceGetMtLinkSpec(const MtmlDevice* device, MtmlMtLinkSpec* spec) {
  return not_supported(device, spec);
}

MtmlReturn mtmlDeviceGetMtLinkState(const MtmlDevice* device, unsigned int /*link*/,
                                    MtmlMtLinkState* state) {
  return not_supported(device, state);
}

MtmlReturn mtmlDeviceGetMtLinkCapStatus(const MtmlDevice* device, unsigned int /*link*/,
                                        MtmlMtLinkCap /*capability*/, MtmlMtLinkCapStatus* status) {
  return not_supported(device, status);
}

MtmlReturn mtmlDeviceGetMtLinkRemoteDevice(const MtmlDevice* device, unsigned int /*link*/,
                                           MtmlDevice** remote) {
  return not_supported(device, remote);
}

MtmlReturn mtmlDeviceCountMtLinkShortestPaths(const MtmlDevice* from, const MtmlDevice* to,
                                              unsigned int* count, unsigned int* length) {
  return no_links(from, to, count, length);
}

MtmlReturn mtmlDeviceGetMtLinkShortestPaths(const MtmlDevice* from, const MtmlDevice* to,
                                            unsigned int /*count*/, unsigned int /*length*/,
                                            MtmlDevice** paths) {
  return no_links(from, to, paths);
}

MtmlReturn mtmlDeviceCountMtLinkLayouts(const MtmlDevice* from, const MtmlDevice* to,
                                        unsigned int* count) {
  return no_links(from, to, count);
}

MtmlReturn mtmlDeviceGetMtLinkLayouts(const MtmlDevice* from, const MtmlDevice* to,
                                      unsigned int /*count*/, MtmlMtLinkLayout* layouts) {
  return no_links(from, to, layouts);
}
