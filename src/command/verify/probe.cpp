#include "src/command/verify/probe.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>

namespace torchada::verify {
namespace {

using Json = nlohmann::json;

void write_line(int out, const Json& record) {
  const std::string text = record.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = write(out, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(1);  // The parent has exited.
    done += static_cast<std::size_t>(written);
  }
}

// For each type of status, the values that mean "not done here".
const std::vector<std::pair<std::string, std::vector<std::string>>>& refusals() {
  static const std::vector<std::pair<std::string, std::vector<std::string>>> kRefusals = {
      {"musaError_t", {"musaErrorNotSupported", "musaErrorNotYetImplemented"}},
      {"mublasStatus_t", {"MUBLAS_STATUS_NOT_IMPLEMENTED", "MUBLAS_STATUS_NOT_SUPPORTED"}},
      {"murandStatus_t", {"MURAND_STATUS_NOT_IMPLEMENTED"}},
      {"MUresult", {"MUSA_ERROR_NOT_SUPPORTED"}},
      {"MtmlReturn", {"MTML_ERROR_NOT_SUPPORTED"}}};
  return kRefusals;
}

std::string number_and_name(const Facts& facts, const std::string& type, std::int64_t number) {
  for (const Fact* fact : facts.values(type)) {
    if (fact->value == number) return std::to_string(number) + " (" + fact->name + ")";
  }
  return std::to_string(number);
}

}  // namespace

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kConfirmed:
      return "confirmed";
    case Verdict::kContradicted:
      return "contradicted";
    case Verdict::kAbsent:
      return "absent";
    case Verdict::kNotProbed:
      break;
  }
  return "not probed";
}

void Probing::send(const Outcome& outcome) {
  decided_.insert(outcome.id);
  if (outcome.verdict == Verdict::kContradicted) broken_.insert(outcome.id);
  write_line(out_, {{"id", outcome.id},
                    {"verdict", static_cast<int>(outcome.verdict)},
                    {"expected", outcome.expected},
                    {"found", outcome.found},
                    {"rests_on", outcome.rests_on}});
}

void Probing::confirm(const std::string& id, const std::string& found) {
  decide_all({id}, true, "", found);
}

void Probing::contradict(const std::string& id, const std::string& expected,
                         const std::string& found) {
  decide_all({id}, false, expected, found);
}

void Probing::absent(const std::string& id, const std::string& found) {
  send({id, Verdict::kAbsent, "", found, "", {}});
}

void Probing::leave(const std::string& id, const std::string& reason) {
  send({id, Verdict::kNotProbed, "", reason, "", {}});
}

void Probing::decide(const std::string& id, bool holds, const std::string& expected,
                     const std::string& found) {
  decide_all({id}, holds, expected, found);
}

// The facts in `ids` are equal suspects, so none rests on another.
void Probing::decide_all(const std::vector<std::string>& ids, bool holds,
                         const std::string& expected, const std::string& found) {
  for (const std::string& id : ids) {
    if (broken_.count(id) != 0) continue;  // The first result is closest to the cause.
    Outcome outcome = {
        id, holds ? Verdict::kConfirmed : Verdict::kContradicted, holds ? "" : expected, found, "",
        {}};
    std::copy_if(rests_on_.begin(), rests_on_.end(), std::back_inserter(outcome.rests_on),
                 [&](const std::string& other) {
                   return std::find(ids.begin(), ids.end(), other) == ids.end();
                 });
    send(outcome);
  }
}

void Probing::expect(bool holds, const std::vector<std::string>& functions,
                     const std::string& expected, const std::string& found) {
  std::vector<std::string> ids;
  for (const std::string& function : functions) {
    const Fact* prototype = facts_.prototype(function);
    if (prototype) ids.push_back(prototype->id);
  }
  // `found` describes a failure; many callers pass only one text for it.
  decide_all(ids, holds, expected, holds && !expected.empty() ? expected : found);
}

void Probing::expect_value(bool holds, const std::string& type, const std::string& enumerator,
                           const std::string& expected, const std::string& found) {
  const Fact* fact = facts_.value(type, enumerator);
  if (fact && fact->value) decide(fact->id, holds, expected, found);
}

void Probing::expect_size(const std::string& type, const OutBuffer& buffer, bool whole) {
  const Fact* size = facts_.size(type);
  if (!size) return;
  const auto written = static_cast<std::int64_t>(buffer.written());
  const std::string found = std::to_string(written) + " bytes were written";
  if (!size->size) {
    leave(size->id, "the tables do not know its size; " + found);
    return;
  }
  const std::vector<const Fact*> fields = facts_.fields(type);
  // A function may leave padding after the last member unwritten.
  const std::int64_t least = whole && !fields.empty() ? fields.back()->offset + 1 : 1;
  decide(size->id, written >= least && written <= *size->size, size->claim, found);
}

void Probing::forget() {
  rests_on_.erase(std::remove_if(rests_on_.begin(), rests_on_.end(),
                                 [](const std::string& id) { return id.starts_with("value:"); }),
                  rests_on_.end());
}

