// Textures and surfaces, by their handles. How texels are read is the driver's.
#pragma once

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
#define __SURFACE_TYPES_H__  // of a toolkit's own header
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum cudaSurfaceFormatMode { cudaFormatModeForced, cudaFormatModeAuto };

// The device runtime (src/host/kernels/device). Texels have four channels.
extern "C" {
__device__ void torchada_sample(cudaTextureObject_t texture, float x, float y, float z, int layer,
                                float level, unsigned int* texel);
__device__ void torchada_fetch(cudaTextureObject_t texture, int index, unsigned int* texel);
__device__ void torchada_gather(cudaTextureObject_t texture, float x, float y, int channel,
                                unsigned int* texels);
__device__ float torchada_level(cudaTextureObject_t texture, const float* dx, const float* dy);
// Null where nothing is to be read or written.
__device__ unsigned char* torchada_surface_at(cudaSurfaceObject_t surface, int x, int y, int z,
                                              unsigned int size, int mode);
}

namespace torchada {

TORCHADA_DEVICE void set_channel(float* to, unsigned int bits) {
  *to = __builtin_bit_cast(float, bits);
}
template <typename Type>
TORCHADA_DEVICE void set_channel(Type* to, unsigned int bits) {
  *to = static_cast<Type>(bits);
}
// What CUDA reads from textures: these types alone, and their vectors of 1, 2 and 4.
template <typename Type, typename Channel, int kChannels>
struct ChannelsOf {
  TORCHADA_DEVICE static Type of(const unsigned int* texel) {
    Type value;
    Channel* const channels = reinterpret_cast<Channel*>(&value);
    for (int i = 0; i < kChannels; ++i) set_channel(channels + i, texel[i]);
    return value;
  }
};
template <typename Type>
struct Texel;
#define TORCHADA_TEXEL(type, name)                         \
  template <>                                              \
  struct Texel<type> : ChannelsOf<type, type, 1> {};       \
  template <>                                              \
  struct Texel<name##1> : ChannelsOf<name##1, type, 1> {}; \
  template <>                                              \
  struct Texel<name##2> : ChannelsOf<name##2, type, 2> {}; \
  template <>                                              \
  struct Texel<name##4> : ChannelsOf<name##4, type, 4> {};
TORCHADA_TEXEL(signed char, char)
TORCHADA_TEXEL(unsigned char, uchar)
TORCHADA_TEXEL(short, short)
TORCHADA_TEXEL(unsigned short, ushort)
TORCHADA_TEXEL(int, int)
TORCHADA_TEXEL(unsigned int, uint)
TORCHADA_TEXEL(float, float)
#undef TORCHADA_TEXEL
template <>
struct Texel<char> : ChannelsOf<char, char, 1> {};

template <typename Type>
TORCHADA_DEVICE Type sample(cudaTextureObject_t texture, float x, float y, float z, int layer,
                            float level) {
  unsigned int texel[4];
  torchada_sample(texture, x, y, z, layer, level, texel);
  return Texel<Type>::of(texel);
}
template <typename Type>
TORCHADA_DEVICE Type fetch(cudaTextureObject_t texture, int index) {
  unsigned int texel[4];
  torchada_fetch(texture, index, texel);
  return Texel<Type>::of(texel);
}
template <typename Type>
TORCHADA_DEVICE Type gather(cudaTextureObject_t texture, float x, float y, int channel) {
  unsigned int texels[4];
  torchada_gather(texture, x, y, channel, texels);
  return Texel<Type>::of(texels);
}
TORCHADA_DEVICE float level(cudaTextureObject_t texture, float3 dx, float3 dy) {
  return torchada_level(texture, &dx.x, &dy.x);
}
TORCHADA_DEVICE float3 step(float x) { return {x, 0, 0}; }
TORCHADA_DEVICE float3 step(float2 by) { return {by.x, by.y, 0}; }
TORCHADA_DEVICE float3 step(float4 by) { return {by.x, by.y, by.z}; }

// Nothing for a read that gives 0 and a write that does nothing.
template <typename Type>
TORCHADA_DEVICE Type* element(cudaSurfaceObject_t surface, int x, int y, int z, int mode) {
  constexpr unsigned int kSize = sizeof(Type);
  static_assert(kSize <= 16 && (kSize & (kSize - 1)) == 0, "an element of 1, 2, 4, 8 or 16 bytes");
  return reinterpret_cast<Type*>(torchada_surface_at(surface, x, y, z, kSize, mode));
}

}  // namespace torchada

