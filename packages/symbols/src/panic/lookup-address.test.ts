import { describe, expect, it } from 'vitest';
import { openSymbolFile } from '../symbol-file.ts';
import { bytesSource } from '../testing/bytes-source.ts';
import { type FixtureName, fixture } from '../testing/fixtures.ts';
import { decodeAddresses, lookupAddress } from './lookup-address.ts';
import { PanicRecogniser } from './panic-recogniser.ts';

/** Returns each decoded address of a console text as `function line`, with inlined calls separated by `<`. */
async function decoded(name: FixtureName, text: string): Promise<string[]> {
  const file = await openSymbolFile(bytesSource(fixture(name)));
  const recogniser = new PanicRecogniser();
  return text
    .split('\n')
    .flatMap((line) => decodeAddresses(file, recogniser.line(line)?.addresses ?? []))
    .map(({ frames }) => frames.map((frame) => `${frame.name} ${frame.line}`).join(' < '));
}

describe('address to look up', () => {
  it('is the one that was printed, for a program counter', () => {
    expect(lookupAddress({ value: 0x42000004, role: 'exact' }, 'riscv')).toBe(0x42000004);
    expect(lookupAddress({ value: 0x40082d1c, role: 'register' }, 'xtensa')).toBe(0x40082d1c);
  });

  it('is inside of the call, for a return address', () => {
    expect(lookupAddress({ value: 0x4200004e, role: 'return' }, 'riscv')).toBe(0x4200004d);
    expect(lookupAddress({ value: 0x42000024, role: 'frame' }, 'riscv')).toBe(0x42000023);
    expect(lookupAddress({ value: 0x40200027, role: 'stack' }, 'xtensa')).toBe(0x40200024);
  });

  it('has no Thumb bit on ARM, and is inside of the call for a return address with the bit or without', () => {
    expect(lookupAddress({ value: 0x0800_0a2c, role: 'exact' }, 'arm')).toBe(0x0800_0a2c);
    expect(lookupAddress({ value: 0x0800_0a2d, role: 'register' }, 'arm')).toBe(0x0800_0a2c);
    expect(lookupAddress({ value: 0x0800_0b35, role: 'return' }, 'arm')).toBe(0x0800_0b33);
    expect(lookupAddress({ value: 0x0800_0b35, role: 'stack' }, 'arm')).toBe(0x0800_0b33);
    expect(lookupAddress({ value: 0x0800_0b34, role: 'frame' }, 'arm')).toBe(0x0800_0b33);
  });

  it('is the one that was printed, for a caller that the firmware has moved back to its call', () => {
    expect(lookupAddress({ value: 0x4200_0176, role: 'call' }, 'riscv')).toBe(0x4200_0176);
    expect(lookupAddress({ value: 0x4200_0176, role: 'call' }, 'xtensa')).toBe(0x4200_0176);
  });

  it('has the bits put right that hold the size of a register window', () => {
    // Example of the Programming Guide: A0 0x800d0805 is the caller that the backtrace prints as 0x400d0802.
    expect(lookupAddress({ value: 0x800d0805, role: 'return' }, 'xtensa')).toBe(0x400d0802);
    expect(lookupAddress({ value: 0xc00d0805, role: 'return' }, 'xtensa')).toBe(0x400d0802);
  });

  it('was moved back already, in a backtrace of Xtensa', () => {
    expect(lookupAddress({ value: 0x400d0802, role: 'frame' }, 'xtensa')).toBe(0x400d0802);
  });
});

describe('addresses of a panic', () => {
  it('name the instruction that failed and the call before the return address', async () => {
    const dump = 'Core  0 register dump:\nMEPC    : 0x42000004  RA      : 0x4200004e  SP      : 0x3fc8f2f0';
    expect(await decoded('bare-riscv32', dump)).toEqual(['fail 17', '_start 27']);
  });

  it('name those words of a stack that follow a call', async () => {
    const dump =
      'Stack memory:\n3fc8f2f0: 0x00000000 0x42000010 0x4200004e 0x42000026 0x42000024 0x3fc8aedc 0xffffffff';
    expect(await decoded('bare-riscv32', dump)).toEqual(['_start 27', '_start 25']);
  });

  it('name the callers in a backtrace of RISC-V, which are return addresses', async () => {
    expect(
      await decoded('bare-riscv32', 'Backtrace: 0x42000008:0x3fc92120 0x42000024:0x3fc92130 0xfffffffe:0x0'),
    ).toEqual(['square 2 < fail 18', '_start 25']);
  });

  it('name the callers on the stack of an ESP8266', async () => {
    const dump = 'epc1=0x4020005c epc2=0x00000000\n>>>stack>>>\n3fffff70:  40200027 3fff6f50 40200030 4020004d <';
    expect(await decoded('bare-xtensa', dump)).toEqual(['fail 19', '_start 25', '_start 27']);
  });

  it('leave out a null pointer, though the linker left a dropped function there', async () => {
    expect(await decoded('bare-riscv32', 'Core  0 register dump:\nMEPC    : 0x00000000  RA      : 0x00000000')).toEqual(
      [],
    );
  });
});
