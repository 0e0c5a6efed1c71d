// What texture and surface objects are made of.
//
// The names of the functions are in MooreThreads/kineto:libkineto/src/mupti_strings.cpp and
// MooreThreads/muAlg:cub/iterator/tex_obj_input_iterator.cuh. No public source shows these types.
// Assumed: they have the members, the order and the numbers that CUDA 12 documents for the types of
// the corresponding names, as far as programs of CUDA 11 know them too.
#pragma once

#include <stddef.h>

typedef unsigned long long musaTextureObject_t;
typedef unsigned long long musaSurfaceObject_t;

typedef enum musaResourceType {
  musaResourceTypeArray = 0,
  musaResourceTypeMipmappedArray = 1,
  musaResourceTypeLinear = 2,
  musaResourceTypePitch2D = 3
} musaResourceType;

typedef enum musaTextureAddressMode {
  musaAddressModeWrap = 0,
  musaAddressModeClamp = 1,
  musaAddressModeMirror = 2,
  musaAddressModeBorder = 3
} musaTextureAddressMode;

typedef enum musaTextureFilterMode {
  musaFilterModePoint = 0,
  musaFilterModeLinear = 1
} musaTextureFilterMode;

typedef enum musaTextureReadMode {
  musaReadModeElementType = 0,
  musaReadModeNormalizedFloat = 1
} musaTextureReadMode;

// The other values name formats of elements; 34 is the last.
typedef enum musaResourceViewFormat { musaResViewFormatNone = 0 } musaResourceViewFormat;

typedef struct musaResourceDesc {
  enum musaResourceType resType;
  union {
    struct {
      musaArray_t array;
    } array;
    struct {
      musaMipmappedArray_t mipmap;
    } mipmap;
    struct {
      void* devPtr;
      struct musaChannelFormatDesc desc;
      size_t sizeInBytes;
    } linear;
    struct {
      void* devPtr;
      struct musaChannelFormatDesc desc;
      size_t width;
      size_t height;
      size_t pitchInBytes;
    } pitch2D;
  } res;
} musaResourceDesc;

typedef struct musaTextureDesc {
  enum musaTextureAddressMode addressMode[3];
  enum musaTextureFilterMode filterMode;
  enum musaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned int maxAnisotropy;
  enum musaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  int seamlessCubemap;
} musaTextureDesc;

typedef struct musaResourceViewDesc {
  enum musaResourceViewFormat format;
  size_t width;
  size_t height;
  size_t depth;
  unsigned int firstMipmapLevel;
  unsigned int lastMipmapLevel;
  unsigned int firstLayer;
  unsigned int lastLayer;
} musaResourceViewDesc;
