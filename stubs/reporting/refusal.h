// Arguments that an adapter refuses because MUSA has nothing for them. Each function, parameter and
// value gets one line, and every call is counted and stopped at like an unsupported function.
//
// An adapter says nothing about an argument that NVIDIA's library refuses as well.
#pragma once

#include <stdint.h>

#include "src/shared/text.h"
#include "stubs/table.h"

namespace torchada {

using ValueText = Text<256>;

// "CUDA_R_16F (2)"; only the number if the enumeration, such as "cudaDataType", does not have it.
// Bits that programs combine are named one by one.
ValueText enumerator_text(const char* enumeration, int64_t number);

// Reports "FUNCTION is not supported with PARAMETER=VALUE: REASON; returning STATUS". Returns
// fail(status).
int refuse_argument(const char* function, const char* parameter, const char* value,
                    const char* reason, int status);

// The same for an enumerator that is passed by value in parameter `number`, from 0, of an adapter
// that is written by hand. Without `reason`: no counterpart is known.
int refuse_enumerator(const char* function, unsigned number, int64_t value, const char* reason,
                      int status);

// Reports "FUNCTION accepts PARAMETER=VALUE without effect: REASON" of such an enumerator, which
// demands something that MUSA cannot be asked for. Counted and stopped at like a refusal.
void tell_enumerator(const char* function, unsigned number, int64_t value);

// Like refuse_argument, for a 64-bit integer that MUSA's function takes in 32 bits.
int refuse_wide(const char* function, const char* parameter, int64_t value, int status);

// Whether MUSA lacks an enumerator of that parameter, by the tables.
bool is_lacking(const char* function, unsigned number, int64_t value);

// For generated adapters: a value of torchada_library.refusable[row]; `value` has no meaning for an
// integer that is too wide. For a number that is no enumerator of CUDA's, returns `status` and
// reports nothing, because NVIDIA's library refuses it too.
int refuse_listed(unsigned row, int64_t value, int status);

// The same for a member of a struct that MUSA's struct lacks and that is not 0.
int refuse_member(unsigned row, int status);

// Reports that MUSA's function itself answered `musa_status`, named `name`: it cannot do what the
// arguments ask for. `returned` is what the program gets.
void report_answer(const char* function, const char* musa, const char* name, int musa_status,
                   int returned);

// Reports that MUSA's function failed with a number that no public source explains.
void report_undocumented(const char* function, const char* musa, int musa_status, int returned);

// The same for the generated adapter `adapter` of torchada_library.symbols[symbol].
void report_answer(unsigned symbol, unsigned adapter, const char* name, int musa_status,
                   int returned);
void report_undocumented(unsigned symbol, unsigned adapter, int musa_status, int returned);

}  // namespace torchada
