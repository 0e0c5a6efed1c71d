/* A backend without constructor, callbacks or other surprises. */
int musaRuntimeGetVersion(int* version);
int back_errno(void);
int musaRuntimeGetVersion(int* version) {
  *version = 50100;
  return 0;
}
int back_errno(void) { return 21; }
