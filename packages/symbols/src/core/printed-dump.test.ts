import { describe, expect, it } from 'vitest';
import { panicsOfText } from '../panic/panic-text.ts';
import { printedDump } from './printed-dump.ts';

const marksOf = (text: string) => panicsOfText(text).flatMap((port) => port.map(({ mark }) => mark));
const panic = `Core  0 register dump:
MEPC    : 0x42000004  RA      : 0x4200004e  SP      : 0x3fc8f2f0  S0/FP   : 0x3fc8f310
MSTATUS : 0x00001881  MCAUSE  : 0x00000007  MTVAL   : 0x00000010
Stack memory:
3fc8f2f0: 0x00000030 0x00000021 0x3fc8aedc 0x4200004e 0xa5a5a5a5 0xa5a5a5a5 0x3fc8aedc 0x42000024
3fc8f310: 0x00000001 0x00000002
3fc90000: 0x00000003`;

describe('the state that a panic prints', () => {
  it('has registers by their numbers, memory and the cause', () => {
    const dump = printedDump(marksOf(panic), 'abcd');
    expect(dump).toMatchObject({ machine: 'riscv', appHash: 'abcd', cause: { number: 7, address: 0x10 } });
    expect(dump?.tasks[0]?.registers).toMatchObject({ pc: 0x4200_0004 });
    expect(dump?.tasks[0]?.registers?.general.slice(0, 4)).toEqual([0, 0x4200_004e, 0x3fc8_f2f0, undefined]);
    expect(dump?.tasks[0]?.registers?.general[8]).toBe(0x3fc8_f310);
    expect(dump?.memory.segments.map(({ address, bytes }) => [address, bytes.length])).toEqual([
      [0x3fc8_f2f0, 40],
      [0x3fc9_0000, 4],
    ]);
  });

  it('is that of the core whose registers come first', () => {
    const dump = printedDump(
      marksOf(`${panic}\n${panic.replaceAll('Core  0', 'Core  1').replace('0x42000004', '0x42001111')}`),
      null,
    );
    expect(dump?.tasks[0]?.registers?.pc).toBe(0x4200_0004);
    expect(dump?.memory.segments).toHaveLength(2);
  });

  it.each([
    ['without a stack', panic.split('Stack memory')[0] ?? ''],
    ['of Xtensa', 'Core  0 register dump:\nPC      : 0x400d2a1b  A1      : 0x3ffb5030'],
  ])('is not there %s', (_, text) => {
    expect(printedDump(marksOf(text), null)).toBeNull();
  });
});

const fault = `HardFault
R0  = 0x00000001
R1  = 0x00000002
R2  = 0x00000003
R3  = 0x00000004
R12 = 0x0000000c
LR  = 0x08000b35
PC  = 0x08000a2c
PSR = 0x61000000`;
const saved = '0x00000001 0x00000002 0x00000003 0x00000004\n0x20001f90: 0x0000000c 0x08000b35 0x08000a2c';
const stackFrom = (padding: string) => `0x20001f80: ${saved} ${padding}\n0x20001fa0: 0x00000000 0x08000c01`;
const printedArm = (text: string) => printedDump(marksOf(text), null)?.tasks[0]?.registers;

