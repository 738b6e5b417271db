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
