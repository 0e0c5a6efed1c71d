// Textures of every shape, element, address mode and filter, against CUDA's programming guide as it
// is computed here.
#include "program.h"

enum Shape { kLine, kLayeredLine, kPlane, kLayeredPlane, kBox, kCube, kLayeredCube };

template <typename T, int kShape>
__global__ void read_texels(T* out, cudaTextureObject_t texture, const float4* at, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float4 p = at[i];
  const int layer = static_cast<int>(p.w);
  if (kShape == kLine) out[i] = tex1D<T>(texture, p.x);
  if (kShape == kLayeredLine) out[i] = tex1DLayered<T>(texture, p.x, layer);
  if (kShape == kPlane) out[i] = tex2D<T>(texture, p.x, p.y);
  if (kShape == kLayeredPlane) out[i] = tex2DLayered<T>(texture, p.x, p.y, layer);
  if (kShape == kBox) out[i] = tex3D<T>(texture, p.x, p.y, p.z);
  if (kShape == kCube) out[i] = texCubemap<T>(texture, p.x, p.y, p.z);
  if (kShape == kLayeredCube) out[i] = texCubemapLayered<T>(texture, p.x, p.y, p.z, layer);
}

__global__ void fetch_texels(float* out, cudaTextureObject_t texture, int count) {
  const int i = threadIdx.x;
  if (i < count) tex1Dfetch(out + i, texture, i - 2);
}

__global__ void gather_texels(uchar4* out, cudaTextureObject_t texture, const float4* at) {
  const float4 p = at[threadIdx.x];
  out[4 * threadIdx.x] = tex2Dgather<uchar4>(texture, p.x, p.y);
  out[4 * threadIdx.x + 1] = tex2Dgather<uchar4>(texture, p.x, p.y, 1);
  out[4 * threadIdx.x + 2] = tex2Dgather<uchar4>(texture, p.x, p.y, 2);
  out[4 * threadIdx.x + 3] = tex2Dgather<uchar4>(texture, p.x, p.y, 3);
}

__global__ void read_levels(float* out, cudaTextureObject_t texture, const float4* at) {
  const float4 p = at[threadIdx.x];
  out[2 * threadIdx.x] = tex2DLod<float>(texture, p.x, p.y, p.z);
  // Steps of 2^z elements of the largest level.
  const float step = exp2f(p.z) / 8;
  out[2 * threadIdx.x + 1] =
      tex2DGrad<float>(texture, p.x, p.y, make_float2(step, 0), make_float2(0, step / 2));
}

// The elements of a texture as they are read: channel by channel, then x, y, z and layers.
struct Image {
  int shape = kPlane, channels = 1;
  int width = 8, height = 1, depth = 1;  // or layers, or faces
  std::vector<double> values;
  cudaTextureDesc how = {};

  int dimensions() const { return shape <= kLayeredLine ? 1 : shape == kBox ? 3 : 2; }
};

// The element's index along an axis; -1 is outside.
int place(cudaTextureAddressMode mode, int index, int size) {
  if (mode == cudaAddressModeBorder) return index < 0 || index >= size ? -1 : index;
  if (mode == cudaAddressModeClamp) return index < 0 ? 0 : index >= size ? size - 1 : index;
  while (index < 0) index += 2 * size;
  if (mode == cudaAddressModeWrap) return index % size;
  index %= 2 * size;
  return index < size ? index : 2 * size - 1 - index;
}

double element(const Image& image, const int* index, int slice, int channel) {
  const int sizes[] = {image.width, image.height, image.depth};
  int at[3] = {0, 0, slice};
  for (int i = 0; i < image.dimensions(); ++i) {
    cudaTextureAddressMode mode = image.how.addressMode[i];
    if (!image.how.normalizedCoords &&
        (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror)) {
      mode = cudaAddressModeClamp;
    }
    at[i] = place(mode, index[i], sizes[i]);
    if (at[i] < 0) return image.how.borderColor[channel];
  }
  const size_t which = (static_cast<size_t>(at[2]) * image.height + at[1]) * image.width + at[0];
  return image.values[which * image.channels + channel];
}

