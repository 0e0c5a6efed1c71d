/* MTML, the management library of the MUSA driver, as the CPU implementation provides it.
 *
 * Names, numbers and layouts are those of MTML 2.2.0: MooreThreads/mthreads-ml-py at 1282846,
 * mtml_2.2.0.h, tier decl. Which call opens what, and what a closed object answers: pymtml.py
 * there, tier code.
 *
 * Assumed, because no public source states it:
 *   - which error a device that was lost gives (here: DRIVER_FAILURE);
 *   - that a device's memory utilization is the share of its memory in use.
 *
 * Objects form a tree: a library gives its system and devices, a device its GPU, memory and video
 * unit. Each is opened by an Init function and given back by the Free function (ShutDown for the
 * library), as often as it was opened. Two objects of the same device are the same pointer. After
 * the last ShutDown all others are invalid.
 */
#pragma once

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

/* Sizes of buffers, in bytes. */
#define MTML_LIBRARY_VERSION_BUFFER_SIZE 32
#define MTML_DRIVER_VERSION_BUFFER_SIZE 80
#define MTML_DEVICE_NAME_BUFFER_SIZE 32
#define MTML_DEVICE_UUID_BUFFER_SIZE 48
#define MTML_DEVICE_PCI_SBDF_BUFFER_SIZE 32
#define MTML_DEVICE_SERIAL_NUMBER_BUFFER_SIZE 64
#define MTML_DEVICE_PATH_BUFFER_SIZE 64
#define MTML_DEVICE_SLOT_NAME_BUFFER_SIZE 32
#define MTML_DEVICE_MTBIOS_VERSION_BUFFER_SIZE 64
#define MTML_DEVICE_VBIOS_VERSION_BUFFER_SIZE 64
#define MTML_MEMORY_VENDOR_BUFFER_SIZE 64
#define MTML_LOG_FILE_PATH_BUFFER_SIZE 200
#define MTML_VIRT_TYPE_ID_BUFFER_SIZE 16
#define MTML_VIRT_TYPE_CLASS_BUFFER_SIZE 32
#define MTML_VIRT_TYPE_NAME_BUFFER_SIZE 32
#define MTML_VIRT_TYPE_API_BUFFER_SIZE 16
#define MTML_MPC_PROFILE_NAME_BUFFER_SIZE 32
#define MTML_MPC_CONF_NAME_BUFFER_SIZE 32
/* Of profiles in a configuration. */
#define MTML_MPC_CONF_MAX_PROF_NUM 16

typedef struct MtmlLibrary MtmlLibrary;
typedef struct MtmlSystem MtmlSystem;
typedef struct MtmlDevice MtmlDevice;
typedef struct MtmlGpu MtmlGpu;
typedef struct MtmlMemory MtmlMemory;
typedef struct MtmlVpu MtmlVpu;

typedef enum {
  MTML_SUCCESS = 0,
  MTML_ERROR_DRIVER_NOT_LOADED = 1,
  MTML_ERROR_DRIVER_FAILURE = 2,
  MTML_ERROR_INVALID_ARGUMENT = 3,
  MTML_ERROR_NOT_SUPPORTED = 4,
  MTML_ERROR_NO_PERMISSION = 5,
  MTML_ERROR_INSUFFICIENT_SIZE = 6,
  MTML_ERROR_NOT_FOUND = 7,
  MTML_ERROR_INSUFFICIENT_MEMORY = 8,
  MTML_ERROR_DRIVER_TOO_OLD = 9,
  MTML_ERROR_DRIVER_TOO_NEW = 10,
  MTML_ERROR_TIMEOUT = 11,
  MTML_ERROR_RESOURCE_IS_BUSY = 12,
  MTML_ERROR_UNKNOWN = 999
} MtmlReturn;

/* ---- devices ----------------------------------------------------------------------------------
 */

typedef enum { MTML_BRAND_MTT = 0, MTML_BRAND_UNKNOWN = 1, MTML_BRAND_COUNT = 2 } MtmlBrandType;

