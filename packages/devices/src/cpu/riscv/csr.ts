/**
 * Control and status registers of the ESP32-C3 ("ESP32-C3 Technical Reference Manual", chapter "ESP-RISC-V CPU",
 * section "Configuration and Status Registers"). Bits: "The RISC-V Instruction Set Manual, Volume II: Privileged
 * Architecture". The chip counts cycles in its own register mpccr and has no mcycle. Interrupts are not delivered,
 * and physical memory protection has no effect.
 */

const mstatus = 0x300;
const misa = 0x301;
const mtvec = 0x305;
const mepc = 0x341;
/** The performance counter: counted events, mode, and count. */
const mpcer = 0x7e0;
const mpcmr = 0x7e1;
const mpccr = 0x7e2;
const cyclesOrInstructions = 3;
/** MXL 1: 32 bits; I, M, C, and U for user mode. */
const misaValue = 0x40101104;
/** MIE, MPIE, MPP and TW. */
const statusMask = 0x00201888;
const machineInterrupts = 8;
const previousInterrupts = 0x80;

/** Registers that only store what is written. */
const plain: readonly number[] = [
  // mie, mscratch, mcause, mtval, mip.
  0x304,
  0x340,
  0x342,
  0x343,
  0x344,
  // pmpcfg0 to 3, and pmpaddr0 to 15.
  0x3a0,
  0x3a1,
  0x3a2,
  0x3a3,
  ...Array.from({ length: 16 }, (_, index) => 0x3b0 + index),
  // Triggers: tselect, tdata1, tdata2, tcontrol. The processor's own pins: enable, in, out.
  0x7a0,
  0x7a1,
  0x7a2,
  0x7a5,
  0x803,
  0x804,
  0x805,
];
/** mvendorid (Espressif's JEDEC number), marchid, mimpid and mhartid. */
const readOnly = new Map([
  [0xf11, 0x612],
  [0xf12, 0x80000001],
  [0xf13, 1],
  [0xf14, 0],
]);

export class ControlRegisters {
  /** Returns the processor's cycles, and counts as a read of the cycle counter. */
  readonly #cycles: () => number;
  readonly #values = new Map<number, number>(plain.map((number) => [number, 0]));
  #status = 0;
  #vector = 1;
  #returnTo = 0;
  #events = 0;
  #mode = 0;
  /** The count when the counter was last started or stopped. `#since` is the processor's cycle at that time. */
  #counted = 0;
  #since = 0;

  constructor(cycles: () => number) {
    this.#cycles = cycles;
  }

  /** Returns null for unknown registers. */
  read(number: number): number | null {
    switch (number) {
      case mstatus:
        return this.#status;
      case misa:
        return misaValue;
      case mtvec:
        return this.#vector;
      case mepc:
        return this.#returnTo;
      case mpcer:
        return this.#events;
      case mpcmr:
        return this.#mode;
      case mpccr:
        return this.#count() | 0;
      default:
        return this.#values.get(number) ?? readOnly.get(number) ?? null;
    }
  }

  /** Returns false for unknown and for read-only registers. */
  write(number: number, value: number): boolean {
    switch (number) {
      case mstatus:
        this.#status = value & statusMask;
        return true;
      case misa:
        return true;
      case mtvec:
        // Always vectored, at a multiple of 256.
        this.#vector = (value & ~0xff) | 1;
        return true;
      case mepc:
        this.#returnTo = value & ~1;
        return true;
      case mpcer:
      case mpcmr:
      case mpccr:
        this.#setCounter(number, value);
        return true;
      default:
        if (!this.#values.has(number)) {
          return false;
        }
        this.#values.set(number, value);
        return true;
    }
  }

  /** Executes MRET. Returns the address at which the program continues. */
  leaveTrap(): number {
    const enabled = (this.#status & previousInterrupts) !== 0 ? machineInterrupts : 0;
    this.#status = (this.#status & ~machineInterrupts) | enabled | previousInterrupts;
    return this.#returnTo;
  }

  /** Returns the count. Cycles and instructions are equal here, because every instruction takes one cycle. */
  #count(): number {
    const runs = (this.#mode & 1) !== 0 && (this.#events & cyclesOrInstructions) !== 0;
    return runs ? this.#counted + this.#cycles() - this.#since : this.#counted;
  }

  #setCounter(number: number, value: number): void {
    this.#counted = number === mpccr ? value >>> 0 : this.#count();
    this.#since = this.#cycles();
    if (number === mpcer) {
      this.#events = value & 0x7ff;
    } else if (number === mpcmr) {
      this.#mode = value & 3;
    }
  }
}
