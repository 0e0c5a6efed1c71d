// Surfaces: what is written can be read, also by a copy and by a texture, and what is outside is as
// the boundary mode says.
#include "program.h"

// Every element becomes what it was, plus ten times its place.
template <int kDimensions, bool kLayered>
__global__ void add_places(cudaSurfaceObject_t surface, int width, int height) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  if (x >= width || y >= height) return;
  const int place = 10 * (x + 10 * y + 100 * z), at = x * static_cast<int>(sizeof(int));
  if (kDimensions == 1 && !kLayered) {
    surf1Dwrite(surf1Dread<int>(surface, at) + place, surface, at);
  } else if (kDimensions == 1) {
    surf1DLayeredwrite(surf1DLayeredread<int>(surface, at, z) + place, surface, at, z);
  } else if (kDimensions == 2 && !kLayered) {
    surf2Dwrite(surf2Dread<int>(surface, at, y) + place, surface, at, y);
  } else if (kDimensions == 2) {
    surf2DLayeredwrite(surf2DLayeredread<int>(surface, at, y, z) + place, surface, at, y, z);
  } else if (kDimensions == 3) {
    surf3Dwrite(surf3Dread<int>(surface, at, y, z) + place, surface, at, y, z);
  } else if (!kLayered) {
    surfCubemapwrite(surfCubemapread<int>(surface, at, y, z) + place, surface, at, y, z);
  } else {
    int value;
    surfCubemapLayeredread(&value, surface, at, y, z);
    surfCubemapLayeredwrite(value + place, surface, at, y, z);
  }
}

__global__ void at_the_edge(cudaSurfaceObject_t surface, int2* out) {
  const int size = sizeof(int2);
  const int2 one = make_int2(1, 2);
  out[0] = surf2Dread<int2>(surface, 8 * size, 0, cudaBoundaryModeZero);
  out[1] = surf2Dread<int2>(surface, -size, 9, cudaBoundaryModeClamp);
  surf2Dwrite(one, surface, 3 * size, -1, cudaBoundaryModeZero);
  surf2Dwrite(one, surface, 9 * size, 0, cudaBoundaryModeClamp);
  out[2] = surf2Dread<int2>(surface, 7 * size, 0);
  out[3] = surf2Dread<int2>(surface, 3 * size, 0, cudaBoundaryModeTrap);
}

__global__ void write_all(cudaSurfaceObject_t surface) {
  const int x = threadIdx.x;
  surf2Dwrite(make_uchar4(x, x + 1, x + 2, x + 3), surface, x * 4, blockIdx.x);
}

__global__ void read_back(cudaTextureObject_t texture, int* out) {
  const uchar4 four = tex2D<uchar4>(texture, threadIdx.x, blockIdx.x);
  out[blockIdx.x * 8 + threadIdx.x] = four.x + 256 * four.w;
}

cudaArray_t array_of(int width, int height, int depth, unsigned int flags,
                     const cudaChannelFormatDesc& format) {
  cudaArray_t array = nullptr;
  CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth),
                          flags | cudaArraySurfaceLoadStore));
  return array;
}

cudaSurfaceObject_t surface_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  return surface;
}

void copy(cudaArray_t array, std::vector<int>& values, int width, int height, int depth,
          cudaMemcpyKind kind) {
  const cudaPitchedPtr memory =
      make_cudaPitchedPtr(values.data(), width * sizeof(int), width, height);
  cudaMemcpy3DParms all = {};
  all.extent = make_cudaExtent(width, height, depth);
  all.kind = kind;
  if (kind == cudaMemcpyHostToDevice) {
    all.srcPtr = memory;
    all.dstArray = array;
  } else {
    all.srcArray = array;
    all.dstPtr = memory;
  }
  CHECK(cudaMemcpy3D(&all));
}

template <int kDimensions, bool kLayered>
int shape(int width, int height, int depth, unsigned int flags) {
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  const cudaArray_t array = array_of(width, height, depth, flags, format);
  const int rows = height > 0 ? height : 1, slices = depth > 0 ? depth : 1;
  std::vector<int> values, expected;
  for (int z = 0; z < slices; ++z) {
    for (int y = 0; y < rows; ++y) {
      for (int x = 0; x < width; ++x) {
        values.push_back(x % 7);
        expected.push_back(x % 7 + 10 * (x + 10 * y + 100 * z));
      }
    }
  }
  copy(array, values, width, rows, slices, cudaMemcpyHostToDevice);
  const cudaSurfaceObject_t surface = surface_of(array);
  add_places<kDimensions, kLayered><<<slices, dim3(8, 8)>>>(surface, width, rows);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  copy(array, values, width, rows, slices, cudaMemcpyDeviceToHost);
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFreeArray(array));
  return compare(values, expected);
}

int edges() {
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 32, 0, 0, cudaChannelFormatKindSigned);
  const cudaArray_t array = array_of(8, 4, 0, 0, format);
  std::vector<int2> values;
  for (int i = 0; i < 32; ++i) values.push_back(make_int2(100 + i, 200 + i));
  const size_t row = 8 * sizeof(int2);
  CHECK(cudaMemcpy2DToArray(array, 0, 0, values.data(), row, row, 4, cudaMemcpyHostToDevice));
  int2* const out = upload(std::vector<int2>(4, make_int2(9, 9)));
  at_the_edge<<<1, 1>>>(surface_of(array), out);
  std::vector<int> found;
  for (const int2& each : download(out, 4)) {
    found.push_back(each.x);
    found.push_back(each.y);
  }
  return compare(found, {0, 0, 124, 224, 1, 2, 103, 203});
}

int through_a_texture() {
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
  const cudaArray_t array = array_of(8, 4, 0, 0, format);
  write_all<<<4, 8>>>(surface_of(array));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  const cudaTextureDesc how = {};
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  int* const out = upload(std::vector<int>(32));
  read_back<<<4, 8>>>(texture, out);
  std::vector<int> expected;
  for (int i = 0; i < 32; ++i) expected.push_back(i % 8 + 256 * (i % 8 + 3));
  return compare(download(out, 32), expected);
}

int main() {
  return shape<1, false>(8, 0, 0, 0) + shape<1, true>(8, 0, 3, cudaArrayLayered) +
         shape<2, false>(8, 5, 0, 0) + shape<2, true>(7, 5, 3, cudaArrayLayered) +
         shape<3, false>(7, 5, 3, 0) + shape<4, false>(4, 4, 6, cudaArrayCubemap) +
         shape<4, true>(4, 4, 12, cudaArrayCubemap | cudaArrayLayered) + edges() +
         through_a_texture();
}
