/**
 * Runs code of an ARMv6-M in RAM for PICOBOOT's EXEC: the 16-bit instructions and BL (ARMv6-M Architecture Reference
 * Manual, section A5). There are no peripherals, interrupts or exceptions: an undefined instruction never returns.
 */

export interface ThumbBus {
  /** Returns a little-endian number of `size` bytes. */
  load(address: number, size: 1 | 2 | 4): number;
  store(address: number, size: 1 | 2 | 4, value: number): void;
}

/** Address that code returns to. No instruction is there. */
const returnAddress = 0xffff_fffe;
const sp = 13;
const lr = 14;
const pc = 15;

interface Core {
  readonly r: Uint32Array;
  readonly bus: ThumbBus;
  n: boolean;
  z: boolean;
  c: boolean;
  v: boolean;
}

/**
 * Calls the code at `address`.
 *
 * @param limit Instructions after which code counts as one that does not return.
 * @returns True if the code returned.
 */
export function runThumb(bus: ThumbBus, address: number, stack: number, limit = 1_000_000): boolean {
  const core: Core = { r: new Uint32Array(16), bus, n: false, z: false, c: false, v: false };
  core.r[sp] = stack;
  core.r[lr] = returnAddress | 1;
  core.r[pc] = address & ~1;
  for (let count = 0; count < limit; count++) {
    const at = core.r[pc] as number;
    if (at === returnAddress) {
      return true;
    }
    const code = bus.load(at, 2);
    core.r[pc] = at + 2;
    if (!step(core, at, code)) {
      return false;
    }
  }
  return false;
}

/** Executes one instruction. @returns False if it is undefined, or stops the processor. */
function step(core: Core, at: number, code: number): boolean {
  const { r } = core;
  switch (code >> 12) {
    case 0:
    case 1:
      return code >> 11 === 3 ? addSubtract(core, code) : shiftImmediate(core, code);
    case 2:
    case 3:
      return immediate(core, code);
    case 4:
      if (code >> 11 === 9) {
        r[(code >> 8) & 7] = core.bus.load(((at + 4) & ~3) + (code & 0xff) * 4, 4);
        return true;
      }
      return (code & 0xfc00) === 0x4000 ? dataProcessing(core, code) : highRegisters(core, at, code);
    case 5:
      return loadStoreRegister(core, code);
    case 6:
    case 7:
    case 8:
      return loadStoreImmediate(core, code);
    case 9: {
      const address = (r[sp] as number) + (code & 0xff) * 4;
      return transfer(core, (code & 0x800) !== 0, address, 4, (code >> 8) & 7);
    }
    case 10:
      r[(code >> 8) & 7] = ((code & 0x800) === 0 ? (at + 4) & ~3 : (r[sp] as number)) + (code & 0xff) * 4;
      return true;
    case 11:
      return miscellaneous(core, code);
    case 12:
      return multiple(core, code);
    case 13:
      if (((code >> 8) & 15) >= 14) {
        return false;
      }
      if (holds(core, (code >> 8) & 15)) {
        r[pc] = at + 4 + ((code << 24) >> 23);
      }
      return true;
    default:
      return branch(core, at, code);
  }
}

function flags(core: Core, value: number): number {
  core.n = (value & 0x8000_0000) !== 0;
  core.z = value >>> 0 === 0;
  return value >>> 0;
}

/** Adds with carry and sets the flags. A subtraction adds the complement. */
function add(core: Core, left: number, right: number, carry: number): number {
  const sum = left + (right >>> 0) + carry;
  const value = sum >>> 0;
  core.c = sum > 0xffff_ffff;
  core.v = ((left ^ value) & (right ^ value) & 0x8000_0000) !== 0;
  return flags(core, value);
}

function subtract(core: Core, left: number, right: number): number {
  return add(core, left, ~right >>> 0, 1);
}

function shift(core: Core, kind: number, value: number, by: number): number {
  if (by === 0) {
    return flags(core, value);
  }
  switch (kind) {
    case 0:
      core.c = by <= 32 && ((value >>> (32 - by)) & 1) !== 0;
      return flags(core, by < 32 ? value << by : 0);
    case 1:
      core.c = by <= 32 && ((value >>> (by - 1)) & 1) !== 0;
      return flags(core, by < 32 ? value >>> by : 0);
    case 2:
      core.c = (((value | 0) >> Math.min(by - 1, 31)) & 1) !== 0;
      return flags(core, (value | 0) >> Math.min(by, 31));
    default: {
      const turn = by & 31;
      const turned = turn === 0 ? value : (value >>> turn) | (value << (32 - turn));
      core.c = (turned & 0x8000_0000) !== 0;
      return flags(core, turned);
    }
  }
}

