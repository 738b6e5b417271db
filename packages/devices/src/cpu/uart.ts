/**
 * UART0 as a program sees it: two FIFOs of 128 bytes, their state and the interrupt registers ("ESP32 Technical Reference Manual" and
 * "ESP32-C3 Technical Reference Manual", chapters "UART Controller"). Time is counted in cycles of the processor. Bytes are carried
 * elsewhere. Not here: flow control, parity and other frames than 8N1, and that an interrupt reaches the processor.
 */

/** What differs between the chips. Addresses and offsets of registers. */
export interface UartLayout {
  readonly base: number;
  /** Other addresses of the FIFO. */
  readonly fifoAliases: readonly number[];
  /** Width of the two counts in STATUS. */
  readonly countBits: number;
  /** In CONF1: how many bytes waiting raise RXFIFO_FULL (from bit 0 on), and how few left raise TXFIFO_EMPTY. */
  readonly fullThreshold: number;
  readonly emptyThreshold: readonly [shift: number, mask: number];
  /** Four bits that are 0 when nothing is being sent. */
  readonly transmitterState: { readonly offset: number; readonly shift: number };
  /** CLK_CONF, where the UART has its own choice of clocks. */
  readonly clock: number | null;
}

export interface UartSurroundings {
  /** Cycles of the processor, now. */
  cycles(): number;
  /** Megahertz of the processor and, in download mode, of the UART. */
  readonly crystal: number;
  /** Of the start, in baud. */
  readonly baudRate: number;
  /** The program has set another rate. What was sent before has been handed over. */
  rateChanged(baudRate: number): void;
  /** Bytes begin to leave. */
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
/** Of CLK_CONF: the clock is 80 MHz (1) or the crystal's (3), and is divided by the number in bits 12 to 19 and one. */
const [clockChoice, fastClock, fastMegahertz] = [20, 1, 80];
/** Bit times without a byte until RXFIFO_TOUT; programs set others, which are not looked at. */
const timeOutBits = 100;
/** CONF0 and CLK_CONF after a start, and of CONF1 both thresholds at 96. */
const startConf0 = 0x0800001c;
const startClock = 0x03700000;
const startThreshold = 0x60;

export class Uart {
  readonly #layout: UartLayout;
  readonly #around: UartSurroundings;
  readonly #registers = new Map<number, number>();
  #byteCycles: number;
  #baudRate: number;
  /** On the wire to the chip, with the cycle of its arrival. */
  #arriving: { readonly byte: number; at: number }[] = [];
  #received: number[] = [];
  #lastArrival = Number.NEGATIVE_INFINITY;
  /** In the transmitter's FIFO or shift register, with the cycle of its start. */
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

  /** Nothing is on its way, in neither direction, and nothing waits to be read. */
  get isIdle(): boolean {
    this.#settle();
    return this.#arriving.length === 0 && this.#received.length === 0 && this.#leaving.length === 0;
  }

  has(address: number): boolean {
    const { base, fifoAliases } = this.#layout;
    return (address >= base && address < base + registerEnd) || fifoAliases.includes(address);
  }

  /** The first bytes of `bytes` came earlier, one after the other at the UART's rate, the last one comes at `cycle`. */
  receive(bytes: Uint8Array, cycle: number): void {
    const now = this.#around.cycles();
    for (const [index, byte] of bytes.entries()) {
      const carried = cycle - (bytes.length - 1 - index) * this.#byteCycles;
      this.#lastArrival = Math.max(carried, now, this.#lastArrival + this.#byteCycles);
      this.#arriving.push({ byte, at: this.#lastArrival });
    }
  }

  /** So many cycles of the clock are given up: by the program's count what is on the wire comes that much sooner. */
  giveUp(cycles: number): void {
    let earliest = this.#around.cycles();
    this.#lastArrival = Math.max(earliest, this.#lastArrival - cycles);
    for (const arriving of this.#arriving) {
      arriving.at = Math.max(arriving.at - cycles, earliest);
      earliest = arriving.at + this.#byteCycles;
      this.#lastArrival = Math.max(this.#lastArrival, arriving.at);
    }
  }

  /** Cycles that a byte takes on the wire. */
  get byteCycles(): number {
    return this.#byteCycles;
  }

  /** Hands over what begins to leave by now, or all that is to leave. */
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

  /** Bytes that wait to be sent, without the one in the shift register. */
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

  /** What has arrived by now is in the FIFO, or lost where that was full. */
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

  /** Megahertz. */
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
