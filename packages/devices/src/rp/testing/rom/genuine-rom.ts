/**
 * The genuine boot ROM of an RP2040 in an emulator (rp2040js), with models of our own for what the emulator lacks: USB
 * device, SSI and flash, pads, resets, the XIP cache as memory. Its host makes single transactions, as that of the
 * simulated chip does.
 */
import { RP2040 } from 'rp2040js';
import type { ControlAnswer, Setup } from '../../rom/boot-device.ts';
import type { InPacket, OutResult } from '../../rom/endpoint.ts';
import { FlashWires, registers, type WireEvent } from './flash-wires.ts';
import { UsbController } from './usb-controller.ts';

const cyclesPerMs = 48_000;
const nanosPerCycle = 1e6 / cyclesPerMs;
/** Keys of the emulator's peripherals: a quarter of the address's 4 KiB page, rounded to 16 KiB. */
const block = {
  cacheControl: 0x1_4000,
  cache: 0x1_5000,
  ssi: 0x1_8000,
  resets: 0x4_000c,
  pads: 0x4_0018,
  watchdog: 0x4_0058,
  chipReset: 0x4_0064,
  usb: 0x5_0110,
} as const;
const ignore = () => undefined;
const cacheStart = 0x1500_0000;
const cacheSize = 0x4000;
/** Blocks of RESETS: USBCTRL and IO_QSPI. */
const resetBit = { usb: 1 << 24, pads: 1 << 6 } as const;
const allBlocks = 0x1ff_ffff;
/** Milliseconds that the ROM gets for each stage of a control request. */
const stageTime = 0.04;
/** Milliseconds after which a stage that is refused with NAK counts as lost. */
const stageLimit = 20;

/** The emulator's time. It advances with the instructions. */
class ChipClock {
  nanos = 0;
  readonly #alarms = new Map<object, { readonly due: number; readonly callback: () => void }>();

  createAlarm(callback: () => void) {
    const key = {};
    return {
      schedule: (delay: number) => {
        this.#alarms.set(key, { due: this.nanos + delay, callback });
      },
      cancel: () => {
        this.#alarms.delete(key);
      },
    };
  }

  tick(nanos: number): void {
    this.nanos += nanos;
    const due = [...this.#alarms].filter(([, alarm]) => alarm.due <= this.nanos);
    for (const [key, { callback }] of due) {
      this.#alarms.delete(key);
      callback();
    }
  }
}

export interface GenuineOptions {
  readonly words: Uint32Array;
  /** 2 MiB of content. */
  readonly content: Uint8Array;
  readonly times: { readonly erase: number; readonly program: number };
}

export class GenuineRom {
  readonly #options: GenuineOptions;
  readonly #cache = new Uint8Array(cacheSize);
  readonly #wires: FlashWires;
  #chip: RP2040;
  #clock = new ChipClock();
  #usb: UsbController;
  #cycles = 0;
  #restarts = 0;

  constructor(options: GenuineOptions) {
    this.#options = options;
    this.#wires = new FlashWires(options.content.slice(), options.times, () => this.now);
    [this.#chip, this.#usb] = this.#newChip();
  }

  /** Milliseconds since power-on. */
  get now(): number {
    return this.#cycles / cyclesPerMs;
  }

  get flash(): Uint8Array {
    return this.#wires.cells;
  }

  get events(): readonly WireEvent[] {
    return this.#wires.events;
  }

  get restarts(): number {
    return this.#restarts;
  }

  get toggleErrors(): number {
    return this.#usb.toggleErrors;
  }

  writeRam(offset: number, data: Uint8Array): void {
    this.#chip.sram.set(data, offset);
  }

  advance(duration: number): void {
    const end = this.#cycles + duration * cyclesPerMs;
    while (this.#cycles < end) {
      const { core } = this.#chip;
      const before = core.cycles;
      if (core.waiting) {
        // Only a timer can wake it here: the host does nothing before the end.
        const idle = Math.min(end - this.#cycles, 48);
        this.#spend(idle);
      } else {
        core.executeInstruction();
        this.#spend(Math.max(1, core.cycles - before));
      }
    }
  }

  out(endpoint: number, data: Uint8Array, toggle: number): OutResult {
    return this.#usb.out(endpoint, data, toggle);
  }

  in(endpoint: number): InPacket | 'nak' | 'stall' {
    return this.#usb.in(endpoint & 0x7f);
  }

  /** False: the endpoint would answer NAK. */
  isReady(endpoint: number): boolean {
    return this.#usb.isReady(endpoint);
  }

  busReset(): void {
    this.#usb.busReset();
    this.advance(3);
  }

  control({ type, request, value, index, length }: Setup): ControlAnswer {
    const view = new DataView(new ArrayBuffer(8));
    view.setUint8(0, type);
    view.setUint8(1, request);
    view.setUint16(2, value, true);
    view.setUint16(4, index, true);
    view.setUint16(6, length, true);
    this.#usb.setup(new Uint8Array(view.buffer));
    this.advance(stageTime);
    if (type < 0x80 || length === 0) {
      const status = this.#stage(() =>
        length === 0 ? this.#usb.in(0) : this.#usb.out(0, new Uint8Array(Math.min(length, 64)), 1),
      );
      return status === 'nak' || status === 'stall' ? status : new Uint8Array();
    }
    const packet = this.#stage(() => this.#usb.in(0));
    if (packet === 'nak' || packet === 'stall') {
      return packet;
    }
    this.#stage(() => this.#usb.out(0, new Uint8Array(), 1));
    return Uint8Array.from(packet.data);
  }

  /** Repeats a stage until it is not refused with NAK, within a limit. */
  #stage<T>(attempt: () => T | 'nak'): T | 'nak' {
    for (let time = 0; time < stageLimit; time += stageTime) {
      const result = attempt();
      this.advance(stageTime);
      if (result !== 'nak') {
        return result;
      }
    }
    return 'nak';
  }