function shiftImmediate(core: Core, code: number): boolean {
  const kind = (code >> 11) & 3;
  const by = (code >> 6) & 31;
  const value = core.r[(code >> 3) & 7] as number;
  core.r[code & 7] = shift(core, kind, value, by === 0 && kind !== 0 ? 32 : by);
  return true;
}

function addSubtract(core: Core, code: number): boolean {
  const operand = (code >> 6) & 7;
  const right = (code & 0x400) === 0 ? (core.r[operand] as number) : operand;
  const left = core.r[(code >> 3) & 7] as number;
  core.r[code & 7] = (code & 0x200) === 0 ? add(core, left, right, 0) : subtract(core, left, right);
  return true;
}

function immediate(core: Core, code: number): boolean {
  const register = (code >> 8) & 7;
  const value = code & 0xff;
  const left = core.r[register] as number;
  switch ((code >> 11) & 3) {
    case 0:
      core.r[register] = flags(core, value);
      break;
    case 1:
      subtract(core, left, value);
      break;
    case 2:
      core.r[register] = add(core, left, value, 0);
      break;
    default:
      core.r[register] = subtract(core, left, value);
  }
  return true;
}

function dataProcessing(core: Core, code: number): boolean {
  const { r } = core;
  const target = code & 7;
  const left = r[target] as number;
  const right = r[(code >> 3) & 7] as number;
  const carry = core.c ? 1 : 0;
  const operation = (code >> 6) & 15;
  const operations: readonly (() => number)[] = [
    () => flags(core, left & right),
    () => flags(core, left ^ right),
    () => shift(core, 0, left, right & 0xff),
    () => shift(core, 1, left, right & 0xff),
    () => shift(core, 2, left, right & 0xff),
    () => add(core, left, right, carry),
    () => add(core, left, ~right >>> 0, carry),
    () => shift(core, 3, left, right & 0xff),
    () => flags(core, left & right),
    () => subtract(core, 0, right),
    () => subtract(core, left, right),
    () => add(core, left, right, 0),
    () => flags(core, left | right),
    () => flags(core, Math.imul(left, right)),
    () => flags(core, left & ~right),
    () => flags(core, ~right),
  ];
  const result = operations[operation]?.() ?? 0;
  // TST, CMP and CMN set the flags only.
  if (operation !== 8 && operation !== 10 && operation !== 11) {
    r[target] = result;
  }
  return true;
}

function highRegisters(core: Core, at: number, code: number): boolean {
  const { r } = core;
  const source = (code >> 3) & 15;
  const target = (code & 7) | ((code >> 4) & 8);
  const read = (register: number) => (register === pc ? at + 4 : (r[register] as number));
  switch ((code >> 8) & 3) {
    case 0:
      r[target] = read(target) + read(source);
      break;
    case 1:
      subtract(core, read(target), read(source));
      return true;
    case 2:
      r[target] = read(source);
      break;
    default: {
      const to = read(source);
      if ((code & 0x80) !== 0) {
        r[lr] = (at + 2) | 1;
      }
      r[pc] = to & ~1;
      return (to & 1) !== 0;
    }
  }
  if (target === pc) {
    r[pc] = (r[pc] as number) & ~1;
  }
  return true;
}

function transfer(core: Core, isLoad: boolean, address: number, size: 1 | 2 | 4, register: number): boolean {
  if (address % size !== 0) {
    return false;
  }
  if (isLoad) {
    core.r[register] = core.bus.load(address >>> 0, size);
  } else {
    const value = core.r[register] as number;
    core.bus.store(address >>> 0, size, size === 4 ? value : value & (2 ** (size * 8) - 1));
  }
  return true;
}

function loadStoreRegister(core: Core, code: number): boolean {
  const { r } = core;
  const address = ((r[(code >> 3) & 7] as number) + (r[(code >> 6) & 7] as number)) >>> 0;
  const target = code & 7;
  switch ((code >> 9) & 7) {
    case 0:
      return transfer(core, false, address, 4, target);
    case 1:
      return transfer(core, false, address, 2, target);
    case 2:
      return transfer(core, false, address, 1, target);
    case 3:
      r[target] = (core.bus.load(address, 1) << 24) >> 24;
      return true;
    case 4:
      return transfer(core, true, address, 4, target);
    case 5:
      return transfer(core, true, address, 2, target);
    case 6:
      return transfer(core, true, address, 1, target);
    default:
      r[target] = (core.bus.load(address, 2) << 16) >> 16;
      return address % 2 === 0;
  }
}

