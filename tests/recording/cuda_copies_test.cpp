// libcuda's adapters for copies between contexts and in batches against the recording backend.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/recording/child.h"
#include "tests/recording/cuda_driver.h"

namespace recording::driver {
namespace {

// CUDA_MEMCPY3D_PEER as words; both sides are memory of a device unless said otherwise.
std::vector<std::uint64_t> peer_copy(std::uint64_t from_type, std::uint64_t to_type,
                                     std::uint64_t from_context, std::uint64_t to_context) {
  return {3, 1, 2,       0,    from_type, 0x10, 0x100000,   0x20, from_context, 64, 8, 5, 4,
          6, 0, to_type, 0x30, 0x200000,  0x40, to_context, 32,   16,           10, 1, 1};
}

TEST(CudaLiteral, CopiesBetweenContextsAreRows) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              std::string out;
              const auto box = peer_copy(2, 2, 0x8000, 0x9000);
              const std::uint64_t from = 0x100000 + (2 * 8 + 1) * 64 + 3;
              const std::uint64_t to = 0x200000 + (6 * 16 + 4) * 32 + 5;
              const Words expected{to, 0x9000, from, 0x8000, 10};
              out +=
                  objection(driver, "cuMemcpy3DPeer", {at(box.data())}, "muMemcpyPeer", expected);
              Words in_stream = expected;
              in_stream.push_back(0xa000);
              out += objection(driver, "cuMemcpy3DPeerAsync", {at(box.data()), 0xa000},
                               "muMemcpyPeerAsync", in_stream);
              in_stream.back() = 2;
              out += objection(driver, "cuMemcpy3DPeerAsync_ptsz", {at(box.data()), 0},
                               "muMemcpyPeerAsync", in_stream);
              out += objection(driver, "cuMemcpy3DPeer_ptds", {at(box.data())}, "muMemcpyPeerAsync",
                               in_stream);
              // Two rows in each of two planes.
              auto rows = box;
              rows[23] = rows[24] = 2;
              recording_answer("muMemcpyPeer", 0);
              if (driver.call("cuMemcpy3DPeer", {at(rows.data())}) != 0)
                out += "status of four rows\n";
              const CallLog log = work_log();
              const std::uint64_t steps[][2] = {{0, 0}, {64, 32}, {512, 512}, {576, 544}};
              for (std::size_t i = 0; i < 4; ++i) {
                if (log.size() != 4 || received(log[i], 2) != from + steps[i][0] ||
                    received(log[i], 0) != to + steps[i][1]) {
                  out += "row " + std::to_string(i) + "\n";
                }
              }
              return out;
            }));
}

TEST(CudaLiteral, CopiesWithinAContextAreBoxes) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              recording_answer("muCtxPushCurrent_v2", 0);
              recording_answer("muCtxPopCurrent_v2", 0);
              recording_look("muMemcpy3D_v2", 0, 0);
              std::string out;
              // From the host to an array: the array's context is made current.
              const auto box = peer_copy(1, 3, 0x8000, 0x9000);
              driver.call("cuMemcpy3DPeer", {at(box.data())});
              const CallLog log = work_log();
              if (log.size() != 3 || log[0].musa != "muCtxPushCurrent_v2" ||
                  received(log[0], 0) != 0x9000 || log[1].musa != "muMemcpy3D_v2" ||
                  log[2].musa != "muCtxPopCurrent_v2") {
                out += "other calls\n";
              }
              const recording_call call = recording_get(recording_count() - 2);
              if (std::memcmp(call.seen[0], box.data(), sizeof call.seen[0]) != 0) {
                out += "another box\n";
              }
              const auto between = peer_copy(3, 2, 0x8000, 0x9000);
              if (driver.call("cuMemcpy3DPeerAsync", {at(between.data()), 0}) != 801 ||
                  !work_log().empty()) {
                out += "an array to another context\n";
              }
              return out;
            }));
}

// CUmemcpyAttributes: the order, two places, flags.
struct CopyAttributes {
  std::uint32_t order;
  std::uint32_t places[4];
  std::uint32_t flags;
};

