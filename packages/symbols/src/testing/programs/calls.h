/* Functions that the compiler inlines, from another file. */
static inline int square(int x) { return x * x; }

static inline __attribute__((always_inline)) int cube(int x) {
  int flat = square(x);
  return flat * x;
}
