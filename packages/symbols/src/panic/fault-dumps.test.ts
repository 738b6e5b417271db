/**
 * Dumps of crashes of other systems than ESP-IDF and Arduino, in the forms of their own printing code. Values are made up.
 */
import { describe, expect, it } from 'vitest';
import type { PanicMark } from './panic-mark.ts';
import { PanicRecogniser } from './panic-recogniser.ts';

interface Dump {
  readonly name: string;
  /** Where the form is from. */
  readonly source: string;
  readonly text: string;
  /** Words of sentences, in their order. */
  readonly says: readonly string[];
  /** Addresses that are certain to be code, with the way they are looked up: `PC exact 8000a08`. */
  readonly addresses: readonly string[];
}

/** Registers and words of the stack may be anything; the others are looked up for certain. */
const certain = new Set(['exact', 'frame', 'call', 'return']);

function read(text: string): { marks: PanicMark[]; says: string; addresses: string[] } {
  const recogniser = new PanicRecogniser();
  const marks = text.split('\n').flatMap((line) => recogniser.line(line) ?? []);
  return {
    marks,
    says: marks.map(({ sentence }) => sentence ?? '').join(' '),
    addresses: marks
      .flatMap(({ addresses }) => addresses)
      .filter(({ role }) => certain.has(role))
      .map(({ label, role, value }) => `${label ?? '-'} ${role} ${value.toString(16)}`),
  };
}

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
    says: ['bus fault', 'nothing answers', 'BFAR is 0xff001234'],
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
    addresses: [
      'RA return 500e2000',
      'MEPC exact 2002f99c',
      '- exact 2002f99c',
      '- frame 20029ec4',
      '- frame 20029fc4',
    ],
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
    says: ['read from an address', 'VADDR is 0x0000000b'],
    addresses: ['PC exact 40082a77', 'A0 return 80082abe'],
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
  {
    name: 'ESPHome on Xtensa',
    source: 'ESPHome, esphome/components/esp32/crash_handler.cpp',
    text: `[12:34:56][E][esp32.crash:241]: *** CRASH DETECTED ON PREVIOUS BOOT ***
[12:34:56][E][esp32.crash:244]:   Reason: Fault - LoadProhibited
[12:34:56][E][esp32.crash:248]:   PC:  0x400D1234  (fault location)
[12:34:56][E][esp32.crash:264]:   BT0: 0x400D1234  (backtrace)
[12:34:56][E][esp32.crash:264]:   BT1: 0x400D5678  (backtrace)
[12:34:56][E][esp32.crash:277]: Use: addr2line -pfiaC -e firmware.elf 0x400D1234 0x400D1234 0x400D5678`,
    says: ['crashed before it started', 'read from an address'],
    addresses: ['PC exact 400d1234', '- exact 400d1234', '- frame 400d5678'],
  },
  {
    name: 'ESPHome on RISC-V, after a watchdog',
    source: 'ESPHome, esphome/components/esp32/crash_handler.cpp',
    text: `[12:34:56.789][E][esp32.crash:241]: *** CRASH DETECTED ON PREVIOUS BOOT ***
[12:34:56.789][E][esp32.crash:246]:   Reason: Task wdt
[12:34:56.789][E][esp32.crash:248]:   PC:  0x42001234  (fault location)
[12:34:56.789][E][esp32.crash:264]:   BT0: 0x42001234  (backtrace)
[12:34:56.789][E][esp32.crash:264]:   BT1: 0x42005678  (stack scan)`,
    says: ['crashed before', 'did not report in time'],
    addresses: ['PC exact 42001234', '- exact 42001234', '- frame 42005678'],
  },
  {
    name: 'ESPHome on ESP8266',
    source: 'ESPHome, esphome/components/esp8266/crash_handler.cpp',
    text: `[E][esp8266:180]: *** CRASH DETECTED ON PREVIOUS BOOT ***
[E][esp8266:191]:   Reason: Exception - StoreProhibit (exccause=29)
[E][esp8266:196]:   PC: 0x40201234
[E][esp8266:198]:   BT0: 0x40205678`,
    says: ['crashed before', 'wrote to an address'],
    // What it lists of its stack may be code, which an ELF file tells.
    addresses: ['PC exact 40201234'],
  },
  {
    name: 'ESPHome on RP2040',
    source: 'ESPHome, esphome/components/rp2040/crash_handler.cpp',
    text: `[E][rp2040.crash:080]: *** CRASH DETECTED ON PREVIOUS BOOT ***
[E][rp2040.crash:081]:   PC:  0x10001234  (fault location)
[E][rp2040.crash:082]:   LR:  0x10005679  (return address)
[E][rp2040.crash:083]:   SP:  0x20041F00
[E][rp2040.crash:085]:   BT0: 0x10002345  (stack backtrace)
[E][rp2040.crash:087]: Use addr2line -e firmware.elf 0x10001234 0x10005679 to decode`,
    says: ['crashed before'],
    addresses: ['PC exact 10001234', 'LR return 10005679'],
  },
  {
    name: 'Tasmota on ESP8266',
    source: 'Tasmota, tasmota_support/support_crash_recorder.ino',
    text: '12:34:56.789 MQT: stat/tasmota/STATUS12 = {"StatusSTK":{"Exception":29,"Reason":"Exception","EPC":["4000dfd9","00000000","00000000"],"EXCVADDR":"00000000","DEPC":"00000000","CallChain":["40230d36","40230d4a"]}}',
    says: ['wrote to an address', 'EXCVADDR is 0x00000000: a null pointer'],
    addresses: ['EPC exact 4000dfd9'],
  },
  {
    name: 'Tasmota on ESP32',
    source: 'Tasmota, tasmota_support/support_crash_recorder.ino',
    text: 'RSL: STATUS12 = {"StatusSTK":{"Exception":29,"Reason":"StoreProhibited","EPC":"400d1234","EXCVADDR":"00000004","CallChain":["400d1231","400d5678","40082a77"]}}',
    says: ['wrote to an address', 'a member of a structure'],
    addresses: ['EPC exact 400d1234', '- frame 400d1231', '- frame 400d5678', '- frame 40082a77'],
  },
  {
    name: 'Tasmota on RISC-V',
    source: 'Tasmota, tasmota_support/support_crash_recorder.ino',
    text: '{"StatusSTK":{"Exception":5,"Reason":"Load access fault","EPC":"42001234","EXCVADDR":"00000000","CallChain":["42005678","42009abc"]}}',
    says: ['read from an address'],
    addresses: ['EPC exact 42001234', '- return 42005678'],
  },
  {
    name: 'esp-backtrace of Rust',
    source: 'esp-rs, esp-backtrace/src/lib.rs',
    text: `\u001b[31m
====================== PANIC ======================
panicked at src/main.rs:44:5:
index out of bounds: the len is 3 but the index is 7

Backtrace:

0x420ffd16
0x42049124 - esp_rtos::fmt::__unwrap_failed
    at src/fmt.rs:238
0x42041c00`,
    says: ['panicked at src/main.rs:44:5', 'The calls that led here'],
    addresses: ['- call 420ffd16', '- call 42049124', '- call 42041c00'],
  },
  {
    name: 'esp-backtrace of Rust in older versions',
    source: 'esp-rs, esp-backtrace/src/lib.rs',
    text: `!! A panic occured in 'src/main.rs', at line 25, column 5:

PanicInfo {
    message: oh no,
}

Backtrace:

0x4200123e`,
    says: ['panicked at src/main.rs:25:5'],
    addresses: ['- call 4200123e'],
  },
  {
    name: 'an exception of Rust on Xtensa',
    source: 'esp-rs, esp-backtrace/src/lib.rs',
    text: `Exception occured 'LoadProhibited'
Context
PC=0x420060b3       PS=0x00060015
A0=0x820060b6       A1=0x3fcb0000
0x420060b0`,
    says: ['read from an address'],
    addresses: ['PC exact 420060b3', 'A0 return 820060b6', '- call 420060b0'],
  },
  {
    name: 'an exception of Rust on RISC-V',
    source: 'esp-rs, esp-backtrace/src/lib.rs',
    text: `Exception 'Load access fault' mepc=0x42000176, mtval=0x00000000
0x4200012c`,
    says: ['read from an address', 'MTVAL is 0x00000000: a null pointer'],
    addresses: ['MEPC exact 42000176', '- call 4200012c'],
  },
  {
    name: 'a panic of Rust before 1.73',
    source: "Rust, core::panic::PanicInfo's Display",
    text: "panicked at 'called `Option::unwrap()` on a `None` value', src/bin/blinky.rs:31:42",
    says: ['panicked at src/bin/blinky.rs:31:42'],
    addresses: [],
  },
  {
    name: 'a hard fault of Rust',
    source: 'cortex-m-rt, src/lib.rs, ExceptionFrame',
    text: `HardFault at ExceptionFrame {
    r0: 0x20000000,
    r1: 0x00000001,
    r2: 0x00000000,
    r3: 0x00000000,
    r12: 0x00000000,
    lr: 0x08000b35,
    pc: 0x08000a2c,
    xpsr: 0x61000000,
}`,
    says: ['a fault'],
    addresses: ['LR return 8000b35', 'PC exact 8000a2c'],
  },
  {
    name: 'a hard fault of Rust in one line',
    source: 'cortex-m-rt, src/lib.rs, ExceptionFrame',
    text: 'HardFault: ExceptionFrame { r0: 0x20000000, r1: 0x1, r2: 0x0, r3: 0x0, r12: 0x0, lr: 0x08000b35, pc: 0x08000a2c, xpsr: 0x61000000 }',
    says: ['a fault'],
    addresses: ['LR return 8000b35', 'PC exact 8000a2c'],
  },
  {
    name: 'a handler of STM32 programs',
    source: 'Yiu, The Definitive Guide to the ARM Cortex-M3, handler of hard faults',
    text: `[Hard fault handler - all numbers in hex]
R0 = 0
R1 = 20000428
R2 = 8
R3 = 1
R12 = 0
LR [R14] = 8000b35  subroutine call return address
PC [R15] = 8000a2c  program counter
PSR = 61000000
BFAR = e000ed38
CFSR = 20000
HFSR = 40000000
DFSR = 0
AFSR = 0
SCB_SHCSR = 0`,
    says: ['hard fault', 'without the bit for Thumb code'],
    addresses: ['LR return 8000b35', 'PC exact 8000a2c'],
  },
  {
    name: 'registers of STM32 in one line',
    source: 'the usual handler of STM32 programs',
    text: 'HardFault! R0 = 0x00000000, R1 = 0x20000428, R2 = 0x8, R3 = 0x1, R12 = 0x0, LR = 0x08000B35, PC = 0x08000A2C, xPSR = 0x61000000, CFSR = 0x00008200, HFSR = 0x40000000, BFAR = 0x00000004, MMFAR = 0xE000ED34',
    says: ['nothing answers', 'BFAR is 0x00000004: a member of a structure'],
    addresses: ['LR return 8000b35', 'PC exact 8000a2c'],
  },
  {
    name: 'registers of STM32 that no title announces',
    source: 'the usual handler of STM32 programs',
    text: `R0:  0x00000000
R1:  0x20000428
R2:  0x00000008
R3:  0x00000001
R12: 0x00000000
LR:  0x08000B35
PC:  0x08000A2C
PSR: 0x61000000
CFSR: 0x02000000`,
    says: ['a fault', 'divided a whole number by zero'],
    addresses: ['LR return 8000b35', 'PC exact 8000a2c'],
  },
  {
    name: 'RIOT',
    source: 'RIOT, cpu/cortexm_common/vectors_cortexm.c',
    text: `2015-08-24 10:34:52,280 - INFO # Context before hardfault:
2015-08-24 10:34:52,282 - INFO #    r0: 0x00000000
2015-08-24 10:34:52,283 - INFO #    r1: 0x1fff103c
2015-08-24 10:34:52,288 - INFO #   r12: 0x4004000c
2015-08-24 10:34:52,290 - INFO #    lr: 0x00000d97
2015-08-24 10:34:52,291 - INFO #    pc: 0x00000438
2015-08-24 10:34:52,293 - INFO #   psr: 0x41000000
2015-08-24 10:34:52,294 - INFO # FSR/FAR:
2015-08-24 10:34:52,294 - INFO #  CFSR: 0x00000400
2015-08-24 10:34:52,294 - INFO #  HFSR: 0x40000000`,
    says: ['hard fault', 'The processor noticed it later'],
    addresses: ['LR return d97', 'PC exact 438'],
  },
  {
    name: 'MicroPython on STM32',
    source: 'MicroPython, ports/stm32/stm32_it.c',
    text: `HardFault
R0    00000000
R1    20001234
R2    00000001
R3    00000002
R12   00000000
LR    08012345
PC    08012340
XPSR  61000000
HFSR  40000000
CFSR  00000082
MMFAR 00000000`,
    says: ['hard fault', 'memory protection forbids', 'MMFAR is 0x00000000: a null pointer'],
    addresses: ['LR return 8012345', 'PC exact 8012340'],
  },
  {
    name: 'CmBacktrace',
    source: 'armink/CmBacktrace, cm_backtrace/cm_backtrace.c',
    text: `Firmware name: CmBacktrace, hardware version: V1.0.0, software version: V0.1.0
Fault on interrupt or bare metal(no OS) environment
====== Main stack information ======
  addr: 20000420    data: 08000a1d
  addr: 20000424    data: 00000000
====================================
=================== Registers information ====================
  R0 : 00000000  R1 : 20000428  R2 : 00000008  R3 : 00000001
  R12: 00000000  LR : 08000b35  PC : 08000a2c  PSR: 61000000
==============================================================
Usage fault is caused by Indicates a divide by zero has taken place (can be set only if DIV_0_TRP is set)
Show more call stack info by run: addr2line -e CmBacktrace.elf -a -f 08000a2c 08000b34 08000c10`,
    says: ['a fault', 'divided a whole number by zero', 'The calls that led here'],
    addresses: ['LR return 8000b35', 'PC exact 8000a2c', '- exact 8000a2c', '- frame 8000b34', '- frame 8000c10'],
  },
  {
    name: 'CmBacktrace in Chinese',
    source: 'armink/CmBacktrace, cm_backtrace/cm_backtrace.c',
    text: `在线程(main)中发生错误异常
========================= 寄存器信息 =========================
  R0 : 00000000  R1 : 20000428  R2 : 00000008  R3 : 00000001
  R12: 00000000  LR : 08000b35  PC : 08000a2c  PSR: 61000000
查看更多函数调用栈信息，请运行：addr2line -e CmBacktrace.axf -a -f 08000a2c 08000b34`,
    says: ['a fault', 'The calls that led here'],
    addresses: ['LR return 8000b35', 'PC exact 8000a2c', '- exact 8000a2c', '- frame 8000b34'],
  },
  {
    name: 'Mbed OS',
    source: 'ARMmbed/mbed-os, mbed_fault_handler.c and mbed_error.c',
    text: `++ MbedOS Fault Handler ++

FaultType: HardFault

Context:
R0   : 00000001
R1   : 0000030A
R2   : E000ED00
R11  : 00000000
R12  : 00003D07
SP   : 2002FF18
LR   : 00001877
PC   : 00001858
xPSR : 61000043
PSP  : 20001498
MSP  : 2002FEB0
CPUID: 410FC241
HFSR : 40000000
MMFSR: 00000000
BFSR : 00000000
UFSR : 00000100
DFSR : 00000010
AFSR : 00000000
Mode : Handler
Priv : Privileged
Stack: MSP

-- MbedOS Fault Handler --

++ MbedOS Error Info ++
Error Status: 0x80FF013D Code: 317 Module: 255
Error Message: Fault exception
Location: 0x1858
Error Value: 0x20000ACC
Current Thread: main <handler> Id: 0x20001F10 Entry: 0x18A5 StackSize: 0x1000 StackMem: 0x20000F10 SP: 0x2002FF18`,
    says: ['hard fault', 'a multiple of its size', 'this error: Fault exception.'],
    addresses: ['LR return 1877', 'PC exact 1858', 'Location exact 1858'],
  },
  {
    name: 'an error of Mbed OS without a fault',
    source: 'ARMmbed/mbed-os, platform/source/mbed_error.c',
    text: `++ MbedOS Error Info ++
Error Status: 0x80010133 Code: 307 Module: 1
Error Message: Mutex: 0x20001F10, Not allowed in ISR context
Location: 0x3CD1`,
    says: ['stopped with an error', 'Not allowed in ISR context'],
    addresses: ['Location return 3cd1'],
  },
  {
    name: 'a hard fault of the nRF5 SDK',
    source: 'nRF5 SDK, components/libraries/hardfault/hardfault_implementation.c',
    text: `<error> hardfault: HARD FAULT at 0x0002A1B4
<error> hardfault:   R0:  0x00000000  R1:  0x20002F10  R2:  0x00000001  R3:  0x00000000
<error> hardfault:   R12: 0x00000000  LR:  0x0002A1A1  PSR: 0x61000000
<error> hardfault: Cause: Data bus error (PC value stacked for the exception return points to the instruction that caused the fault).
<error> hardfault: Bus Fault Address: 0x00000010`,
    says: ['hard fault', 'nothing answers', 'BFAR is 0x00000010'],
    addresses: ['PC exact 2a1b4', 'LR return 2a1a1'],
  },
  {
    name: 'an error of the nRF5 SDK',
    source: 'nRF5 SDK, components/libraries/util/app_error_weak.c',
    text: `<error> app: ERROR 4 [NRF_ERROR_NO_MEM] at ../../../main.c:412
PC at: 0x0002B0C9
<error> app: End of error report`,
    says: ['NRF_ERROR_NO_MEM at ../../../main.c:412'],
    addresses: ['PC exact 2b0c9'],
  },
  {
    name: 'an assertion of the nRF5 SDK',
    source: 'nRF5 SDK, components/libraries/util/app_error_weak.c',
    text: '00> <error> app: ASSERTION FAILED at ../../../main.c:97',
    says: ['An assertion failed at ../../../main.c:97'],
    addresses: [],
  },
  {
    name: 'an assertion of a SoftDevice',
    source: 'nRF5 SDK, components/libraries/util/app_error_weak.c',
    text: '<error> app: SOFTDEVICE: ASSERTION FAILED',
    says: ['The SoftDevice'],
    addresses: [],
  },
];

