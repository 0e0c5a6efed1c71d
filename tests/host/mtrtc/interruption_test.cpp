// Compilations that hang or are killed, and what is left of them. The compiler is a script.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "tests/host/mtrtc/compiled.h"

namespace {

using mtrtc_tests::contains;
using mtrtc_tests::Folder;
using mtrtc_tests::kSmall;
using mtrtc_tests::Program;
using mtrtc_tests::Variable;
using std::chrono::milliseconds;

class MtrtcInterruption : public testing::Test {
 protected:
  // The compiler writes its process id, and hangs.
  MtrtcInterruption()
      : compiler_(folder_.write(
            "c++", "#!/bin/sh\necho $$ > " + folder_.path() + "/process\nexec sleep 600\n")),
        cxx_("TORCHADA_CLANG", compiler_.c_str()),
        temporary_("TMPDIR", scratch_.path().c_str()),
        cache_("TORCHADA_HOST_COMPILE_CACHE", "off") {
    std::filesystem::permissions(compiler_, std::filesystem::perms::owner_all);
  }

  // The compiler's process, when it runs.
  pid_t compiler_process() const {
    pid_t process = 0;
    for (int i = 0; i < 3000 && process == 0; ++i) {
      std::ifstream(folder_.path() + "/process") >> process;
      std::this_thread::sleep_for(milliseconds(10));
    }
    EXPECT_NE(process, 0) << "the compiler was not started";
    return process;
  }
  static bool ends(pid_t process) {
    for (int i = 0; i < 1000; ++i) {
      if (kill(process, 0) != 0) return true;
      std::this_thread::sleep_for(milliseconds(10));
    }
    return false;
  }
  static pid_t start(const char* how = "compile") {
    const pid_t child = fork();
    if (child == 0) {
      setpgid(0, 0);
      signal(SIGINT, SIG_DFL);
      execl(ONCE, ONCE, how, nullptr);
      _exit(127);
    }
    return child;
  }
  static int wait_for(pid_t child) {
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return status;
  }

  Folder folder_, scratch_;
  std::string compiler_;
  Variable cxx_, temporary_, cache_;
};

TEST_F(MtrtcInterruption, mtrtcCompileProgram_ends_a_compiler_that_takes_too_long) {
  // On a busy machine, or under a sanitizer, it takes longer until the compiler is started.
  bool started = false;
  for (int limit = 3; !started && limit < 100; limit *= 3) {
    const std::string seconds = std::to_string(limit);
    const Variable limited("TORCHADA_HOST_COMPILE_SECONDS", seconds.c_str());
    const Program program(kSmall);
    EXPECT_EQ(program.compile(), MTRTC_ERROR_COMPILATION);
    EXPECT_TRUE(contains(program.log(), "took longer than " + seconds + " seconds"))
        << program.log();
    started = std::filesystem::exists(folder_.path() + "/process");
  }
  EXPECT_TRUE(ends(compiler_process()));
  EXPECT_EQ(scratch_.entries(), 0U);
}

TEST_F(MtrtcInterruption, TheCompilerEndsWithAProgramThatIsKilled) {
  const pid_t child = start();
  const pid_t compiler = compiler_process();
  EXPECT_EQ(scratch_.entries(), 1U);
  kill(child, SIGKILL);
  EXPECT_TRUE(WIFSIGNALED(wait_for(child)));
  EXPECT_TRUE(ends(compiler));
  EXPECT_EQ(scratch_.entries(), 1U);
  const std::string left = std::filesystem::directory_iterator(scratch_.path())->path().filename();
  EXPECT_EQ(
      left.rfind("torchada-mtrtc-" + std::to_string(geteuid()) + "-" + std::to_string(child), 0),
      0U);

  // The next program that compiles removes it.
  const Variable real("TORCHADA_CLANG", nullptr);
  EXPECT_EQ(wait_for(start()), 0);
  EXPECT_EQ(scratch_.entries(), 0U);
}

TEST_F(MtrtcInterruption, ATerminalsInterruptEndsTheCompiler) {
  const pid_t child = start();
  const pid_t compiler = compiler_process();
  kill(-child, SIGINT);
  EXPECT_TRUE(WIFSIGNALED(wait_for(child)));
  EXPECT_TRUE(ends(compiler));
}

TEST_F(MtrtcInterruption, AFolderOfAProgramThatRunsStays) {
  const pid_t child = start();
  const pid_t compiler = compiler_process();
  {
    const Variable real("TORCHADA_CLANG", nullptr);
    EXPECT_EQ(wait_for(start()), 0);
  }
  EXPECT_EQ(scratch_.entries(), 1U);
  // The program alone: a kill of its whole group leaves nobody who ends the compiler.
  kill(child, SIGKILL);
  wait_for(child);
  EXPECT_TRUE(ends(compiler));
}

TEST_F(MtrtcInterruption, mtrtcCompileProgram_tells_what_to_install) {
  const Variable none("TORCHADA_CLANG", "no-such-compiler");
  const Program program(kSmall);
  EXPECT_EQ(program.compile(), MTRTC_ERROR_BUILTIN_OPERATION_FAILURE);
  EXPECT_TRUE(contains(program.log(), "no-such-compiler")) << program.log();
  EXPECT_TRUE(contains(program.log(), "install clang-19")) << program.log();
}

TEST_F(MtrtcInterruption, mtrtcCompileProgram_tells_that_it_has_no_folder) {
  const Variable gone("TMPDIR", "/nowhere/at/all");
  const Program program(kSmall);
  EXPECT_EQ(program.compile(), MTRTC_ERROR_COMPILATION);
  EXPECT_TRUE(contains(program.log(), "name one in TMPDIR")) << program.log();
}

TEST_F(MtrtcInterruption, mtrtcCompileProgram_works_where_others_wait_for_its_children) {
  const Variable real("TORCHADA_CLANG", nullptr);
  EXPECT_EQ(wait_for(start("ignore-children")), 0);
  EXPECT_EQ(wait_for(start("closed")), 0);
  EXPECT_EQ(scratch_.entries(), 0U);
}

}  // namespace
