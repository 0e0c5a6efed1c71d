// The functions of CUPTI that the tests call; see records.h.
#pragma once

#include "tests/profiler/records.h"

extern "C" {
int cuptiGetVersion(std::uint32_t* version);
int cuptiSubscribe(void** subscriber, witness::Callback* callback, void* data);
int cuptiUnsubscribe(void* subscriber);
int cuptiEnableCallback(std::uint32_t on, void* subscriber, std::uint32_t domain, std::uint32_t id);
int cuptiEnableDomain(std::uint32_t on, void* subscriber, std::uint32_t domain);
int cuptiGetCallbackState(std::uint32_t* on, void* subscriber, std::uint32_t domain,
                          std::uint32_t id);
int cuptiGetCallbackName(std::uint32_t domain, std::uint32_t id, const char** name);
int cuptiActivityRegisterCallbacks(witness::RequestBuffer* request,
                                   witness::CompleteBuffer* complete);
int cuptiActivityEnable(std::uint32_t kind);
int cuptiActivityDisable(std::uint32_t kind);
int cuptiActivityFlushAll(std::uint32_t flags);
int cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t valid, void** record);
int cuptiActivityGetNumDroppedRecords(void* context, std::uint32_t stream, std::size_t* count);
int cuptiActivityPushExternalCorrelationId(std::uint32_t kind, std::uint64_t id);
int cuptiActivityPopExternalCorrelationId(std::uint32_t kind, std::uint64_t* id);
int cuptiActivityRegisterTimestampCallback(std::uint64_t (*clock)());
int cuptiGetTimestamp(std::uint64_t* time);
int cuptiFinalize();
}
