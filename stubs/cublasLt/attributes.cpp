#include "stubs/cublasLt/attributes.h"

#include <string.h>

#include "stubs/adapting/kept_values.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"

namespace torchada {
namespace {

constexpr int kUnset = -1;          // An optional enumeration without a value.
constexpr unsigned kAttribute = 1;  // The parameter that holds the attribute's number.

const Attribute* find(const AttributeList& attributes, int number) {
  for (size_t i = 0; i < attributes.count; ++i) {
    if (attributes.first[i].cuda == number) return attributes.first + i;
  }
  return nullptr;
}

int refuse_attribute(const Function& function, int number) {
  return refuse_enumerator(function.cuda, kAttribute, number, "muBLASLt has no such attribute",
                           kUnsupported);
}

// Relies on little-endian numbers, like everything here.
bool is_initial(const Attribute& attribute, const void* buffer) {
  return attribute.has_initial && memcmp(buffer, &attribute.initial, attribute.bytes) == 0;
}

// The value of an attribute that MUSA is not told: at most 8 bytes.
int64_t kept(const Attribute& attribute, const void* object) {
  return kept_value(object, static_cast<KeptKind>(attribute.cuda), attribute.initial);
}

int keep(const Function& function, const Attribute& attribute, const void* object,
         const void* buffer) {
  int64_t value = attribute.initial;
  memcpy(&value, buffer, attribute.bytes);
  if (!keep_value(object, static_cast<KeptKind>(attribute.cuda), value, attribute.initial)) {
    return fail(kFailed);
  }
  if (attribute.is_told && value != attribute.initial) {
    tell_enumerator(function.cuda, kAttribute, attribute.cuda);
  }
  return 0;
}

// Converts the enumerator in `buffer` to MUSA's number. Returns a status.
int convert(const Function& function, const Attribute& attribute, const void* buffer,
            int* converted) {
  int value = 0;
  memcpy(&value, buffer, sizeof value);
  if (attribute.has_unset && value == kUnset) {
    *converted = value;
    return 0;
  }
  const int status = enumerator_to_musa(attribute.enumeration, value, converted);
  if (status != kUnsupported) return status;
  Line reason;
  reason
      << "muBLASLt has no value "
      << enumerator_text(kEnumerationNames[static_cast<int>(attribute.enumeration)], value).c_str()
      << " for this attribute";
  return refuse_enumerator(function.cuda, kAttribute, attribute.cuda, reason.c_str(), status);
}

void give(const void* value, size_t bytes, void* buffer, size_t* written) {
  memcpy(buffer, value, bytes);
  if (written) *written = bytes;
}

}  // namespace

int set_attribute(const Function& function, const AttributeList& attributes, AttributeSetter set,
                  void* object, int attribute, const void* buffer, size_t size) {
  const Attribute* known = find(attributes, attribute);
  if (!object || !known || !buffer || size != known->bytes) return fail(kInvalid);
  if (known->is_kept) return keep(function, *known, object, buffer);
  if (known->musa < 0) {
    if (is_initial(*known, buffer)) return 0;
    return refuse_attribute(function, attribute);
  }
  int enumerator = 0;
  if (known->enumeration != Enumeration::kNone) {
    if (const int status = convert(function, *known, buffer, &enumerator)) return fail(status);
    buffer = &enumerator;
  }
  return outcome(function, set(object, known->musa, buffer, size));
}

int get_attribute(const Function& function, const AttributeList& attributes, AttributeGetter get,
                  const void* object, int attribute, void* buffer, size_t size, size_t* written) {
  const Attribute* known = find(attributes, attribute);
  if (!object || !known) return fail(kInvalid);
  // MUSA decides the length of a list and, for some objects, answers size queries. Members of a
  // list are not converted.
  const bool is_for_musa = known->bytes == 0 || (size == 0 && attributes.asks_sizes);
  if (is_for_musa && known->musa >= 0) {
    return outcome(function, get(object, known->musa, buffer, size, written));
  }
  if (known->musa < 0 && !known->has_initial) {
    return refuse_attribute(function, attribute);
  }
  if (size == 0) {
    if (!written) return fail(kInvalid);
    *written = known->bytes;
    return 0;
  }
  if (!buffer || size != known->bytes) return fail(kInvalid);
  if (known->musa < 0) {
    const int64_t value = kept(*known, object);
    give(&value, size, buffer, written);
    return 0;
  }
  long long value = 0;
  size_t ignored = 0;
  const int status = outcome(function, get(object, known->musa, &value, size, &ignored));
  if (status != 0) return status;
  if (known->enumeration != Enumeration::kNone) {
    const int number = static_cast<int>(value);
    int converted = number;
    const bool unset = known->has_unset && number == kUnset;
    if (!unset && !enumerator_to_cuda(known->enumeration, number, &converted)) return fail(kFailed);
    value = converted;
  }
  give(&value, size, buffer, written);
  return 0;
}

}  // namespace torchada
