/* Texts and tables in a flash section that the linker flags as writable, like ESP-IDF; pointers to them and to variables. */
#define IN_FLASH __attribute__((section(".flash_text")))
struct setting { const char *name; int *value; };
typedef void (*handler)(void);

static const char failure[] IN_FLASH = "sensor did not answer";
const char title[32] IN_FLASH = "kitchen";
/* Makes the section writable, like a table of constructors. */
int table[2] __attribute__((section(".flash_table"))) = {1, 2};

volatile int limit = 3;
int readings[8] = {1, 2, 3, 4, 5, 6, 7, 8};
char buffer[24] = "in RAM";
volatile int sink;

__attribute__((noinline)) static void crash(const char *text, int number, const char *name, int *reading, const void *any) {
  char copy[16] = "a";
  char full[4] = {'a', 'b', 'c', 'd'};
  char one[1] = {0};
  struct setting setting = {name, reading};
  const struct setting *pointed = &setting;
  volatile char *inside = &copy[limit];
  sink += copy[limit] + full[limit] + one[limit - 3] + *setting.value + number + (pointed->value == reading) + *inside;
  sink += (int)text + (int)any;
  if (limit == 3) {
    __builtin_trap();
  }
}

static void idle(void) { sink++; }

void app_main(void) {
  for (;;) {
    crash(failure, limit, title, &readings[limit], &table[1]);
    crash(buffer + 3, limit, 0, readings, (const void *)(handler)idle);
  }
}

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

__asm__(".section .start, \"ax\"\n"
        ".globl _start\n"
        "_start:\n"
        "  la sp, stack_top\n"
        "  li ra, 0\n"
        "  tail app_main\n"
        ".text\n");
