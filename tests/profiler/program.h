// A program that uses our CUPTI: gives buffers, and keeps the records that come back.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tests/profiler/cuda_calls.h"
#include "tests/profiler/cupti_calls.h"

namespace witness {

// What has been returned in buffers, by kind.
extern std::mutex mutex;
extern std::map<std::uint32_t, std::vector<std::vector<std::uint8_t>>> records;

// What the next buffers are like. A null one has no size; `most`: records, 0 for as many as fit.
extern std::atomic<std::size_t> buffer_size, most_records;
extern std::atomic<bool> gives_buffers;

void request(std::uint8_t** buffer, std::size_t* size, std::size_t* most);
void complete(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size,
              std::size_t valid);

template <typename Record>
std::vector<Record> all(std::uint32_t kind) {
  const std::lock_guard lock(mutex);
  std::vector<Record> out;
  for (const auto& bytes : records[kind]) {
    Record record;
    EXPECT_LE(sizeof record, bytes.size());
    std::memcpy(&record, bytes.data(), sizeof record);
    out.push_back(record);
  }
  return out;
}

std::string name_of(const Api& call, std::uint32_t domain = kRuntimeApi);

std::uint64_t real_time();

class Profiler : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;
  static void enable(std::initializer_list<std::uint32_t> kinds);
  static void flush();
  static std::size_t dropped();
  // The program fills memory in threads, `calls` times in each.
  void fill(int threads, int calls);

  static constexpr std::size_t kBytes = 1 << 20;
  void* memory_ = nullptr;
  std::vector<char> host_ = std::vector<char>(kBytes);
};

}  // namespace witness