typedef enum {
  MTML_DEVICE_NOT_SUPPORT_VIRTUALIZATION = 0,
  MTML_DEVICE_SUPPORT_VIRTUALIZATION = 1
} MtmlVirtCapability;

typedef enum {
  MTML_VIRT_ROLE_NONE = 0,
  MTML_VIRT_ROLE_HOST_VIRTDEVICE = 1,
  MTML_VIRT_ROLE_GUEST_VIRTDEVICE = 2,
  MTML_VIRT_ROLE_COUNT = 3
} MtmlVirtRole;

typedef enum { MTML_DEVICE_NOT_SUPPORT_MPC = 0, MTML_DEVICE_SUPPORT_MPC = 1 } MtmlMpcCapability;

typedef enum {
  MTML_MPC_TYPE_NONE = 0,
  MTML_MPC_TYPE_PARENT = 1,
  MTML_MPC_TYPE_INSTANCE = 2
} MtmlMpcType;

typedef enum {
  MTML_DEVICE_NOT_SUPPORT_MTLINK = 0,
  MTML_DEVICE_SUPPORT_MTLINK = 1
} MtmlMtLinkCapability;

typedef struct {
  unsigned int virtCap : 1;
  unsigned int virtRole : 3;
  unsigned int mpcCap : 1;
  unsigned int mpcType : 3;
  unsigned int mtLinkCap : 1;
  unsigned int rsvd : 23;
  unsigned int rsvd2 : 32;
} MtmlDeviceProperty;

typedef struct {
  char sbdf[MTML_DEVICE_PCI_SBDF_BUFFER_SIZE];
  unsigned int segment;
  unsigned int bus;
  unsigned int device;
  unsigned int pciDeviceId;
  unsigned int pciSubsystemId;
  unsigned int busWidth;
  float pciMaxSpeed;
  float pciCurSpeed;
  unsigned int pciMaxWidth;
  unsigned int pciCurWidth;
  unsigned int pciMaxGen;
  unsigned int pciCurGen;
  int rsvd[6];
} MtmlPciInfo;

typedef struct {
  unsigned int slotId;
  char slotName[MTML_DEVICE_SLOT_NAME_BUFFER_SIZE];
  unsigned int rsvd[4];
} MtmlPciSlotInfo;

typedef enum {
  MTML_DISP_INTF_TYPE_DP = 0,
  MTML_DISP_INTF_TYPE_EDP = 1,
  MTML_DISP_INTF_TYPE_VGA = 2,
  MTML_DISP_INTF_TYPE_HDMI = 3,
  MTML_DISP_INTF_TYPE_LVDS = 4,
  MTML_DISP_INTF_TYPE_MAX = 5
} MtmlDispIntfType;

typedef struct {
  MtmlDispIntfType type;
  unsigned int maxHoriRes;
  unsigned int maxVertRes;
  float maxRefreshRate;
  unsigned int rsvd[8];
} MtmlDispIntfSpec;

/* ---- between devices --------------------------------------------------------------------------
 */

typedef enum {
  MTML_TOPOLOGY_INTERNAL = 0,
  MTML_TOPOLOGY_SINGLE = 1,
  MTML_TOPOLOGY_MULTIPLE = 2,
  MTML_TOPOLOGY_HOSTBRIDGE = 3,
  MTML_TOPOLOGY_NODE = 4,
  MTML_TOPOLOGY_SYSTEM = 5
} MtmlDeviceTopologyLevel;

typedef enum { MTML_P2P_CAPS_READ = 0, MTML_P2P_CAPS_WRITE = 1 } MtmlDeviceP2PCaps;

typedef enum {
  MTML_P2P_STATUS_OK = 0,
  MTML_P2P_STATUS_CHIPSET_NOT_SUPPORTED = 1,
  MTML_P2P_STATUS_GPU_NOT_SUPPORTED = 2,
  MTML_P2P_STATUS_UNKNOWN = 3
} MtmlDeviceP2PStatus;

