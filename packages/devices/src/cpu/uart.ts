/**
 * UART0 as a program sees it: two FIFOs of 128 bytes, their state and the interrupt registers ("ESP32 Technical
 * Reference Manual" and "ESP32-C3 Technical Reference Manual", chapters "UART Controller"). Time is counted in cycles
 * of the processor. Not simulated: flow control, parity, frames other than 8N1, and the interrupt to the processor.
 */

/** Addresses, offsets and widths that differ between the chips. */
export interface UartLayout {
  readonly base: number;
  /** Further addresses of the FIFO. */
  readonly fifoAliases: readonly number[];
  /** Width in bits of the two counts in STATUS. */
  readonly countBits: number;
  /**
   * Fields of CONF1. `fullThreshold`, from bit 0: received bytes that raise RXFIFO_FULL. `emptyThreshold`: unsent
   * bytes that raise TXFIFO_EMPTY.
   */
  readonly fullThreshold: number;
  readonly emptyThreshold: readonly [shift: number, mask: number];
  /** Position of four bits that are 0 while the transmitter is idle. */
  readonly transmitterState: { readonly offset: number; readonly shift: number };
  /** Offset of CLK_CONF; null if the UART cannot choose its clock. */
  readonly clock: number | null;
}

export interface UartSurroundings {
  /** Returns the present cycles of the processor. */
  cycles(): number;
  /** Clock of the processor and, in download mode, of the UART, in MHz. */
  readonly crystal: number;
  /** Initial rate in baud. */
  readonly baudRate: number;
  /** Called when the program has set another rate. All bytes sent before have already been passed to `transmit`. */
  rateChanged(baudRate: number): void;
  /** Receives bytes whose transmission begins. */
  transmit(bytes: Uint8Array): void;
}

const fifoSize = 128;
/** Start bit, eight data bits, stop bit. */
const bitsPerByte = 10;
const registerEnd = 0x80;
const offsets = {
  raw: 0x04,
  status: 0x08,
  enable: 0x0c,
  clear: 0x10,
  divider: 0x14,
  state: 0x1c,
  conf0: 0x20,
  conf1: 0x24,
};
const interrupt = { full: 1 << 0, empty: 1 << 1, overflow: 1 << 4, timeOut: 1 << 8, done: 1 << 14 } as const;
const resetReceive = 1 << 17;
const resetTransmit = 1 << 18;
/** Fields of CLK_CONF. Bits 20 and 21 choose 80 MHz (1) or the crystal (3). The divider is bits 12 to 19 plus one. */
const [clockChoice, fastClock, fastMegahertz] = [20, 1, 80];
/** Bit times without a byte until RXFIFO_TOUT. The value that a program sets is ignored. */
const timeOutBits = 100;
/** CONF0 and CLK_CONF after a start. `startThreshold` is the start value of both thresholds in CONF1: 96. */
const startConf0 = 0x0800001c;
const startClock = 0x03700000;
const startThreshold = 0x60;

export class Uart {
  readonly #layout: UartLayout;
  readonly #around: UartSurroundings;
  readonly #registers = new Map<number, number>();
  #byteCycles: number;
  #baudRate: number;
  /** Bytes on the wire to the chip, with the cycle of their arrival. */
  #arriving: { readonly byte: number; at: number }[] = [];
  #received: number[] = [];
  #lastArrival = Number.NEGATIVE_INFINITY;
  /** Bytes in the transmitter's FIFO or shift register, with the cycle at which their transmission begins. */
  #leaving: { readonly byte: number; readonly at: number }[] = [];
  #idleAt = 0;
  #raised = 0;
  #enabled = 0;

  constructor(layout: UartLayout, around: UartSurroundings) {
    this.#layout = layout;
    this.#around = around;
    this.#baudRate = around.baudRate;
    this.#byteCycles = this.#cyclesOfByte();
    const [shift] = layout.emptyThreshold;
    this.#registers.set(offsets.conf0, startConf0);
    this.#registers.set(offsets.conf1, startThreshold | (startThreshold << shift));
    this.#registers.set(offsets.divider, this.#dividerOf(around.baudRate));
    if (layout.clock !== null) {
      this.#registers.set(layout.clock, startClock);
    }
  }

  /** True if no byte is in transmission in either direction, and no received byte waits to be read. */
  get isIdle(): boolean {
    this.#settle();
    return this.#arriving.length === 0 && this.#received.length === 0 && this.#leaving.length === 0;
  }

  has(address: number): boolean {
    const { base, fifoAliases } = this.#layout;
    return (address >= base && address < base + registerEnd) || fifoAliases.includes(address);
  }

  /** Receives bytes. The last one arrives at `cycle`, the others before it at the UART's rate. */
  receive(bytes: Uint8Array, cycle: number): void {
    const now = this.#around.cycles();
    for (const [index, byte] of bytes.entries()) {
      const carried = cycle - (bytes.length - 1 - index) * this.#byteCycles;
      this.#lastArrival = Math.max(carried, now, this.#lastArrival + this.#byteCycles);
      this.#arriving.push({ byte, at: this.#lastArrival });
    }
  }

  /** Skips cycles of the clock. Bytes on the wire arrive that much sooner in the program's count. */
  giveUp(cycles: number): void {
    let earliest = this.#around.cycles();
    this.#lastArrival = Math.max(earliest, this.#lastArrival - cycles);
    for (const arriving of this.#arriving) {
      arriving.at = Math.max(arriving.at - cycles, earliest);
      earliest = arriving.at + this.#byteCycles;
      this.#lastArrival = Math.max(this.#lastArrival, arriving.at);
    }
  }

