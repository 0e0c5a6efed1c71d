// What the stand-in has not. The pass names the place of a use.
#pragma once

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
#define TORCHADA_TEXTURE(name)                           \
  template <typename Type = int, typename... Types>      \
  TORCHADA_REFUSES("a texture or a surface in a kernel") \
  __device__ Type name(Types...);
TORCHADA_FOR_EACH(TORCHADA_TEXTURE, tex1D, tex1Dfetch, tex1DLod, tex1DGrad, tex1DLayered, tex2D,
                  tex2DLayered, tex2DLod, tex2DGrad, tex2Dgather, tex3D, tex3DLod, tex3DGrad,
                  texCubemap, texCubemapLod, texCubemapLayered)
TORCHADA_FOR_EACH(TORCHADA_TEXTURE, surf1Dread, surf1Dwrite, surf2Dread, surf2Dwrite, surf3Dread,
                  surf3Dwrite, surf1DLayeredread, surf1DLayeredwrite, surf2DLayeredread,
                  surf2DLayeredwrite, surfCubemapread, surfCubemapwrite)
#undef TORCHADA_TEXTURE
