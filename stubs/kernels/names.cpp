#include "stubs/kernels/names.h"

#include <string.h>
#include <sys/mman.h>

#include "facts.h"
#include "stubs/kernels/mapped_array.h"
#include "stubs/reporting/log.h"

namespace torchada::kernels {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

namespace {

char* text_room;  // For further names.
size_t text_left;
MappedArray<Name> names;
MappedArray<uint32_t> index;  // Numbers of names, by hash; 0 where nothing is.

uint32_t hash_of(const char* text, Kind kind) {
  uint32_t hash = 2166136261U ^ static_cast<uint32_t>(kind);
  for (; *text; ++text) hash = (hash ^ static_cast<unsigned char>(*text)) * 16777619U;
  return hash;
}

// The place of the name in the index, or of the gap where it belongs.
uint32_t& place_of(const Name& wanted) {
  const size_t mask = index.size() - 1;
  for (size_t at = wanted.hash & mask;; at = (at + 1) & mask) {
    uint32_t& place = index[at];
    if (place == 0) return place;
    const Name& name = name_of(place);
    if (name.hash == wanted.hash && name.kind == wanted.kind && name.own == wanted.own &&
        strcmp(name.text, wanted.text) == 0 && strcmp(name.source, wanted.source) == 0) {
      return place;
    }
  }
}

// Makes room for one more name. At least half of the index stays empty.
bool reserve_name() {
  if ((names.size() + 1) * 2 <= index.size()) return true;
  const size_t wanted = index.size() == 0 ? 1024 : index.size() * 2;
  MappedArray<uint32_t> larger;
  if (!larger.resize(wanted)) return false;
  index.release();
  index = larger;
  for (uint32_t number = 1; number <= names.size(); ++number) {
    place_of(name_of(number)) = number;
  }
  return true;
}

}  // namespace

Name& name_of(uint32_t number) { return names[number - 1]; }

size_t name_count() { return names.size(); }

const char* keep_text(const char* text) {
  const size_t length = strlen(text) + 1;
  if (length > text_left) {
    constexpr size_t kPiece = 65536;
    const size_t bytes = length < kPiece ? kPiece : length;
    void* const piece =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (piece == MAP_FAILED) return nullptr;
    text_room = static_cast<char*>(piece);
    text_left = bytes;
  }
  char* const kept = text_room;
  memcpy(kept, text, length);
  text_room += length;
  text_left -= length;
  return kept;
}

uint32_t number_of(const char* text, Kind kind, const Origin& origin) {
  // What a name tells itself counts: nvcc's linker (-rdc=true) joins sources.
  const SourceName own = source_in(text);
  const SourceName& source = own.text ? own : origin.source;
  Text<kLongestSource> source_text;
  source_text.append(source.text ? source.text : "", source.length);
  Name name{};
  name.text = text;
  name.source = source_text.c_str();
  name.hash = hash_of(text, kind);
  name.kind = kind;
  if (source.length == 0) name.origin = origin;
  const Lock hold;
  if (name.origin.module) name.own = names.size() + 1;
  if (!reserve_name()) return 0;
  uint32_t& place = place_of(name);
  if (place != 0) return place;
  name.text = keep_text(text);
  name.source = source.length == 0 ? "" : keep_text(source_text.c_str());
  if (!name.text || !name.source || !names.add(name)) return 0;
  return place = static_cast<uint32_t>(names.size());
}

const char* failure_of(uint32_t number) {
  const Lock hold;
  return (number & kMusas) == 0 ? name_of(number).failure : nullptr;
}

const char* text_of(uint32_t number) {
  const Lock hold;
  return name_of(number & ~kMusas).text;
}

void note_host(uint32_t number, const void* host) {
  const Lock hold;
  name_of(number).host = host;
}

const void* host_of(uint32_t number) {
  const Lock hold;
  return (number & kMusas) == 0 ? name_of(number).host : nullptr;
}

}  // namespace torchada::kernels
