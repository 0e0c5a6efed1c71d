#include <thread>

#include "tests/host/musart/support.h"

namespace {

class IpcEvent : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(musaStreamCreate(&stream_));
    ASSERT_OK(musaEventCreateWithFlags(&event_, musaEventInterprocess | musaEventDisableTiming));
    ASSERT_OK(musaIpcGetEventHandle(&handle_, event_));
  }
  void TearDown() override {
    EXPECT_OK(musaEventDestroy(event_));
    EXPECT_OK(musaStreamDestroy(stream_));
  }
  int query_elsewhere() const {
    const Outcome run = run_helper("query-event " + to_hex(handle_));
    EXPECT_EQ(0, run.status) << run.output;
    return std::stoi(run.output);
  }
  musaStream_t stream_ = nullptr;
  musaEvent_t event_ = nullptr;
  musaIpcEventHandle_t handle_{};
};

TEST_F(IpcEvent, musaIpcGetEventHandle_lets_another_process_see_the_recording) {
  EXPECT_EQ(musaSuccess, query_elsewhere());
  Barrier barrier;
  barrier.hold(stream_);
  ASSERT_OK(musaEventRecord(event_, stream_));
  EXPECT_EQ(musaErrorNotReady, musaEventQuery(event_));
  EXPECT_EQ(musaErrorNotReady, query_elsewhere());
  barrier.open();
  ASSERT_OK(musaEventSynchronize(event_));
  EXPECT_EQ(musaSuccess, query_elsewhere());
}

TEST_F(IpcEvent, musaIpcOpenEventHandle_lets_a_stream_elsewhere_wait) {
  Barrier barrier;
  barrier.hold(stream_);
  ASSERT_OK(musaEventRecord(event_, stream_));
  Outcome run;
  std::thread other([&] { run = run_helper("wait-for-event " + to_hex(handle_)); });
  barrier.open();
  other.join();
  EXPECT_EQ(0, run.status) << run.output;
}

TEST_F(IpcEvent, musaIpcOpenEventHandle_lets_another_process_record) {
  const Outcome run = run_helper("record-event " + to_hex(handle_));
  ASSERT_EQ(0, run.status) << run.output;
  EXPECT_EQ("0\n", run.output);
  EXPECT_OK(musaEventQuery(event_));
}

TEST_F(IpcEvent, RecordingsOfADeadProcessHoldNobodyUp) {
  const Outcome run = run_helper("record-event-and-die " + to_hex(handle_));
  ASSERT_EQ(0, run.status) << run.output;
  EXPECT_EQ("600\n", run.output);
  EXPECT_OK(musaEventSynchronize(event_));
  EXPECT_OK(musaEventQuery(event_));
  ASSERT_OK(musaStreamWaitEvent(stream_, event_, 0));
  EXPECT_OK(musaStreamSynchronize(stream_));
}

TEST_F(IpcEvent, EventsOfADeadProcessCannotBeOpened) {
  const Outcome run = run_helper("export-event-and-exit");
  ASSERT_EQ(0, run.status) << run.output;
  const Outcome attempt = run_helper("query-event " + run.output);
  EXPECT_EQ(musaErrorInvalidResourceHandle, std::stoi(attempt.output));
}

TEST_F(IpcEvent, musaIpcGetEventHandle_needs_an_event_made_for_it) {
  musaEvent_t plain = nullptr;
  ASSERT_OK(musaEventCreateWithFlags(&plain, musaEventDisableTiming));
  musaIpcEventHandle_t handle{};
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaIpcGetEventHandle(&handle, plain));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaIpcGetEventHandle(&handle, nullptr));
  EXPECT_ERROR(musaErrorInvalidValue, musaIpcGetEventHandle(nullptr, event_));
  EXPECT_OK(musaEventDestroy(plain));
  EXPECT_ERROR(musaErrorInvalidValue, musaEventCreateWithFlags(&plain, musaEventInterprocess));
}

TEST_F(IpcEvent, musaIpcOpenEventHandle_refuses_what_is_none) {
  musaEvent_t opened = nullptr;
  EXPECT_ERROR(musaErrorInvalidValue, musaIpcOpenEventHandle(nullptr, handle_));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaIpcOpenEventHandle(&opened, {}));
  // The process that made the event already has it.
  EXPECT_ERROR(musaErrorDeviceUninitialized, musaIpcOpenEventHandle(&opened, handle_));
  // Handles of memory and of events are not interchangeable.
  void* memory = nullptr;
  musaIpcMemHandle_t memory_handle{};
  ASSERT_OK(musaMalloc(&memory, 10));
  ASSERT_OK(musaIpcGetMemHandle(&memory_handle, memory));
  musaIpcEventHandle_t wrong{};
  std::memcpy(&wrong, &memory_handle, sizeof(wrong));
  EXPECT_ERROR(musaErrorInvalidResourceHandle, musaIpcOpenEventHandle(&opened, wrong));
  EXPECT_OK(musaFree(memory));
  // Destroyed events cannot be opened.
  ASSERT_OK(musaEventDestroy(event_));
  EXPECT_EQ(musaErrorInvalidResourceHandle, query_elsewhere());
  ASSERT_OK(musaEventCreate(&event_));
}

}  // namespace
