#include "tests/collectives/rank.h"

#include <unistd.h>

#include <cstring>
#include <fstream>

ncclUniqueId share_id(const std::string& file, int rank) {
  ncclUniqueId id{};
  if (rank == 0) {
    EXPECT(ncclGetUniqueId(&id) == kSuccess);
    std::ofstream(file + ".new", std::ios::binary).write(id.internal, sizeof id.internal);
    EXPECT(std::rename((file + ".new").c_str(), file.c_str()) == 0);
    return id;
  }
  while (true) {
    std::ifstream in(file, std::ios::binary);
    if (in && in.read(id.internal, sizeof id.internal)) return id;
    usleep(2000);
  }
}

Rank::Rank(const std::string& id_file, int ranks, int rank) : ranks_(ranks), rank_(rank) {
  my_rank() = rank;
  EXPECT(cudaSetDevice(0) == 0);
  const ncclUniqueId id = share_id(id_file, rank);
  const int result = ncclCommInitRank(&comm_, ranks, id, rank);
  if (result != kSuccess) {
    // Tests that kill ranks need to tell this apart.
    std::printf("init %d\n", result);
    std::exit(3);
  }
  EXPECT(cudaStreamCreate(&stream_) == 0);
}

int Rank::async_error() const {
  int error = -1;
  EXPECT(ncclCommGetAsyncError(comm_, &error) == kSuccess);
  return error;
}

void Rank::destroy() {
  wait();
  EXPECT(ncclCommDestroy(comm_) == kSuccess);
  EXPECT(cudaStreamDestroy(stream_) == 0);
}

DeviceBytes::DeviceBytes(std::size_t size, int fill) : size_(size) {
  EXPECT(cudaMalloc(&data_, size + 1) == 0);
  EXPECT(cudaMemset(data_, fill, size + 1) == 0);
}

DeviceBytes::DeviceBytes(const Bytes& bytes) : DeviceBytes(bytes.size()) { write(bytes); }

DeviceBytes::~DeviceBytes() { EXPECT(cudaFree(data_) == 0); }

Bytes DeviceBytes::read() const {
  Bytes bytes(size_);
  if (size_ != 0) EXPECT(cudaMemcpy(bytes.data(), data_, size_, kDeviceToHost) == 0);
  return bytes;
}

void DeviceBytes::write(const Bytes& bytes, std::size_t at) {
  if (bytes.empty()) return;
  EXPECT(cudaMemcpy(get() + at, bytes.data(), bytes.size(), kHostToDevice) == 0);
}
