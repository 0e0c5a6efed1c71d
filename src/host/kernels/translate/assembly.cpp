#include "src/host/kernels/translate/assembly.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Module.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <set>

#include "src/host/kernels/include/torchada_image.h"
#include "src/host/kernels/translate/assembly_text.h"

namespace kernels {
namespace {

using llvm::Value;

// Registers that the hardware has, and what the device runtime says of them.
const std::map<std::string, std::string>& special_registers() {
  static const std::map<std::string, std::string> all = {{"%laneid", "torchada_lane"},
                                                         {"%lanemask_eq", "torchada_lanes_equal"},
                                                         {"%lanemask_lt", "torchada_lanes_below"},
                                                         {"%lanemask_le", "torchada_lanes_up_to"},
                                                         {"%lanemask_gt", "torchada_lanes_above"},
                                                         {"%lanemask_ge", "torchada_lanes_from"},
                                                         {"%warpid", "torchada_warp"},
                                                         {"%clock64", "torchada_clock"},
                                                         {"%globaltimer", "torchada_clock"},
                                                         {"%clock", "torchada_clock"}};
  return all;
}

// Conversions of numbers of 16 bits, and what makes them.
const std::map<std::string, std::string>& narrow_conversions() {
  static const std::map<std::string, std::string> all = {
      {"cvt.f32.f16", "torchada_half_value"},
      {"cvt.rn.f16.f32", "torchada_half_bits"},
      {"cvt.rn.bf16.f32", "torchada_bfloat_bits"}};
  return all;
}

std::string narrow_conversion(const Instruction& instruction) {
  const auto found = narrow_conversions().find(
      instruction.text.substr(0, instruction.text.find_first_of(" \t\n")));
  return found == narrow_conversions().end() ? "" : found->second;
}

bool is_number(const std::string& name) {
  return !name.empty() && (std::isdigit(static_cast<unsigned char>(name.front())) != 0 ||
                           (name.front() == '-' && name.size() > 1));
}

// Writes the code of one piece of inline assembly.
class Expansion {
 public:
  explicit Expansion(llvm::CallBase* assembly) : call_(assembly), builder_(assembly) {}

  void run() {
    const auto* const assembly = llvm::cast<llvm::InlineAsm>(call_->getCalledOperand());
    bool good = true;
    const std::vector<Instruction> instructions = read_assembly(assembly->getAsmString(), &good);
    number_operands(*assembly);
    for (const Instruction& instruction : instructions) make(instruction);
    call_->replaceAllUsesWith(result());
    call_->eraseFromParent();
  }

 private:
  using Maker = void (Expansion::*)(const Instruction&);

  // Outputs are $0, $1 ..., inputs follow; an input that is tied to an output is its first value.
  void number_operands(const llvm::InlineAsm& assembly) {
    unsigned int number = 0, argument = 0;
    for (const llvm::InlineAsm::ConstraintInfo& info : assembly.ParseConstraints()) {
      if (info.Type == llvm::InlineAsm::isClobber) continue;
      const std::string name = "$" + std::to_string(number++);
      if (info.Type == llvm::InlineAsm::isOutput) {
        outputs_.push_back(name);
        continue;
      }
      registers_[name] = call_->getArgOperand(argument++);
      const std::string code = info.Codes.empty() ? "" : info.Codes.front();
      if (is_number(code)) registers_["$" + code] = registers_[name];
    }
  }

  Value* result() {
    llvm::Type* const type = call_->getType();
    if (type->isVoidTy()) return llvm::PoisonValue::get(type);
    if (outputs_.size() == 1) return as(read(outputs_.front(), type), type);
    Value* all = llvm::PoisonValue::get(type);
    for (unsigned int i = 0; i < outputs_.size(); ++i) {
      llvm::Type* const part = type->getStructElementType(i);
      all = builder_.CreateInsertValue(all, as(read(outputs_[i], part), part), i);
    }
    return all;
  }

