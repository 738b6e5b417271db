/** Recognises crashes of Zephyr and the nRF Connect SDK. */
import { checkDumps, type Dump } from './testing/crash-dumps.ts';

const dumps: readonly Dump[] = [
  {
    name: 'Zephyr on Cortex-M',
    source: 'Zephyr, arch/arm/core/cortex_m/fault.c and arch/arm/core/fatal.c, kernel/fatal.c',
    text: `[00:00:05.979,000] <err> os: ***** BUS FAULT *****
[00:00:05.979,000] <err> os:   Precise data bus error
[00:00:05.979,000] <err> os:   BFAR Address: 0x24060000
[00:00:05.979,000] <err> os: r0/a1:  0x0002efe4  r1/a2:  0x00000008  r2/a3:  0x20061980
[00:00:05.979,000] <err> os: r3/a4:  0x24060000 r12/ip:  0x0003026a r14/lr:  0x000263eb
[00:00:05.979,000] <err> os:  xpsr:  0x21000000
[00:00:05.979,000] <err> os: s[ 0]:  0x00000000  s[ 1]:  0x300066c1  s[ 2]:  0xaaaaa2ab  s[ 3]:  0xaaaaa8aa
[00:00:05.979,000] <err> os: s[ 4]:  0x00000000  s[ 5]:  0x00000000  s[ 6]:  0x00000000  s[ 7]:  0x00000000
[00:00:05.979,000] <err> os: fpscr:  0x00000000
[00:00:05.979,000] <err> os: Faulting instruction address (r15/pc): 0x00023c8a
[00:00:05.979,000] <err> os: >>> ZEPHYR FATAL ERROR 25: Unknown error on CPU 0
[00:00:05.979,000] <err> os: Current thread: 0x20060668 (shell_uart)
[00:00:06.048,000] <err> os: Halting system`,
    says: ['bus fault', 'nothing answers', 'BFAR is 0x24060000', 'nothing answers', 'thread shell_uart'],
    addresses: ['LR return 263eb', 'PC exact 23c8a'],
  },
  {
    name: 'Zephyr in its minimal log, with a null function pointer',
    source: 'Zephyr, subsys/logging, CONFIG_LOG_MODE_MINIMAL',
    text: `E: ***** USAGE FAULT *****
E:   Illegal use of the EPSR
E: r0/a1:  0x0000000e  r1/a2:  0x0000000a  r2/a3:  0x90000000
E: r3/a4:  0x20000c3c r12/ip:  0x00000043 r14/lr:  0x000003d7
E:  xpsr:  0x40000000
E: Faulting instruction address (r15/pc): 0x00000000
E: >>> ZEPHYR FATAL ERROR 0: CPU exception on CPU 0
E: Current thread: (nil) (unknown)`,
    says: ['usage fault', 'without the bit for Thumb code', 'an exception that nothing handles'],
    addresses: ['LR return 3d7', 'PC exact 0'],
  },
  {
    name: 'k_panic of Zephyr, which no fault announces',
    source: 'Zephyr, arch/arm/core/fatal.c',
    text: `[00:00:00.010,000] <err> os: r0/a1:  0x00000004  r1/a2:  0x00000000  r2/a3:  0x00000003
[00:00:00.010,000] <err> os: r3/a4:  0x00000000 r12/ip:  0x00000000 r14/lr:  0x08000b35
[00:00:00.010,000] <err> os:  xpsr:  0x61000000
[00:00:00.010,000] <err> os: Faulting instruction address (r15/pc): 0x08000a2c
[00:00:00.010,000] <err> os: >>> ZEPHYR FATAL ERROR 4: Kernel panic on CPU 0
[00:00:00.010,000] <err> os: Current thread: 0x20000410 (main)`,
    says: ['called k_panic', 'thread main'],
    addresses: ['LR return 8000b35', 'PC exact 8000a2c'],
  },
  {
    name: 'Zephyr in its short form',
    source: 'Zephyr, arch/arm/core/cortex_m/fault.c, CONFIG_FAULT_DUMP=1',
    text: `<err> os: Fault! EXC #5
<err> os: MMFSR: 0x0, BFSR: 0x82, UFSR: 0x0
<err> os: BFAR: 0xff001234
<err> os: Faulting instruction address = 0xd8a`,
    says: ['bus fault', 'nothing answers', 'BFAR is 0xFF001234'],
    addresses: ['PC exact d8a'],
  },
  {
    name: 'Zephyr on RISC-V',
    source: 'Zephyr, arch/riscv/core/fatal.c and stacktrace.c',
    text: `E:
E:  mcause: 7, Store/AMO access fault
E:   mtval: 4
E:      a0: 2002f640    t0: 2002f640
E:      a1: fffffffe    t1: 2002f530
E:      sp: 200320b0
E:      ra: 500e2000
E:    mepc: 2002f99c
E: mstatus: 00001800
E:
E:      s0: 2002f3a0    s6: 00000000
E:
E: call trace:
E:       0: ra: 2002f99c [func2+0x30]
E:       1: fp: 200320fc   ra: 20029ec4
E:       2: sp: 20032124 ra: 20029fc4
E:
E: >>> ZEPHYR FATAL ERROR 0: CPU exception on CPU 0
E: Current thread: 0x8000a110 (main)`,
    says: ['wrote to an address', 'MTVAL is 0x00000004: a member of a structure', 'thread main'],
    addresses: ['RA return 500e2000', 'MEPC exact 2002f99c', '- exact 2002f99c', '- frame 20029ec4'],
  },
  {
    name: 'k_oops of Zephyr on RISC-V, with registers of 64 bits',
    source: 'Zephyr, arch/riscv/core/fatal.c',
    text: `E:      a0: 0000000000000003    t0: 0000000000000000
E:      ra: 0000000080000414
E:    mepc: 0000000080000422
E: call trace:
E:       0: fp: 000000008000dc30   ra: 000000008000045e
E: >>> ZEPHYR FATAL ERROR 3: Kernel oops on CPU 0`,
    says: ['called k_oops'],
    addresses: ['RA return 80000414', 'MEPC exact 80000422', '- frame 8000045e'],
  },
  {
    name: 'Zephyr on Xtensa',
    source: 'Zephyr, arch/xtensa/core/vector_handlers.c',
    text: `[00:00:13.107,000] <err> os:  ** FATAL EXCEPTION
[00:00:13.107,000] <err> os:  ** CPU 0 EXCCAUSE 28 (load prohibited)
[00:00:13.107,000] <err> os:  **  PC 0x400e55f7 VADDR (nil)
[00:00:13.107,000] <err> os:  **  PS 0x60f20
[00:00:13.107,000] <err> os:  **    (INTLEVEL:0 EXCM: 0 UM:1 RING:0 WOE:1 OWB:15 CALLINC:2)
[00:00:13.107,000] <err> os:  **  A0 0x800d87af  SP 0x3ffe5b70  A2 0x51560006  A3 (nil)
[00:00:13.107,000] <err> os:  ** SAR 0x12
Backtrace:0x400e55f4:0x3ffe5b70 0x400d87ac:0x3ffe5b90
[00:00:13.107,000] <err> os: >>> ZEPHYR FATAL ERROR 0: CPU exception on CPU 0`,
    says: ['read from an address', 'VADDR is 0x00000000: a null pointer', 'The calls that led here'],
    addresses: ['PC exact 400e55f7', 'A0 return 800d87af', '- exact 400e55f4', '- frame 400d87ac'],
  },
  {
    name: 'Zephyr on Xtensa before 3.0',
    source: 'Zephyr issue 8283',
    text: ` ** FATAL EXCEPTION
 ** CPU 0 EXCCAUSE 28 PS 0x00060c20 PC 0x40082a77 VADDR 0x0000000b
 **  A0 0x80082abe  SP 0x3ffb1b60  A2 0x3ffb1a54  A3 0x3ffb1754`,
    says: ['read from an address', 'VADDR is 0x0000000B'],
    addresses: ['PC exact 40082a77', 'A0 return 80082abe'],
  },
  {
    name: 'Zephyr 1.x, with two blanks before the address',
    source: 'Zephyr 1.14, arch/arm/core/fatal.c',
    text: `***** USAGE FAULT *****
  Illegal use of the EPSR
***** Hardware exception *****
Current thread ID = 0x20000410
Faulting instruction address:  0x224a`,
    says: ['without the bit for Thumb code'],
    addresses: ['PC exact 224a'],
  },
  {
    name: 'an assertion of Zephyr',
    source: 'Zephyr, include/zephyr/sys/__assert.h',
    text: `ASSERTION FAIL [thread != NULL] @ WEST_TOPDIR/zephyr/kernel/sched.c:1063
	thread is null
[00:00:00.010,000] <err> os: r0/a1:  0x00000004  r1/a2:  0x00000427  r2/a3:  0x00000003
[00:00:00.010,000] <err> os: r3/a4:  0x00000000 r12/ip:  0x00000000 r14/lr:  0x08000b35
[00:00:00.010,000] <err> os: Faulting instruction address (r15/pc): 0x08000a2c
[00:00:00.010,000] <err> os: >>> ZEPHYR FATAL ERROR 4: Kernel panic on CPU 0`,
    says: ['An assertion failed at WEST_TOPDIR/zephyr/kernel/sched.c:1063', 'called k_panic'],
    addresses: ['LR return 8000b35', 'PC exact 8000a2c'],
  },
];

checkDumps(dumps);