// Each is there twice: the value is returned, or written.
#define TORCHADA_READ(name, value, ...)                                           \
  template <typename Type>                                                        \
  TORCHADA_DEVICE Type name(cudaTextureObject_t texture, __VA_ARGS__) {           \
    return torchada::value;                                                       \
  }                                                                               \
  template <typename Type>                                                        \
  TORCHADA_DEVICE void name(Type* to, cudaTextureObject_t texture, __VA_ARGS__) { \
    *to = torchada::value;                                                        \
  }
// With the largest level, one that is said, and one for steps.
#define TORCHADA_READ_LEVELS(name, x, y, z, layer, steps, ...)                                     \
  TORCHADA_READ(name, sample<Type>(texture, x, y, z, layer, 0), __VA_ARGS__)                       \
  TORCHADA_READ(name##Lod, sample<Type>(texture, x, y, z, layer, level), __VA_ARGS__, float level) \
  TORCHADA_READ(name##Grad,                                                                        \
                sample<Type>(texture, x, y, z, layer,                                              \
                             torchada::level(texture, torchada::step(dx), torchada::step(dy))),    \
                __VA_ARGS__, steps dx, steps dy)
TORCHADA_READ(tex1Dfetch, fetch<Type>(texture, x), int x)
TORCHADA_READ(tex2Dgather, gather<Type>(texture, x, y, channel), float x, float y, int channel = 0)
TORCHADA_READ_LEVELS(tex1D, x, 0, 0, 0, float, float x)
TORCHADA_READ_LEVELS(tex1DLayered, x, 0, 0, layer, float, float x, int layer)
TORCHADA_READ_LEVELS(tex2D, x, y, 0, 0, float2, float x, float y)
TORCHADA_READ_LEVELS(tex2DLayered, x, y, 0, layer, float2, float x, float y, int layer)
TORCHADA_READ_LEVELS(tex3D, x, y, z, 0, float4, float x, float y, float z)
#define TORCHADA_READ_CUBE(name, layer, ...)                                               \
  TORCHADA_READ(name, sample<Type>(texture, x, y, z, layer, 0), float x, float y,          \
                float z __VA_ARGS__)                                                       \
  TORCHADA_READ(name##Lod, sample<Type>(texture, x, y, z, layer, level), float x, float y, \
                float z __VA_ARGS__, float level)                                          \
  template <typename Type = int, typename... Types>                                        \
  TORCHADA_REFUSES("a cubemap read with gradients")                                        \
  __device__ Type name##Grad(Types...);
TORCHADA_READ_CUBE(texCubemap, 0)
TORCHADA_READ_CUBE(texCubemapLayered, layer, , int layer)
#undef TORCHADA_READ_CUBE
#undef TORCHADA_READ_LEVELS
#undef TORCHADA_READ

// `x` counts bytes.
#define TORCHADA_SURFACE(name, x, y, z, ...)                                             \
  template <typename Type>                                                               \
  TORCHADA_DEVICE Type name##read(cudaSurfaceObject_t surface, __VA_ARGS__,              \
                                  int mode = cudaBoundaryModeTrap) {                     \
    const Type* const from = torchada::element<Type>(surface, x, y, z, mode);            \
    return from == nullptr ? Type{} : *from;                                             \
  }                                                                                      \
  template <typename Type>                                                               \
  TORCHADA_DEVICE void name##read(Type* to, cudaSurfaceObject_t surface, __VA_ARGS__,    \
                                  int mode = cudaBoundaryModeTrap) {                     \
    const Type* const from = torchada::element<Type>(surface, x, y, z, mode);            \
    *to = from == nullptr ? Type{} : *from;                                              \
  }                                                                                      \
  template <typename Type>                                                               \
  TORCHADA_DEVICE void name##write(Type value, cudaSurfaceObject_t surface, __VA_ARGS__, \
                                   int mode = cudaBoundaryModeTrap) {                    \
    Type* const to = torchada::element<Type>(surface, x, y, z, mode);                    \
    if (to != nullptr) *to = value;                                                      \
  }
TORCHADA_SURFACE(surf1D, x, 0, 0, int x)
TORCHADA_SURFACE(surf1DLayered, x, 0, layer, int x, int layer)
TORCHADA_SURFACE(surf2D, x, y, 0, int x, int y)
TORCHADA_SURFACE(surf2DLayered, x, y, layer, int x, int y, int layer)
TORCHADA_SURFACE(surf3D, x, y, z, int x, int y, int z)
TORCHADA_SURFACE(surfCubemap, x, y, face, int x, int y, int face)
TORCHADA_SURFACE(surfCubemapLayered, x, y, face, int x, int y, int face)
#undef TORCHADA_SURFACE
