/* mccl.h is a C header. */
#include <mccl.h>

mcclConfig_t default_config_in_c(void) {
  mcclConfig_t config = MCCL_CONFIG_INITIALIZER;
  return config;
}