typedef enum {
  MTML_MTLINK_STATE_DOWN = 0,
  MTML_MTLINK_STATE_UP = 1,
  MTML_MTLINK_STATE_DOWNGRADE = 2
} MtmlMtLinkState;

typedef enum {
  MTML_MTLINK_CAP_P2P_ACCESS = 0,
  MTML_MTLINK_CAP_P2P_ATOMICS = 1,
  MTML_MTLINK_CAP_COUNT = 2
} MtmlMtLinkCap;

typedef enum {
  MTML_MTLINK_CAP_STATUS_NOT_SUPPORTED = 0,
  MTML_MTLINK_CAP_STATUS_OK = 1
} MtmlMtLinkCapStatus;

typedef struct {
  unsigned int version;
  unsigned int bandWidth;
  unsigned int linkNum;
  unsigned int rsvd[4];
} MtmlMtLinkSpec;

typedef struct {
  unsigned int localLinkId;
  unsigned int remoteLinkId;
  unsigned int rsvd[4];
} MtmlMtLinkLayout;

/* ---- parts of a device ------------------------------------------------------------------------
 */

typedef enum {
  MTML_GPU_ENGINE_GEOMETRY = 0,
  MTML_GPU_ENGINE_2D = 1,
  MTML_GPU_ENGINE_3D = 2,
  MTML_GPU_ENGINE_COMPUTE = 3,
  MTML_GPU_ENGINE_MAX = 4
} MtmlGpuEngine;

typedef enum { MTML_MEM_TYPE_LPDDR4 = 0, MTML_MEM_TYPE_GDDR6 = 1 } MtmlMemoryType;

typedef enum { MTML_MEMORY_ECC_DISABLE = 0, MTML_MEMORY_ECC_ENABLE = 1 } MtmlEccMode;

typedef enum {
  MTML_VOLATILE_ECC = 0,
  MTML_AGGREGATE_ECC = 1,
  MTML_ECC_COUNTER_TYPE_COUNT = 2
} MtmlEccCounterType;

typedef enum {
  MTML_MEMORY_ERROR_TYPE_CORRECTED = 0,
  MTML_MEMORY_ERROR_TYPE_UNCORRECTED = 1,
  MTML_MEMORY_ERROR_TYPE_COUNT = 2
} MtmlMemoryErrorType;

typedef enum { MTML_MEMORY_LOCATION_DRAM = 1 } MtmlMemoryLocation;

typedef enum {
  MTML_PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS = 0,
  MTML_PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR = 1,
  MTML_PAGE_RETIREMENT_CAUSE_MAX = 2
} MtmlPageRetirementCause;

typedef enum {
  MTML_RETIRED_PAGES_PENDING_STATE_FALSE = 0,
  MTML_RETIRED_PAGES_PENDING_STATE_TRUE = 1
} MtmlRetiredPagesPendingState;

typedef struct {
  unsigned int sbeCount;
  unsigned int dbeCount;
} MtmlPageRetirementCount;

typedef struct {
  unsigned long long timestamps;
  unsigned long long address;
  unsigned int rsvd[10];
} MtmlPageRetirement;

typedef struct {
  MtmlPageRetirementCause cause;
  unsigned long long timestamps;
  unsigned long long address;
  unsigned int rsvd[10];
} MtmlPageRetirementPending;

typedef enum {
  MTML_CODEC_TYPE_AVC = 0,
  MTML_CODEC_TYPE_VC1 = 1,
  MTML_CODEC_TYPE_MPEG2 = 2,
  MTML_CODEC_TYPE_MPEG4 = 3,
  MTML_CODEC_TYPE_H263 = 4,
  MTML_CODEC_TYPE_DIV3 = 5,
  MTML_CODEC_TYPE_RV = 6,
  MTML_CODEC_TYPE_AVS = 7,
  MTML_CODEC_TYPE_RSVD1 = 8,
  MTML_CODEC_TYPE_THO = 9,
  MTML_CODEC_TYPE_VP3 = 10,
  MTML_CODEC_TYPE_VP8 = 11,
  MTML_CODEC_TYPE_HEVC = 12,
  MTML_CODEC_TYPE_VP9 = 13,
  MTML_CODEC_TYPE_AVS2 = 14,
  MTML_CODEC_TYPE_RSVD2 = 15,
  MTML_CODEC_TYPE_AV1 = 16,
  MTML_CODEC_TYPE_COUNT = 17
} MtmlCodecType;

