/* Start code and exception handler of a program on Cortex-M. The linker script defines the symbol of the stack. */
extern unsigned char stack_top[];
void _start(void);
void fault_handler(void);

/* Symbols that unwinding tables refer to; never called, because nothing here throws. */
void __aeabi_unwind_cpp_pr0(void) {}
void __aeabi_unwind_cpp_pr1(void) {}
void __aeabi_unwind_cpp_pr2(void) {}

__attribute__((noinline, noclone)) void stopped(volatile int *count) {
  for (;;) {
    (*count)++;
  }
}

volatile int handled;
volatile unsigned process_stack_pointer;

__attribute__((noinline)) void fault_handler(void) {
  volatile int count = 1;
  unsigned pointer;
  __asm__ volatile("mrs %0, psp" : "=r"(pointer));
  process_stack_pointer = pointer;
  handled = 1;
  stopped(&count);
  handled = 2;
}

__attribute__((used, section(".vectors"))) void *const vectors[16] = {
    stack_top,     _start,        fault_handler, fault_handler, fault_handler, fault_handler, fault_handler, 0, 0, 0, 0,
    fault_handler, fault_handler, 0,             fault_handler, fault_handler};

#ifdef PROCESS_STACK
static unsigned long process_stack[2048];
#endif

__attribute__((noreturn)) void _start(void) {
#ifdef __ARM_FP
  /* Full access to coprocessors 10 and 11 (CPACR). */
  *(volatile unsigned *)0xe000ed88 |= 0xfu << 20;
#endif
#ifdef PROCESS_STACK
  __asm__ volatile("msr psp, %0\n movs r0, #2\n msr control, r0\n isb" ::"r"(process_stack + 2048) : "r0");
#endif
  app_main();
  for (;;) {
  }
}
