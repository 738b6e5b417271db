/** A W25Q16JV on the wires of the SSI, byte by byte, and the registers between: SSI, the pads' overrides. */
import { pageSize, sectorSize } from '../../chip/spi-flash.ts';

const ssi = { enable: 0x08, transmitLevel: 0x20, receiveLevel: 0x24, data: 0x60 } as const;
const pad = { select: 0x0c, input: 0x1c } as const;
const overrideLow = 2;

interface WireTimes {
  /** Milliseconds. */
  readonly erase: number;
  readonly program: number;
}

export interface WireEvent {
  readonly what: 'erase' | 'program' | 'ignored-busy' | 'unknown';
  readonly command: number;
  readonly at: number;
}

export class FlashWires {
  readonly cells: Uint8Array;
  readonly events: WireEvent[] = [];
  readonly #times: WireTimes;
  readonly #now: () => number;
  readonly #received: number[] = [];
  readonly #ssi = new Map<number, number>();
  readonly #pads = new Map<number, number>();
  #sent: number[] = [];
  #busyUntil = Number.NEGATIVE_INFINITY;
  #isWriteEnabled = false;

  constructor(cells: Uint8Array, times: WireTimes, now: () => number) {
    this.cells = cells;
    this.#times = times;
    this.#now = now;
  }

  resetPads(): void {
    this.#pads.clear();
  }

  reset(): void {
    this.#ssi.clear();
    this.#pads.clear();
    this.#received.length = 0;
    this.#sent = [];
  }

  readonly controller = registers(
    (offset) => {
      if (offset === ssi.receiveLevel) {
        return this.#received.length;
      }
      if (offset === ssi.data) {
        return this.#received.shift() ?? 0;
      }
      return offset === ssi.transmitLevel ? 0 : (this.#ssi.get(offset) ?? 0);
    },
    (offset, value) => {
      if (offset === ssi.data) {
        this.#shift(value & 0xff);
        return;
      }
      if (offset === ssi.enable) {
        this.#received.length = 0;
      }
      this.#ssi.set(offset, value);
    },
  );

  readonly pads = registers(
    (offset) => this.#pads.get(offset) ?? 0,
    (offset, value) => {
      const wasSelected = this.#isSelected;
      this.#pads.set(offset, value);
      if (offset === pad.select && wasSelected) {
        this.#end();
        this.#sent = [];
      }
    },
  );

  get #isSelected(): boolean {
    return (((this.#pads.get(pad.select) ?? 0) >> 8) & 3) === overrideLow;
  }

  #shift(byte: number): void {
    if ((this.#ssi.get(ssi.enable) ?? 0) === 0) {
      return;
    }
    const isLow = (((this.#pads.get(pad.input) ?? 0) >> 16) & 3) === overrideLow;
    const answer = this.#isSelected ? this.#exchange(byte) : 0xff;
    this.#received.push(isLow ? 0 : answer);
  }

  get #isBusy(): boolean {
    return this.#now() < this.#busyUntil;
  }

  get #address(): number {
    const [, high = 0, middle = 0, low = 0] = this.#sent;
    return high * 0x1_0000 + middle * 0x100 + low;
  }

  #exchange(byte: number): number {
    const [command] = this.#sent;
    const index = this.#sent.length;
    this.#sent.push(byte);
    if (command === 0x05) {
      return (this.#isBusy ? 1 : 0) | (this.#isWriteEnabled ? 2 : 0);
    }
    const late = command === 0x0b ? 5 : 4;
    if (!this.#isBusy && (command === 0x03 || command === 0x0b) && index >= late) {
      return this.cells[(this.#address + index - late) % this.cells.length] ?? 0xff;
    }
    return 0xff;
  }

  /** Chip select rises: the command is executed. */
  #end(): void {
    const [command] = this.#sent;
    // EXIT_XIP sends zeros and ones to a chip that may be in another mode.
    if (command === undefined || command === 0x05 || command === 0xff || command === 0x00) {
      return;
    }
    if (this.#isBusy) {
      this.events.push({ what: 'ignored-busy', command, at: 0 });
      return;
    }
    const at = this.#address % this.cells.length;
    if (command === 0x06) {
      this.#isWriteEnabled = true;
    } else if (command === 0x20 && this.#sent.length === 4) {
      this.#run('erase', command, at - (at % sectorSize), this.#times.erase);
    } else if (command === 0x02) {
      this.#run('program', command, at - (at % pageSize), this.#times.program);
    } else if (command !== 0x03 && command !== 0x0b) {
      this.events.push({ what: 'unknown', command, at: 0 });
    }
  }

  #run(what: 'erase' | 'program', command: number, at: number, duration: number): void {
    if (!this.#isWriteEnabled) {
      return;
    }
    this.#isWriteEnabled = false;
    this.#busyUntil = this.#now() + duration;
    this.events.push({ what, command, at });
    if (what === 'erase') {
      this.cells.fill(0xff, at, at + sectorSize);
      return;
    }
    for (const [index, byte] of this.#sent.slice(4, 4 + pageSize).entries()) {
      this.cells[at + index] = (this.cells[at + index] ?? 0) & byte;
    }
  }
}

/** Registers with the chip's aliases that change bits. */
export function registers(read: (offset: number) => number, write: (offset: number, value: number) => void) {
  return {
    readUint32: (offset: number) => read(offset & 0xfff) >>> 0,
    writeUint32: (offset: number, value: number) => write(offset & 0xfff, value >>> 0),
    writeUint32Atomic: (offset: number, value: number, kind: number) => {
      const plain = offset & 0xfff;
      const old = kind === 0 ? 0 : read(plain);
      write(plain, ([value, old ^ value, old | value, old & ~value][kind] ?? value) >>> 0);
    },
  };
}
