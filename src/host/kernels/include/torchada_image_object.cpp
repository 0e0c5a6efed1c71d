// The object that the driver looks for in an image. Linked into every image.
#include "torchada_image_state.h"

extern "C" {
#define TORCHADA_END(type, name) \
  extern const type* const name[] __attribute__((weak, visibility("hidden")));
TORCHADA_END(torchada_kernel, __start_torchada_kernels)
TORCHADA_END(torchada_kernel, __stop_torchada_kernels)
TORCHADA_END(torchada_variable, __start_torchada_variables)
TORCHADA_END(torchada_variable, __stop_torchada_variables)

static torchada_state* state_of_thread() { return &torchada_of_os_thread; }

__attribute__((section(TORCHADA_IMAGE_SECTION), used)) static const char torchada_mark[] =
    "torchada";

__attribute__((visibility("default"))) extern const torchada_image torchada_image = {
    TORCHADA_IMAGE_FORMAT,     TORCHADA_WARP_SIZE,        state_of_thread,
    __start_torchada_kernels,  __stop_torchada_kernels,   __start_torchada_variables,
    __stop_torchada_variables, &torchada_shared_variables};
}
