#include "stubs/cudart/registered_code.h"

#include <string.h>

#include "stubs/cudart/code_index.h"
#include "stubs/cudart/code_memory.h"
#include "stubs/system/fork_safe_lock.h"

namespace torchada {
namespace {

// Records of one module. A module is its first block, and its handle is that block's address.
struct Block {
  const void* image;  // What *handle reads. Used in the first block only, like the next two.
  uintptr_t tag;      // tag_of(this block) while its module is registered.
  Block* first;
  Block* last;
  Block* next;
  Block *earlier, *later;  // In the queue of blocks with records that the index lacks.
  uint16_t count;
  uint16_t indexed;  // How many of them are in the index.
  bool is_queued;
  static constexpr size_t kRecords = 14;
  CodeRecord records[kRecords];
};
static_assert(sizeof(Block) <= kCodeBlock);

// A program with thousands of kernels must not flood stderr.
constexpr unsigned kMostReports = 32;

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
CodeIndex code_index;
Block* queue;
Block* latest_module;  // The one that is registering now.
size_t registered;     // Records in all modules.
unsigned reports;

using Lock = ForkSafeLock<mutex>;

void count_records(size_t change) {
  __atomic_store_n(&registered, registered + change, __ATOMIC_RELAXED);
  __atomic_store_n(&registered_generation, registered_generation + 1, __ATOMIC_RELAXED);
}

uintptr_t tag_of(const Block* block) {
  return reinterpret_cast<uintptr_t>(block) ^ 0x746f7263686164U;
}

Block* module_of(void** handle) {
  auto* const block = reinterpret_cast<Block*>(handle);
  if (!block || block == latest_module) return block;
  return is_block(block) && block->tag == tag_of(block) ? block : nullptr;
}

Block* new_block() {
  auto* const block = static_cast<Block*>(take_block());
  if (!block) return nullptr;
  block->image = nullptr;
  block->tag = 0;
  block->first = block->last = block->next = block->earlier = block->later = nullptr;
  block->count = block->indexed = 0;
  block->is_queued = false;
  return block;
}

void enqueue(Block* block) {
  block->is_queued = true;
  block->earlier = nullptr;
  block->later = queue;
  if (queue) queue->earlier = block;
  queue = block;
}

void dequeue(Block* block) {
  (block->earlier ? block->earlier->later : queue) = block->later;
  if (block->later) block->later->earlier = block->earlier;
  block->is_queued = false;
}

void forget_block(Block* block) {
  if (block->is_queued) dequeue(block);
  for (unsigned i = 0; i < block->indexed; ++i) code_index.remove(&block->records[i]);
  count_records(size_t{0} - block->count);
  block->tag = 0;
  give_block(block);
}

// Null if there is no record, or no memory for the index.
CodeRecord* find_record(const void* host) {
  if (queue) {
    if (!code_index.reserve(registered)) return nullptr;
    while (Block* const block = queue) {
      while (block->indexed < block->count) code_index.add(&block->records[block->indexed++]);
      dequeue(block);
    }
  }
  return code_index.find(host);
}

const Block* block_of(const CodeRecord* record) {
  return reinterpret_cast<const Block*>(reinterpret_cast<uintptr_t>(record) / kCodeBlock *
                                        kCodeBlock);
}

bool is_code(const CodeRecord& record) {
  return record.kind == CodeKind::kKernel || record.kind == CodeKind::kVariable;
}

// The source that the names of a module tell. None if they tell several: then nvcc's linker made
// the module (-rdc=true), and each name tells its own.
kernels::SourceName source_of(const Block* module) {
  kernels::SourceName found;
  for (const Block* block = module; block; block = block->next) {
    for (unsigned at = 0; at < block->count; ++at) {
      const CodeRecord& record = block->records[at];
      const kernels::SourceName told =
          is_code(record) ? kernels::source_in(record.name) : kernels::SourceName{};
      if (!told.text) continue;
      if (found.text && !is_same(found, told)) return {};
      found = told;
    }
  }
  return found;
}

const char* kernel_of(const void* module, size_t i) {
  const Lock hold;
  void* const handle = const_cast<void*>(module);
  for (const Block* block = module_of(static_cast<void**>(handle)); block; block = block->next) {
    for (unsigned at = 0; at < block->count; ++at) {
      const CodeRecord& record = block->records[at];
      if (record.kind == CodeKind::kKernel && i-- == 0) return record.name;
    }
  }
  return nullptr;
}

void* handle_without_memory;

}  // namespace

uint64_t registered_generation;

void** register_module(const void* image) {
  const Lock hold;
  Block* const module = new_block();
  if (!module) return &handle_without_memory;
  module->image = image;
  module->tag = tag_of(module);
  module->first = module->last = module;
  latest_module = module;
  return reinterpret_cast<void**>(module);
}

void register_code(void** handle, const RegisteredCode& code) {
  const Lock hold;
  Block* const module = module_of(handle);
  if (!module) return;
  latest_module = module;
  Block* block = module->last;
  if (block->count == Block::kRecords) {
    block->next = new_block();
    if (!block->next) return;
    block = module->last = block->next;
    block->first = module;
  }
  block->records[block->count++] = {code.host, code.name, code.size, code.kind, false, 0};
  count_records(1);
  if (!block->is_queued) enqueue(block);
}

void unregister_module(void** handle) {
  const Lock hold;
  Block* block = module_of(handle);
  latest_module = nullptr;
  while (block) {
    Block* const next = block->next;
    forget_block(block);
    block = next;
  }
}

bool find_registered(const void* host, RegisteredCode* found) {
  if (__atomic_load_n(&registered, __ATOMIC_RELAXED) == 0) return false;
  const Lock hold;
  const CodeRecord* const record = find_record(host);
  if (!record) return false;
  *found = {record->host, record->name, record->size, record->kind, record->number};
  return true;
}

bool find_managed(void** handle, size_t i, RegisteredCode* found) {
  const Lock hold;
  for (const Block* block = module_of(handle); block; block = block->next) {
    for (unsigned at = 0; at < block->count; ++at) {
      const CodeRecord& record = block->records[at];
      if (record.kind != CodeKind::kManaged || i-- != 0) continue;
      *found = {record.host, record.name, record.size, record.kind, record.number};
      return true;
    }
  }
  return false;
}

kernels::Origin origin_of(const void* host) {
  const Lock hold;
  const CodeRecord* const record = find_record(host);
  if (!record) return {};
  const Block* const module = block_of(record)->first;
  kernels::Origin out;
  out.source = source_of(module);
  out.module = module;
  out.kernel = kernel_of;
  out.is_shared = !out.source.text && code_index.has([=](const CodeRecord* other) {
    return other->kind == record->kind && block_of(other)->first != module &&
           strcmp(other->name, record->name) == 0;
  });
  return out;
}

void number_registered(const void* host, uint32_t number) {
  const Lock hold;
  if (CodeRecord* const record = find_record(host)) record->number = number;
}

bool first_report_of(const void* host, bool* is_last) {
  const Lock hold;
  CodeRecord* const record = find_record(host);
  if (!record || record->reported || reports == kMostReports) return false;
  record->reported = true;
  *is_last = ++reports == kMostReports;
  return true;
}

}  // namespace torchada