  // The type that an instruction's name ends in: u32, s64, b16, f32, pred.
  llvm::Type* type_of(const Instruction& instruction) {
    for (auto part = instruction.parts.rbegin(); part != instruction.parts.rend(); ++part) {
      if (*part == "pred") return builder_.getInt1Ty();
      const std::string kind = part->substr(0, 1);
      const int bits = std::atoi(part->c_str() + 1);
      if (bits == 0 || (kind != "u" && kind != "s" && kind != "b" && kind != "f")) continue;
      if (kind == "f" && bits == 32) return builder_.getFloatTy();
      if (kind == "f" && bits == 64) return builder_.getDoubleTy();
      return builder_.getIntNTy(static_cast<unsigned int>(bits));
    }
    return builder_.getInt32Ty();
  }
  static bool is_signed(const Instruction& instruction) {
    const std::string& last = instruction.parts.back();
    return !last.empty() && last.front() == 's';
  }

  static unsigned int bits_of(llvm::Type* type) {
    constexpr unsigned int kPointer = 64;
    return type->isPointerTy()
               ? kPointer
               : static_cast<unsigned int>(type->getPrimitiveSizeInBits().getFixedValue());
  }

  // The value with other bits around it: a register may be wider than the instruction.
  Value* as(Value* value, llvm::Type* type) {
    if (value->getType() == type) return value;
    const unsigned int from = bits_of(value->getType());
    const unsigned int to = bits_of(type);
    Value* bits = value->getType()->isPointerTy()
                      ? builder_.CreatePtrToInt(value, builder_.getInt64Ty())
                      : builder_.CreateBitCast(value, builder_.getIntNTy(from));
    bits = builder_.CreateZExtOrTrunc(bits, builder_.getIntNTy(to));
    return type->isPointerTy() ? builder_.CreateIntToPtr(bits, type)
                               : builder_.CreateBitCast(bits, type);
  }

  Value* read(const std::string& name, llvm::Type* type) {
    if (is_number(name)) {
      return as(
          builder_.getInt64(static_cast<std::uint64_t>(std::strtoll(name.c_str(), nullptr, 0))),
          type);
    }
    const auto special = special_registers().find(name);
    if (special != special_registers().end()) {
      llvm::Type* const own =
          special->second == "torchada_clock" ? builder_.getInt64Ty() : builder_.getInt32Ty();
      return as(call(special->second, own, {}), type);
    }
    const auto known = registers_.find(name);
    return known == registers_.end() ? llvm::UndefValue::get(type) : as(known->second, type);
  }
  Value* read(const Operand& operand, llvm::Type* type) {
    return read(operand.names.front(), type);
  }

  void write(const Instruction& instruction, const std::string& name, Value* value) {
    if (!instruction.predicate.empty()) {
      Value* const asked = read(instruction.predicate, builder_.getInt1Ty());
      Value* const before = read(name, value->getType());
      value = instruction.negated ? builder_.CreateSelect(asked, before, value)
                                  : builder_.CreateSelect(asked, value, before);
    }
    registers_[name] = value;
  }
  void write(const Instruction& instruction, Value* value) {
    write(instruction, instruction.operands.front().names.front(), value);
  }

  // A function of the device runtime, which gets the state later (pass_state.cpp).
  Value* call(const std::string& name, llvm::Type* result, const std::vector<Value*>& arguments) {
    std::vector<llvm::Type*> types;
    for (Value* const argument : arguments) types.push_back(argument->getType());
    return builder_.CreateCall(call_->getModule()->getOrInsertFunction(
                                   name, llvm::FunctionType::get(result, types, false)),
                               arguments);
  }

  void make(const Instruction& instruction) {
    (this->*makers().at(instruction.parts.front()))(instruction);
  }

  void move(const Instruction& i) {
    llvm::Type* const type = type_of(i);
    const std::vector<std::string>& to = i.operands[0].names;
    const std::vector<std::string>& from = i.operands[1].names;
    const auto bits = static_cast<unsigned int>(type->getPrimitiveSizeInBits());
    if (to.size() == from.size()) return write(i, to.front(), read(from.front(), type));
    const std::size_t count = std::max(to.size(), from.size());
    llvm::Type* const part = builder_.getIntNTy(bits / static_cast<unsigned int>(count));
    llvm::Type* const whole = builder_.getIntNTy(bits);
    Value* joined = from.size() == 1 ? read(from.front(), whole) : llvm::ConstantInt::get(whole, 0);
    for (std::size_t n = 0; n < count; ++n) {
      const std::uint64_t shift = n * (bits / count);
      if (from.size() == 1) {
        write(i, to[n], builder_.CreateTrunc(builder_.CreateLShr(joined, shift), part));
      } else {
        Value* const piece = builder_.CreateZExt(read(from[n], part), whole);
        joined = builder_.CreateOr(joined, builder_.CreateShl(piece, shift));
      }
    }
    if (from.size() != 1) write(i, to.front(), joined);
  }