typedef enum {
  MTML_CODEC_SESSION_STATE_UNKNOWN = -1,
  MTML_CODEC_SESSION_STATE_IDLE = 0,
  MTML_CODEC_SESSION_STATE_ACTIVE = 1,
  MTML_CODEC_SESSION_STATE_COUNT = 2
} MtmlCodecSessionState;

typedef struct {
  unsigned int util;
  unsigned int period;
  unsigned int encUtil;
  unsigned int decUtil;
  int rsvd[2];
} MtmlCodecUtil;

typedef struct {
  unsigned int id;
  unsigned int pid;
  unsigned int hResolution;
  unsigned int vResolution;
  unsigned int frameRate;
  unsigned int bitRate;
  unsigned int latency;
  MtmlCodecType codecType;
  int rsvd[4];
} MtmlCodecSessionMetrics;

/* ---- parts of devices that count as devices -----------------------------------------------------
 */

typedef struct {
  char id[MTML_VIRT_TYPE_ID_BUFFER_SIZE];
  char name[MTML_VIRT_TYPE_NAME_BUFFER_SIZE];
  char api[MTML_VIRT_TYPE_API_BUFFER_SIZE];
  unsigned int horizontalResolution;
  unsigned int verticalResolution;
  unsigned int frameBuffer;
  unsigned int maxEncodeNum;
  unsigned int maxDecodeNum;
  unsigned int maxInstances;
  unsigned int maxVirtualDisplay;
  int rsvd[11];
} MtmlVirtType;

typedef enum { MTML_DEVICE_MPC_DISABLE = 0, MTML_DEVICE_MPC_ENABLE = 1 } MtmlMpcMode;

typedef struct {
  unsigned int id;
  unsigned int coreCount;
  unsigned long long memorySizeMB;
  char name[MTML_MPC_PROFILE_NAME_BUFFER_SIZE];
  unsigned int rsvd[10];
} MtmlMpcProfile;

typedef struct {
  unsigned int id;
  char name[MTML_MPC_CONF_NAME_BUFFER_SIZE];
  int profileId[MTML_MPC_CONF_MAX_PROF_NUM];
  unsigned int rsvd[24];
} MtmlMpcConfiguration;

/* ---- what the library writes about itself -------------------------------------------------------
 */

typedef enum {
  MTML_LOG_LEVEL_OFF = 0,
  MTML_LOG_LEVEL_FATAL = 1,
  MTML_LOG_LEVEL_ERROR = 2,
  MTML_LOG_LEVEL_WARNING = 3,
  MTML_LOG_LEVEL_INFO = 4
} MtmlLogLevel;

typedef struct {
  struct {
    MtmlLogLevel level;
    int rsvd[2];
  } consoleConfig;
  struct {
    MtmlLogLevel level;
    int rsvd[2];
  } systemConfig;
  struct {
    MtmlLogLevel level;
    char file[MTML_LOG_FILE_PATH_BUFFER_SIZE];
    unsigned int size;
    int rsvd[2];
  } fileConfig;
  struct {
    MtmlLogLevel level;
    void (*callback)(const char*, unsigned int);
    int rsvd[2];
  } callbackConfig;
  int rsvd[8];
} MtmlLogConfiguration;

/* Text for a number; never null. */
const char* mtmlErrorString(MtmlReturn result);

/* ---- objects ------------------------------------------------------------------------------------
 */

