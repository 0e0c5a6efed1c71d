#include "src/command/recipes/server.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "src/command/command.h"
#include "src/command/files.h"
#include "src/command/recipes/arch.h"
#include "src/command/recipes/cores.h"
#include "src/command/recipes/folders.h"
#include "src/command/recipes/maker.h"
#include "src/command/recipes/program_check.h"
#include "src/command/recipes/read_ahead.h"
#include "src/command/recipes/say.h"
#include "src/shared/processor_count.h"
#include "src/shared/split.h"

namespace torchada::recipes {
namespace {

using Clock = std::chrono::steady_clock;

// Longer than any name that a compiler has been seen to make.
constexpr std::size_t kLongestRequest = 1 << 20;

struct Request {
  Wanted wanted;
  int answer = -1;  // the descriptor
  bool is_understood = false;
};

int descriptor_in(msghdr* message) {
  int out = -1;
  for (cmsghdr* header = CMSG_FIRSTHDR(message); header != nullptr;
       header = CMSG_NXTHDR(message, header)) {
    if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
      std::memcpy(&out, CMSG_DATA(header), sizeof out);
    }
  }
  return out;
}

bool understand(const std::string& text, Wanted* wanted) {
  std::array<std::string*, 3> fields = {&wanted->source, &wanted->kind, &wanted->name};
  constexpr char kFirst[] = "make\n";
  if (!text.starts_with(kFirst)) return false;
  std::size_t at = sizeof kFirst - 1;
  for (std::string* const field : fields) {
    const std::size_t end = text.find('\n', at);
    *field = text.substr(at, end - at);
    at = end == std::string::npos ? text.size() : end + 1;
  }
  return (wanted->kind == "kernel" || wanted->kind == "variable") && !wanted->name.empty();
}

// False at the end of the connection.
bool receive(int socket, std::string* room, Request* request) {
  iovec part{room->data(), room->size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t size = -1;
  do {
    size = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (size < 0 && errno == EINTR);
  if (size <= 0) return false;
  request->answer = descriptor_in(&message);
  request->is_understood =
      (message.msg_flags & MSG_TRUNC) == 0 &&
      understand(room->substr(0, static_cast<std::size_t>(size)), &request->wanted);
  return true;
}

void answer(int descriptor, std::string line) {
  for (char& c : line) {
    if (c == '\n' || c == '\0') c = ' ';
  }
  line += '\n';
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t count = write(descriptor, line.data() + done, line.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;  // the program has gone
    done += static_cast<std::size_t>(count);
  }
  close(descriptor);
}

std::string line_of(const Answer& made, Clock::duration time) {
  if (made.kind == Answer::kNone) return "none " + made.text;
  if (made.kind == Answer::kFailed) return "failed " + made.text;
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
  return std::string("image ") + (made.was_kept ? "kept " : "made ") +
         std::to_string(milliseconds) + " " + made.text;
}

pid_t other_end_of(int socket) {
  ucred other{};
  socklen_t size = sizeof other;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &other, &size) == 0 ? other.pid : 0;
}

// The kernels of one recipe.
class OfRecipe {
 public:
  OfRecipe(const Recipe& recipe, pid_t program, Cores* cores)
      : maker_(recipe, image_arch()),
        cores_(*cores),
        wrong_(wrong_program(recipe, program)),
        ahead_(&maker_, cores, processor_count()) {
    if (!wrong_.empty()) say(wrong_ + "; no kernel is made by recipe " + recipe.name);
  }

  Answer make(const Wanted& wanted) {
    if (!wrong_.empty()) return {Answer::kNone, wrong_};
    const std::vector<std::string> sources = maker_.sources().named(wanted.source);
    Around around;
    around.wait = [&] {
      for (const std::string& source : sources) {
        ahead_.go_on_from(source);
        cores_.begin_waiting(source);
      }
    };
    around.waited = [&] {
      for (const std::string& source : sources) cores_.end_waiting(source);
    };
    around.begin = [this](const std::string& source, bool is_first) {
      cores_.begin_launch();
      if (is_first) say("compiling " + base_name_of(source) + " for a launch");
    };
    around.end = [this](const std::string& source, const Outcome& outcome) {
      cores_.end_launch();
      if (outcome.kind != Outcome::kMade) return;
      say(base_name_of(source) + ": " + seconds_text(outcome.seconds));
    };
    return maker_.make(wanted, around);
  }

 private:
  Maker maker_;
  Cores& cores_;
  const std::string wrong_;
  ReadAhead ahead_;
};

class Server {
 public:
  Server(const std::vector<Recipe>& recipes, pid_t program) : cores_(processor_count()) {
    for (const Recipe& recipe : recipes) {
      recipes_.push_back(std::make_unique<OfRecipe>(recipe, program, &cores_));
    }
  }

  Answer make(const Wanted& wanted) {
    Answer best;
    for (const std::unique_ptr<OfRecipe>& recipe : recipes_) {
      const Answer answer = recipe->make(wanted);
      if (answer.kind == Answer::kImage) return answer;
      // That a source does not compile says more than that there is none.
      if (answer.kind == Answer::kFailed && best.kind == Answer::kNone) {
        best = answer;
      } else if (answer.kind == best.kind) {
        best.text += (best.text.empty() ? "" : "; ") + answer.text;
      }
    }
    return best;
  }

 private:
  Cores cores_;
  std::vector<std::unique_ptr<OfRecipe>> recipes_;
};

void serve_one(Server* server, const Request& request) {
  const auto begin = Clock::now();
  std::string line;
  try {
    const Answer made = server->make(request.wanted);
    line = line_of(made, Clock::now() - begin);
    if (made.kind == Answer::kFailed) say(made.text);
  } catch (const std::exception& error) {
    line = std::string("failed ") + error.what();
  }
  answer(request.answer, line);
}

}  // namespace

int serve(const std::string& recipes, int socket) {
  std::signal(SIGPIPE, SIG_IGN);
  if (socket <= STDERR_FILENO || fcntl(socket, F_SETFD, FD_CLOEXEC) != 0) {
    throw Failure("--socket=" + std::to_string(socket) + " is no open descriptor");
  }
  std::unique_ptr<Server> server;
  std::string unusable;
  try {
    std::vector<Recipe> all;
    for (const std::string& recipe : split(recipes, ":")) all.push_back(read_recipe(recipe));
    make_own_folder(objects_folder());
    enter_objects_folder();
    server = std::make_unique<Server>(all, other_end_of(socket));
  } catch (const std::exception& error) {
    unusable = error.what();
    say(unusable);
  }
  std::string room(kLongestRequest, '\0');
  for (Request request; receive(socket, &room, &request); request = Request()) {
    if (request.answer < 0) continue;
    if (!request.is_understood) {
      answer(request.answer, "failed the request is not understood");
    } else if (server == nullptr) {
      answer(request.answer, "none " + unusable);
    } else {
      std::thread(serve_one, server.get(), request).detach();
    }
  }
  // Compilers end with this process; threads would wait for them.
  _exit(kExitOk);
}

}  // namespace torchada::recipes
