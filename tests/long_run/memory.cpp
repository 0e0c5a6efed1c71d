// Memory of every kind that a service allocates: plain, pinned, registered, managed, and of pools.
#include "tests/long_run/work.h"

namespace {
// Through the host's memory and the device's, and back.
void carry(const char* what, float* host, float* device, const Numbers& values) {
  for (std::size_t i = 0; i < values.size(); ++i) host[i] = values[i];
  const Stream stream;
  const std::size_t bytes = values.size() * sizeof(float);
  OK(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream));
  stream.wait();
  for (std::size_t i = 0; i < values.size(); ++i) host[i] = -1;
  OK(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream));
  stream.wait();
  compare(what, values, Numbers(host, host + values.size()));
}

void use_pool(const Numbers& values) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool = nullptr;
  OK(cudaMemPoolCreate(&pool, &properties));
  {
    const Stream stream;
    const std::size_t bytes = values.size() * sizeof(float);
    void *own = nullptr, *common = nullptr;
    OK(cudaMallocFromPoolAsync(&own, bytes, pool, stream));
    OK(cudaMallocAsync(&common, bytes, stream));
    OK(cudaMemcpyAsync(own, values.data(), bytes, cudaMemcpyHostToDevice, stream));
    OK(cudaMemcpyAsync(common, own, bytes, cudaMemcpyDeviceToDevice, stream));
    Numbers got(values.size());
    OK(cudaMemcpyAsync(got.data(), common, bytes, cudaMemcpyDeviceToHost, stream));
    stream.wait();
    compare("pools", values, got);
    OK(cudaFreeAsync(own, stream));
    OK(cudaFreeAsync(common, stream));
    stream.wait();
  }
  OK(cudaMemPoolTrimTo(pool, 0));
  OK(cudaMemPoolDestroy(pool));
}
}  // namespace

void use_memory(unsigned seed) {
  const Numbers values = numbers(1000 + seed % 3000, seed);
  const std::size_t bytes = values.size() * sizeof(float);
  const Memory device(values.size());
  void* host = nullptr;
  OK(cudaMallocHost(&host, bytes));
  carry("pinned memory", static_cast<float*>(host), device.get(), values);
  OK(cudaFreeHost(host));
  Numbers own(values.size());
  OK(cudaHostRegister(own.data(), bytes, 0));
  carry("registered memory", own.data(), device.get(), values);
  OK(cudaHostUnregister(own.data()));
  void* managed = nullptr;
  OK(cudaMallocManaged(&managed, bytes, cudaMemAttachGlobal));
  carry("managed memory", static_cast<float*>(managed), device.get(), values);
  OK(cudaFree(managed));
  use_pool(values);
}