TEST(CudaLiteral, BatchesAreCopiesOneAfterTheOther) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              const std::uint64_t to[] = {0x10000, 0x20000, 0x30000};
              const std::uint64_t from[] = {0x40000, 0x50000, 0x60000};
              const std::uint64_t sizes[] = {16, 32, 48};
              const std::uint64_t first[] = {0, 2};
              CopyAttributes attributes[] = {{1, {}, 0}, {2, {}, 1}};
              std::uint64_t failed = 99;
              const Words lists{at(to), at(from), at(sizes), 3, at(attributes), at(first), 2};
              const auto with = [](Words words, const Words& rest) {
                words.insert(words.end(), rest.begin(), rest.end());
                return words;
              };
              std::string out;
              const Words one{to[0], from[0], sizes[0]};
              out += objection(driver, "cuMemcpyBatchAsync", with(lists, {at(&failed), 0x9000}),
                               "muMemcpyAsync", with(one, {0x9000}));
              if (failed != 0) out += "which copy failed\n";
              out += objection(driver, "cuMemcpyBatchAsync_ptsz", with(lists, {at(&failed), 0}),
                               "muMemcpyAsync", with(one, {2}));
              out += objection(driver, "cuMemcpyBatchAsync_v2", with(lists, {0x9000}),
                               "muMemcpyAsync", with(one, {0x9000}));
              out += objection(driver, "cuMemcpyBatchAsync_v2_ptsz", with(lists, {0}),
                               "muMemcpyAsync", with(one, {2}));
              const Words single{to[1], from[1], 32, at(attributes)};
              out += objection(driver, "cuMemcpyWithAttributesAsync", with(single, {0x9000}),
                               "muMemcpyAsync", {to[1], from[1], 32, 0x9000});
              out += objection(driver, "cuMemcpyWithAttributesAsync_ptsz", with(single, {0}),
                               "muMemcpyAsync", {to[1], from[1], 32, 2});
              // All of them; the last one's source may be changed when the call returns.
              recording_answer("muMemcpyAsync", 0);
              recording_answer("muStreamSynchronize", 0);
              if (driver.call("cuMemcpyBatchAsync", with(lists, {at(&failed), 0x9000})) != 0) {
                out += "status of three copies\n";
              }
              CallLog log = work_log();
              for (std::size_t i = 0; i < 3; ++i) {
                if (log.size() != 4 || received(log[i], 0) != to[i] ||
                    received(log[i], 1) != from[i] || received(log[i], 2) != sizes[i]) {
                  out += "copy " + std::to_string(i) + "\n";
                }
              }
              if (log.size() != 4 || log[3].musa != "muStreamSynchronize") out += "no wait\n";
              if (failed != ~std::uint64_t{0}) out += "a copy that did not fail\n";
              attributes[1].order = 7;
              if (driver.call("cuMemcpyBatchAsync", with(lists, {at(&failed), 0x9000})) != 1 ||
                  failed != 2) {
                out += "an order that does not exist\n";
              }
              // CUDA takes no legacy default stream here.
              for (const std::uint64_t stream : {0, 1}) {
                if (driver.call("cuMemcpyBatchAsync_v2", with(lists, {stream})) != 1 ||
                    !work_log().empty()) {
                  out += "the default stream\n";
                }
              }
              const std::uint64_t gap[] = {1, 2};
              Words wrong = lists;
              wrong[5] = at(gap);
              if (driver.call("cuMemcpyBatchAsync_v2", with(wrong, {0x9000})) != 1) {
                out += "a copy without attributes\n";
              }
              return out;
            }));
}

