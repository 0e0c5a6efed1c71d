// The kernels of device_code.cpp.
__global__ void nothing(float*, int) {}

__global__ void saxpy(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

constexpr int kTile = 16;

__global__ void tiled_product(const float* a, const float* b, float* c, int n) {
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < n / kTile; ++tile) {
    a_tile[threadIdx.y][threadIdx.x] = a[row * n + tile * kTile + threadIdx.x];
    b_tile[threadIdx.y][threadIdx.x] = b[(tile * kTile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// The picture, turned and enlarged.
__global__ void turn(cudaTextureObject_t picture, float* out, int width, float cosine, float sine) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  out[y * width + x] = tex2D<float>(picture, x * cosine - y * sine, x * sine + y * cosine);
}
