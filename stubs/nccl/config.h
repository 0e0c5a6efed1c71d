// ncclConfig_t, which says its own size: older programs have a shorter one.
#pragma once

namespace torchada::nccl {

struct Config {
  bool is_blocking;
  const char* net_name;  // Null where the program leaves the choice.
};

// Reads a program's configuration, null for the usual one. 0, or what NCCL answers to a bad one.
int read_config(const void* given, Config* config);

// What MCCL cannot be told and a program may notice. 0, or the refusal, which is said once.
int accept_config(const Config& config, const char* function);

// Says, once and to who wants to know much, that a call blocks which was asked not to.
void say_blocking(const char* function);

}  // namespace torchada::nccl
