/* Program without a standard library, for processors whose test toolchain has none. */
#include "calls.h"

volatile int state;

static int weigh(int x) { return x * square(x) + 3; }

__attribute__((noinline)) static int total(const volatile int *values, int count) {
  int sum = 0;
  for (int index = 0; index < count; index++) {
    sum += weigh(values[index]);
  }
  return sum;
}

__attribute__((noinline)) int fail(volatile int *where) {
  *where = 42;
  return square(*where);
}

int never_called(int x) { return cube(x); }

void _start(void) {
  for (;;) {
    state += total(&state, 1) + cube(state);
    if (state > 3) {
      fail((volatile int *)0);
    }
  }
}
