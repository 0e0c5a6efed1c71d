#include <cstring>
#include <mutex>

#include "src/host/mtml/call.h"
#include "src/host/mtml/version.h"
#include "src/host/musa/pci_bus_id.h"
#include "src/host/shared/never_destroyed.h"

namespace mtml {
namespace {

constexpr char kVersion[] = "2.2.0";  // that of the header

// Opens the first device for which `matches` is true.
template <typename Matches>
MtmlReturn open_device(const MtmlLibrary* library, MtmlDevice** device,
                       Matches&& matches) noexcept {
  return guarded([&] {
    if (device == nullptr || !is_open(library)) return MTML_ERROR_INVALID_ARGUMENT;
    for (int index = 0; index < device_count(); ++index) {
      if (!matches(index)) continue;
      *device = open<MtmlDevice>(index);
      return MTML_SUCCESS;
    }
    return MTML_ERROR_NOT_FOUND;
  });
}

// What a program asked for. The library says nothing, so it is only kept.
struct Log {
  std::mutex mutex;
  MtmlLogConfiguration configuration{};
};
Log& wanted_log() { return host::never_destroyed<Log>(); }

bool is_level(MtmlLogLevel level) {
  return level >= MTML_LOG_LEVEL_OFF && level <= MTML_LOG_LEVEL_INFO;
}

}  // namespace
}  // namespace mtml

using mtml::copy_text;
using mtml::guarded;
using mtml::open_device;

MtmlReturn mtmlLibraryInit(MtmlLibrary** library) {
  return guarded([&] {
    if (library == nullptr) return MTML_ERROR_INVALID_ARGUMENT;
    mtml::watch();
    return mtml::open_library(library);
  });
}

MtmlReturn mtmlLibraryShutDown(MtmlLibrary* library) {
  return guarded([&] { return mtml::close_library(library); });
}

MtmlReturn mtmlLibraryGetVersion(const MtmlLibrary* library, char* version, unsigned int size) {
  return guarded([&] {
    if (version == nullptr || !mtml::is_open(library)) return MTML_ERROR_INVALID_ARGUMENT;
    return copy_text(mtml::kVersion, version, size);
  });
}

MtmlReturn mtmlLibraryCountDevice(const MtmlLibrary* library, unsigned int* count) {
  return guarded([&] {
    if (count == nullptr || !mtml::is_open(library)) return MTML_ERROR_INVALID_ARGUMENT;
    *count = static_cast<unsigned int>(mtml::device_count());
    return MTML_SUCCESS;
  });
}

MtmlReturn mtmlLibraryInitDeviceByIndex(const MtmlLibrary* library, unsigned int index,
                                        MtmlDevice** device) {
  return open_device(library, device,
                     [&](int each) { return static_cast<unsigned int>(each) == index; });
}

MtmlReturn mtmlLibraryInitDeviceByUuid(const MtmlLibrary* library, const char* uuid,
                                       MtmlDevice** device) {
  if (uuid == nullptr) return MTML_ERROR_INVALID_ARGUMENT;
  return open_device(library, device, [&](int each) { return mtml::uuid(each) == uuid; });
}

MtmlReturn mtmlLibraryInitDeviceByPciSbdf(const MtmlLibrary* library, const char* sbdf,
                                          MtmlDevice** device) {
  musa::PciAddress wanted;
  if (sbdf == nullptr || !musa::parse_pci_bus_id(sbdf, &wanted)) return MTML_ERROR_INVALID_ARGUMENT;
  return open_device(library, device,
                     [&](int each) { return musa::pci_address(mtml::properties(each)) == wanted; });
}

MtmlReturn mtmlLibraryFreeDevice(MtmlDevice* device) {
  return guarded([&] { return mtml::close(device) ? MTML_SUCCESS : MTML_ERROR_INVALID_ARGUMENT; });
}

MtmlReturn mtmlLibraryInitSystem(const MtmlLibrary* library, MtmlSystem** system) {
  return guarded([&] {
    if (system == nullptr || !mtml::is_open(library)) return MTML_ERROR_INVALID_ARGUMENT;
    *system = mtml::open<MtmlSystem>(0);
    return MTML_SUCCESS;
  });
}

MtmlReturn mtmlLibraryFreeSystem(MtmlSystem* system) {
  return guarded([&] { return mtml::close(system) ? MTML_SUCCESS : MTML_ERROR_INVALID_ARGUMENT; });
}

MtmlReturn mtmlSystemGetDriverVersion(const MtmlSystem* system, char* version, unsigned int size) {
  return guarded([&] {
    if (version == nullptr || !mtml::index_of(system)) return MTML_ERROR_INVALID_ARGUMENT;
    return copy_text(mtml::driver_version(), version, size);
  });
}

MtmlReturn mtmlLogSetConfiguration(const MtmlLogConfiguration* configuration) {
  return guarded([&] {
    if (configuration == nullptr) return MTML_ERROR_INVALID_ARGUMENT;
    for (const MtmlLogLevel level :
         {configuration->consoleConfig.level, configuration->systemConfig.level,
          configuration->fileConfig.level, configuration->callbackConfig.level}) {
      if (!mtml::is_level(level)) return MTML_ERROR_INVALID_ARGUMENT;
    }
    mtml::Log& log = mtml::wanted_log();
    const std::lock_guard lock(log.mutex);
    log.configuration = *configuration;
    return MTML_SUCCESS;
  });
}

MtmlReturn mtmlLogGetConfiguration(MtmlLogConfiguration* configuration) {
  return guarded([&] {
    if (configuration == nullptr) return MTML_ERROR_INVALID_ARGUMENT;
    mtml::Log& log = mtml::wanted_log();
    const std::lock_guard lock(log.mutex);
    *configuration = log.configuration;
    return MTML_SUCCESS;
  });
}
