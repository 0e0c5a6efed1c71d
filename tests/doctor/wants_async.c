// Imports a function that MUSA has since SDK 5.0.
int cudaMallocAsync(void** pointer, unsigned long size, void* stream);

int main(void) {
  void* pointer = 0;
  return cudaMallocAsync(&pointer, 16, 0);
}