MtmlReturn mtmlLibraryInit(MtmlLibrary** library);
MtmlReturn mtmlLibraryShutDown(MtmlLibrary* library);
MtmlReturn mtmlLibraryInitSystem(const MtmlLibrary* library, MtmlSystem** system);
MtmlReturn mtmlLibraryFreeSystem(MtmlSystem* system);
MtmlReturn mtmlLibraryInitDeviceByIndex(const MtmlLibrary* library, unsigned int index,
                                        MtmlDevice** device);
MtmlReturn mtmlLibraryInitDeviceByUuid(const MtmlLibrary* library, const char* uuid,
                                       MtmlDevice** device);
MtmlReturn mtmlLibraryInitDeviceByPciSbdf(const MtmlLibrary* library, const char* sbdf,
                                          MtmlDevice** device);
MtmlReturn mtmlLibraryFreeDevice(MtmlDevice* device);
MtmlReturn mtmlDeviceInitGpu(const MtmlDevice* device, MtmlGpu** gpu);
MtmlReturn mtmlDeviceFreeGpu(MtmlGpu* gpu);
MtmlReturn mtmlDeviceInitMemory(const MtmlDevice* device, MtmlMemory** memory);
MtmlReturn mtmlDeviceFreeMemory(MtmlMemory* memory);
MtmlReturn mtmlDeviceInitVpu(const MtmlDevice* device, MtmlVpu** vpu);
MtmlReturn mtmlDeviceFreeVpu(MtmlVpu* vpu);
MtmlReturn mtmlDeviceInitVirtDevice(const MtmlDevice* device, const char* uuid, MtmlDevice** part);
MtmlReturn mtmlDeviceFreeVirtDevice(MtmlDevice* part);

/* ---- library and system -------------------------------------------------------------------------
 */

MtmlReturn mtmlLibraryGetVersion(const MtmlLibrary* library, char* version, unsigned int size);
MtmlReturn mtmlLibraryCountDevice(const MtmlLibrary* library, unsigned int* count);
MtmlReturn mtmlSystemGetDriverVersion(const MtmlSystem* system, char* version, unsigned int size);
MtmlReturn mtmlLogSetConfiguration(const MtmlLogConfiguration* configuration);
MtmlReturn mtmlLogGetConfiguration(MtmlLogConfiguration* configuration);

/* ---- device -------------------------------------------------------------------------------------
 */

MtmlReturn mtmlDeviceGetIndex(const MtmlDevice* device, unsigned int* index);
MtmlReturn mtmlDeviceGetName(const MtmlDevice* device, char* name, unsigned int size);
MtmlReturn mtmlDeviceGetUUID(const MtmlDevice* device, char* uuid, unsigned int size);
MtmlReturn mtmlDeviceGetBrand(const MtmlDevice* device, MtmlBrandType* brand);
MtmlReturn mtmlDeviceGetSerialNumber(const MtmlDevice* device, unsigned int size, char* number);
MtmlReturn mtmlDeviceGetPciInfo(const MtmlDevice* device, MtmlPciInfo* info);
MtmlReturn mtmlDeviceGetPcieSlotInfo(const MtmlDevice* device, MtmlPciSlotInfo* info);
MtmlReturn mtmlDeviceGetProperty(const MtmlDevice* device, MtmlDeviceProperty* property);
MtmlReturn mtmlDeviceGetPowerUsage(const MtmlDevice* device, unsigned int* milliwatts);
MtmlReturn mtmlDeviceGetGpuPath(const MtmlDevice* device, char* path, unsigned int size);
MtmlReturn mtmlDeviceGetPrimaryPath(const MtmlDevice* device, char* path, unsigned int size);
MtmlReturn mtmlDeviceGetRenderPath(const MtmlDevice* device, char* path, unsigned int size);
MtmlReturn mtmlDeviceGetVbiosVersion(const MtmlDevice* device, char* version, unsigned int size);
MtmlReturn mtmlDeviceGetMtBiosVersion(const MtmlDevice* device, char* version, unsigned int size);
MtmlReturn mtmlDeviceCountFan(const MtmlDevice* device, unsigned int* count);
MtmlReturn mtmlDeviceGetFanSpeed(const MtmlDevice* device, unsigned int fan, unsigned int* percent);
MtmlReturn mtmlDeviceGetFanRpm(const MtmlDevice* device, unsigned int fan, unsigned int* rpm);
MtmlReturn mtmlDeviceCountDisplayInterface(const MtmlDevice* device, unsigned int* count);
MtmlReturn mtmlDeviceGetDisplayInterfaceSpec(const MtmlDevice* device, unsigned int index,
                                             MtmlDispIntfSpec* spec);