void Probing::rest_on(const std::string& id) {
  if (std::find(rests_on_.begin(), rests_on_.end(), id) == rests_on_.end()) {
    rests_on_.push_back(id);
  }
}

int Probing::value(const std::string& type, const std::string& enumerator) {
  const Fact* fact = facts_.value(type, enumerator);
  if (!fact || !fact->value) throw Stop("the number of " + enumerator + " is not known");
  touched_.insert(fact->id);
  rest_on(fact->id);
  return static_cast<int>(*fact->value);
}

bool Probing::has(const std::string& function) {
  const Fact* symbol = facts_.symbol(function);
  std::string error;
  return symbol && facts_.prototype(function) && libraries_.function(*symbol, &error);
}

Answer Probing::call(const std::string& function, const Arguments& arguments, bool spare) {
  const Fact* prototype = facts_.prototype(function);
  const Fact* symbol = facts_.symbol(function);
  if (!prototype || !symbol) throw Stop("the tables have no prototype of " + function);
  touched_.insert(prototype->id);
  rest_on(prototype->id);
  std::string error;
  void* address = libraries_.function(*symbol, &error);
  if (!address) throw Stop(error);
  write_line(out_, {{"calling", prototype->id}, {"rests_on", rests_on_}});
  Answer answer;
  try {
    answer = verify::call(facts_, *prototype, address, arguments, spare);
  } catch (const CannotCall& problem) {
    throw Stop(function + ": " + problem.what());
  }
  write_line(out_, {{"calling", ""}});
  check_buffers(*prototype, arguments);
  return answer;
}

// Writing more bytes than the table says means that the table's type is too narrow, or its struct
// too short.
void Probing::check_buffers(const Fact& prototype, const Arguments& arguments) {
  for (const auto& [name, value] : arguments) {
    if (value.kind != Value::Kind::kBuffer) continue;
    const auto parameter =
        std::find_if(prototype.parameters.begin(), prototype.parameters.end(),
                     [&, wanted = name](const Parameter& item) { return item.name == wanted; });
    if (parameter == prototype.parameters.end()) continue;
    std::string type = parameter->type;
    type.erase(std::min(type.rfind('*'), type.size()));
    while (!type.empty() && type.back() == ' ') type.pop_back();
    const std::size_t written = value.buffer->written();
    if (facts_.kind_of_type(type) == "struct") check_struct(type, written);
    const bool is_array = type == "char" || facts_.kind_of_type(type) == "struct";
    if (is_array || value.buffer->expected == 0 || written <= value.buffer->expected) continue;
    contradict(prototype.id,
               parameter->name + " is " + parameter->type + ": " +
                   std::to_string(value.buffer->expected) + " bytes written",
               std::to_string(written) + " bytes written");
  }
}

// What MUSA writes behind a program's struct is memory of something else.
void Probing::check_struct(const std::string& type, std::size_t written) {
  const Fact* size = facts_.size(type);
  if (!size || written == 0) return;
  const std::string found = std::to_string(written) + " bytes were written";
  if (!size->size) {
    leave(size->id, "the tables do not know its size; " + found);
  } else if (written > static_cast<std::size_t>(*size->size)) {
    contradict(size->id, size->claim, found);
  }
}

bool Probing::is_refusal(const Fact& prototype, std::int64_t status) const {
  for (const auto& [type, names] : refusals()) {
    if (type != prototype.returns) continue;
    for (const std::string& name : names) {
      const Fact* fact = facts_.value(type, name);
      if (fact && fact->value == status) return true;
    }
  }
  return false;
}

void Probing::good(const std::string& function, const Arguments& arguments, bool spare) {
  const Answer answer = call(function, arguments, spare);
  const Fact& prototype = *facts_.prototype(function);
  if (answer.number == 0) {
    // The function left a result unwritten or incomplete.
    for (const auto& [name, value] : arguments) {
      if (value.kind != Value::Kind::kBuffer || value.buffer->expected == 0) continue;
      const std::size_t size = value.buffer->expected;
      const std::size_t written = value.buffer->written();
      if (size > 8 || written >= size) continue;
      contradict(prototype.id, name + ": " + std::to_string(size) + " bytes written",
                 std::to_string(written) + " bytes written");
      throw Stop(function + " did not write its result");
    }
    return;
  }
  const std::string found =
      function + " returned " + number_and_name(facts_, prototype.returns, answer.number);
  if (is_refusal(prototype, answer.number)) {
    leave(prototype.id, found);
  } else {
    contradict(prototype.id, "success with valid arguments", found);
  }
  throw Stop(found);
}

void Probing::attempt(const std::function<void()>& part) {
  std::set<std::string> outer;
  outer.swap(touched_);
  const std::vector<std::string> taken = rests_on_;
  try {
    part();
  } catch (const Stop& stop) {
    for (const std::string& id : touched_) {
      if (decided_.count(id) == 0) leave(id, stop.what());
    }
  }
  rests_on_ = taken;
  touched_.insert(outer.begin(), outer.end());
}

}  // namespace torchada::verify
