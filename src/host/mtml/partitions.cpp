// Virtual devices and instances (MPC): a simulated device has no parts.
#include "src/host/mtml/call.h"

using mtml::not_supported;

MtmlReturn mtmlDeviceInitVirtDevice(const MtmlDevice* device, const char* uuid, MtmlDevice** part) {
  return not_supported(device, uuid, part);
}

MtmlReturn mtmlDeviceFreeVirtDevice(MtmlDevice* part) { return not_supported(part); }

MtmlReturn mtmlDeviceCountSupportedVirtTypes(const MtmlDevice* device, unsigned int* count) {
  return not_supported(device, count);
}

MtmlReturn mtmlDeviceGetSupportedVirtTypes(const MtmlDevice* device, MtmlVirtType* types,
                                           unsigned int /*count*/) {
  return not_supported(device, types);
}

MtmlReturn mtmlDeviceCountAvailVirtTypes(const MtmlDevice* device, unsigned int* count) {
  return not_supported(device, count);
}

MtmlReturn mtmlDeviceGetAvailVirtTypes(const MtmlDevice* device, MtmlVirtType* types,
                                       unsigned int /*count*/) {
  return not_supported(device, types);
}

MtmlReturn mtmlDeviceCountAvailVirtDevices(const MtmlDevice* device, const MtmlVirtType* type,
                                           unsigned int* count) {
  return not_supported(device, type, count);
}

MtmlReturn mtmlDeviceCountActiveVirtDevices(const MtmlDevice* device, unsigned int* count) {
  return not_supported(device, count);
}

MtmlReturn mtmlDeviceGetActiveVirtDeviceUuids(const MtmlDevice* device, char* uuids,
                                              unsigned int /*size*/, unsigned int /*count*/) {
  return not_supported(device, uuids);
}

MtmlReturn mtmlDeviceCountMaxVirtDevices(const MtmlDevice* device, const MtmlVirtType* type,
                                         unsigned int* count) {
  return not_supported(device, type, count);
}

MtmlReturn mtmlDeviceGetVirtType(const MtmlDevice* part, MtmlVirtType* type) {
  return not_supported(part, type);
}

MtmlReturn mtmlDeviceGetPhyDeviceUuid(const MtmlDevice* part, char* uuid, unsigned int /*size*/) {
  return not_supported(part, uuid);
}

MtmlReturn mtmlLibrarySetMpcConfigurationInBatch(const MtmlLibrary* library, unsigned int /*count*/,
                                                 MtmlDevice** devices, unsigned int* ids) {
  return mtml::guarded([&] {
    const bool valid = !mtml::any_null(devices, ids) && mtml::is_open(library);
    return valid ? MTML_ERROR_NOT_SUPPORTED : MTML_ERROR_INVALID_ARGUMENT;
  });
}

MtmlReturn mtmlDeviceSetMpcMode(const MtmlDevice* device, MtmlMpcMode /*mode*/) {
  return not_supported(device);
}

MtmlReturn mtmlDeviceGetMpcMode(const MtmlDevice* device, MtmlMpcMode* mode) {
  return not_supported(device, mode);
}

MtmlReturn mtmlDeviceCountSupportedMpcProfiles(const MtmlDevice* device, unsigned int* count) {
  return not_supported(device, count);
}

MtmlReturn mtmlDeviceGetSupportedMpcProfiles(const MtmlDevice* device, unsigned int /*count*/,
                                             MtmlMpcProfile* profiles) {
  return not_supported(device, profiles);
}

MtmlReturn mtmlDeviceCountSupportedMpcConfigurations(const MtmlDevice* device,
                                                     unsigned int* count) {
  return not_supported(device, count);
}

MtmlReturn mtmlDeviceGetSupportedMpcConfigurations(const MtmlDevice* device, unsigned int /*count*/,
                                                   MtmlMpcConfiguration* configurations) {
  return not_supported(device, configurations);
}

MtmlReturn mtmlDeviceGetMpcConfiguration(const MtmlDevice* device,
                                         MtmlMpcConfiguration* configuration) {
  return not_supported(device, configuration);
}

MtmlReturn mtmlDeviceGetMpcConfigurationByName(const MtmlDevice* device, const char* name,
                                               MtmlMpcConfiguration* configuration) {
  return not_supported(device, name, configuration);
}

MtmlReturn mtmlDeviceSetMpcConfiguration(const MtmlDevice* device, unsigned int /*id*/) {
  return not_supported(device);
}

MtmlReturn mtmlDeviceCountMpcInstancesByProfileId(const MtmlDevice* device,
                                                  unsigned int /*profile*/, unsigned int* count) {
  return not_supported(device, count);
}

MtmlReturn mtmlDeviceGetMpcInstancesByProfileId(const MtmlDevice* device, unsigned int /*profile*/,
                                                unsigned int /*count*/, MtmlDevice** instances) {
  return not_supported(device, instances);
}

MtmlReturn mtmlDeviceCountMpcInstances(const MtmlDevice* device, unsigned int* count) {
  return not_supported(device, count);
}

MtmlReturn mtmlDeviceGetMpcInstances(const MtmlDevice* device, unsigned int /*count*/,
                                     MtmlDevice** instances) {
  return not_supported(device, instances);
}

MtmlReturn mtmlDeviceGetMpcInstanceByIndex(const MtmlDevice* device, unsigned int /*index*/,
                                           MtmlDevice** instance) {
  return not_supported(device, instance);
}

MtmlReturn mtmlDeviceGetMpcParentDevice(const MtmlDevice* instance, MtmlDevice** device) {
  return not_supported(instance, device);
}

MtmlReturn mtmlDeviceGetMpcProfileInfo(const MtmlDevice* instance, MtmlMpcProfile* profile) {
  return not_supported(instance, profile);
}

MtmlReturn mtmlDeviceGetMpcInstanceIndex(const MtmlDevice* instance, unsigned int* index) {
  return not_supported(instance, index);
}
