/* A MUSA runtime whose structs are as long as CUDA's newest, or longer. It writes complete structs
 * and remembers what it read. */
#include <string.h>

/* The longest form in any CUDA release, plus what an SDK might add. */
enum { kResource = 144 + 64, kTexture = 72 + 64, kView = 112 + 64 };

unsigned char newer_resource[kResource], newer_texture[kTexture], newer_view[kView];
int newer_calls, newer_status;

int musaRuntimeGetVersion(int* version) {
  *version = 50100;
  return 0;
}
int musaGetLastError(void) { return 0; }
int musaPeekAtLastError(void) { return 0; }

int musaCreateTextureObject(unsigned long long* texture, const void* resource,
                            const void* description, const void* view) {
  ++newer_calls;
  if (resource) memcpy(newer_resource, resource, kResource);
  if (description) memcpy(newer_texture, description, kTexture);
  memset(newer_view, view ? 0 : 0xdd, kView);
  if (view) memcpy(newer_view, view, kView);
  *texture = 0x1234;
  return newer_status;
}

static int fill(void* to, int bytes) {
  memset(to, 0x5a, (unsigned)bytes);
  return newer_status;
}
int musaGetTextureObjectResourceDesc(void* to, unsigned long long texture) {
  return texture == 0x1234 ? fill(to, kResource) : 1;
}
int musaGetTextureObjectTextureDesc(void* to, unsigned long long texture) {
  return texture == 0x1234 ? fill(to, kTexture) : 1;
}
int musaGetTextureObjectResourceViewDesc(void* to, unsigned long long texture) {
  return texture == 0x1234 ? fill(to, kView) : 1;
}