  void arithmetic(const Instruction& i) {
    llvm::Type* const type = type_of(i);
    const std::string& name = i.parts.front();
    Value* const a = read(i.operands[1], type);
    Value* const b = i.operands.size() > 2 ? read(i.operands[2], type) : nullptr;
    const bool is_float = type->isFloatingPointTy();
    Value* made = nullptr;
    if (name == "add") made = is_float ? builder_.CreateFAdd(a, b) : builder_.CreateAdd(a, b);
    if (name == "sub") made = is_float ? builder_.CreateFSub(a, b) : builder_.CreateSub(a, b);
    if (name == "mul") made = is_float ? builder_.CreateFMul(a, b) : builder_.CreateMul(a, b);
    if (name == "and") made = builder_.CreateAnd(a, b);
    if (name == "or") made = builder_.CreateOr(a, b);
    if (name == "xor") made = builder_.CreateXor(a, b);
    if (name == "not") made = builder_.CreateNot(a);
    if (name == "neg") made = is_float ? builder_.CreateFNeg(a) : builder_.CreateNeg(a);
    write(i, made);
  }

  // Shifts by more than there are bits give 0, or the sign.
  void shift(const Instruction& i) {
    llvm::Type* const type = type_of(i);
    const std::uint64_t bits = type->getPrimitiveSizeInBits();
    Value* const value = read(i.operands[1], type);
    Value* const by = read(i.operands[2], builder_.getInt32Ty());
    const bool keeps_sign = i.parts.front() == "shr" && is_signed(i);
    Value* const most = llvm::ConstantInt::get(type, bits - 1);
    Value* const fits =
        builder_.CreateICmpULT(by, builder_.getInt32(static_cast<std::uint32_t>(bits)));
    Value* const near = builder_.CreateSelect(fits, builder_.CreateZExtOrTrunc(by, type), most);
    Value* made = i.parts.front() == "shl" ? builder_.CreateShl(value, near)
                  : keeps_sign             ? builder_.CreateAShr(value, near)
                                           : builder_.CreateLShr(value, near);
    if (!keeps_sign) made = builder_.CreateSelect(fits, made, llvm::ConstantInt::get(type, 0));
    write(i, made);
  }

  void extract_bits(const Instruction& i) {
    llvm::Type* const type = type_of(i);
    const std::string name = std::string("torchada_bfe_") + (is_signed(i) ? "s" : "u") +
                             std::to_string(type->getPrimitiveSizeInBits());
    write(i, call(name, type,
                  {read(i.operands[1], type), read(i.operands[2], builder_.getInt32Ty()),
                   read(i.operands[3], builder_.getInt32Ty())}));
  }

  void insert_bits(const Instruction& i) {
    llvm::Type* const type = type_of(i);
    write(i, call("torchada_bfi_" + std::to_string(type->getPrimitiveSizeInBits()), type,
                  {read(i.operands[1], type), read(i.operands[2], type),
                   read(i.operands[3], builder_.getInt32Ty()),
                   read(i.operands[4], builder_.getInt32Ty())}));
  }

  // d|p, value, lane or distance, clamp and segment mask, members
  void shuffle(const Instruction& i) {
    llvm::Type* const word = builder_.getInt32Ty();
    const char* const kinds[] = {"idx", "up", "down", "bfly"};
    std::uint32_t kind = 0;
    while (kind < 3 && !i.has(kinds[kind])) ++kind;
    Value* const from =
        call("torchada_shuffle_lane", word,
             {builder_.getInt32(kind), read(i.operands[2], word), read(i.operands[3], word)});
    // The sign says that the lane is out of range; then it is the caller's own.
    Value* const inside = builder_.CreateICmpSGE(from, builder_.getInt32(0));
    Value* const lane = builder_.CreateAnd(from, builder_.getInt32(31));
    Value* const members = read(i.operands[4], word);
    Value* const value = builder_.CreateZExt(read(i.operands[1], word), builder_.getInt64Ty());
    Value* const got = call("torchada_meet", builder_.getInt64Ty(),
                            {builder_.getInt32(TORCHADA_MEET_READ), members, value, lane});
    write(i, builder_.CreateTrunc(got, word));
    if (!i.operands[0].second.empty()) write(i, i.operands[0].second, inside);
  }

