/** Single instructions, encoded by hand, that the emulators of the other tests lack or execute differently. */
import { describe, expect, it } from 'vitest';
import { codeAsData, codeStart, dataStart, type Kind, processorWith, riscvWords, rrr } from './testing/processors.ts';

/** Executes `steps` instructions of `code`, with the registers of `before`. `value` returns a register afterwards. */
function after(kind: Kind, code: readonly number[], before: Readonly<Record<number, number>>, steps = 1) {
  const rig = processorWith(kind, code);
  for (const [register, value] of Object.entries(before)) {
    rig.cpu.registers[Number(register)] = value;
  }
  return { ...rig, stop: rig.cpu.run(steps), value: (register: number) => (rig.cpu.registers[register] ?? 0) >>> 0 };
}

describe('Xtensa', () => {
  it('multiplies for the upper half (Reference Manual, MULUH and MULSH)', () => {
    const numbers = { 3: 0xfffffffe, 4: 0x80000003 };
    expect(after('xtensa', rrr(10, 2, 2, 3, 4), numbers).value(2)).toBe(0x80000001);
    // -2 × -2147483645 is 4294967290.
    expect(after('xtensa', rrr(11, 2, 2, 3, 4), numbers).value(2)).toBe(0);
    expect(after('xtensa', rrr(11, 2, 2, 3, 4), { 3: 0xfffffffe, 4: 3 }).value(2)).toBe(0xffffffff);
  });

  it('shifts right by 32 where SAR says so (SSL, SRL, SRA)', () => {
    const shift = (op2: number) => [...rrr(4, 0, 1, 5, 0), ...rrr(op2, 1, 2, 0, 3)];
    expect(after('xtensa', shift(9), { 3: 0x87654321, 5: 0 }, 2).value(2)).toBe(0);
    expect(after('xtensa', shift(11), { 3: 0x87654321, 5: 0 }, 2).value(2)).toBe(0xffffffff);
    expect(after('xtensa', shift(11), { 3: 0x47654321, 5: 0 }, 2).value(2)).toBe(0);
  });

  it('stores when memory is what SCOMPARE1 is (S32C1I)', () => {
    const wsr = [0x50, 12, 0x13];
    const code = [...wsr, 0x42, 0xe3, 0];
    const equal = after('xtensa', code, { 3: dataStart, 4: 7, 5: 0 }, 2);
    expect([equal.value(4), equal.bus.read32(dataStart)]).toEqual([0, 7]);
    const other = after('xtensa', code, { 3: dataStart, 4: 7, 5: 1 }, 2);
    expect([other.value(4), other.bus.read32(dataStart)]).toEqual([0, 0]);
  });

  it('does not divide by zero', () => {
    for (const op2 of [12, 13, 14, 15]) {
      expect(after('xtensa', rrr(op2, 2, 2, 3, 4), { 3: 1 }).stop).toMatchObject({
        fault: { code: 'divided-by-zero' },
      });
    }
  });

  it('counts cycles in CCOUNT, which can be set', () => {
    const read = [0x20, 234, 0x03];
    const { value, cpu } = after('xtensa', [0x30, 234, 0x13, 0x3d, 0xf0, ...read], { 3: 1_000 }, 3);
    expect([value(2), cpu.cycles]).toEqual([1_002, 3]);
  });

  it('gives PS and masks interrupts (RSIL), and ends loops while PS.EXCM is set', () => {
    // rsil a2, 15; loop a3 around addi.n a4, a4, 1
    const code = [0x20, 0x6f, 0x00, 0x76, 0x83, 1, 0x1b, 0x44, 0x3d, 0xf0, 0x3d, 0xf0];
    const { value, cpu } = after('xtensa', code, { 3: 5 }, 7);
    expect([value(2), value(4)]).toEqual([0x60020, 5]);
    expect(cpu.pc).toBe(codeStart + 8);
    // movi.n a2, 0x1f; wsr.ps a2: the body of the same loop runs once.
    const masked = [0x1c, 0xf2, 0x20, 230, 0x13, ...code.slice(3)];
    expect(after('xtensa', masked, { 3: 5 }, 4).cpu.pc).toBe(codeStart + 10);
  });

  it.each([
    ['ENTRY', [0x36, 0x41, 0x00]],
    ['CALL8', [0x25, 0x00, 0x00]],
    ['RETW.N', [0x1d, 0xf0]],
    ['a floating-point load', [0x03, 0x00, 0x00]],
    ['ILL', [0, 0, 0]],
    ['a special register that is not there', [0x20, 0xff, 0x03]],
  ])('does not execute %s', (_name, code) => {
    const { stop, cpu } = after('xtensa', code, {});
    expect(stop).toMatchObject({ kind: 'fault', pc: codeStart, fault: { code: 'illegal-instruction' } });
    expect(cpu.cycles).toBe(0);
  });
});