MtmlReturn mtmlDeviceCountGpuCores(const MtmlDevice* device, unsigned int* count);
MtmlReturn mtmlDeviceReset(const MtmlDevice* device);
/* Sets of bits in `size` elements. */
MtmlReturn mtmlDeviceGetMemoryAffinityWithinNode(const MtmlDevice* device, unsigned int size,
                                                 unsigned long* nodes);
MtmlReturn mtmlDeviceGetCpuAffinityWithinNode(const MtmlDevice* device, unsigned int size,
                                              unsigned long* cpus);

/* ---- between devices ----------------------------------------------------------------------------
 */

MtmlReturn mtmlDeviceGetTopologyLevel(const MtmlDevice* one, const MtmlDevice* other,
                                      MtmlDeviceTopologyLevel* level);
MtmlReturn mtmlDeviceCountDeviceByTopologyLevel(const MtmlDevice* device,
                                                MtmlDeviceTopologyLevel level, unsigned int* count);
MtmlReturn mtmlDeviceGetDeviceByTopologyLevel(const MtmlDevice* device,
                                              MtmlDeviceTopologyLevel level, unsigned int count,
                                              MtmlDevice** devices);
MtmlReturn mtmlDeviceGetP2PStatus(const MtmlDevice* one, const MtmlDevice* other,
                                  MtmlDeviceP2PCaps capability, MtmlDeviceP2PStatus* status);
MtmlReturn mtmlDeviceGetMtLinkSpec(const MtmlDevice* device, MtmlMtLinkSpec* spec);
MtmlReturn mtmlDeviceGetMtLinkState(const MtmlDevice* device, unsigned int link,
                                    MtmlMtLinkState* state);
MtmlReturn mtmlDeviceGetMtLinkCapStatus(const MtmlDevice* device, unsigned int link,
                                        MtmlMtLinkCap capability, MtmlMtLinkCapStatus* status);
MtmlReturn mtmlDeviceGetMtLinkRemoteDevice(const MtmlDevice* device, unsigned int link,
                                           MtmlDevice** remote);
MtmlReturn mtmlDeviceCountMtLinkShortestPaths(const MtmlDevice* from, const MtmlDevice* to,
                                              unsigned int* count, unsigned int* length);
MtmlReturn mtmlDeviceGetMtLinkShortestPaths(const MtmlDevice* from, const MtmlDevice* to,
                                            unsigned int count, unsigned int length,
                                            MtmlDevice** paths);
MtmlReturn mtmlDeviceCountMtLinkLayouts(const MtmlDevice* from, const MtmlDevice* to,
                                        unsigned int* count);
MtmlReturn mtmlDeviceGetMtLinkLayouts(const MtmlDevice* from, const MtmlDevice* to,
                                      unsigned int count, MtmlMtLinkLayout* layouts);

/* ---- GPU ----------------------------------------------------------------------------------------
 */

/* In percent. */
MtmlReturn mtmlGpuGetUtilization(const MtmlGpu* gpu, unsigned int* utilization);
MtmlReturn mtmlGpuGetEngineUtilization(const MtmlGpu* gpu, MtmlGpuEngine engine,
                                       unsigned int* utilization);
MtmlReturn mtmlGpuGetTemperature(const MtmlGpu* gpu, int* celsius);
MtmlReturn mtmlGpuGetClock(const MtmlGpu* gpu, unsigned int* megahertz);
MtmlReturn mtmlGpuGetMaxClock(const MtmlGpu* gpu, unsigned int* megahertz);

