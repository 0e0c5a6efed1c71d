#include <mtml.h>

const char* mtmlErrorString(MtmlReturn result) {
  switch (result) {
    case MTML_SUCCESS:
      return "success";
    case MTML_ERROR_DRIVER_NOT_LOADED:
      return "the driver is not loaded";
    case MTML_ERROR_DRIVER_FAILURE:
      return "the driver does not answer";
    case MTML_ERROR_INVALID_ARGUMENT:
      return "invalid argument";
    case MTML_ERROR_NOT_SUPPORTED:
      return "the device does not support this";
    case MTML_ERROR_NO_PERMISSION:
      return "no permission";
    case MTML_ERROR_INSUFFICIENT_SIZE:
      return "the buffer is too small";
    case MTML_ERROR_NOT_FOUND:
      return "not found";
    case MTML_ERROR_INSUFFICIENT_MEMORY:
      return "out of memory";
    case MTML_ERROR_DRIVER_TOO_OLD:
      return "the driver is too old";
    case MTML_ERROR_DRIVER_TOO_NEW:
      return "the driver is too new";
    case MTML_ERROR_TIMEOUT:
      return "time ran out";
    case MTML_ERROR_RESOURCE_IS_BUSY:
      return "the resource is busy";
    case MTML_ERROR_UNKNOWN:
      break;
  }
  return "unknown error";
}