double expected_at(const Image& image, const double* where, int slice, int channel) {
  const int sizes[] = {image.width, image.height, image.depth};
  int index[3] = {};
  double weight[3] = {};
  const bool filters = image.how.filterMode == cudaFilterModeLinear;
  for (int i = 0; i < image.dimensions(); ++i) {
    const double scaled = where[i] * (image.how.normalizedCoords ? sizes[i] : 1);
    index[i] = static_cast<int>(std::floor(filters ? scaled - 0.5 : scaled));
    // 8 bits of fraction.
    if (filters) weight[i] = std::floor((scaled - 0.5 - index[i]) * 256 + 0.5) / 256;
  }
  if (!filters) return element(image, index, slice, channel);
  double sum = 0;
  for (int corner = 0; corner < 1 << image.dimensions(); ++corner) {
    int at[3] = {};
    double part = 1;
    for (int i = 0; i < image.dimensions(); ++i) {
      const int next = corner >> i & 1;
      at[i] = index[i] + next;
      part *= next ? weight[i] : 1 - weight[i];
    }
    if (part != 0) sum += part * element(image, at, slice, channel);
  }
  return sum;
}

// The face of a cube that a direction meets, and where.
int face_at(const float4& p, double* where) {
  const double x = p.x, y = p.y, z = p.z;
  const double a = std::fabs(x), b = std::fabs(y), c = std::fabs(z);
  const int axis = a > b && a > c ? 0 : b > c ? 1 : 2;
  const bool positive = (axis == 0 ? x : axis == 1 ? y : z) > 0;
  const double s = axis == 0 ? (positive ? -z : z) : axis == 1 || positive ? x : -x;
  const double t = axis == 1 ? (positive ? z : -z) : -y;
  const double m = axis == 0 ? a : axis == 1 ? b : c;
  where[0] = (s / m + 1) / 2;
  where[1] = (t / m + 1) / 2;
  return 2 * axis + (positive ? 0 : 1);
}

double expected(const Image& image, const float4& p, int channel) {
  double where[] = {p.x, p.y, p.z};
  const int layer = static_cast<int>(p.w);
  if (image.shape == kCube) return expected_at(image, where, face_at(p, where), channel);
  if (image.shape == kLayeredCube) {
    const int face = face_at(p, where);
    return expected_at(image, where, 6 * layer + face, channel);
  }
  return expected_at(image, where, image.shape == kBox ? 0 : layer, channel);
}

// Whole numbers without order, so that every wrong place shows.
int next_number() {
  static unsigned int state = 1;
  state = state * 1664525 + 1013904223;
  return static_cast<int>(state >> 16);
}

// Coordinates in and around the texture, at 1/16 of an element, so that nothing is rounded.
std::vector<float4> positions(const Image& image) {
  std::vector<float4> at;
  const auto coordinate = [&](int size) {
    const float where = (next_number() % (16 * 3 * size) - 16 * size) / 16.F;
    return image.how.normalizedCoords ? where / size : where;
  };
  for (int i = 0; i < 128; ++i) {
    float4 p =
        make_float4(coordinate(image.width), coordinate(image.height), coordinate(image.depth), 0);
    if (image.shape == kLayeredLine || image.shape == kLayeredPlane)
      p.w = next_number() % image.depth;
    if (image.shape >= kCube) {
      const auto aside = [] { return (next_number() % 125 - 62) / 64.F; };
      const float longest = next_number() % 2 == 0 ? 1 : -1;
      const int axis = next_number() % 3;
      p.x = axis == 0 ? longest : aside();
      p.y = axis == 1 ? longest : aside();
      p.z = axis == 2 ? longest : aside();
      p.w = next_number() % (image.depth / 6);
    }
    at.push_back(p);
  }
  return at;
}

template <typename Stored>
cudaArray_t array_of(const Image& image, const std::vector<Stored>& elements,
                     cudaChannelFormatKind kind) {
  const int bits = 8 * sizeof(Stored);
  const int more = image.channels > 2 ? bits : 0;
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(bits, image.channels > 1 ? bits : 0, more, more, kind);
  const bool layered =
      image.shape == kLayeredLine || image.shape == kLayeredPlane || image.shape == kLayeredCube;
  const bool flat = image.shape <= kLayeredLine;
  const unsigned int flags = (layered ? cudaArrayLayered : 0) |
                             (image.shape >= kCube ? cudaArrayCubemap : 0) |
                             (image.shape == kPlane ? cudaArrayTextureGather : 0);
  cudaArray_t array = nullptr;
  CHECK(cudaMalloc3DArray(
      &array, &format,
      make_cudaExtent(image.width, flat ? 0 : image.height,
                      image.shape == kLine || image.shape == kPlane ? 0 : image.depth),
      flags));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr =
      make_cudaPitchedPtr(const_cast<Stored*>(elements.data()),
                          image.width * image.channels * sizeof(Stored), image.width, image.height);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(image.width, image.height, image.depth);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  return array;
}