  void vote(const Instruction& i) {
    llvm::Type* const bit = builder_.getInt1Ty();
    Value* const asked = read(i.operands[1], bit);
    Value* const members = read(i.operands[2], builder_.getInt32Ty());
    const auto ballot = [&](Value* value) {
      Value* const votes =
          call("torchada_meet", builder_.getInt64Ty(),
               {builder_.getInt32(TORCHADA_MEET_VOTE), members,
                builder_.CreateZExt(value, builder_.getInt64Ty()), builder_.getInt32(0)});
      return builder_.CreateTrunc(votes, builder_.getInt32Ty());
    };
    if (i.has("ballot")) return write(i, ballot(asked));
    Value* const none = builder_.getInt32(0);
    if (i.has("any")) return write(i, builder_.CreateICmpNE(ballot(asked), none));
    write(i, builder_.CreateICmpEQ(ballot(builder_.CreateNot(asked)), none));
  }

  void compare(const Instruction& i) {
    llvm::Type* const type = type_of(i);
    Value* const a = read(i.operands[1], type);
    Value* const b = read(i.operands[2], type);
    using Predicate = llvm::CmpInst::Predicate;
    static const std::map<std::string, std::vector<Predicate>> all = {
        {"eq", {Predicate::ICMP_EQ, Predicate::ICMP_EQ, Predicate::FCMP_OEQ}},
        {"ne", {Predicate::ICMP_NE, Predicate::ICMP_NE, Predicate::FCMP_ONE}},
        {"lt", {Predicate::ICMP_ULT, Predicate::ICMP_SLT, Predicate::FCMP_OLT}},
        {"le", {Predicate::ICMP_ULE, Predicate::ICMP_SLE, Predicate::FCMP_OLE}},
        {"gt", {Predicate::ICMP_UGT, Predicate::ICMP_SGT, Predicate::FCMP_OGT}},
        {"ge", {Predicate::ICMP_UGE, Predicate::ICMP_SGE, Predicate::FCMP_OGE}}};
    const std::size_t kind = type->isFloatingPointTy() ? 2 : is_signed(i) ? 1 : 0;
    write(i, builder_.CreateCmp(all.at(i.parts[1])[kind], a, b));
  }

  void select(const Instruction& i) {
    llvm::Type* const type = type_of(i);
    Value* const asked = read(i.operands[3], builder_.getInt1Ty());
    write(i, builder_.CreateSelect(asked, read(i.operands[1], type), read(i.operands[2], type)));
  }

  void convert(const Instruction& i) {
    if (const std::string function = narrow_conversion(i); !function.empty()) {
      llvm::Type* const narrow = builder_.getInt16Ty();
      llvm::Type* const wide = builder_.getFloatTy();
      const bool widens = i.parts.back() == "f16";
      return write(
          i, call(function, widens ? wide : narrow, {read(i.operands[1], widens ? narrow : wide)}));
    }
    Instruction from = i;
    from.parts.pop_back();  // The type before the last is the result's.
    llvm::Type* const source = type_of(i);
    llvm::Type* const made = type_of(from);
    Value* const value = read(i.operands[1], source);
    write(i, is_signed(i) ? builder_.CreateSExtOrTrunc(value, made)
                          : builder_.CreateZExtOrTrunc(value, made));
  }

  Value* address(const Operand& operand) {
    Value* const base = read(operand, builder_.getPtrTy());
    return builder_.CreatePtrAdd(base,
                                 builder_.getInt64(static_cast<std::uint64_t>(operand.offset)));
  }

  // Vectors are read and written at once: programs count on it, for values with a flag beside them.
  // A thread that waits for another reads again and again.
  void load(const Instruction& i) {
    const std::vector<std::string>& to = i.operands[0].names;
    llvm::Type* const type = type_of(i);
    const bool waits = i.has("relaxed") || i.has("acquire") || i.has("volatile");
    if (waits) call("torchada_spin_here", builder_.getVoidTy(), {});
    llvm::LoadInst* const all = builder_.CreateAlignedLoad(
        many(type, to.size()), address(i.operands[1]), alignment(type, to.size()));
    all->setVolatile(waits);
    if (i.has("acquire")) builder_.CreateFence(llvm::AtomicOrdering::Acquire);
    for (std::size_t n = 0; n < to.size(); ++n) {
      write(i, to[n], to.size() == 1 ? all : builder_.CreateExtractElement(all, n));
    }
  }