/* ---- memory -------------------------------------------------------------------------------------
 */

/* In bytes. */
MtmlReturn mtmlMemoryGetTotal(const MtmlMemory* memory, unsigned long long* total);
MtmlReturn mtmlMemoryGetUsed(const MtmlMemory* memory, unsigned long long* used);
MtmlReturn mtmlMemoryGetUsedSystem(const MtmlMemory* memory, unsigned long long* used);
/* In percent. */
MtmlReturn mtmlMemoryGetUtilization(const MtmlMemory* memory, unsigned int* utilization);
MtmlReturn mtmlMemoryGetClock(const MtmlMemory* memory, unsigned int* megahertz);
MtmlReturn mtmlMemoryGetMaxClock(const MtmlMemory* memory, unsigned int* megahertz);
MtmlReturn mtmlMemoryGetBusWidth(const MtmlMemory* memory, unsigned int* bits);
MtmlReturn mtmlMemoryGetBandwidth(const MtmlMemory* memory, unsigned int* bandwidth);
MtmlReturn mtmlMemoryGetSpeed(const MtmlMemory* memory, unsigned int* speed);
MtmlReturn mtmlMemoryGetVendor(const MtmlMemory* memory, unsigned int size, char* vendor);
MtmlReturn mtmlMemoryGetType(const MtmlMemory* memory, MtmlMemoryType* type);
MtmlReturn mtmlMemorySetEccMode(const MtmlMemory* memory, MtmlEccMode mode);
MtmlReturn mtmlMemoryGetEccMode(const MtmlMemory* memory, MtmlEccMode* current,
                                MtmlEccMode* pending);
MtmlReturn mtmlMemoryGetEccErrorCounter(const MtmlMemory* memory, MtmlMemoryErrorType error,
                                        MtmlEccCounterType counter, MtmlMemoryLocation location,
                                        unsigned long long* count);
MtmlReturn mtmlMemoryClearEccErrorCounts(const MtmlMemory* memory, MtmlEccCounterType counter);
MtmlReturn mtmlMemoryGetRetiredPagesCount(const MtmlMemory* memory, MtmlPageRetirementCount* count);
MtmlReturn mtmlMemoryGetRetiredPages(const MtmlMemory* memory, MtmlPageRetirementCause cause,
                                     unsigned int count, MtmlPageRetirement* pages);
MtmlReturn mtmlMemoryGetRetiredPagesPendingStatus(const MtmlMemory* memory,
                                                  MtmlRetiredPagesPendingState* state);

/* ---- video --------------------------------------------------------------------------------------
 */

MtmlReturn mtmlVpuGetUtilization(const MtmlVpu* vpu, MtmlCodecUtil* utilization);
MtmlReturn mtmlVpuGetClock(const MtmlVpu* vpu, unsigned int* megahertz);
MtmlReturn mtmlVpuGetMaxClock(const MtmlVpu* vpu, unsigned int* megahertz);
MtmlReturn mtmlVpuGetCodecCapacity(const MtmlVpu* vpu, unsigned int* encode, unsigned int* decode);
MtmlReturn mtmlVpuGetEncoderSessionStates(const MtmlVpu* vpu, MtmlCodecSessionState* states,
                                          unsigned int count);
MtmlReturn mtmlVpuGetEncoderSessionMetrics(const MtmlVpu* vpu, unsigned int session,
                                           MtmlCodecSessionMetrics* metrics);
MtmlReturn mtmlVpuGetDecoderSessionStates(const MtmlVpu* vpu, MtmlCodecSessionState* states,
                                          unsigned int count);
MtmlReturn mtmlVpuGetDecoderSessionMetrics(const MtmlVpu* vpu, unsigned int session,
                                           MtmlCodecSessionMetrics* metrics);

/* ---- virtual devices ----------------------------------------------------------------------------
 */

MtmlReturn mtmlDeviceCountSupportedVirtTypes(const MtmlDevice* device, unsigned int* count);
MtmlReturn mtmlDeviceGetSupportedVirtTypes(const MtmlDevice* device, MtmlVirtType* types,
                                           unsigned int count);