template <typename T, int kShape, typename Channel>
int failures_of(const Image& image, const cudaResourceDesc& resource) {
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &image.how, nullptr));
  const std::vector<float4> at = positions(image);
  float4* const places = upload(at);
  T* const out = upload(std::vector<T>(at.size()));
  read_texels<T, kShape><<<2, 64>>>(out, texture, places, static_cast<int>(at.size()));
  const std::vector<T> found = download(out, at.size());
  int failures = 0;
  for (size_t i = 0; i < at.size(); ++i) {
    const Channel* const channels = reinterpret_cast<const Channel*>(&found[i]);
    for (int c = 0; c < image.channels; ++c) {
      const double wanted = expected(image, at[i], c);
      if (std::fabs(channels[c] - wanted) <= 2e-6 * (1 + std::fabs(wanted))) continue;
      if (++failures == 1) {
        std::printf("shape %d, modes %d %d, filter %d, (%g, %g, %g, %g), channel %d: %g, not %g\n",
                    kShape, image.how.addressMode[0], image.how.addressMode[1],
                    image.how.filterMode, at[i].x, at[i].y, at[i].z, at[i].w, c,
                    static_cast<double>(channels[c]), wanted);
      }
    }
  }
  CHECK(cudaFree(places));
  CHECK(cudaFree(out));
  CHECK(cudaDestroyTextureObject(texture));
  return failures;
}

// With every way to find elements beside the texture, and every filter that there is.
template <typename T, int kShape, typename Channel>
int failures_in_all_modes(Image image, const cudaResourceDesc& resource, bool is_float) {
  const cudaTextureAddressMode modes[] = {cudaAddressModeWrap, cudaAddressModeClamp,
                                          cudaAddressModeMirror, cudaAddressModeBorder};
  int failures = 0;
  for (int normalized = kShape >= kCube; normalized < 2; ++normalized) {
    for (int mode = 0; mode < 4; ++mode) {
      if (kShape >= kCube && modes[mode] != cudaAddressModeClamp) continue;
      for (int filters = 0; filters <= is_float; ++filters) {
        image.how.normalizedCoords = normalized;
        for (int i = 0; i < 3; ++i) image.how.addressMode[i] = modes[(mode + i) % 4];
        if (kShape >= kCube) image.how.addressMode[1] = cudaAddressModeClamp;
        image.how.filterMode = filters ? cudaFilterModeLinear : cudaFilterModePoint;
        for (int i = 0; i < 4; ++i) image.how.borderColor[i] = is_float ? 0.25F * (i + 1) : 0;
        failures += failures_of<T, kShape, Channel>(image, resource);
      }
    }
  }
  return failures;
}

// T is what is read. The values of `Stored` are between 0 and 1 then if they are normalized.
template <typename T, int kShape, typename Channel, typename Stored>
int failures_of_elements(Image image, cudaChannelFormatKind kind, double unit,
                         Stored (*make)(int, double*)) {
  image.shape = kShape;
  image.channels = sizeof(T) / sizeof(Channel);
  if (kShape == kPlane || kShape == kLayeredPlane || kShape == kBox) image.height = 4;
  if (kShape == kLayeredLine || kShape == kLayeredPlane) image.depth = 3;
  if (kShape == kBox) image.depth = 2;
  if (kShape >= kCube) image.height = image.width;
  if (kShape >= kCube) image.depth = kShape == kCube ? 6 : 12;
  std::vector<Stored> elements;
  const int count = image.width * image.height * image.depth * image.channels;
  for (int i = 0; i < count; ++i) {
    double value = 0;
    elements.push_back(make(next_number(), &value));
    image.values.push_back(unit == 1 ? value : std::fmax(value / unit, -1));
  }
  image.how.readMode = unit == 1 ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array_of(image, elements, kind);
  const bool is_float = static_cast<Channel>(0.5) != 0;
  const int failures = failures_in_all_modes<T, kShape, Channel>(image, resource, is_float);
  CHECK(cudaFreeArray(resource.res.array.array));
  return failures;
}

template <typename Stored>
Stored whole(int number, double* value) {
  const Stored stored = static_cast<Stored>(number);
  *value = static_cast<double>(stored);
  return stored;
}