  void store(const Instruction& i) {
    const std::vector<std::string>& from = i.operands[1].names;
    llvm::Type* const type = type_of(i);
    Value* all = read(from.front(), type);
    if (from.size() > 1) {
      all = llvm::PoisonValue::get(many(type, from.size()));
      for (std::size_t n = 0; n < from.size(); ++n) {
        all = builder_.CreateInsertElement(all, read(from[n], type), n);
      }
    }
    if (i.has("release")) builder_.CreateFence(llvm::AtomicOrdering::Release);
    llvm::StoreInst* const made =
        builder_.CreateAlignedStore(all, address(i.operands[0]), alignment(type, from.size()));
    made->setVolatile(i.has("relaxed") || i.has("release") || i.has("volatile"));
  }

  static llvm::Type* many(llvm::Type* type, std::size_t count) {
    return count == 1 ? type : llvm::FixedVectorType::get(type, static_cast<unsigned int>(count));
  }
  static llvm::Align alignment(llvm::Type* type, std::size_t count) {
    return llvm::Align(std::max<std::uint64_t>(1, type->getPrimitiveSizeInBits() / 8 * count));
  }

  void fence(const Instruction&) {
    builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
    call("torchada_spin_here", builder_.getVoidTy(), {});
  }
  void barrier(const Instruction& i) {
    llvm::Type* const word = builder_.getInt32Ty();
    if (!i.has("warp")) {
      call("torchada_barrier", word, {builder_.getInt32(0)});
      return;
    }
    call("torchada_meet", builder_.getInt64Ty(),
         {builder_.getInt32(TORCHADA_MEET_SYNC), read(i.operands[0], word), builder_.getInt64(0),
          builder_.getInt32(0)});
  }
  void trap(const Instruction&) { call("torchada_trap", builder_.getVoidTy(), {}); }
  void sleep(const Instruction&) { call("torchada_yield", builder_.getVoidTy(), {}); }
  void nothing(const Instruction&) {}

  static const std::map<std::string, Maker>& makers() {
    static const std::map<std::string, Maker> all = {{"mov", &Expansion::move},
                                                     {"add", &Expansion::arithmetic},
                                                     {"sub", &Expansion::arithmetic},
                                                     {"mul", &Expansion::arithmetic},
                                                     {"and", &Expansion::arithmetic},
                                                     {"or", &Expansion::arithmetic},
                                                     {"xor", &Expansion::arithmetic},
                                                     {"not", &Expansion::arithmetic},
                                                     {"neg", &Expansion::arithmetic},
                                                     {"shl", &Expansion::shift},
                                                     {"shr", &Expansion::shift},
                                                     {"bfe", &Expansion::extract_bits},
                                                     {"bfi", &Expansion::insert_bits},
                                                     {"shfl", &Expansion::shuffle},
                                                     {"vote", &Expansion::vote},
                                                     {"setp", &Expansion::compare},
                                                     {"selp", &Expansion::select},
                                                     {"cvt", &Expansion::convert},
                                                     {"ld", &Expansion::load},
                                                     {"ldu", &Expansion::load},
                                                     {"st", &Expansion::store},
                                                     {"membar", &Expansion::fence},
                                                     {"fence", &Expansion::fence},
                                                     {"bar", &Expansion::barrier},
                                                     {"trap", &Expansion::trap},
                                                     {"nanosleep", &Expansion::sleep},
                                                     {"griddepcontrol", &Expansion::nothing},
                                                     {"prefetch", &Expansion::nothing}};
    return all;
  }

