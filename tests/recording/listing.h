// What the programs share that print, for a test, what the tables say.
#pragma once

#include <exception>
#include <iostream>

#include "generator/tables/read_tables.h"

// The SDK that the recording backend reports.
constexpr int kSdkVersion = 50200;

// Runs `list` with the tables of the folder that is the only argument. Returns the exit status: 0,
// 1 if the tables cannot be read, 2 for bad usage.
inline int list_tables(int argc, char** argv, void (*list)(const torchada::Tables&)) {
  if (argc != 2) {
    std::cerr << "usage: " << argv[0] << " MAPPINGS\n";
    return 2;
  }
  try {
    list(torchada::read_tables(argv[1]));
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
