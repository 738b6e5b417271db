/* Program of the example: a sensor's list with a bad entry. For RISC-V without a standard library. */
struct sensor {
  const char *name;
  int scale;
};

static const struct sensor outdoor = {"outdoor", 4};
static const struct sensor *const sensors[] = {&outdoor, 0};

volatile int last_reading = 100;

__attribute__((noinline)) static int scaled(const struct sensor *sensor, int raw) {
  if (sensor == 0) {
    __builtin_trap();
  }
  return raw / sensor->scale;
}

__attribute__((noinline)) static int read_all(int count) {
  int sum = 0;
  for (int index = 0; index < count; index++) {
    sum += scaled(sensors[index], last_reading);
  }
  return sum;
}

void app_main(void) {
  last_reading = read_all(2);
}

__asm__(".section .start, \"ax\"\n"
        ".globl _start\n"
        "_start:\n"
        "  la sp, stack_top\n"
        "  li ra, 0\n"
        "  tail app_main\n"
        ".text\n");