  llvm::CallBase* const call_;
  llvm::IRBuilder<> builder_;
  std::map<std::string, Value*> registers_;
  std::vector<std::string> outputs_;
};

// Forms of an instruction that are known: how many operands it has at least, and the parts that its
// name may have behind the first.
struct Form {
  std::size_t operands;
  std::set<std::string> parts;
};

const std::set<std::string> kIntegers = {"u8",  "u16", "u32", "u64", "s8",  "s16",
                                         "s32", "s64", "b8",  "b16", "b32", "b64"};
const std::set<std::string> kFloats = {"f32", "f64"};
const std::set<std::string> kMemory = {"relaxed", "acquire", "release", "volatile", "weak", "gpu",
                                       "cta",     "sys",     "global",  "shared",   "nc",   "ca",
                                       "cg",      "cs",      "cv",      "lu",       "wb",   "wt",
                                       "v2",      "v4",      "L1",      "L2"};

const std::map<std::string, Form>& forms() {
  static const std::map<std::string, Form> all = {
      {"mov", {2, {"pred"}}},
      {"add", {3, {}}},
      {"sub", {3, {}}},
      {"mul", {3, {"lo"}}},
      {"and", {3, {"pred"}}},
      {"or", {3, {"pred"}}},
      {"xor", {3, {"pred"}}},
      {"not", {2, {"pred"}}},
      {"neg", {2, {}}},
      {"shl", {3, {}}},
      {"shr", {3, {}}},
      {"bfe", {4, {}}},
      {"bfi", {5, {}}},
      {"shfl", {5, {"sync", "idx", "up", "down", "bfly"}}},
      {"vote", {3, {"sync", "ballot", "any", "all", "pred"}}},
      {"setp", {3, {"eq", "ne", "lt", "le", "gt", "ge"}}},
      {"selp", {4, {}}},
      {"cvt", {2, {}}},
      {"ld", {2, kMemory}},
      {"ldu", {2, kMemory}},
      {"st", {2, kMemory}},
      {"membar", {0, {"gl", "cta", "sys"}}},
      {"fence", {0, {"acq_rel", "sc", "gpu", "cta", "sys"}}},
      {"bar", {1, {"sync", "warp"}}},
      {"trap", {0, {}}},
      {"nanosleep", {1, {}}},
      {"griddepcontrol", {0, {"wait", "launch_dependents"}}},
      {"prefetch", {1, kMemory}}};
  return all;
}

bool names_lanes(const Instruction& instruction) {
  static const std::set<std::string> names = {"shfl", "vote"};
  return names.count(instruction.parts.front()) != 0 || instruction.has("warp") ||
         instruction.text.find("%lane") != std::string::npos ||
         instruction.text.find("%warpid") != std::string::npos;
}

std::string unknown_in(const Instruction& instruction, int warp_size) {
  if (warp_size != 32 && names_lanes(instruction)) return instruction.text;
  const auto form = forms().find(instruction.parts.front());
  if (form == forms().end()) return instruction.text;
  const auto& known = form->second;
  if (instruction.operands.size() < known.operands) return instruction.text;
  const bool is_narrow = !narrow_conversion(instruction).empty();
  const bool is_arithmetic =
      instruction.parts.front() != "shfl" && instruction.parts.front() != "cvt";
  for (std::size_t i = 1; i < instruction.parts.size(); ++i) {
    const std::string& part = instruction.parts[i];
    if (!is_narrow && known.parts.count(part) == 0 && kIntegers.count(part) == 0 &&
        (!is_arithmetic || kFloats.count(part) == 0)) {
      return instruction.text;
    }
  }
  // Memory that only some threads write, or waiting, is not a choice of values.
  static const std::set<std::string> effects = {"st", "ld", "shfl", "vote", "bar", "trap", "ldu"};
  if (!instruction.predicate.empty() && effects.count(instruction.parts.front()) != 0) {
    return instruction.text;
  }
  for (const Operand& operand : instruction.operands) {
    for (const std::string& name : operand.names) {
      // A number that is written as the bits of a float.
      if (name.starts_with("0f") || name.starts_with("0d")) return instruction.text;
      if (name.front() == '%' && special_registers().count(name) == 0) return instruction.text;
    }
  }
  return "";
}

}  // namespace

std::string unknown_instruction(const llvm::CallBase& assembly, int warp_size) {
  const auto* const text = llvm::cast<llvm::InlineAsm>(assembly.getCalledOperand());
  bool good = true;
  for (const Instruction& instruction : read_assembly(text->getAsmString(), &good)) {
    const std::string unknown = good ? unknown_in(instruction, warp_size) : instruction.text;
    if (!unknown.empty()) return unknown;
  }
  return good ? "" : text->getAsmString();
}

void expand_assembly(llvm::CallBase* assembly) { Expansion(assembly).run(); }

}  // namespace kernels
