/* Variables of every kind in the frames of a crash, for processors whose test toolchain has no standard library. */
typedef unsigned char byte;
typedef struct point { short x, y; } point_t;
enum colour { RED, GREEN = 5, BLUE };
enum flags { READ = 1, WRITE = 2, EXECUTE = 4 };
struct mixed {
  char tag;
  unsigned low : 3, high : 7;
  signed small : 4;
  union { int number; byte bytes[4]; };
  struct point corner;
  const char *label;
  enum colour colour;
};
struct node { int value; struct node *next; };
typedef int (*operation)(int);

volatile int limit = 3;
volatile long long sink;
const char *volatile greeting = "hello \"board\"\n";

void *memcpy(void *to, const void *from, unsigned long size) {
  for (unsigned long index = 0; index < size; index++) {
    ((char *)to)[index] = ((const char *)from)[index];
  }
  return to;
}

void *memset(void *to, int value, unsigned long size) {
  for (unsigned long index = 0; index < size; index++) {
    ((char *)to)[index] = (char)value;
  }
  return to;
}

__attribute__((noinline)) static int negate(int value) { return limit - value; }

static inline int clamp(int value, int low, int high) {
  int result = value < low ? low : value > high ? high : value;
  if (limit == 3 && result == high) {
    __builtin_trap();
  }
  return result;
}

__attribute__((noinline)) static int by_value(point_t corner, struct mixed mixed, long long wide, double ratio) {
  int area = corner.x * corner.y;
  {
    int inner = area + mixed.high;
    sink += wide + inner;
    sink += (long long)ratio;
    sink += clamp(inner + 1000, 0, 100);
  }
  return area + mixed.small;
}

__attribute__((noinline)) static int arrays(int count, operation apply) {
  char name[16] = "sensor 1";
  byte raw[6] = {1, 2, 250, 0, 'x', 0};
  int grid[2][3] = {{1, 2, 3}, {4, 5, -6}};
  int sized[count];
  static int calls = 41;
  const char *text = greeting;
  point_t path[3] = {{1, 2}, {3, 4}, {-5, 6}};
  for (int index = 0; index < count; index++) {
    sized[index] = apply(index);
  }
  calls++;
  struct mixed mixed = {'m', 5, 100, -3, {0x01020304}, {7, -8}, text, GREEN};
  int result = by_value(path[2], mixed, -0x123456789abLL, 2.5);
  sink += name[limit] + raw[limit] + grid[1][limit - 1] + sized[count - 1] + path[limit - 1].x;
  return result + calls;
}

__attribute__((noinline)) static int numbers(signed char small, unsigned short medium, unsigned long long large, float fraction) {
  _Bool yes = small < 0;
  double precise = fraction / (double)limit;
  enum flags flags = (enum flags)(READ | EXECUTE);
  enum colour colour = yes ? BLUE : RED;
  struct node last = {small, 0};
  struct node first = {medium, &last};
  const struct node *list = &first;
  volatile unsigned char letter = 'A' + (medium & 7);
  void *nowhere = 0;
  int constant = 77;
  int result = arrays(limit + 1, negate);
  sink += yes + flags + colour + list->next->value + letter + constant + (long long)precise + (long long)large;
  sink += nowhere == (void *)list;
  return result;
}

void app_main(void) {
  for (;;) {
    sink = numbers(-7, 40000, 0x8000000000000001ULL, 0.1f);
  }
}

__asm__(".section .start, \"ax\"\n"
        ".globl _start\n"
        "_start:\n"
        "  la sp, stack_top\n"
        "  li ra, 0\n"
        "  tail app_main\n"
        ".text\n");
