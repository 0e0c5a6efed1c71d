// What the stand-in has not. The declarations let the translator see the use and name its place.
#pragma once

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
#define TORCHADA_TEXTURE(name)                           \
  template <typename T = int, typename... A>             \
  TORCHADA_REFUSES("a texture or a surface in a kernel") \
  __device__ T name(A...);
TORCHADA_FOR_EACH(TORCHADA_TEXTURE, tex1D, tex1Dfetch, tex2D, tex2DLayered, tex2DLod, tex3D,
                  surf2Dread, surf2Dwrite)
#undef TORCHADA_TEXTURE
