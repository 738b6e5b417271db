/* A C program with inlined calls, calls into other sections, and a function that the compiler splits. */
#include <stdio.h>
#include <stdlib.h>
#include "calls.h"

static int weigh(int x) { return x * square(x) + 3; }

__attribute__((noinline)) static int total(const int *values, int count) {
  if (!values) {
    return -1;
  }
  int sum = 0;
  for (int index = 0; index < count; index++) {
    sum += weigh(values[index]);
  }
  return sum;
}

int choose(int kind) {
  switch (kind) {
    case 1:
      return square(2) + kind;
    case 2:
      return weigh(kind);
    case 7:
      abort();
    default:
      return total(0, kind);
  }
}

int main(int count, char **arguments) {
  int values[4] = {1, 2, count, 4};
  printf("%d %d\n", total(values, 4), choose(count));
  if (count > 3) {
    puts(arguments[1]);
  }
  return cube(count);
}
