// Identifiers of devices: MTML's, with the prefix that NVML's have.
#pragma once

namespace torchada::nvml {

// Writes the identifier of MTML's `device`, "GPU-...". Returns MTML's status.
int uuid_of(void* device, char* text, unsigned size);

// Whether the 16 bytes are those of an identifier.
bool has_bytes(const char* uuid, const char* bytes);

}  // namespace torchada::nvml
