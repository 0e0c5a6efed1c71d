#include "src/companion/profiler/callbacks.h"

#include <cstring>

namespace torchada::profiler {
namespace {

void notify_of(Profiler* profiler, Domain domain, std::uint32_t id, const void* details) {
  const Subscriber* const subscriber = profiler->subscriber_of(domain, id);
  if (!subscriber) return;
  subscriber->callback(subscriber->data, profiler->facts().numbers.domains[domain], id, details);
}

void notify_of_resource(Profiler* profiler, const Call& call, std::uint32_t of_stream,
                        std::uint32_t of_context, void* resource) {
  if (!resource) return;
  const bool is_stream = call.function->resource == Resource::kStream;
  const ResourceData data{is_stream ? call.context : resource, is_stream ? resource : nullptr,
                          nullptr};
  notify_of(profiler, kResourceDomain, is_stream ? of_stream : of_context, &data);
}

}  // namespace

void copy_parameters(Call* call) {
  const Function& function = *call->function;
  for (std::uint32_t i = 0; i < function.prototype->count; ++i) {
    const std::uint32_t size = type_at(prototype_members[function.prototype->first + i].type).size;
    if (function.offsets[i] + size > sizeof call->parameters) return;
    std::memcpy(call->parameters + function.offsets[i], call->arguments[i], size);
  }
}

void notify(Profiler* profiler, Call* call, Site site) {
  const Function& function = *call->function;
  CallbackData data{};
  data.site = site;
  data.function = function.name();
  data.parameters = call->parameters;
  data.result = site == kExit ? call->result : nullptr;
  data.symbol = call->kernel;
  data.context = call->context;
  data.context_id = context_number(profiler, call->context);
  data.correlation_data = &call->correlation_data;
  data.correlation = call->correlation;
  call->subscriber->callback(call->subscriber->data,
                             profiler->facts().numbers.domains[function.domain], function.id,
                             &data);
}

void notify_synchronized(Profiler* profiler, const Call& call) {
  const Numbers& numbers = profiler->facts().numbers;
  const std::uint32_t waited = call.function->synchronization;
  const bool is_stream = waited == numbers.synchronization.stream;
  if (!is_stream && waited != numbers.synchronization.context) return;
  const SynchronizeData data{call.context, is_stream ? stream_of(*profiler, call) : nullptr};
  notify_of(profiler, kSyncDomain,
            is_stream ? numbers.stream_synchronized : numbers.context_synchronized, &data);
}

void notify_destroying(Profiler* profiler, const Call& call) {
  const auto& ids = profiler->facts().numbers.resources;
  notify_of_resource(profiler, call, ids.stream_destroyed, ids.context_destroyed,
                     pointer(read(call.function->places.pointer, call.arguments)));
}

void notify_created(Profiler* profiler, const Call& call) {
  const auto& ids = profiler->facts().numbers.resources;
  notify_of_resource(profiler, call, ids.stream_created, ids.context_created,
                     written_at(call.function->places.pointer_out, call));
}

}  // namespace torchada::profiler