TEST(CudaLiteral, BatchesInTheOrderOfTheStreamAreOneCall) {
  EXPECT_EQ(
      "", in_child([] {
        const Library driver = opened();
        const std::uint64_t to[] = {0x10000, 0x20000}, from[] = {0x40000, 0x50000};
        const std::uint64_t sizes[] = {16, 32}, first[] = {0, 1};
        const CopyAttributes attributes[] = {{1, {1, 0, 1, 0}, 0}, {1, {}, 1}};
        std::uint64_t failed = 99;
        std::string out;
        const Words passed{at(to), at(from), at(sizes), 2, at(attributes), at(first), 2};
        Words with_index = passed, with_stream = passed;
        with_index.insert(with_index.end(), {at(&failed), 0x9000});
        with_stream.push_back(0x9000);
        const Words expected{at(to), at(from), at(sizes), 2, kOwn, kOwn, 1, kOwn, 0x9000};
        out += objection(driver, "cuMemcpyBatchAsync", with_index, "muMemoryTransferBatchAsync",
                         expected);
        out += objection(driver, "cuMemcpyBatchAsync_v2", with_stream, "muMemoryTransferBatchAsync",
                         expected);
        // A MUSA without such a call: one after the other.
        recording_answer("muMemoryTransferBatchAsync", 801);
        recording_answer("muMemcpyAsync", 0);
        if (driver.call("cuMemcpyBatchAsync", with_index) != 0) out += "one by one\n";
        const CallLog log = work_log();
        if (log.size() != 3 || log[1].musa != "muMemcpyAsync" || received(log[2], 0) != to[1]) {
          out += "other calls\n";
        }
        return out;
      }));
}

// CUDA_MEMCPY3D_BATCH_OP as words. The order and the flags share the last one.
std::vector<std::uint64_t> batch_box(std::uint64_t from_type) {
  return {from_type, 0x100000, 64, 8, 0, 1, 0x200000, 0, 0, 0, 10, 3, 2, 3};
}

TEST(CudaLiteral, BoxesInBatches) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              std::string out;
              const auto box = batch_box(1);
              std::uint64_t failed = 99;
              const auto check = [&](const char* name, const Words& words, std::uint64_t stream) {
                out += objection(driver, name, words, "muMemcpy3DAsync_v2", {kOwn, stream});
              };
              check("cuMemcpy3DBatchAsync", {1, at(box.data()), at(&failed), 0, 0x9000}, 0x9000);
              if (failed != 0) out += "which copy failed\n";
              check("cuMemcpy3DBatchAsync_ptsz", {1, at(box.data()), at(&failed), 0, 0}, 2);
              check("cuMemcpy3DBatchAsync_v2", {1, at(box.data()), 0, 0x9000}, 0x9000);
              check("cuMemcpy3DBatchAsync_v2_ptsz", {1, at(box.data()), 0, 0}, 2);
              check("cuMemcpy3DWithAttributesAsync", {at(box.data()), 0, 0x9000}, 0x9000);
              check("cuMemcpy3DWithAttributesAsync_ptsz", {at(box.data()), 0, 0}, 2);
              const auto array = batch_box(2);
              if (driver.call("cuMemcpy3DBatchAsync_v2", {1, at(array.data()), 0, 0x9000}) != 801 ||
                  !work_log().empty()) {
                out += "an array\n";
              }
              if (driver.call("cuMemcpy3DBatchAsync_v2", {1, at(box.data()), 1, 0x9000}) != 1) {
                out += "flags\n";
              }
              return out;
            }));
}

TEST(CudaLiteral, BatchesOfPrefetches) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              const std::uint64_t memory[] = {0x10000, 0x20000};
              const std::uint64_t sizes[] = {64, 128};
              const std::uint32_t places[][2] = {{1, 3}, {2, 0}};  // Device 3; the host.
              const std::uint64_t first[] = {0, 1};
              const Words words{at(memory), at(sizes), 2, at(places), at(first), 2, 0, 0x9000};
              std::string out;
              out += objection(driver, "cuMemPrefetchBatchAsync", words, "musaMemPrefetchAsync",
                               {0x10000, 64, 3, 0x9000});
              Words own = words;
              own.back() = 0;
              out += objection(driver, "cuMemPrefetchBatchAsync_ptsz", own, "musaMemPrefetchAsync",
                               {0x10000, 64, 3, 2});
              recording_answer("musaMemPrefetchAsync", 0);
              if (driver.call("cuMemPrefetchBatchAsync", words) != 0) out += "status\n";
              const CallLog log = work_log();
              if (log.size() != 2 || received(log[1], 0) != 0x20000 ||
                  (received(log[1], 2) & 0xffffffff) != 0xffffffff) {
                out += "the second range\n";
              }
              return out;
            }));
}

}  // namespace
}  // namespace recording::driver