  /** Cycles of one byte on the wire. */
  get byteCycles(): number {
    return this.#byteCycles;
  }

  /** Passes bytes to `transmit`: those whose transmission has begun by now, or all. */
  flush(which: 'by-now' | 'all' = 'by-now'): void {
    this.#hand(which === 'all' ? Number.POSITIVE_INFINITY : this.#around.cycles());
  }

  read(address: number): number {
    this.#settle();
    const offset = this.#offset(address);
    const { transmitterState } = this.#layout;
    const sending = this.#idleAt > this.#around.cycles() ? 2 << transmitterState.shift : 0;
    switch (offset) {
      case 0:
        return this.#received.shift() ?? 0;
      case offsets.raw:
        return this.#raw();
      case offsets.status:
        return this.#raw() & this.#enabled;
      case offsets.enable:
        return this.#enabled;
      case offsets.state: {
        const counts = this.#received.length | (this.#waiting() << 16);
        return transmitterState.offset === offset ? counts | sending : counts;
      }
      case transmitterState.offset:
        return sending;
      default:
        return this.#registers.get(offset) ?? 0;
    }
  }

  write(address: number, value: number): void {
    this.#settle();
    const offset = this.#offset(address);
    switch (offset) {
      case 0:
        this.#send(value & 0xff);
        return;
      case offsets.enable:
        this.#enabled = value;
        return;
      case offsets.clear:
        this.#raised &= ~value;
        return;
      case offsets.conf0:
        this.#reset(value);
        break;
      default:
    }
    this.#registers.set(offset, value);
    if (offset === offsets.divider || offset === this.#layout.clock) {
      this.#changeRate();
    }
  }

  #offset(address: number): number {
    return this.#layout.fifoAliases.includes(address) ? 0 : address - this.#layout.base;
  }

  /** Returns the number of bytes in the transmitter's FIFO, without the one in the shift register. */
  #waiting(): number {
    const cycles = this.#idleAt - this.#around.cycles();
    // Sums of fractions are not exact.
    return Math.max(0, Math.ceil(cycles / this.#byteCycles - 0.001) - 1);
  }

  #send(byte: number): void {
    if (this.#waiting() >= fifoSize) {
      return;
    }
    const at = Math.max(this.#around.cycles(), this.#idleAt);
    this.#idleAt = at + this.#byteCycles;
    this.#leaving.push({ byte, at });
    this.#raised &= ~interrupt.done;
  }

  #hand(until: number): void {
    const count = this.#leaving.findIndex(({ at }) => at > until);
    const gone = this.#leaving.splice(0, count === -1 ? this.#leaving.length : count);
    if (gone.length > 0) {
      this.#around.transmit(Uint8Array.from(gone, ({ byte }) => byte));
    }
  }

  /** Moves bytes that have arrived by now into the FIFO. A full FIFO loses them. */
  #settle(): void {
    const now = this.#around.cycles();
    for (let next = this.#arriving[0]; next !== undefined && next.at <= now; next = this.#arriving[0]) {
      this.#arriving.shift();
      if (this.#received.length < fifoSize) {
        this.#received.push(next.byte);
      } else {
        this.#raised |= interrupt.overflow;
      }
    }
  }

  #raw(): number {
    const conf1 = this.#registers.get(offsets.conf1) ?? 0;
    const [shift, mask] = this.#layout.emptyThreshold;
    const now = this.#around.cycles();
    const quiet = ((now - this.#lastArrival) / this.#byteCycles) * bitsPerByte;
    const states = [
      [interrupt.full, this.#received.length > 0 && this.#received.length >= (conf1 & this.#layout.fullThreshold)],
      [interrupt.empty, this.#waiting() <= ((conf1 >> shift) & mask)],
      [interrupt.timeOut, this.#received.length > 0 && quiet >= timeOutBits],
      [interrupt.done, this.#idleAt > 0 && this.#idleAt <= now],
    ] as const;
    for (const [bit, isSo] of states) {
      this.#raised |= isSo ? bit : 0;
    }
    return this.#raised;
  }

  #reset(conf0: number): void {
    if ((conf0 & resetReceive) !== 0) {
      this.#received = [];
    }
    if ((conf0 & resetTransmit) !== 0) {
      this.#leaving = [];
      this.#idleAt = Math.min(this.#idleAt, this.#around.cycles());
    }
  }

  #changeRate(): void {
    const divider = this.#registers.get(offsets.divider) ?? 0;
    const sixteenths = (divider & 0xfffff) * 16 + ((divider >> 20) & 15);
    if (sixteenths === 0) {
      return;
    }
    this.flush('all');
    this.#baudRate = (this.#clock() * 16_000_000) / sixteenths;
    this.#byteCycles = this.#cyclesOfByte();
    this.#around.rateChanged(this.#baudRate);
  }

  /** Returns the UART's clock in MHz. */
  #clock(): number {
    const { clock } = this.#layout;
    const choice = clock === null ? 0 : (this.#registers.get(clock) ?? 0);
    const source = ((choice >> clockChoice) & 3) === fastClock ? fastMegahertz : this.#around.crystal;
    return source / (((choice >> 12) & 0xff) + 1);
  }

  #cyclesOfByte(): number {
    return (this.#around.crystal * 1_000_000 * bitsPerByte) / this.#baudRate;
  }

  #dividerOf(baudRate: number): number {
    const sixteenths = Math.floor((this.#around.crystal * 16_000_000) / baudRate);
    return ((sixteenths & 15) << 20) | (sixteenths >> 4);
  }
}
