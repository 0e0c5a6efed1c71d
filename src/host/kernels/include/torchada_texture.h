/* What device code finds behind the handle of a texture or a surface: the handle is the address.
 * The driver gives each a page of its own, which no later one gets, so a handle that was destroyed
 * is an illegal address. How texels are read is the driver's (src/host/kernels/textures), so images
 * know nothing of formats and filters.
 */
#ifndef TORCHADA_TEXTURE_H
#define TORCHADA_TEXTURE_H

#include <stdint.h>

/* A texel has four channels of 32 bits: floats, or integers. Those that the texture lacks are 0. */
struct torchada_texel {
  uint32_t channels[4];
};

struct torchada_texture {
  uint64_t handle; /* its own */
  /* The texel at the coordinates. Those that the texture has not do not count. */
  struct torchada_texel (*sample)(const struct torchada_texture* texture, float x, float y, float z,
                                  int layer, float level);
  /* The element of a line of memory; zeros outside of it. */
  struct torchada_texel (*fetch)(const struct torchada_texture* texture, int index);
  /* One channel of the four texels between which a plane is filtered. */
  struct torchada_texel (*gather)(const struct torchada_texture* texture, float x, float y,
                                  int channel);
  /* The level for steps of these lengths from thread to thread, 3 coordinates each. */
  float (*level_of)(const struct torchada_texture* texture, const float* dx, const float* dy);
};

struct torchada_surface {
  uint64_t handle; /* its complement */
  unsigned char* start;
  uint64_t pitch, slice;
  int32_t row_bytes, rows, slices;
};

#endif
