/**
 * A processor with the part of the Xtensa instruction set that compilers emit for the call0 ABI, as in the ESP32's
 * LX6. It has the core and these options: code density, loops, 16- and 32-bit multiplication, division, minimum and
 * maximum, normalisation, sign extension, clamping and conditional store ("Xtensa Instruction Set Architecture (ISA)
 * Reference Manual", chapters 3 and 4). Exceptions end the run.
 */
import { type Bus, CpuFault } from '../bus.ts';
import { Cpu, type Instruction, nextAt } from '../cpu.ts';
import { call, compareRegisters, compareZero, jumpOrBranch, jumpToRegister } from './branches.ts';
import { registerInstruction } from './register-instructions.ts';
import { type Execute, type Fields, fieldsOf, sarAt, signed, type XtensaState } from './state.ts';

/** Numbers of special registers (section 5.3 "Special Registers"). */
const sr = {
  lbeg: 0,
  lend: 1,
  lcount: 2,
  sar: 3,
  scompare1: 12,
  intclear: 227,
  ps: 230,
  ccount: 234,
  prid: 235,
} as const;
/** EPC and EPS have one register for each interrupt level: 1 to 7, and 2 to 7. These numbers are those of level 0. */
const epc = 176;
const eps = 192;
const levels = 7;
/** PRID of the ESP32's first core. */
const coreId = 0xcdcd;
const intlevel = 15;
const excm = 16;
/**
 * PS with windows enabled, user mode and no masked interrupts: a guess of the state that the ROM leaves. Programs set
 * their own.
 */
const startStatus = 0x00060020;

/** Registers that only store what is written: BR, ATOMCTL, DDR, VECBASE, EXCCAUSE and others without effect here. */
const plain: readonly number[] = [
  ...[4, 5, sr.scompare1, 16, 17, 32, 33, 34, 35, 72, 73, 96, 97, 98, 99, 104, 128, 129, 144, 145, 160, 161],
  ...Array.from({ length: levels }, (_, index) => epc + 1 + index),
  ...Array.from({ length: levels - 1 }, (_, index) => eps + 2 + index),
  ...Array.from({ length: levels }, (_, index) => 209 + index),
  ...[192, 224, 226, 228, 231, 232, 233, 236, 237, 238, 240, 241, 242, 244, 245, 246, 247],
];

export class XtensaCpu extends Cpu<XtensaState> implements XtensaState {
  protected readonly state = this;
  readonly #plain = new Map<number, number>(plain.map((number) => [number, 0]));
  #loopBegin = 0;
  #loopLast = 0;
  #loopCount = 0;
  #status = startStatus;
  /** Difference of CCOUNT to the cycles, caused by a write to CCOUNT. */
  #countOffset = 0;

  /**
   * Creates a processor with all registers 0.
   * @param bus Memory and registers.
   * @param entry Address of the first instruction.
   */
  constructor(bus: Bus, entry: number) {
    super(bus);
    this.pc = entry;
  }

  get compareValue(): number {
    return this.#plain.get(sr.scompare1) ?? 0;
  }

