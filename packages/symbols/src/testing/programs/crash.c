/* Program that crashes in a deep call, for processors whose test toolchain has no standard library. */
#include <stdarg.h>

typedef int (*step)(int depth, int value);

volatile int limit = 3;
volatile int results[4];

static inline int checked(int value) {
  if (value > limit) {
    __builtin_trap();
  }
  return value + 1;
}

static inline int twice(int value) { return checked(value) + checked(value + 1); }

__attribute__((noinline)) static int deepest(int value) {
  volatile char room[200];
#ifdef __ARM_FP
  /* Makes the function save a floating-point register, and these registers are in use at the exception. */
  __asm__ volatile("vmov s16, %0" ::"r"(value) : "s16", "s17");
#endif
  for (int index = 0; index < 200; index++) {
    room[index] = (char)(index + value);
  }
  results[0] = twice(value);
  return room[value & 63] + results[0];
}

__attribute__((noinline)) static int sum_of(int count, ...) {
  va_list list;
  va_start(list, count);
  int sum = 0;
  for (int index = 0; index < count; index++) {
    sum += va_arg(list, int);
  }
  va_end(list);
  results[1] = deepest(sum);
  return sum + results[1];
}

__attribute__((noinline)) static int recurse(int depth, int value) {
  int result = depth == 0 ? sum_of(3, value, value + 1, value + 2) : recurse(depth - 1, value + depth) * 3;
  results[2] = result;
  return result + depth;
}

__attribute__((noinline)) static int apply(step next, int depth, int value) {
  int before = results[3];
  int result = next(depth, value);
  return result + before;
}

__attribute__((noinline)) static int sized(int count, int value) {
  int numbers[count];
  for (int index = 0; index < count; index++) {
    numbers[index] = index * value;
  }
  int result = apply(recurse, 4, numbers[count - 1]);
  return result + numbers[0];
}

void app_main(void) {
  for (;;) {
    results[3] = sized(limit * 5, 2);
  }
}

#ifdef __arm__
#include "start-arm.h"
#else
__asm__(".section .start, \"ax\"\n"
        ".globl _start\n"
        "_start:\n"
        "  la sp, stack_top\n"
        "  li ra, 0\n"
        "  tail app_main\n"
        ".text\n");
#endif
