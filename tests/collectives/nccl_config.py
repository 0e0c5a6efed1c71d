"""ncclConfig_t for ctypes."""
import ctypes

UNSET = -2147483648


class Config(ctypes.Structure):
    """The layout of NCCL's header. Each version knows only a first part of it."""
    _fields_ = [("size", ctypes.c_size_t), ("magic", ctypes.c_uint), ("version", ctypes.c_uint),
                ("blocking", ctypes.c_int), ("cgaClusterSize", ctypes.c_int), ("minCTAs", ctypes.c_int),
                ("maxCTAs", ctypes.c_int), ("netName", ctypes.c_char_p), ("splitShare", ctypes.c_int),
                ("trafficClass", ctypes.c_int), ("commName", ctypes.c_char_p), ("collnetEnable", ctypes.c_int),
                ("CTAPolicy", ctypes.c_int), ("shrinkShare", ctypes.c_int), ("nvlsCTAs", ctypes.c_int)]


def initialised_config():
    return Config(ctypes.sizeof(Config), 0xcafebeef, 22809, UNSET, UNSET, UNSET, UNSET, None, UNSET, UNSET, None, UNSET,
                  UNSET, UNSET, UNSET)
