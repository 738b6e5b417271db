/**
 * Recognises faults of Cortex-M in the formats of STM32 programs, CmBacktrace, Mbed OS, RIOT, MicroPython and the
 * nRF5 SDK.
 */
import { checkDumps, type Dump } from './testing/crash-dumps.ts';

const dumps: readonly Dump[] = [
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

checkDumps(dumps);