describe('RISC-V', () => {
  const csr = (funct3: number, number: number, rd: number, rs1: number) =>
    ((number << 20) | (rs1 << 15) | (funct3 << 12) | (rd << 7) | 0x73) >>> 0;

  it('counts cycles in mpccr once mpcer and mpcmr say so (Technical Reference Manual)', () => {
    const code = riscvWords(
      csr(2, 0x7e2, 5, 0),
      csr(5, 0x7e0, 0, 1),
      csr(5, 0x7e1, 0, 1),
      0x13,
      0x13,
      csr(2, 0x7e2, 6, 0),
    );
    const { value } = after('riscv', code, {}, 6);
    expect([value(5), value(6)]).toEqual([0, 3]);
  });

  it('has no mcycle', () => {
    const { stop } = after('riscv', riscvWords(csr(2, 0xb00, 5, 0)), {});
    expect(stop).toMatchObject({ kind: 'fault', fault: { code: 'illegal-instruction' } });
  });

  it('sets and clears bits of mstatus', () => {
    const code = riscvWords(csr(6, 0x300, 0, 8), csr(7, 0x300, 5, 8), csr(2, 0x300, 6, 0));
    const { value } = after('riscv', code, {}, 3);
    expect([value(5), value(6)]).toEqual([8, 0]);
  });

  it('keeps register 0', () => {
    expect(after('riscv', riscvWords(0x00500013), {}).value(0)).toBe(0);
  });

  it.each([
    ['EBREAK', 0x00100073, 'breakpoint'],
    ['ECALL', 0x00000073, 'system-call'],
    ['an instruction of 0', 0, 'illegal-instruction'],
    ['FLW', 0x00052007, 'illegal-instruction'],
    ['a shift by 32', 0x02051513, 'illegal-instruction'],
    ['LR.W', 0x100522af, 'illegal-instruction'],
  ])('stops at %s', (_name, word, code) => {
    const { stop } = after('riscv', riscvWords(word), {});
    expect(stop).toMatchObject({ kind: 'fault', pc: codeStart, fault: { code } });
  });

  it('waits where the program does', () => {
    const { stop, cpu } = after('riscv', riscvWords(0x10500073, 0x13), {}, 5);
    expect(stop).toEqual({ kind: 'waiting' });
    expect(cpu.pc).toBe(codeStart + 4);
  });
});

describe('memory', () => {
  // lw, lh, lb, sw, sh, sb of x5 at x6.
  const access = { lw: 0x00032283, lh: 0x00031283, lb: 0x00030283, sw: 0x00532023, sh: 0x00531023, sb: 0x00530023 };

  it.each([
    ['lw', dataStart + 2, 'load-misaligned'],
    ['lh', dataStart + 1, 'load-misaligned'],
    ['sw', dataStart + 1, 'store-misaligned'],
    ['sh', dataStart + 3, 'store-misaligned'],
    ['lw', 0, 'load-refused'],
    ['sw', 0xfffffffc, 'store-refused'],
    ['lb', codeStart, 'load-refused'],
    ['sh', codeStart, 'store-refused'],
    ['sb', 0x60000000, 'store-refused'],
  ] as const)('is not there for %s at %i', (name, address, code) => {
    const { stop, value } = after('riscv', riscvWords(access[name]), { 5: 77, 6: address });
    expect(stop).toMatchObject({ kind: 'fault', fault: { code, address } });
    expect(value(5)).toBe(77);
  });

  it('is executed where it is instruction memory alone', () => {
    const { cpu } = after('riscv', riscvWords(0x00028067), { 5: dataStart });
    expect(cpu.step()).toMatchObject({ kind: 'fault', pc: dataStart, fault: { code: 'fetch-refused' } });
  });

  it('is executed as it was written last, by whichever address', () => {
    // addi x7, x7, 1 in a loop. The sw replaces the first one by a subtraction.
    const code = riscvWords(0x00138393, access.sw, 0xff9ff06f);
    const { cpu, value } = after('riscv', code, { 5: 0xfff38393, 6: codeAsData }, 4);
    expect(value(7)).toBe(0);
    cpu.run(3);
    expect(value(7)).toBe(0xffffffff);
  });
});
