#include "src/host/mccl_engine/engine.h"

#include <gloo/transport/context.h>
#include <gloo/transport/device.h>
#include <gloo/transport/pair.h>
#include <gloo/transport/tcp/device.h>
#include <gloo/transport/unbound_buffer.h>
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <vector>

struct MCCLEngine {
  std::shared_ptr<gloo::transport::Device> device;
  std::shared_ptr<gloo::transport::Context> context;
};

struct MCCLEngineFlow {
  std::unique_ptr<gloo::transport::UnboundBuffer> buffer;
  int peer;
  std::uint64_t number;
  std::atomic<bool> stopped{false};
};

namespace {

// A slow peer is no error, so there is no real limit. "Forever" would overflow the clock's type; a
// year does not.
constexpr std::chrono::hours kYear{24 * 365};
// Connecting ends with success or by cancel(). Gloo itself waits five times this long.
constexpr std::chrono::hours kConnectTime{1};

// The thread that gloo starts must not receive the program's signals, nor die of SIGPIPE.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

template <typename Result, typename Work>
Result guarded(Result failed, char* error, size_t error_size, Work work) {
  try {
    return work();
  } catch (const std::exception& thrown) {
    if (error != nullptr) std::snprintf(error, error_size, "%s", thrown.what());
  } catch (...) {
    if (error != nullptr) std::snprintf(error, error_size, "unknown error");
  }
  return failed;
}

MCCLEngine* open(int rank, int ranks, const char* address, char* error, size_t error_size) {
  return guarded<MCCLEngine*>(nullptr, error, error_size, [&] {
    const SignalsBlocked blocked;
    auto engine = std::make_unique<MCCLEngine>();
    gloo::transport::tcp::attr attributes;
    attributes.hostname = address;
    engine->device = gloo::transport::tcp::CreateDevice(attributes);
    engine->context = engine->device->createContext(rank, ranks);
    engine->context->setTimeout(kConnectTime);
    return engine.release();
  });
}

size_t address_for(MCCLEngine* engine, int peer, void* bytes, size_t size, char* error,
                   size_t error_size) {
  return guarded<size_t>(0, error, error_size, [&]() -> size_t {
    const std::vector<char> own = engine->context->createPair(peer)->address().bytes();
    if (own.size() > size) throw std::runtime_error("gloo's address is too long");
    std::memcpy(bytes, own.data(), own.size());
    return own.size();
  });
}

int connect_to(MCCLEngine* engine, int peer, const void* bytes, size_t size, char* error,
               size_t error_size) {
  return guarded(0, error, error_size, [&] {
    const auto* const first = static_cast<const char*>(bytes);
    engine->context->getPair(peer)->connect(std::vector<char>(first, first + size));
    return 1;
  });
}

void cancel(MCCLEngine* engine, int peer) {
  guarded(0, nullptr, 0, [&] {
    engine->context->getPair(peer)->close();
    return 1;
  });
}

MCCLEngineFlow* make_flow(MCCLEngine* engine, int peer, uint64_t number, void* buffer,
                          size_t size) {
  return guarded<MCCLEngineFlow*>(nullptr, nullptr, 0, [&] {
    auto flow = std::make_unique<MCCLEngineFlow>();
    flow->buffer = engine->context->createUnboundBuffer(buffer, size);
    flow->peer = peer;
    flow->number = number;
    return flow.release();
  });
}

int send(MCCLEngineFlow* flow, size_t size) {
  return guarded(0, nullptr, 0, [&] {
    if (flow->stopped) return 0;
    flow->buffer->send(flow->peer, flow->number, 0, size);
    return flow->buffer->waitSend(kYear) && !flow->stopped ? 1 : 0;
  });
}

int receive(MCCLEngineFlow* flow) {
  return guarded(0, nullptr, 0, [&] {
    if (flow->stopped) return 0;
    flow->buffer->recv(flow->peer, flow->number, 0, flow->buffer->size);
    return flow->buffer->waitRecv(kYear) && !flow->stopped ? 1 : 0;
  });
}

void stop(MCCLEngineFlow* flow) {
  flow->stopped = true;
  flow->buffer->abortWaitSend();
  flow->buffer->abortWaitRecv();
}

void close_flow(MCCLEngineFlow* flow) { delete flow; }

void close_engine(MCCLEngine* engine) { delete engine; }

constexpr MCCLEngineCalls kCalls = {MCCL_ENGINE_VERSION, open, address_for, connect_to, cancel,
                                    make_flow,           send, receive,     stop,       close_flow,
                                    close_engine};

}  // namespace

const MCCLEngineCalls* mccl_engine_calls(void) { return &kCalls; }
