// Compiles a small source, in a process that tests can end.
//   host_mtrtc_once [compile|ignore-children|closed]
// ignore-children: the program lets the system wait for its children. closed: it has closed its
// standard descriptors. The exit status is 0 if the compilation succeeded; otherwise the log goes
// to stderr.
#include <mtrtc.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <string>

int main(int count, char** words) {
  const std::string how = count > 1 ? words[1] : "compile";
  if (how == "ignore-children") signal(SIGCHLD, SIG_IGN);
  if (how == "closed") {
    for (const int descriptor : {0, 1, 2}) close(descriptor);
  }
  mtrtcProgram program = nullptr;
  if (mtrtcCreateProgram(&program, "__global__ void k(int* p) { *p = 1; }\n", "once.cu", 0, nullptr,
                         nullptr) != MTRTC_SUCCESS) {
    return 2;
  }
  const mtrtcResult result = mtrtcCompileProgram(program, 0, nullptr);
  std::size_t size = 0;
  mtrtcGetProgramLogSize(program, &size);
  std::string log(size, '\0');
  mtrtcGetProgramLog(program, log.data());
  std::fputs(log.c_str(), stderr);
  mtrtcDestroyProgram(&program);
  return result == MTRTC_SUCCESS ? 0 : 1;
}
