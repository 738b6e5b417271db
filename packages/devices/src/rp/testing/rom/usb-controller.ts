/**
 * The RP2040's USB device as registers (datasheet, section 4.1.4): two buffers a bulk endpoint, buffer events that
 * queue, data toggles, halts. Its host makes single transactions.
 */
import type { RP2040 } from 'rp2040js';

const register = {
  sieStatus: 0x50,
  bufferStatus: 0x58,
  shouldHandle: 0x5c,
  abort: 0x60,
  abortDone: 0x64,
  stallArm: 0x68,
  interruptEnable: 0x90,
  interruptStatus: 0x98,
} as const;
const sie = { setup: 1 << 17, busReset: 1 << 19, dataSequence: 1 << 31 } as const;
const interrupt = { buffer: 1 << 4, dataSequence: 1 << 5, busReset: 1 << 12, setup: 1 << 16 } as const;
const half = {
  length: 0x3ff,
  available: 1 << 10,
  stall: 1 << 11,
  select: 1 << 12,
  toggle: 1 << 13,
  full: 1 << 15,
} as const;
const usbInterrupt = 5;

export class UsbController {
  toggleErrors = 0;
  readonly #chip: RP2040;
  readonly #values = new Map<number, number>();
  /** Finished buffers that the ROM has not seen, by bit of BUFF_STATUS. */
  readonly #events = new Map<number, number[]>();
  /** The buffer that comes next, by bit of BUFF_STATUS. */
  readonly #turns = new Map<number, number>();

  constructor(chip: RP2040) {
    this.#chip = chip;
  }

  readUint32(offset: number): number {
    const plain = offset & 0xfff;
    switch (plain) {
      case register.bufferStatus:
        return this.#bufferStatus;
      case register.shouldHandle:
        return [...this.#events].reduce((sum, [bit, queue]) => sum | ((queue[0] ?? 0) << bit), 0) >>> 0;
      case register.abortDone:
        return this.#value(register.abort);
      case register.interruptStatus:
        return this.#raised & this.#value(register.interruptEnable);
      default:
        return this.#value(plain);
    }
  }

  writeUint32(offset: number, value: number): void {
    this.writeUint32Atomic(offset, value, 0);
  }

  writeUint32Atomic(offset: number, value: number, kind: number): void {
    if (offset === register.sieStatus) {
      this.#values.set(offset, this.#value(offset) & ~value);
    } else if (offset === register.bufferStatus) {
      for (const [bit, queue] of this.#events) {
        if ((value & (1 << bit)) !== 0) {
          queue.shift();
        }
      }
    } else {
      const old = this.#value(offset);
      const updated = [value, old ^ value, old | value, old & ~value][kind] ?? value;
      this.#values.set(offset, updated >>> 0);
    }
    this.#update();
  }

  /** The ROM has written to the memory of buffers. Called by the chip. */
  DPRAMUpdated(offset: number, value: number): void {
    if (offset >= 0x80 && offset < 0x100 && (value & half.select) !== 0) {
      const bit = (offset - 0x80) >> 2;
      this.#turns.set(bit, 0);
      this.#memory.setUint32(offset, value & ~half.select, true);
    }
  }

  reset(): void {
    this.#values.clear();
    this.#events.clear();
    this.#turns.clear();
    this.#update();
  }

  busReset(): void {
    this.#set(sie.busReset);
  }

  setup(packet: Uint8Array): void {
    new Uint8Array(this.#chip.usbDPRAM.buffer).set(packet, 0);
    this.#values.set(register.stallArm, 0);
    this.#events.delete(0);
    this.#events.delete(1);
    this.#set(sie.setup);
  }

  out(endpoint: number, data: Uint8Array, toggle: number): 'ack' | 'nak' | 'stall' {
    const bit = endpoint * 2 + 1;
    if (this.#isHalted(bit)) {
      return 'stall';
    }
    const { place, which } = this.#next(bit);
    const control = this.#memory.getUint16(place, true);
    if ((control & half.available) === 0) {
      return 'nak';
    }
    if (((control & half.toggle) === 0 ? 0 : 1) !== toggle) {
      this.toggleErrors++;
      this.#set(sie.dataSequence);
      return 'ack';
    }
    this.#chip.usbDPRAM.set(data, this.#bufferOf(bit) + which * 64);
    this.#memory.setUint16(place, (control & half.toggle) | half.full | data.length, true);
    this.#finish(bit, which);
    return 'ack';
  }

  in(endpoint: number): { readonly data: Uint8Array; readonly toggle: number } | 'nak' | 'stall' {
    const bit = endpoint * 2;
    if (this.#isHalted(bit)) {
      return 'stall';
    }
    const { place, which } = this.#next(bit);
    const control = this.#memory.getUint16(place, true);
    if ((control & half.available) === 0 || (control & half.full) === 0) {
      return 'nak';
    }
    const start = this.#bufferOf(bit) + which * 64;
    const data = this.#chip.usbDPRAM.slice(start, start + (control & half.length));
    this.#memory.setUint16(place, control & ~(half.available | half.full), true);
    this.#finish(bit, which);
    return { data, toggle: (control & half.toggle) === 0 ? 0 : 1 };
  }

  /** False: the endpoint would answer NAK. @param address Number of the endpoint, with 0x80 for IN. */
  isReady(address: number): boolean {
    const bit = (address & 0x7f) * 2 + (address >= 0x80 ? 0 : 1);
    const control = this.#memory.getUint16(this.#next(bit).place, true);
    return this.#isHalted(bit) || (control & half.available) !== 0;
  }

  get #memory(): DataView {
    return this.#chip.usbDPRAMView;
  }

  #value(offset: number): number {
    return this.#values.get(offset) ?? 0;
  }

  #set(bits: number): void {
    this.#values.set(register.sieStatus, (this.#value(register.sieStatus) | bits) >>> 0);
    this.#update();
  }

  #isHalted(bit: number): boolean {
    const isStalled = (this.#memory.getUint16(0x80 + bit * 4, true) & half.stall) !== 0;
    return isStalled && (bit > 1 || (this.#value(register.stallArm) & (1 << bit)) !== 0);
  }

  #next(bit: number): { readonly place: number; readonly which: number } {
    const which = bit < 2 ? 0 : (this.#turns.get(bit) ?? 0);
    return { place: 0x80 + bit * 4 + which * 2, which };
  }

  #bufferOf(bit: number): number {
    return bit < 2 ? 0x100 : this.#memory.getUint32(bit * 4, true) & 0xffc0;
  }

  #finish(bit: number, which: number): void {
    this.#turns.set(bit, bit < 2 ? 0 : which ^ 1);
    const queue = this.#events.get(bit) ?? [];
    queue.push(which);
    this.#events.set(bit, queue);
    this.#update();
  }

  get #bufferStatus(): number {
    return [...this.#events].reduce((sum, [bit, { length }]) => sum | (length > 0 ? 1 << bit : 0), 0) >>> 0;
  }

  get #raised(): number {
    const status = this.#value(register.sieStatus);
    return (
      (this.#bufferStatus === 0 ? 0 : interrupt.buffer) |
      ((status & sie.setup) === 0 ? 0 : interrupt.setup) |
      ((status & sie.busReset) === 0 ? 0 : interrupt.busReset) |
      ((status & sie.dataSequence) === 0 ? 0 : interrupt.dataSequence)
    );
  }

  #update(): void {
    this.#chip.setInterrupt(usbInterrupt, (this.#raised & this.#value(register.interruptEnable)) !== 0);
  }
}
