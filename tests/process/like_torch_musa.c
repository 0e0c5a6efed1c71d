// Stands in for torch_musa's extension: linked with libmusart, never opens libcudart.
#include <stddef.h>

int musaMalloc(void** pointer, size_t size);
int musaMemset(void* pointer, int value, size_t size);
int musaStreamCreate(void** stream);
int musaStreamSynchronize(void* stream);
int musaPointerGetAttributes(void* attributes, const void* pointer);

void* torch_allocate(size_t size, int fill);
void* torch_allocate(size_t size, int fill) {
  void* pointer = NULL;
  if (musaMalloc(&pointer, size) != 0 || musaMemset(pointer, fill, size) != 0) return NULL;
  return pointer;
}

void* torch_stream(void);
void* torch_stream(void) {
  void* stream = NULL;
  return musaStreamCreate(&stream) == 0 ? stream : NULL;
}

// 0 if `pointer` is memory of this process's MUSA, no matter who allocated it.
int torch_knows(const void* pointer);
int torch_knows(const void* pointer) {
  char attributes[256] = {0};
  // The first member is the type of memory; 2 is device.
  return musaPointerGetAttributes(attributes, pointer) == 0 && attributes[0] == 2 ? 0 : 1;
}
