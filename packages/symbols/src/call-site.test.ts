import { describe, expect, it } from 'vitest';
import { followsCall } from './call-site.ts';

/** Returns the result of `followsCall` at the end of the bytes, which begin at address 0x1000. */
function endsWithCall(machine: 'riscv' | 'xtensa', ...bytes: readonly number[]): boolean | undefined {
  const code = Uint8Array.from(bytes);
  return followsCall(machine, 0x1000 + bytes.length, (address, length) =>
    address < 0x1000 ? undefined : code.subarray(address - 0x1000, address - 0x1000 + length),
  );
}

describe('return address of RISC-V', () => {
  it.each([
    ['jal ra, …', [0xef, 0x00, 0x40, 0x00]],
    ['jalr ra, 52(ra)', [0xe7, 0x80, 0x40, 0x03]],
    ['jalr t0, …', [0xe7, 0x02, 0x03, 0x00]],
    ['c.jal', [0x11, 0x20]],
    ['c.jalr a5', [0x82, 0x97]],
  ])('is behind %s', (_, bytes) => {
    expect(endsWithCall('riscv', ...bytes)).toBe(true);
  });

  it.each([
    ['jal zero, … (a jump)', [0x6f, 0x00, 0x40, 0x00]],
    ['ret', [0x82, 0x80]],
    ['c.ebreak', [0x02, 0x90]],
    ['c.jr a5', [0x82, 0x87]],
    ['addi sp, sp, -16', [0x13, 0x01, 0x01, 0xff]],
    ['nothing', []],
  ])('is not behind %s', (_, bytes) => {
    expect(endsWithCall('riscv', ...bytes)).toBe(false);
  });
});

describe('return address of Xtensa', () => {
  it.each([
    ['call0', [0xc5, 0xfd, 0xff]],
    ['call8', [0x25, 0x00, 0x00]],
    ['callx0 a0', [0xc0, 0x00, 0x00]],
    ['callx8 a8', [0xe0, 0x08, 0x00]],
  ])('is behind %s', (_, bytes) => {
    expect(endsWithCall('xtensa', ...bytes)).toBe(true);
  });

  it.each([
    ['l32r', [0x21, 0xff, 0xff]],
    ['memw', [0xc0, 0x20, 0x00]],
    ['ret (jx a0)', [0x80, 0x00, 0x00]],
    ['nothing', []],
  ])('is not behind %s', (_, bytes) => {
    expect(endsWithCall('xtensa', ...bytes)).toBe(false);
  });
});

describe('return address of ARM', () => {
  it.each([
    ['bl (Thumb)', 1, [0x00, 0xf0, 0x02, 0xf8]],
    ['bl backwards (Thumb)', 1, [0xff, 0xf7, 0xfe, 0xff]],
    ['blx r3 (Thumb)', 1, [0x98, 0x47]],
    ['blx lr (Thumb)', 1, [0xf0, 0x47]],
    ['blxns r3 (Thumb)', 1, [0x9c, 0x47]],
    ['bl (ARM)', 0, [0x10, 0x00, 0x00, 0xeb]],
    ['blne (ARM)', 0, [0x10, 0x00, 0x00, 0x1b]],
    ['blx r3 (ARM)', 0, [0x33, 0xff, 0x2f, 0xe1]],
  ])('is behind %s', (_, thumb, bytes) => {
    const code = Uint8Array.from(bytes);
    const reader = (address: number, length: number) => code.subarray(address - 0x1000, address - 0x1000 + length);
    expect(followsCall('arm', 0x1000 + bytes.length + thumb, reader)).toBe(true);
  });

  it.each([
    ['b.w (Thumb)', 1, [0x00, 0xf0, 0x02, 0xb8]],
    ['bx lr (Thumb)', 1, [0x70, 0x47]],
    ['movs r0, #0 (Thumb)', 1, [0x00, 0x20]],
    ['b (ARM)', 0, [0x10, 0x00, 0x00, 0xea]],
    ['bl (Thumb), without the bit for Thumb', 0, [0x00, 0xf0, 0x02, 0xf8]],
    ['nothing', 1, []],
  ])('is not behind %s', (_, thumb, bytes) => {
    const code = Uint8Array.from(bytes);
    const reader = (address: number, length: number) =>
      code.subarray(Math.max(0, address - 0x1000), Math.max(0, address - 0x1000 + length));
    expect(followsCall('arm', 0x1000 + bytes.length + thumb, reader)).toBe(false);
  });
});

it('cannot be known on other machines', () => {
  expect(followsCall('avr', 0x1000, () => undefined)).toBeUndefined();
});