  readSpecial(number: number): number | null {
    switch (number) {
      case sr.lbeg:
        return this.#loopBegin;
      case sr.lend:
        return this.#loopLast;
      case sr.lcount:
        return this.#loopCount;
      case sr.sar:
        return this.registers[sarAt] ?? 0;
      case sr.ps:
        return this.#status;
      case sr.ccount:
        return (this.countCycles() + this.#countOffset) | 0;
      case sr.prid:
        return coreId;
      default:
        return this.#plain.get(number) ?? null;
    }
  }

  writeSpecial(number: number, value: number): boolean {
    switch (number) {
      case sr.lbeg:
        this.loop(value, this.#loopLast, this.#loopCount);
        return true;
      case sr.lend:
        this.loop(this.#loopBegin, value, this.#loopCount);
        return true;
      case sr.lcount:
        this.loop(this.#loopBegin, this.#loopLast, value);
        return true;
      case sr.sar:
        this.registers[sarAt] = value & 63;
        return true;
      case sr.ps:
        this.#setStatus(value);
        return true;
      case sr.ccount:
        this.#countOffset = (value >>> 0) - this.cycles;
        return true;
      case sr.intclear:
        return true;
      default:
        if (!this.#plain.has(number)) {
          return false;
        }
        this.#plain.set(number, value);
        return true;
    }
  }

  loop(begin: number, end: number, count: number): void {
    this.#loopBegin = begin | 0;
    this.#loopLast = end | 0;
    this.#loopCount = count | 0;
    // Section 4.3.2 "Loop Option": loops are disabled while an exception is being handled.
    this.loopEnd = this.#loopCount !== 0 && (this.#status & excm) === 0 ? this.#loopLast : -1;
  }

  setInterruptLevel(level: number): number {
    const before = this.#status;
    this.#setStatus((before & ~intlevel) | level);
    return before;
  }

  waitForInterrupt(level: number): void {
    this.setInterruptLevel(level);
    this.wait();
  }

  leaveException(level: number): boolean {
    if (level > levels) {
      return false;
    }
    this.registers[nextAt] = this.#plain.get(epc + level) ?? 0;
    this.#setStatus(level === 1 ? this.#status & ~excm : (this.#plain.get(eps + level) ?? 0));
    return true;
  }

  fail(code: 'illegal-instruction' | 'breakpoint' | 'system-call' | 'divided-by-zero'): never {
    throw new CpuFault(code, code === 'system-call' ? (this.registers[2] ?? 0) : 0);
  }

  protected override loopBack(): number {
    this.loop(this.#loopBegin, this.#loopLast, this.#loopCount - 1);
    return this.#loopBegin;
  }

  protected override decode(address: number): Instruction<XtensaState> {
    const start = this.bus.fetch(address & ~3) >>> ((address & 3) * 8);
    const opcode = start & 15;
    const isNarrow = opcode >= 8 && opcode < 14;
    const length = isNarrow ? 2 : 3;
    const within = 4 - (address & 3);
    const rest = within < length ? this.bus.fetch((address & ~3) + 4) << (within * 8) : 0;
    const word = (start | rest) & (isNarrow ? 0xffff : 0xffffff);
    const fields = fieldsOf(word, address | 0);
    const execute = isNarrow ? narrow(opcode, fields) : wide(opcode, fields);
    if (execute === null) {
      throw new CpuFault('illegal-instruction', word);
    }
    return { execute, length };
  }

  #setStatus(value: number): void {
    // PS has WOE, CALLINC, OWB, RING, UM, EXCM and INTLEVEL (section 4.4.1 "Exception Option", figure "PS Register Format").
    this.#status = value & 0x00070fff;
    this.loop(this.#loopBegin, this.#loopLast, this.#loopCount);
  }
}

/**
 * Xtensa loads, stores and their neighbours in the opcode map ("Xtensa Instruction Set Architecture (ISA) Reference
 * Manual", section 7.3 "Opcode Maps", formats L32R and LSAI; each instruction: chapter 6).
 */

/** L32R. The literal is up to 256 KiB before the instruction. */
function loadLiteral({ word, pc, t }: Fields): Execute {
  const address = ((pc + 3) & ~3) + (-0x40000 | ((word >> 8) << 2));
  return ({ registers, bus }) => {
    registers[t] = bus.read32(address);
  };
}

/** L32I and L32I.N. */
function loadWord(t: number, s: number, offset: number): Execute {
  return ({ registers, bus }) => {
    registers[t] = bus.read32((registers[s] as number) + offset);
  };
}

/** S32I and S32I.N. */
function storeWord(t: number, s: number, offset: number): Execute {
  return ({ registers, bus }) => bus.write32((registers[s] as number) + offset, registers[t] as number);
}

/** ADDI, ADDMI, ADDI.N. */
function addConstant(to: number, s: number, value: number): Execute {
  return ({ registers }) => {
    registers[to] = (registers[s] as number) + value;
  };
}

/** MOVI and MOVI.N. */
function moveConstant(to: number, value: number): Execute {
  return ({ registers }) => {
    registers[to] = value;
  };
}

/** Format LSAI. */
function loadOrStore({ t, s, r, imm8 }: Fields): Execute | null {
  switch (r) {
    case 0:
      return ({ registers, bus }) => {
        registers[t] = bus.read8((registers[s] as number) + imm8);
      };
    case 1:
      return ({ registers, bus }) => {
        registers[t] = bus.read16((registers[s] as number) + imm8 * 2);
      };
    case 4:
      return ({ registers, bus }) => bus.write8((registers[s] as number) + imm8, registers[t] as number);
    case 5:
      return ({ registers, bus }) => bus.write16((registers[s] as number) + imm8 * 2, registers[t] as number);
    case 9:
      return ({ registers, bus }) => {
        registers[t] = (bus.read16((registers[s] as number) + imm8 * 2) << 16) >> 16;
      };
    case 10:
      return moveConstant(t, signed((s << 8) | imm8, 12));
    case 2:
    case 11:
      // L32I and L32AI. The ordering of L32AI has no effect with a single processor.
      return loadWord(t, s, imm8 * 4);
    case 6:
    case 15:
      return storeWord(t, s, imm8 * 4);
    case 12:
      return addConstant(t, s, signed(imm8, 8));
    case 13:
      return addConstant(t, s, signed(imm8, 8) * 256);
    case 14:
      return compareAndStore(t, s, imm8 * 4);
    default:
      return null;
  }
}

/** S32C1I. */
function compareAndStore(t: number, s: number, offset: number): Execute {
  return (state) => {
    const { registers, bus } = state;
    const address = (registers[s] as number) + offset;
    const before = bus.read32(address) | 0;
    if (before === state.compareValue) {
      bus.write32(address, registers[t] as number);
    }
    registers[t] = before;
  };
}

function wide(opcode: number, fields: Fields): Execute | null {
  switch (opcode) {
    case 0:
      return registerInstruction(fields);
    case 1:
      return loadLiteral(fields);
    case 2:
      return loadOrStore(fields);
    case 5:
      return call(fields);
    case 6:
      return jumpOrBranch(fields);
    case 7:
      return compareRegisters(fields);
    default:
      return null;
  }
}

/** Section 4.3.1 "Code Density Option". */
function narrow(opcode: number, { pc, r, s, t }: Fields): Execute | null {
  switch (opcode) {
    case 8:
      return loadWord(t, s, r * 4);
    case 9:
      return storeWord(t, s, r * 4);
    case 10:
      return ({ registers }) => {
        registers[r] = (registers[s] as number) + (registers[t] as number);
      };
    case 11:
      return addConstant(r, s, t === 0 ? -1 : t);
    case 12: {
      const value = ((t & 7) << 4) | r;
      // MOVI.N covers -32 to 95. BEQZ.N and BNEZ.N only jump forward.
      return t < 8
        ? moveConstant(s, value >= 96 ? value - 128 : value)
        : compareZero((t >> 2) & 1, s, pc + 4 + (value & 63));
    }
    default:
      if (r === 0) {
        return addConstant(t, s, 0);
      }
      return r === 15 ? narrowControl(s, t) : null;
  }
}

/** RET.N, BREAK.N and NOP.N. */
function narrowControl(s: number, t: number): Execute | null {
  if (t === 2) {
    return (state) => state.fail('breakpoint');
  }
  if (s !== 0) {
    return null;
  }
  return t === 0 ? jumpToRegister(0) : t === 3 ? () => undefined : null;
}
