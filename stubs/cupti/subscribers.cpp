// The program's functions that are called for its calls.
#include "stubs/cupti/accepted.h"
#include "stubs/cupti/engine.h"
#include "stubs/reporting/refusal.h"

namespace {

using torchada::cupti::accepted;
using torchada::cupti::by_engine;
using torchada::profiler::Callback;
using torchada::profiler::Engine;

// cuptiSupportedDomains gives this list; it never changes.
uint32_t domains[] = {
    torchada::cuda::CUPTI_CB_DOMAIN_DRIVER_API, torchada::cuda::CUPTI_CB_DOMAIN_RUNTIME_API,
    torchada::cuda::CUPTI_CB_DOMAIN_RESOURCE, torchada::cuda::CUPTI_CB_DOMAIN_SYNCHRONIZE};

// Whether it is one of CUPTI's that this library has no callbacks of.
bool is_lacking(uint32_t domain) {
  for (const uint32_t known : domains) {
    if (known == domain) return false;
  }
  return domain != torchada::cuda::CUPTI_CB_DOMAIN_INVALID &&
         domain < torchada::cuda::CUPTI_CB_DOMAIN_SIZE;
}

int refuse_domain(const char* function, uint32_t domain) {
  return torchada::refuse_enumerator(function, 2, domain, "torchada does not call back for these",
                                     torchada::cuda::CUPTI_ERROR_NOT_SUPPORTED);
}

bool is_lacking_resource(uint32_t id) {
  return id > torchada::cuda::CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING &&
         id < torchada::cuda::CUPTI_CBID_RESOURCE_SIZE;
}

}  // namespace

extern "C" {

int torchada_adapter_cuptiSubscribe(void** subscriber, void* callback, void* data) {
  return by_engine([&](const Engine& engine) {
    return engine.subscribe(subscriber, reinterpret_cast<Callback>(callback), data);
  });
}

// What the parameters ask for, such as a name, changes nothing here.
int torchada_adapter_cuptiSubscribe_v2(void** subscriber, void* callback, void* data, void*) {
  return torchada_adapter_cuptiSubscribe(subscriber, callback, data);
}

int torchada_adapter_cuptiUnsubscribe(void* subscriber) {
  return by_engine([&](const Engine& engine) { return engine.unsubscribe(subscriber); });
}

int torchada_adapter_cuptiEnableCallback(uint32_t on, void* subscriber, uint32_t domain,
                                         uint32_t id) {
  if (on != 0 && is_lacking(domain)) return refuse_domain("cuptiEnableCallback", domain);
  if (on != 0 && domain == torchada::cuda::CUPTI_CB_DOMAIN_RESOURCE && is_lacking_resource(id)) {
    return accepted("cuptiEnableCallback", "callbacks of modules and graphs never come");
  }
  return by_engine([&](const Engine& engine) {
    return engine.enable_callback(on != 0, subscriber, domain, id);
  });
}

int torchada_adapter_cuptiEnableDomain(uint32_t on, void* subscriber, uint32_t domain) {
  if (on != 0 && is_lacking(domain)) return refuse_domain("cuptiEnableDomain", domain);
  return by_engine(
      [&](const Engine& engine) { return engine.enable_domain(on != 0, subscriber, domain); });
}

int torchada_adapter_cuptiEnableAllDomains(uint32_t on, void* subscriber) {
  return by_engine(
      [&](const Engine& engine) { return engine.enable_all_domains(on != 0, subscriber); });
}

int torchada_adapter_cuptiGetCallbackState(uint32_t* on, void* subscriber, uint32_t domain,
                                           uint32_t id) {
  return by_engine(
      [&](const Engine& engine) { return engine.callback_state(on, subscriber, domain, id); });
}

int torchada_adapter_cuptiGetCallbackName(uint32_t domain, uint32_t id, const char** name) {
  return by_engine([&](const Engine& engine) { return engine.callback_name(domain, id, name); });
}

int torchada_adapter_cuptiSupportedDomains(size_t* count, uint32_t** table) {
  if (!count || !table) return torchada::cuda::CUPTI_ERROR_INVALID_PARAMETER;
  *count = sizeof domains / sizeof *domains;
  *table = domains;
  return torchada::cuda::CUPTI_SUCCESS;
}

int torchada_adapter_cuptiFinalize() {
  return by_engine([](const Engine& engine) { return engine.finalize(); });
}

// No call of this library fails later than it returns.
int torchada_adapter_cuptiGetLastError() { return torchada::cuda::CUPTI_SUCCESS; }

}  // extern "C"
