// A MUSA backend that records. Its libraries export the names in musa_names.csv, accept any call,
// log its name and raw arguments, and return values that no other call returns.
//
// Shared by C++ and assembler: the RECORDING_* numbers are offsets into the structs below.
#pragma once

#define RECORDING_INTEGERS 0
#define RECORDING_RAX 48
#define RECORDING_R10 56
#define RECORDING_VECTORS 64
#define RECORDING_STACK 192
#define RECORDING_STACK_WORDS 32
#define RECORDING_RESULT_RAX 448
#define RECORDING_RESULT_RDX 456
#define RECORDING_RESULT_XMM0 464
#define RECORDING_EXCHANGE_SIZE 480
#define RECORDING_SAVED_BEFORE 480
#define RECORDING_SAVED_AFTER 520
#define RECORDING_STACK_MOVED 560
#define RECORDING_SEEN 2

#ifndef __ASSEMBLER__

#include <cstddef>
#include <cstdint>

// Everything in which the calling convention passes an argument, uninterpreted.
struct recording_arguments {
  std::uint64_t integers[6];  // rdi rsi rdx rcx r8 r9
  std::uint64_t rax;          // al counts the vector registers of a variadic call.
  std::uint64_t r10;          // The static chain.
  std::uint64_t vectors[8][2];
  std::uint64_t stack[RECORDING_STACK_WORDS];  // Above the return address.
};

struct recording_results {
  std::uint64_t rax;
  std::uint64_t rdx;
  std::uint64_t xmm0[2];
};

// What passes between a caller and the function it calls.
struct recording_exchange {
  recording_arguments arguments;
  recording_results results;
};

// One call that the backend received.
struct recording_call {
  const char* name;
  recording_exchange exchange;
  std::uint64_t thread;
  // The replacement library, not an application, asks a backend for its SDK version.
  bool version_probe;
  // What arguments pointed at, as requested by a test; see behaviour.h.
  unsigned char seen[RECORDING_SEEN][16];
};

static_assert(offsetof(recording_exchange, arguments.rax) == RECORDING_RAX);
static_assert(offsetof(recording_exchange, arguments.r10) == RECORDING_R10);
static_assert(offsetof(recording_exchange, arguments.vectors) == RECORDING_VECTORS);
static_assert(offsetof(recording_exchange, arguments.stack) == RECORDING_STACK);
static_assert(offsetof(recording_exchange, results.rax) == RECORDING_RESULT_RAX);
static_assert(offsetof(recording_exchange, results.rdx) == RECORDING_RESULT_RDX);
static_assert(offsetof(recording_exchange, results.xmm0) == RECORDING_RESULT_XMM0);
static_assert(sizeof(recording_exchange) == RECORDING_EXCHANGE_SIZE);

extern "C" {
// The log of this process, in the order of arrival.
void recording_reset();
std::size_t recording_count();
recording_call recording_get(std::size_t index);
// Identifies the calling thread as recording_call does.
std::uint64_t recording_thread();
// Called by the assembler part of the backend libraries.
void recording_append(const char* name, recording_exchange* exchange);
}

#endif
