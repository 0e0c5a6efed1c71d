// ncclConfig_t says its own size, because older programs have a shorter one.
#pragma once

namespace torchada::nccl {

struct Config {
  bool is_blocking;
  const char* net_name;  // Null if the program does not choose a network.
};

// Reads a program's configuration; null means the default. Returns 0, or NCCL's answer to a bad
// one.
int read_config(const void* given, Config* config);

// Refuses, with one line, what MCCL cannot be told and a program may notice. Returns 0 or the
// status.
int accept_config(const Config& config, const char* function);

// Says once, at log level info, that a call blocks although it was asked not to.
void say_blocking(const char* function);

}  // namespace torchada::nccl