// 1 to 1023 as half floats.
unsigned short half(int number, double* value) {
  const int whole = number % 1023 + 1;
  *value = whole;
  int exponent = 0;
  while (whole >> (exponent + 1) != 0) ++exponent;
  return static_cast<unsigned short>((exponent + 15) << 10 | ((whole << (10 - exponent)) & 1023));
}

template <typename T, typename Channel, typename Stored>
int failures_of_shapes(cudaChannelFormatKind kind, double unit, Stored (*make)(int, double*)) {
  const Image image;
  return failures_of_elements<T, kLine, Channel>(image, kind, unit, make) +
         failures_of_elements<T, kLayeredLine, Channel>(image, kind, unit, make) +
         failures_of_elements<T, kPlane, Channel>(image, kind, unit, make) +
         failures_of_elements<T, kLayeredPlane, Channel>(image, kind, unit, make) +
         failures_of_elements<T, kBox, Channel>(image, kind, unit, make) +
         failures_of_elements<T, kCube, Channel>(image, kind, unit, make) +
         failures_of_elements<T, kLayeredCube, Channel>(image, kind, unit, make);
}

// Every element once, in a plane: with 1, 2 and 4 channels.
template <typename T1, typename T2, typename T4, typename Channel, typename Stored>
int failures_of_channels(cudaChannelFormatKind kind, double unit, Stored (*make)(int, double*)) {
  const Image image;
  return failures_of_elements<T1, kPlane, Channel>(image, kind, unit, make) +
         failures_of_elements<T2, kPlane, Channel>(image, kind, unit, make) +
         failures_of_elements<T4, kPlane, Channel>(image, kind, unit, make);
}

int told(int failures) {
  if (failures == 0) std::puts("right");
  return failures == 0 ? 0 : 1;
}

int elements() {
  const cudaChannelFormatKind s = cudaChannelFormatKindSigned;
  const cudaChannelFormatKind u = cudaChannelFormatKindUnsigned;
  const cudaChannelFormatKind f = cudaChannelFormatKindFloat;
  int failures = 0;
  failures += failures_of_channels<char, char2, char4, signed char>(s, 1, whole<signed char>);
  failures +=
      failures_of_channels<uchar1, uchar2, uchar4, unsigned char>(u, 1, whole<unsigned char>);
  failures += failures_of_channels<short, short2, short4, short>(s, 1, whole<short>);
  failures +=
      failures_of_channels<ushort1, ushort2, ushort4, unsigned short>(u, 1, whole<unsigned short>);
  failures += failures_of_channels<int, int2, int4, int>(s, 1, whole<int>);
  failures += failures_of_channels<uint1, uint2, uint4, unsigned int>(u, 1, whole<unsigned int>);
  failures += failures_of_channels<float1, float2, float4, float>(f, 1, whole<float>);
  failures += failures_of_channels<float, float2, float4, float>(f, 1, half);
  failures += failures_of_channels<float, float2, float4, float>(s, 127, whole<signed char>);
  failures += failures_of_channels<float, float2, float4, float>(u, 255, whole<unsigned char>);
  failures += failures_of_channels<float, float2, float4, float>(s, 32767, whole<short>);
  failures += failures_of_channels<float, float2, float4, float>(u, 65535, whole<unsigned short>);
  return told(failures);
}

int shapes() {
  const int failures =
      failures_of_shapes<float, float>(cudaChannelFormatKindFloat, 1, whole<float>) +
      failures_of_shapes<uchar4, unsigned char>(cudaChannelFormatKindUnsigned, 1,
                                                whole<unsigned char>) +
      failures_of_shapes<float4, float>(cudaChannelFormatKindUnsigned, 255, whole<unsigned char>);
  return told(failures);
}

// Textures on plain memory: a line and a plane.
int memory() {
  std::vector<float> values;
  for (int i = 0; i < 128 * 4; ++i) values.push_back(static_cast<float>(next_number() % 1000));
  float* const data = upload(values);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = data;
  resource.res.linear.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  resource.res.linear.sizeInBytes = 20 * sizeof(float);
  const cudaTextureDesc how = {};
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  float* const out = upload(std::vector<float>(24, -1));
  fetch_texels<<<1, 32>>>(out, texture, 24);
  std::vector<float> wanted(24);  // 0 outside
  for (int i = 0; i < 20; ++i) wanted[i + 2] = values[i];
  int failed = compare(download(out, 24), wanted);
  CHECK(cudaDestroyTextureObject(texture));

  Image image;
  image.width = 100;
  image.height = 4;
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 100; ++x) image.values.push_back(values[y * 128 + x]);
  }
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = data;
  resource.res.pitch2D.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  resource.res.pitch2D.width = 100;
  resource.res.pitch2D.height = 4;
  resource.res.pitch2D.pitchInBytes = 128 * sizeof(float);
  image.how.filterMode = cudaFilterModeLinear;
  image.how.addressMode[0] = image.how.addressMode[1] = cudaAddressModeClamp;
  return failed + told(failures_of<float, kPlane, float>(image, resource));
}