describe('the state that a fault of Cortex-M prints', () => {
  it('has registers by their numbers; what was not printed is not known', () => {
    const dump = printedDump(marksOf(`${fault}\n${stackFrom('0x61000000')}`), 'abcd');
    expect(dump).toMatchObject({ machine: 'arm', appHash: 'abcd', cause: null, inInterrupt: false });
    const registers = dump?.tasks[0]?.registers;
    expect(registers).toMatchObject({ pc: 0x0800_0a2c, special: { xpsr: 0x6100_0000 } });
    expect(registers?.general.slice(0, 5)).toEqual([1, 2, 3, 4, undefined]);
    expect(registers?.general.slice(12)).toEqual([12, 0x2000_1fa0, 0x0800_0b35]);
  });

  it.each([
    ['with an aligned stack', fault.replace('0x61000000', '0x61000200'), stackFrom('0x61000200'), 0x2000_1fa4],
    ['with a basic frame by EXC_RETURN', `${fault}\nLR/EXC_RETURN= fffffff9`, stackFrom('0x61000000'), 0x2000_1fa0],
    ['with floating point by EXC_RETURN', `${fault}\nEXC_RETURN: 0xFFFFFFE9`, stackFrom('0x61000000'), 0x2000_1fe8],
    ['with an SP that is the frame', `${fault}\nSP: 0x20001f80`, stackFrom('0x61000000'), 0x2000_1fa0],
    ['with an SP from before the exception', `${fault}\nSP: 0x20001fa0`, '0x20001fa0: 0x00000000', 0x2000_1fa0],
    ['with PSP and EXC_RETURN alone', `${fault}\nPSP: 0x20001000 EXC_RETURN: 0xfffffffd`, '', 0x2000_1020],
    ['with MSP and EXC_RETURN alone', `${fault}\nMSP: 0x20001000 PSP: 0x0 EXC_RETURN: 0xfffffff1`, '', 0x2000_1020],
    ['without a word of the stack', fault, '', undefined],
  ])('has the stack pointer before the exception, %s', (_, text, stack, sp) => {
    expect(printedArm(`${text}\n${stack}`)?.general[13]).toBe(sp);
  });

  it('has both stack pointers where nothing says whether floating-point registers were saved', () => {
    expect(printedArm(`${fault}\n${stackFrom('0x61000000')}`)).toMatchObject({ floatStackPointer: 0x2000_1fe8 });
    expect(printedArm(`${fault}\nEXC_RETURN: 0xFFFFFFF9\n${stackFrom('0x61000000')}`)).not.toHaveProperty(
      'floatStackPointer',
    );
  });

  it('begins CmBacktrace’s stack behind the frame and what aligns it', () => {
    const text = `Fault on thread main
  addr: 20000420    data: 08000a1d
  addr: 20000424    data: 00000000
  R0 : 00000000  R1 : 20000428  R2 : 00000008  R3 : 00000001
  R12: 00000000  LR : 08000b35  PC : 08000a2c  PSR: 61000200`;
    expect(printedArm(text)?.general[13]).toBe(0x2000_0424);
    expect(printedDump(marksOf(text), null)?.memory.segments).toHaveLength(1);
  });

  it('has the registers in front of the title that only the program counter reports', () => {
    expect(printedArm('r0: 0x00000001\nr1: 0x00000002\nlr: 0x08000b35\npc: 0x08000a2c')).toMatchObject({
      pc: 0x0800_0a2c,
      general: expect.arrayContaining([1, 2, 0x0800_0b35]),
    });
  });

  it('is that of a Zephyr fault and of a Rust frame', () => {
    const zephyr = `E: ***** BUS FAULT *****
E: r0/a1:  0x00000001  r1/a2:  0x00000002  r2/a3:  0x00000003
E: r3/a4:  0x00000004 r12/ip:  0x0000000c r14/lr:  0x08000b35
E:  xpsr:  0x61000000
E: r4/v1:  0x00000010  r5/v2:  0x00000011  r6/v3:  0x00000012
E: EXC_RETURN: 0xfffffffd psp:  0x20001f80
E: Faulting instruction address (r15/pc): 0x08000a2c
E: >>> ZEPHYR FATAL ERROR 25: Unknown error on CPU 0`;
    expect(printedArm(zephyr)?.general.slice(0, 7)).toEqual([1, 2, 3, 4, 0x10, 0x11, 0x12]);
    expect(printedArm(zephyr)?.general[13]).toBe(0x2000_1fa0);
    const rust =
      'panicked: ExceptionFrame { r0: 0x00000001, r1: 0x00000002, r2: 0x3, r3: 0x4, r12: 0x0, lr: 0x08000b35, pc: 0x08000a2c, xpsr: 0x61000000 }';
    expect(printedArm(rust)).toMatchObject({ pc: 0x0800_0a2c, general: expect.arrayContaining([0x0800_0b35]) });
  });

  it('is that of NuttX, whose FP is r7', () => {
    const nuttx = `up_assert: Assertion failed at file:armv7-m/arm_hardfault.c line: 135 task: app
arm_registerdump: R0: 00000001 R1: 00000002 R2: 00000003  R3: 00000004
arm_registerdump: R4: 00000014 R5: 00000015 R6: 00000016  FP: 20001f90
arm_registerdump: R8: 00000018 SB: 00000019 SL: 0000001a R11: 0000001b
arm_registerdump: IP: 0000000c SP: 20001f80 LR: 08000b35  PC: 08000a2c
arm_registerdump: xPSR: 61000000 BASEPRI: 00000000 CONTROL: 00000000
arm_dump_stack: User Stack:
arm_stackdump: 20001f80: 00000000 08000c01 00000000 00000000 00000000 00000000 00000000 00000000`;
    expect(printedArm(nuttx)?.general).toEqual([
      ...[1, 2, 3, 4, 0x14, 0x15, 0x16, 0x2000_1f90, 0x18, 0x19, 0x1a, 0x1b, 12, 0x2000_1f80, 0x0800_0b35],
    ]);
    expect(printedDump(marksOf(nuttx), null)?.memory.word(0x2000_1f84)).toBe(0x0800_0c01);
  });

  it('is not there without a program counter', () => {
    expect(printedArm('Assert on thread main\n  addr: 20000420    data: 08000a1d')).toBeUndefined();
  });
});
