// What the stand-in has not. The declarations let the translator see the use and name its place.
#pragma once

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
#define TORCHADA_REFUSED(name)         \
  template <typename T, typename... A> \
  __device__ T name(A...);
TORCHADA_REFUSED(tex1D)
TORCHADA_REFUSED(tex1Dfetch)
TORCHADA_REFUSED(tex2D)
TORCHADA_REFUSED(tex3D)
TORCHADA_REFUSED(tex2DLayered)
TORCHADA_REFUSED(tex2DLod)
TORCHADA_REFUSED(surf2Dread)
#undef TORCHADA_REFUSED
template <typename T, typename... A>
__device__ void surf2Dwrite(T, A...);