int gathered() {
  Image image;
  image.height = 4;
  image.channels = 4;
  std::vector<unsigned char> stored;
  for (int i = 0; i < 8 * 4 * 4; ++i) {
    stored.push_back(static_cast<unsigned char>(next_number()));
    image.values.push_back(stored.back());
  }
  for (int i = 0; i < 2; ++i) image.how.addressMode[i] = cudaAddressModeClamp;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array_of(image, stored, cudaChannelFormatKindUnsigned);
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &image.how, nullptr));
  const std::vector<float4> at = positions(image);
  uchar4* const out = upload(std::vector<uchar4>(4 * at.size()));
  gather_texels<<<1, 128>>>(out, texture, upload(at));
  const std::vector<uchar4> found = download(out, 4 * at.size());
  std::vector<int> told, wanted;
  for (size_t i = 0; i < at.size(); ++i) {
    for (int c = 0; c < 4; ++c) {
      const uchar4 four = found[4 * i + c];
      for (const int part : {four.x, four.y, four.z, four.w}) told.push_back(part);
      const int x = static_cast<int>(std::floor(at[i].x - 0.5F));
      const int y = static_cast<int>(std::floor(at[i].y - 0.5F));
      const int places[4][2] = {{x, y + 1}, {x + 1, y + 1}, {x + 1, y}, {x, y}};
      for (const auto& place : places)
        wanted.push_back(static_cast<int>(element(image, place, 0, c)));
    }
  }
  return compare(told, wanted);
}

// Three levels, of 8, 4 and 2 elements each way.
int levels() {
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaMipmappedArray_t all = nullptr;
  CHECK(cudaMallocMipmappedArray(&all, &format, make_cudaExtent(8, 8, 0), 3));
  std::vector<Image> images(3);
  for (int level = 0; level < 3; ++level) {
    Image& image = images[level];
    image.width = image.height = 8 >> level;
    std::vector<float> values;
    for (int i = 0; i < image.width * image.height; ++i) {
      values.push_back(static_cast<float>(next_number() % 1000));
      image.values.push_back(values.back());
    }
    cudaArray_t array = nullptr;
    CHECK(cudaGetMipmappedArrayLevel(&array, all, level));
    const size_t row = image.width * sizeof(float);
    CHECK(cudaMemcpy2DToArray(array, 0, 0, values.data(), row, row, image.height,
                              cudaMemcpyHostToDevice));
  }
  int failed = 0;
  for (const cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
    cudaTextureDesc how = {};
    how.normalizedCoords = 1;
    how.filterMode = how.mipmapFilterMode = filter;
    how.maxMipmapLevelClamp = 1.75F;
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    for (Image& image : images) image.how = how;
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = all;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    std::vector<float4> at = positions(images[0]);
    std::vector<float> wanted;
    for (float4& p : at) {
      p.z = next_number() % 12 / 4.F - 0.5F;
      if (filter == cudaFilterModePoint && p.z == 0.5F) p.z = 0.25F;  // As near to both.
      const double level = std::fmin(std::fmax(p.z, 0), 1.75);
      const int larger = static_cast<int>(filter == cudaFilterModePoint ? level + 0.5 : level);
      const double part = filter == cudaFilterModePoint ? 0 : level - larger;
      const float4 place = make_float4(p.x, p.y, 0, 0);
      double value = (1 - part) * expected(images[larger], place, 0);
      if (part != 0) value += part * expected(images[larger + 1], place, 0);
      wanted.insert(wanted.end(), 2, static_cast<float>(value));
    }
    float* const out = upload(std::vector<float>(wanted.size()));
    read_levels<<<1, 128>>>(out, texture, upload(at));
    failed += compare(download(out, wanted.size()), wanted);
    CHECK(cudaDestroyTextureObject(texture));
  }
  CHECK(cudaFreeMipmappedArray(all));
  return failed;
}

int main() { return elements() + shapes() + memory() + gathered() + levels(); }
