// The functions that our CUPTI calls; see profiler_interface.h.
#include <exception>
#include <new>

#include "src/companion/profiler/external.h"
#include "src/companion/profiler/observation.h"
#include "src/companion/profiler/profiler.h"
#include "src/companion/profiler/within.h"
#include "src/companion/trace/thread.h"
#include "src/shared/companion_interface.h"

namespace torchada::profiler {
namespace {

// Calls that this makes, or the program's functions in it, are not the program's.
template <typename Body>
Outcome apart(Body body) {
  const trace::Work work;
  try {
    return body(*Profiler::known());
  } catch (const std::bad_alloc&) {
    return Outcome::kOutOfMemory;
  } catch (const std::exception&) {
    return Outcome::kUnknown;
  }
}

template <auto Method, typename... Arguments>
Outcome forward(Arguments... arguments) {
  return apart([&](Profiler& profiler) { return (profiler.*Method)(arguments...); });
}

bool is_external(std::uint32_t kind) {
  return kind != 0 && kind < Profiler::known()->facts().numbers.external_count;
}

// `context` is current while `body` runs.
template <typename Body>
Outcome in_context(void* context, Body body) {
  const Within within(Profiler::known()->facts().musa, context);
  return within.entered() ? body() : Outcome::kInvalidContext;
}

Engine make_engine() {
  Engine out{};
  out.subscribe = forward<&Profiler::subscribe>;
  out.unsubscribe = [](void* subscriber) { return forward<&Profiler::unsubscribe>(subscriber); };
  out.enable_callback = [](int32_t on, void* subscriber, uint32_t domain, uint32_t id) {
    return forward<&Profiler::enable_callback>(on != 0, subscriber, domain, id);
  };
  out.enable_domain = [](int32_t on, void* subscriber, uint32_t domain) {
    return forward<&Profiler::enable_domain>(on != 0, subscriber, domain);
  };
  out.enable_all_domains = [](int32_t on, void* subscriber) {
    return forward<&Profiler::enable_all_domains>(on != 0, subscriber);
  };
  out.callback_state = [](uint32_t* on, void* subscriber, uint32_t domain, uint32_t id) {
    return forward<&Profiler::callback_state>(on, subscriber, domain, id);
  };
  out.callback_name = forward<&Profiler::callback_name>;
  out.register_buffers = [](RequestBuffer request, CompleteBuffer complete) {
    if (!request || !complete) return Outcome::kInvalidParameter;
    Profiler::known()->buffers().give(request, complete);
    return Outcome::kDone;
  };
  out.enable_kind = [](int32_t on, uint32_t kind) {
    return forward<&Profiler::enable_kind>(on != 0, kind);
  };
  out.enable_api = [](int32_t on, uint32_t domain, uint32_t id) {
    return forward<&Profiler::enable_api>(on != 0, domain, id);
  };
  out.flush = [](uint32_t) { return forward<&Profiler::flush>(); };
  out.collect = [] {
    return apart([](Profiler& profiler) {
      profiler.works().collect(&profiler.buffers());
      return Outcome::kDone;
    });
  };
  out.next_record = [](uint8_t* buffer, size_t valid, void** record) {
    if (!buffer || !record) return Outcome::kInvalidParameter;
    return Profiler::known()->buffers().next(buffer, valid, record) ? Outcome::kDone
                                                                    : Outcome::kEndOfRecords;
  };
  out.dropped_records = [](size_t* count) {
    if (!count) return Outcome::kInvalidParameter;
    *count = Profiler::known()->buffers().take_dropped();
    return Outcome::kDone;
  };
  out.push_external = [](uint32_t kind, uint64_t id) {
    return apart([&](Profiler&) {
      if (!is_external(kind)) return Outcome::kInvalidParameter;
      push_external(kind, id);
      return Outcome::kDone;
    });
  };
  out.pop_external = [](uint32_t kind, uint64_t* id) {
    return apart([&](Profiler&) {
      if (!is_external(kind)) return Outcome::kInvalidParameter;
      return pop_external(kind, id) ? Outcome::kDone : Outcome::kQueueEmpty;
    });
  };
  out.timestamp = [](uint64_t* time) {
    if (!time) return Outcome::kInvalidParameter;
    *time = now();
    return Outcome::kDone;
  };
  out.register_clock = [](Clock clock) {
    return apart([&](Profiler& profiler) {
      if (!clock) return Outcome::kInvalidParameter;
      profiler.works().change_clock(clock);
      return Outcome::kDone;
    });
  };
  out.device_of_context = [](void* context, uint32_t* id) {
    if (!id) return Outcome::kInvalidParameter;
    return in_context(context, [&] {
      int32_t device = 0;
      if (Profiler::known()->facts().musa.device_of_current(&device) != 0) {
        return Outcome::kInvalidContext;
      }
      *id = static_cast<uint32_t>(device);
      return Outcome::kDone;
    });
  };
  out.context_id = [](void* context, uint32_t* id) {
    return apart([&](Profiler& profiler) {
      if (!id) return Outcome::kInvalidParameter;
      if (!context) return Outcome::kInvalidContext;
      *id = profiler.contexts().of(context);
      return Outcome::kDone;
    });
  };
  out.stream_id = [](void* context, void* stream, int32_t per_thread, uint32_t* id) {
    return apart([&](Profiler& profiler) {
      if (!id) return Outcome::kInvalidParameter;
      const auto& musa = profiler.facts().musa;
      if (!context && musa.current_context(&context) != 0) return Outcome::kInvalidContext;
      if (!stream && per_thread != 0) stream = musa.per_thread_stream;
      *id = profiler.streams().of(stream, context);
      return Outcome::kDone;
    });
  };
  out.graph_id = [](void* graph, uint32_t* id) {
    return apart([&](Profiler& profiler) {
      if (!id || !graph) return Outcome::kInvalidParameter;
      *id = profiler.graphs().of(graph);
      return Outcome::kDone;
    });
  };
  out.set_thread_ids = [](int32_t of_system) {
    Profiler::known()->thread_ids_of_system.store(of_system != 0);
    return Outcome::kDone;
  };
  out.thread_ids = [](int32_t* of_system) {
    if (!of_system) return Outcome::kInvalidParameter;
    *of_system = Profiler::known()->thread_ids_of_system.load() ? 1 : 0;
    return Outcome::kDone;
  };
  out.finalize = [] { return forward<&Profiler::finalize>(); };
  return out;
}

}  // namespace
}  // namespace torchada::profiler

extern "C" const torchada::profiler::Engine* torchada_companion_profiler(
    const torchada::profiler::Facts* facts) {
  using namespace torchada::profiler;
  static const Engine engine = make_engine();
  const torchada::trace::Work work;
  try {
    return Profiler::begin(*facts) ? &engine : nullptr;
  } catch (const std::exception&) {
    return nullptr;
  }
}

extern "C" void* torchada_companion_observe(const char* library, const char* function,
                                            void* address, int32_t* settled) {
  using namespace torchada::profiler;
  // As for torchada_companion_trace.
  const bool is_busy = torchada::thread_state().busy;
  *settled = is_busy ? 0 : 1;
  Profiler* const profiler = Profiler::known();
  if (is_busy || !profiler) return address;
  const torchada::trace::Work work;
  try {
    return profiler->wrap(library, function, address, on_observed);
  } catch (const std::exception&) {
    return address;
  }
}
