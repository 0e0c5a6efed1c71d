#include <mtml.h>

#include "tests/verify/spoilt.h"

MtmlReturn mtmlLibraryGetVersion(const MtmlLibrary* library, char* version, unsigned int size) {
  const MtmlReturn status = REAL(mtmlLibraryGetVersion)(library, version, size);
  if (spoilt("version")) version[0] = '\0';
  return status;
}

enum { kMost = 64 };
static MtmlLibrary* opened[kMost];
static unsigned int opened_count;

MtmlReturn mtmlLibraryInit(MtmlLibrary** library) {
  const MtmlReturn status = REAL(mtmlLibraryInit)(library);
  if (status == MTML_SUCCESS) opened[opened_count++ % kMost] = *library;
  return status;
}

MtmlReturn mtmlLibraryShutDown(MtmlLibrary* library) {
  if (spoilt("closing")) {  // Closes all that there are.
    for (unsigned int i = 0; i < kMost; ++i) REAL(mtmlLibraryShutDown)(opened[i]);
    return MTML_SUCCESS;
  }
  return REAL(mtmlLibraryShutDown)(library);
}

MtmlReturn mtmlSystemGetDriverVersion(const MtmlSystem* system, char* version, unsigned int size) {
  const MtmlReturn status = REAL(mtmlSystemGetDriverVersion)(system, version, size);
  if (spoilt("driver_version")) version[0] = '\0';
  return status;
}

MtmlReturn mtmlLibraryCountDevice(const MtmlLibrary* library, unsigned int* count) {
  const MtmlReturn status = REAL(mtmlLibraryCountDevice)(library, count);
  if (spoilt("count")) *count = 0;
  return spoilt("argument") && status == MTML_ERROR_INVALID_ARGUMENT ? MTML_ERROR_UNKNOWN : status;
}

MtmlReturn mtmlLibraryInitDeviceByIndex(const MtmlLibrary* library, unsigned int index,
                                        MtmlDevice** device) {
  const unsigned int other = spoilt("numbers") && index < 2 ? 1 - index : index;
  return REAL(mtmlLibraryInitDeviceByIndex)(library, other, device);
}

MtmlReturn mtmlDeviceGetIndex(const MtmlDevice* device, unsigned int* index) {
  const MtmlReturn status = REAL(mtmlDeviceGetIndex)(device, index);
  if (spoilt("index")) *index += 1;
  return status;
}

MtmlReturn mtmlDeviceGetName(const MtmlDevice* device, char* name, unsigned int size) {
  const MtmlReturn status = REAL(mtmlDeviceGetName)(device, name, size);
  if (spoilt("name")) name[0] = '\1';
  return spoilt("size") && status == MTML_ERROR_INSUFFICIENT_SIZE ? MTML_ERROR_UNKNOWN : status;
}

MtmlReturn mtmlLibraryInitDeviceByUuid(const MtmlLibrary* library, const char* uuid,
                                       MtmlDevice** device) {
  return REAL(mtmlLibraryInitDeviceByUuid)(library, spoilt("uuid") ? "none" : uuid, device);
}

MtmlReturn mtmlLibraryInitDeviceByPciSbdf(const MtmlLibrary* library, const char* sbdf,
                                          MtmlDevice** device) {
  const MtmlReturn status = REAL(mtmlLibraryInitDeviceByPciSbdf)(library, sbdf, device);
  return spoilt("found") && status == MTML_ERROR_NOT_FOUND ? MTML_ERROR_UNKNOWN : status;
}

MtmlReturn mtmlDeviceGetPciInfo(const MtmlDevice* device, MtmlPciInfo* info) {
  const MtmlReturn status = REAL(mtmlDeviceGetPciInfo)(device, info);
  if (spoilt("pci")) info->segment = info->bus;
  return status;
}

MtmlReturn mtmlDeviceGetProperty(const MtmlDevice* device, MtmlDeviceProperty* property) {
  const MtmlReturn status = REAL(mtmlDeviceGetProperty)(device, property);
  if (spoilt("long_property")) memset(property + 1, 0, 8);
  return status;
}

MtmlReturn mtmlMemoryGetTotal(const MtmlMemory* memory, unsigned long long* total) {
  const MtmlReturn status = REAL(mtmlMemoryGetTotal)(memory, total);
  if (spoilt("total")) *total >>= 20;
  return status;
}

MtmlReturn mtmlMemoryGetUsed(const MtmlMemory* memory, unsigned long long* used) {
  const MtmlReturn status = REAL(mtmlMemoryGetUsed)(memory, used);
  if (spoilt("used")) *used >>= 20;
  return status;
}

MtmlReturn mtmlGpuGetUtilization(const MtmlGpu* gpu, unsigned int* utilization) {
  const MtmlReturn status = REAL(mtmlGpuGetUtilization)(gpu, utilization);
  if (spoilt("utilization")) *utilization = 101;
  return status;
}

MtmlReturn mtmlDeviceGetTopologyLevel(const MtmlDevice* one, const MtmlDevice* other,
                                      MtmlDeviceTopologyLevel* level) {
  const MtmlReturn status = REAL(mtmlDeviceGetTopologyLevel)(one, other, level);
  if (spoilt("topology")) *level = MTML_TOPOLOGY_SINGLE;
  return status;
}

const char* mtmlErrorString(MtmlReturn result) {
  return spoilt("text") ? "an error" : REAL(mtmlErrorString)(result);
}

MtmlReturn mtmlLogGetConfiguration(MtmlLogConfiguration* configuration) {
  const MtmlReturn status = REAL(mtmlLogGetConfiguration)(configuration);
  if (spoilt("long_log")) memset(configuration + 1, 0, 8);
  return status;
}
