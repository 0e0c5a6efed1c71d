// Graphs that a program destroyed while executables made of them exist. CUDA's executables do not
// need their graph; MUSA's are only known to run while it exists, so it is destroyed with the last
// of them.
#pragma once

namespace torchada {

// `executable` was made of `graph`.
void add_executable(void* executable, void* graph);

// Whether executables of `graph` exist. Then the last of them takes it along.
bool keep_graph(void* graph);

// What an executable leaves behind.
struct Origin {
  void* graph;        // Null if it is not known.
  bool is_destroyed;  // By the program.
  bool is_last;       // No other executable of the graph exists.
};
Origin remove_executable(void* executable);

}  // namespace torchada
