// Copies and fills.
#include "tests/host/musart/each_function.h"

namespace {

// Checks that a call refuses an invalid stream and waits for its turn in a valid one.
template <typename Call>
void expect_in_order(Call&& call, const Pair& pair) {
  musaStream_t stream = nullptr;
  ASSERT_OK(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  void* pinned = nullptr;
  ASSERT_OK(musaMalloc(&pinned, 64));
  ASSERT_OK(musaMemcpy(pinned, pair.from, 64, musaMemcpyDefault));
  Barrier barrier;
  barrier.hold(stream);
  // Within the device, so that the call does not wait.
  void* target = nullptr;
  ASSERT_OK(musaMalloc(&target, 64));
  ASSERT_OK(musaMemset(target, 0, 64));
  EXPECT_OK(call(static_cast<char*>(target), static_cast<char*>(pinned), stream));
  char first = -1;
  ASSERT_OK(musaMemcpy(&first, target, 1, musaMemcpyDefault));
  EXPECT_EQ(0, first);
  barrier.open();
  ASSERT_OK(musaStreamSynchronize(stream));
  ASSERT_OK(musaMemcpy(pair.to, target, 64, musaMemcpyDefault));
  EXPECT_ERROR(musaErrorInvalidResourceHandle,
               call(static_cast<char*>(target), static_cast<char*>(pinned), kBadStream));
  EXPECT_OK(musaFree(pinned));
  EXPECT_OK(musaFree(target));
  EXPECT_OK(musaStreamDestroy(stream));
}

musaMemcpy3DParms box(char* to, char* from) {
  musaMemcpy3DParms parameters{};
  parameters.srcPtr = {from, 8, 8, 8};
  parameters.dstPtr = {to, 8, 8, 8};
  parameters.extent = {8, 8, 1};
  parameters.kind = musaMemcpyDefault;
  return parameters;
}

musaMemcpy3DPeerParms peer_box(char* to, char* from) {
  musaMemcpy3DPeerParms parameters{};
  parameters.srcPtr = {from, 8, 8, 8};
  parameters.dstPtr = {to, 8, 8, 8};
  parameters.extent = {8, 8, 1};
  return parameters;
}

INSTANTIATE_TEST_SUITE_P(
    Copies, EachFunction,
    ::testing::Values(
        Case{"musaMemcpy",
             [] {
               const Pair pair;
               EXPECT_OK(musaMemcpy(pair.to, pair.from, 64, musaMemcpyDefault));
               pair.expect_arrived();
               EXPECT_ERROR(musaErrorInvalidMemcpyDirection,
                            musaMemcpy(pair.to, pair.from, 64, static_cast<musaMemcpyKind>(9)));
             }},
        Case{"musaMemcpyAsync",
             [] {
               const Pair pair;
               expect_in_order(
                   [](char* to, char* from, musaStream_t stream) {
                     return musaMemcpyAsync(to, from, 64, musaMemcpyDefault, stream);
                   },
                   pair);
               pair.expect_arrived();
             }},
        Case{"musaMemcpy2D",
             [] {
               const Pair pair;
               EXPECT_OK(musaMemcpy2D(pair.to, 8, pair.from, 8, 8, 8, musaMemcpyDefault));
               pair.expect_arrived();
             }},
        Case{"musaMemcpy2DAsync",
             [] {
               const Pair pair;
               expect_in_order(
                   [](char* to, char* from, musaStream_t stream) {
                     return musaMemcpy2DAsync(to, 8, from, 8, 8, 8, musaMemcpyDefault, stream);
                   },
                   pair);
               pair.expect_arrived();
             }},
        Case{"musaMemcpy3D",
             [] {
               const Pair pair;
               const auto parameters = box(pair.to, pair.from);
               EXPECT_OK(musaMemcpy3D(&parameters));
               pair.expect_arrived();
               EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3D(nullptr));
             }},
        Case{"musaMemcpy3DAsync",
             [] {
               const Pair pair;
               expect_in_order(
                   [](char* to, char* from, musaStream_t stream) {
                     const auto parameters = box(to, from);
                     return musaMemcpy3DAsync(&parameters, stream);
                   },
                   pair);
               pair.expect_arrived();
               EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3DAsync(nullptr));
             }},
        Case{"musaMemcpyPeer",
             [] {
               const Pair pair;
               EXPECT_OK(musaMemcpyPeer(pair.to, 0, pair.from, 0, 64));
               pair.expect_arrived();
               EXPECT_ERROR(musaErrorInvalidDevice, musaMemcpyPeer(pair.to, 0, pair.from, 9, 64));
             }},
        Case{"musaMemcpyPeerAsync",
             [] {
               const Pair pair;
               expect_in_order(
                   [](char* to, char* from, musaStream_t stream) {
                     return musaMemcpyPeerAsync(to, 0, from, 0, 64, stream);
                   },
                   pair);
               pair.expect_arrived();
             }},
        Case{"musaMemcpy3DPeer",
             [] {
               const Pair pair;
               const auto parameters = peer_box(pair.to, pair.from);
               EXPECT_OK(musaMemcpy3DPeer(&parameters));
               pair.expect_arrived();
               EXPECT_ERROR(musaErrorInvalidValue, musaMemcpy3DPeer(nullptr));
             }},
        Case{"musaMemcpy3DPeerAsync",
             [] {
               const Pair pair;
               expect_in_order(
                   [](char* to, char* from, musaStream_t stream) {
                     const auto parameters = peer_box(to, from);
                     return musaMemcpy3DPeerAsync(&parameters, stream);
                   },
                   pair);
               pair.expect_arrived();
             }}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Fills, EachFunction,
    ::testing::Values(
        Case{"musaMemset",
             [] {
               const Pair pair;
               EXPECT_OK(musaMemset(pair.to, 7, 64));
               pair.expect_filled();
               EXPECT_ERROR(musaErrorInvalidValue, musaMemset(pair.to, 7, 65));
             }},
        Case{"musaMemsetAsync",
             [] {
               const Pair pair;
               EXPECT_OK(musaMemsetAsync(pair.to, 7, 64, nullptr));
               pair.expect_filled();
               EXPECT_ERROR(musaErrorInvalidResourceHandle,
                            musaMemsetAsync(pair.to, 7, 64, kBadStream));
             }},
        Case{"musaMemset2D",
             [] {
               const Pair pair;
               EXPECT_OK(musaMemset2D(pair.to, 8, 7, 8, 8));
               pair.expect_filled();
               EXPECT_ERROR(musaErrorInvalidValue, musaMemset2D(pair.to, 7, 7, 8, 8));
             }},
        Case{"musaMemset2DAsync",
             [] {
               const Pair pair;
               EXPECT_OK(musaMemset2DAsync(pair.to, 8, 7, 8, 8, nullptr));
               pair.expect_filled();
               EXPECT_ERROR(musaErrorInvalidValue, musaMemset2DAsync(pair.to, 7, 7, 8, 8, nullptr));
             }},
        Case{"musaMemset3D",
             [] {
               const Pair pair;
               EXPECT_OK(musaMemset3D(pair.pitched(pair.to), 7, {8, 8, 1}));
               pair.expect_filled();
               EXPECT_ERROR(musaErrorInvalidValue,
                            musaMemset3D(pair.pitched(pair.to), 7, {8, 8, 2}));
             }},
        Case{"musaMemset3DAsync",
             [] {
               const Pair pair;
               EXPECT_OK(musaMemset3DAsync(pair.pitched(pair.to), 7, {8, 8, 1}, nullptr));
               pair.expect_filled();
               EXPECT_ERROR(musaErrorInvalidResourceHandle,
                            musaMemset3DAsync(pair.pitched(pair.to), 7, {8, 8, 1}, kBadStream));
             }}),
    name_of);

}  // namespace
