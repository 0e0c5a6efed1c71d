// One rank of a job, made as programs make it: through CUDA's names.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/collectives/cuda_names.h"
#include "tests/collectives/reference.h"

#define EXPECT(condition)                                                                   \
  do {                                                                                      \
    if (!(condition)) {                                                                     \
      std::fprintf(stderr, "%s:%d: rank %d: not true: %s\n", __FILE__, __LINE__, my_rank(), \
                   #condition);                                                             \
      std::_Exit(1);                                                                        \
    }                                                                                       \
  } while (false)

inline int& my_rank() {
  static int rank = -1;
  return rank;
}

// Rank 0 writes the id to a file. The others wait for the file.
ncclUniqueId share_id(const std::string& file, int rank);

class Rank {
 public:
  Rank(const std::string& id_file, int ranks, int rank);

  int ranks() const { return ranks_; }
  int rank() const { return rank_; }
  ncclComm_t comm() const { return comm_; }
  cudaStream_t stream() const { return stream_; }
  void wait() const { EXPECT(cudaStreamSynchronize(stream_) == 0); }
  int async_error() const;
  void destroy();

 private:
  int ranks_;
  int rank_;
  ncclComm_t comm_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

// Device memory.
class DeviceBytes {
 public:
  explicit DeviceBytes(std::size_t size, int fill = 0xee);
  explicit DeviceBytes(const Bytes& bytes);
  ~DeviceBytes();
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;
  std::uint8_t* get() const { return static_cast<std::uint8_t*>(data_); }
  Bytes read() const;
  void write(const Bytes& bytes, std::size_t at = 0);

 private:
  void* data_ = nullptr;
  std::size_t size_;
};