MtmlReturn mtmlDeviceCountAvailVirtTypes(const MtmlDevice* device, unsigned int* count);
MtmlReturn mtmlDeviceGetAvailVirtTypes(const MtmlDevice* device, MtmlVirtType* types,
                                       unsigned int count);
MtmlReturn mtmlDeviceCountAvailVirtDevices(const MtmlDevice* device, const MtmlVirtType* type,
                                           unsigned int* count);
MtmlReturn mtmlDeviceCountActiveVirtDevices(const MtmlDevice* device, unsigned int* count);
MtmlReturn mtmlDeviceGetActiveVirtDeviceUuids(const MtmlDevice* device, char* uuids,
                                              unsigned int size, unsigned int count);
MtmlReturn mtmlDeviceCountMaxVirtDevices(const MtmlDevice* device, const MtmlVirtType* type,
                                         unsigned int* count);
MtmlReturn mtmlDeviceGetVirtType(const MtmlDevice* part, MtmlVirtType* type);
MtmlReturn mtmlDeviceGetPhyDeviceUuid(const MtmlDevice* part, char* uuid, unsigned int size);

/* ---- instances (MPC) ----------------------------------------------------------------------------
 */

MtmlReturn mtmlLibrarySetMpcConfigurationInBatch(const MtmlLibrary* library, unsigned int count,
                                                 MtmlDevice** devices, unsigned int* ids);
MtmlReturn mtmlDeviceSetMpcMode(const MtmlDevice* device, MtmlMpcMode mode);
MtmlReturn mtmlDeviceGetMpcMode(const MtmlDevice* device, MtmlMpcMode* mode);
MtmlReturn mtmlDeviceCountSupportedMpcProfiles(const MtmlDevice* device, unsigned int* count);
MtmlReturn mtmlDeviceGetSupportedMpcProfiles(const MtmlDevice* device, unsigned int count,
                                             MtmlMpcProfile* profiles);
MtmlReturn mtmlDeviceCountSupportedMpcConfigurations(const MtmlDevice* device, unsigned int* count);
MtmlReturn mtmlDeviceGetSupportedMpcConfigurations(const MtmlDevice* device, unsigned int count,
                                                   MtmlMpcConfiguration* configurations);
MtmlReturn mtmlDeviceGetMpcConfiguration(const MtmlDevice* device,
                                         MtmlMpcConfiguration* configuration);
MtmlReturn mtmlDeviceGetMpcConfigurationByName(const MtmlDevice* device, const char* name,
                                               MtmlMpcConfiguration* configuration);
MtmlReturn mtmlDeviceSetMpcConfiguration(const MtmlDevice* device, unsigned int id);
MtmlReturn mtmlDeviceCountMpcInstancesByProfileId(const MtmlDevice* device, unsigned int profile,
                                                  unsigned int* count);
MtmlReturn mtmlDeviceGetMpcInstancesByProfileId(const MtmlDevice* device, unsigned int profile,
                                                unsigned int count, MtmlDevice** instances);
MtmlReturn mtmlDeviceCountMpcInstances(const MtmlDevice* device, unsigned int* count);
MtmlReturn mtmlDeviceGetMpcInstances(const MtmlDevice* device, unsigned int count,
                                     MtmlDevice** instances);
MtmlReturn mtmlDeviceGetMpcInstanceByIndex(const MtmlDevice* device, unsigned int index,
                                           MtmlDevice** instance);
MtmlReturn mtmlDeviceGetMpcParentDevice(const MtmlDevice* instance, MtmlDevice** device);
MtmlReturn mtmlDeviceGetMpcProfileInfo(const MtmlDevice* instance, MtmlMpcProfile* profile);
MtmlReturn mtmlDeviceGetMpcInstanceIndex(const MtmlDevice* instance, unsigned int* index);

#ifdef __cplusplus
}
#endif

#pragma GCC visibility pop