  #spend(cycles: number): void {
    this.#cycles += cycles;
    this.#clock.tick(cycles * nanosPerCycle);
  }

  #newChip(): [RP2040, UsbController] {
    this.#clock = new ChipClock();
    const chip = new RP2040(this.#clock);
    chip.logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
    const usb = new UsbController(chip);
    Object.assign(chip, { usbCtrl: usb });
    let held = allBlocks;
    const cache = new DataView(this.#cache.buffer);
    const nothing = () =>
      registers(
        () => 0,
        () => undefined,
      );
    Object.assign(chip.peripherals, {
      [block.cacheControl]: nothing(),
      [block.cache]: nothing(),
      // Bit 24 of CHIP_RESET is 0: no debugger asks for a halt.
      [block.chipReset]: nothing(),
      [block.ssi]: this.#wires.controller,
      [block.resets]: registers(
        (offset) => (offset === 8 ? ~held & allBlocks : held),
        (offset, value) => {
          if (offset === 0) {
            held = value;
            if ((value & resetBit.usb) !== 0) {
              usb.reset();
            }
            if ((value & resetBit.pads) !== 0) {
              this.#wires.resetPads();
            }
          }
        },
      ),
      [block.pads]: this.#wires.pads,
      [block.usb]: usb,
    });
    this.#mapCache(chip, cache);
    chip.bootrom.set(this.#options.words);
    chip.qspi[1]?.setInputValue(false);
    (chip.peripherals[block.watchdog] as unknown as { onWatchdogTrigger: () => void }).onWatchdogTrigger = () =>
      this.#restart();
    chip.core.reset();
    return [chip, usb];
  }

  /** Puts the XIP cache at its place, for all widths. */
  #mapCache(chip: RP2040, cache: DataView): void {
    const inside = (address: number) => address >>> 0 >= cacheStart && address >>> 0 < cacheStart + cacheSize;
    const at = (address: number) => (address >>> 0) - cacheStart;
    const { readUint32, readUint16, readUint8, writeUint32, writeUint16, writeUint8 } = chip;
    chip.readUint32 = (address) =>
      inside(address) ? cache.getUint32(at(address), true) : readUint32.call(chip, address);
    chip.readUint16 = (address) =>
      inside(address) ? cache.getUint16(at(address), true) : readUint16.call(chip, address);
    chip.readUint8 = (address) => (inside(address) ? cache.getUint8(at(address)) : readUint8.call(chip, address));
    chip.writeUint32 = (address, value) =>
      inside(address) ? cache.setUint32(at(address), value, true) : writeUint32.call(chip, address, value);
    chip.writeUint16 = (address, value) =>
      inside(address) ? cache.setUint16(at(address), value, true) : writeUint16.call(chip, address, value);
    chip.writeUint8 = (address, value) =>
      inside(address) ? cache.setUint8(at(address), value) : writeUint8.call(chip, address, value);
  }

  /** Cold registers, the same RAM. */
  #restart(): void {
    const { sram } = this.#chip;
    this.#restarts++;
    this.#wires.reset();
    const errors = this.#usb.toggleErrors;
    [this.#chip, this.#usb] = this.#newChip();
    this.#chip.sram.set(sram);
    this.#usb.toggleErrors = errors;
  }
}
