#include "stubs/adapting/conditions.h"

#include "src/shared/condition_steps.h"

namespace torchada {
namespace {

// torchada-gen has checked that the stack neither runs empty nor grows beyond its depth.
class Stack {
 public:
  void push(int64_t value) { values_[size_++] = value; }
  // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.UndefReturn): it never runs empty.
  int64_t pop() { return values_[--size_]; }

 private:
  int64_t values_[kConditionDepth];
  int size_ = 0;
};

int64_t combined(ConditionStep step, int64_t left, int64_t right) {
  switch (step) {
    case ConditionStep::kMax:
      return left > right ? left : right;
    case ConditionStep::kAdd:  // Of what a program passes: it may be too large.
      return static_cast<int64_t>(static_cast<uint64_t>(left) + static_cast<uint64_t>(right));
    case ConditionStep::kRemainder:
      return right == 0 || right == -1 ? 0 : left % right;
    case ConditionStep::kEqual:
      return left == right;
    case ConditionStep::kUnequal:
      return left != right;
    case ConditionStep::kLess:
      return left < right;
    case ConditionStep::kAtMost:
      return left <= right;
    default:  // kOr
      return left != 0 || right != 0;
  }
}

int broken(const uint8_t* step, const int64_t* arguments) {
  Stack stack;
  for (;;) {
    const auto now = static_cast<ConditionStep>(*step++);
    switch (now) {
      case ConditionStep::kEnd:
        return 0;
      case ConditionStep::kArgument:
        stack.push(arguments[*step++]);
        break;
      case ConditionStep::kNumber:
        stack.push(static_cast<int16_t>(step[0] | step[1] << 8));
        step += 2;
        break;
      case ConditionStep::kChoose: {
        const int64_t otherwise = stack.pop();
        const int64_t value = stack.pop();
        stack.push(stack.pop() != 0 ? value : otherwise);
        break;
      }
      case ConditionStep::kDemand:
        if (stack.pop() == 0) return *step;
        ++step;
        break;
      default: {
        const int64_t right = stack.pop();
        const int64_t left = stack.pop();
        stack.push(combined(now, left, right));
      }
    }
  }
}

}  // namespace

int broken_condition(const uint8_t* conditions, va_list arguments) {
  int64_t values[kConditionArguments];
  const int count = *conditions;
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): the callers have started it.
  for (int i = 0; i < count; ++i) values[i] = va_arg(arguments, int64_t);
  return broken(conditions + 1, values);
}

int broken_condition(const uint8_t* conditions, ...) {
  va_list arguments;
  va_start(arguments, conditions);
  const int status = broken_condition(conditions, arguments);
  va_end(arguments);
  return status;
}

}  // namespace torchada