describe.each(dumps)('$name ($source)', ({ text, says, addresses }) => {
  it('has its cause in words and its addresses', () => {
    const found = read(text);
    let at = 0;
    for (const words of says) {
      const next = found.says.indexOf(words, at);
      expect(next, `${words} in: ${found.says.slice(at)}`).toBeGreaterThanOrEqual(0);
      at = next + words.length;
    }
    expect(found.addresses).toEqual(addresses);
    for (const { sentence } of found.marks) {
      expect(sentence ?? 'Nothing.').toMatch(/^[A-Z].*\.$/);
    }
  });

  it('has them behind what a tool writes in front of its lines', () => {
    const prefixed = text
      .split('\n')
      .map((line) => `2026-11-25 12:34:56.789 -> ${line}`)
      .join('\n');
    expect(read(prefixed).addresses).toEqual(addresses);
  });

  it('is never skipped', () => {
    expect(new PanicRecogniser().skips(`boot\n${text}\n`)).toBe(false);
  });

  it('lets the lines behind it alone', () => {
    const idle = Array.from({ length: 12 }, (_, index) => `[00:00:09.000,000] <inf> app: value ${index}`);
    const after = ['R1 = 12', 'PC connected', 'sp: 12345678', '0: ra: 80000412', '0x42001234', 'BT0: 0x40081234'];
    const recogniser = new PanicRecogniser();
    for (const line of [...text.split('\n'), ...idle]) {
      recogniser.line(line);
    }
    expect(after.map((line) => recogniser.line(line))).toEqual(after.map(() => undefined));
  });
});

describe('a line of an ordinary log', () => {
  it.each([
    'HardFault handler installed',
    'Bus fault recovery enabled, default on',
    'I2C bus fault count: 3',
    'R0 = 4.7 kOhm',
    'R0: 12, R1: 13, R2: 14',
    'PC: connected',
    'pc = 12',
    'lr: 0.001',
    'Location: 0x1858',
    'Current thread: 0x20000410 (main)',
    'Reason: timeout',
    'Backtrace:',
    '0x42001234',
    'Error Message:',
    'call trace:',
    'a0: 12 t0: 13',
    'the test panicked at the end',
    '{"Exception":"none"}',
    'Sensor fault',
    'Fatal error in line 3',
  ])('%s', (line) => {
    expect(new PanicRecogniser().line(line)).toBeUndefined();
  });
});
