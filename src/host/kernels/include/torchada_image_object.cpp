// The object that the driver looks for in an image. Linked into every image.
#include "cuda/torchada_device.h"

extern "C" {
extern const torchada_kernel* const __start_torchada_kernels[]
    __attribute__((weak, visibility("hidden")));
extern const torchada_kernel* const __stop_torchada_kernels[]
    __attribute__((weak, visibility("hidden")));
extern const torchada_variable* const __start_torchada_variables[]
    __attribute__((weak, visibility("hidden")));
extern const torchada_variable* const __stop_torchada_variables[]
    __attribute__((weak, visibility("hidden")));

static torchada_state* state_of_thread() { return &torchada_of_os_thread; }

__attribute__((section(TORCHADA_IMAGE_SECTION), used)) static const char torchada_mark[] =
    "torchada";

__attribute__((visibility("default"))) extern const torchada_image torchada_image = {
    TORCHADA_IMAGE_FORMAT,     TORCHADA_WARP_SIZE,
    state_of_thread,           __start_torchada_kernels,
    __stop_torchada_kernels,   __start_torchada_variables,
    __stop_torchada_variables, &torchada::torchada_shared_variables};
}
