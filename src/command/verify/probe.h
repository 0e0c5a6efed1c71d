// What a probe works with: it calls MUSA by the tables and says which facts held.
//
// A probe runs in a child process. Each result goes to the parent at once, and so does the name of
// each function before it is called: a crash or a hang is that function's.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "call.h"
#include "facts.h"
#include "libraries.h"
#include "outcome.h"

namespace torchada::verify {

// Ends what a probe attempts: the reason why facts it touched stay undecided.
struct Stop : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Probing {
 public:
  // `out` is where lines for the parent are written.
  Probing(const Facts& facts, const MusaFiles& files, int out)
      : facts_(facts), files_(files), libraries_(files, facts), out_(out) {}

  const Facts& facts() const { return facts_; }
  const MusaFiles& files() const { return files_; }
  Libraries& libraries() { return libraries_; }
  bool is_stand_in() const { return files_.is_stand_in; }

  // ---- calling
  bool has(const std::string& function);  // Exported, and its prototype is known.
  // Stops where the function is not there or cannot be called.
  Answer call(const std::string& function, const Arguments& arguments, bool spare = false);
  // As call, and stops where the status is not success; a refusal to do it at all (not supported)
  // decides nothing, another status contradicts the prototype.
  void good(const std::string& function, const Arguments& arguments, bool spare = false);
  // Number of an enumerator; stops where it is not known.
  int value(const std::string& type, const std::string& enumerator);
  // Results rest on every enumerator that was asked for and every function that was called, until
  // the end of the attempt; on enumerators only until forget().
  void forget();

  // ---- deciding
  void confirm(const std::string& id, const std::string& found);
  void contradict(const std::string& id, const std::string& expected, const std::string& found);
  void absent(const std::string& id, const std::string& found);
  void leave(const std::string& id, const std::string& reason);
  void decide(const std::string& id, bool holds, const std::string& expected,
              const std::string& found);
  // The prototypes of functions that were called: they hold, or they are the first suspects.
  void expect(bool holds, const std::vector<std::string>& functions, const std::string& expected,
              const std::string& found);
  // The number of an enumerator, by its effect.
  void expect_value(bool holds, const std::string& type, const std::string& enumerator,
                    const std::string& expected, const std::string& found);
  // The bytes that were written into a struct: exactly its size, or up to it.
  void expect_size(const std::string& type, const Room& room, bool whole);

  // Runs a part of a probe that may stop without stopping the rest.
  void attempt(const std::function<void()>& part);

 private:
  void send(const Outcome& outcome);
  void rest_on(const std::string& id);
  void decide_all(const std::vector<std::string>& ids, bool holds, const std::string& expected,
                  const std::string& found);
  void check_rooms(const Fact& prototype, const Arguments& arguments);
  bool is_refusal(const Fact& prototype, std::int64_t status) const;

  const Facts& facts_;
  const MusaFiles& files_;
  Libraries libraries_;
  const int out_;
  std::set<std::string> touched_, decided_, broken_;
  std::vector<std::string> rests_on_;
};

struct Probe {
  std::string name;
  std::function<void(Probing&)> run;
};

}  // namespace torchada::verify