function loadStoreImmediate(core: Core, code: number): boolean {
  const sizes: Readonly<Record<number, 1 | 2 | 4>> = { 6: 4, 7: 1, 8: 2 };
  const size = sizes[code >> 12] ?? 4;
  const address = (core.r[(code >> 3) & 7] as number) + ((code >> 6) & 31) * size;
  return transfer(core, (code & 0x800) !== 0, address, size, code & 7);
}

function miscellaneous(core: Core, code: number): boolean {
  const { r } = core;
  const target = code & 7;
  const value = r[(code >> 3) & 7] as number;
  switch ((code >> 8) & 15) {
    case 0:
      r[sp] = (r[sp] as number) + ((code & 0x80) === 0 ? 1 : -1) * (code & 0x7f) * 4;
      return true;
    case 2: {
      const extended = [(value << 16) >> 16, (value << 24) >> 24, value & 0xffff, value & 0xff];
      r[target] = extended[(code >> 6) & 3] ?? 0;
      return true;
    }
    case 4:
    case 5:
      return push(core, code);
    case 6:
      // CPS: interrupts are not modelled.
      return (code & 0xffef) === 0xb662 || (code & 0xffef) === 0xb66f;
    case 10:
      r[target] = reversed(value, (code >> 6) & 3);
      return ((code >> 6) & 3) !== 2;
    case 12:
    case 13:
      return pop(core, code);
    case 15:
      // NOP, YIELD, SEV. Waiting for an event or an interrupt never ends here.
      return code === 0xbf00 || code === 0xbf10 || code === 0xbf40;
    default:
      return false;
  }
}

function reversed(value: number, kind: number): number {
  const halves = ((value & 0x00ff_00ff) << 8) | ((value >>> 8) & 0x00ff_00ff);
  if (kind === 0) {
    return (halves << 16) | (halves >>> 16);
  }
  return kind === 1 ? halves : (halves << 16) >> 16;
}

function registersOf(list: number): number[] {
  return [0, 1, 2, 3, 4, 5, 6, 7].filter((register) => (list & (1 << register)) !== 0);
}

function push(core: Core, code: number): boolean {
  const registers = [...registersOf(code & 0xff), ...((code & 0x100) === 0 ? [] : [lr])];
  const start = ((core.r[sp] as number) - registers.length * 4) >>> 0;
  for (const [index, register] of registers.entries()) {
    core.bus.store(start + index * 4, 4, core.r[register] as number);
  }
  core.r[sp] = start;
  return registers.length > 0;
}

function pop(core: Core, code: number): boolean {
  let address = core.r[sp] as number;
  for (const register of registersOf(code & 0xff)) {
    core.r[register] = core.bus.load(address, 4);
    address += 4;
  }
  if ((code & 0x100) !== 0) {
    const to = core.bus.load(address, 4);
    core.r[pc] = to & ~1;
    address += 4;
    core.r[sp] = address;
    return (to & 1) !== 0;
  }
  core.r[sp] = address;
  return true;
}

function multiple(core: Core, code: number): boolean {
  const base = (code >> 8) & 7;
  const isLoad = (code & 0x800) !== 0;
  let address = core.r[base] as number;
  const list = registersOf(code & 0xff);
  for (const register of list) {
    transfer(core, isLoad, address, 4, register);
    address += 4;
  }
  if (!isLoad || !list.includes(base)) {
    core.r[base] = address;
  }
  return list.length > 0 && address % 4 === 0;
}

function holds(core: Core, condition: number): boolean {
  const { n, z, c, v } = core;
  const tests = [z, c, n, v, c && !z, n === v, n === v && !z];
  return (tests[condition >> 1] ?? true) !== ((condition & 1) !== 0);
}

function branch(core: Core, at: number, code: number): boolean {
  if (code >> 11 === 0x1c) {
    core.r[pc] = at + 4 + ((code << 21) >> 20);
    return true;
  }
  const second = core.bus.load(at + 2, 2);
  if (code >> 11 !== 0x1e || (second & 0xd000) !== 0xd000) {
    // Barriers (DSB, DMB, ISB) need nothing; the others are undefined or privileged.
    core.r[pc] = at + 4;
    return code === 0xf3bf && (second & 0xff00) === 0x8f00;
  }
  const sign = (code >> 10) & 1;
  const first = (((second >> 13) & 1) ^ sign ^ 1) & 1;
  const next = (((second >> 11) & 1) ^ sign ^ 1) & 1;
  const offset =
    (sign === 0 ? 0 : -(2 ** 24)) + first * 2 ** 23 + next * 2 ** 22 + (code & 0x3ff) * 4096 + (second & 0x7ff) * 2;
  core.r[lr] = (at + 4) | 1;
  core.r[pc] = at + 4 + offset;
  return true;
}
