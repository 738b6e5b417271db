/**
 * Tasks of a boot ROM: erase, program, read, leave XIP mode, run code. The order of the checks
 * decides which of several mistakes is reported, and the state of the link to the flash decides whether a command
 * reaches it at all. Facts from the published ROM source.
 */
import type { Memories } from '../chip/memories.ts';
import { pageSize, type SpiFlash, sectorSize } from '../chip/spi-flash.ts';
import { runThumb } from '../chip/thumb.ts';
import { status, type Work, type Worker } from './worker.ts';

/** Start of flash in the address space. */
export const flashStart = 0x1000_0000;

/** The parts of a task, in the order in which they are done. */
export interface TaskSteps {
  /** True: a transfer of UF2 to flash begins, and the ROM clears its maps first. */
  readonly clearsMaps?: boolean;
  readonly vectorize?: boolean;
  readonly exclusive?: number;
  readonly exitXip?: boolean;
  readonly exec?: boolean;
  readonly erase?: { readonly address: number; readonly size: number };
  readonly write?: boolean;
  readonly read?: boolean;
  /** Another kind of task, which its ROM does. */
  readonly other?: OtherStep;
}

/** GET_INFO or access to OTP with the arguments of its command, or a command that the ROM only refuses. */
export interface OtherStep {
  readonly what: 'get-info' | 'otp-read' | 'otp-write' | 'refused';
  readonly args: DataView;
}

export interface Task {
  readonly steps: TaskSteps;
  readonly source: 'drive' | 'picoboot';
  readonly address: number;
  /** Bytes to write or to read into; an empty array for transfers without data. */
  readonly data: Uint8Array;
  readonly length: number;
  /** True: refuse the task if another source wrote since. */
  readonly checksSource: boolean;
}

/** Times of the ROM's own work, in milliseconds. */
export interface RomTimes {
  /** One byte on the serial bus of the flash: 6 × 8 cycles of 48 MHz. */
  readonly byte: number;
  /** EXIT_XIP: mostly two delays of 6,144 cycles. */
  readonly exitXip: number;
  /** Clearing the 16 KiB of maps of UF2 blocks, measured in the emulator. */
  readonly clearMaps: number;
}

export const romTimes: RomTimes = { byte: 0.001, exitXip: 0.305, clearMaps: 0.15 };

/** Bytes of commands around an erase or a program: write enable, the status once. */
const commandBytes = 9;

/** Link between the chip and its flash. */
export interface FlashLink {
  /** False after a reset: nothing reaches the flash. */
  isOn: boolean;
  /** True: the ROM reads zeros and waits for nothing, until EXIT_XIP. */
  isAborted: boolean;
}

export interface Machine {
  readonly memories: Memories;
  readonly flash: SpiFlash;
  readonly link: FlashLink;
  readonly times: RomTimes;
  readonly worker: Worker;
  /** True from a REBOOT until the restart. */
  readonly isRebooting: boolean;
  readonly rules: AddressRules;
  setExclusive(mode: number): void;
}

/** A ROM's checks of addresses. */
interface AddressRules {
  /** Last address that counts as flash: the first one behind it, as the ROM has it. */
  readonly flashEnd: number;
  isRam(address: number, length: number): boolean;
  isReadableRom(address: number, length: number): boolean;
  /** True if a partition table lets the boot ROM read or write these bytes of flash. */
  isPermitted(offset: number, length: number, access: 'read' | 'write'): boolean;
}

/** Bytes of the table that VECTORIZE_FLASH copies to RAM: its size, then six addresses. */
const tableSize = 28;

export class TaskRunner {
  readonly #machine: Machine;
  #lastSource: 'drive' | 'picoboot' | null = null;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  *run(task: Task): Work {
    const machine = this.#machine;
    const { steps } = task;
    if (steps.clearsMaps === true) {
      yield machine.times.clearMaps;
    }
    if (machine.isRebooting) {
      return status.rebooting;
    }
    if (steps.vectorize === true) {
      const refused = this.#vectorize(task.address);
      if (refused !== status.ok) {
        return refused;
      }
    }
    if (steps.exclusive !== undefined) {
      machine.setExclusive(steps.exclusive);
    }
    if (steps.exitXip === true) {
      yield machine.times.exitXip;
      machine.link.isOn = true;
      machine.link.isAborted = false;
    }
    if (steps.exec === true && !this.#exec(task.address)) {
      yield Number.POSITIVE_INFINITY;
    }
    if (steps.write === true || steps.erase !== undefined) {
      if (task.checksSource && this.#lastSource !== task.source) {
        return status.interleavedWrite;
      }
      this.#lastSource = task.source;
    }
    if (steps.erase !== undefined) {
      const result = yield* this.#erase(steps.erase.address, steps.erase.size);
      if (result !== status.ok) {
        return result;
      }
    }
    return steps.write === true || steps.read === true ? yield* this.#access(task) : status.ok;
  }

  #vectorize(address: number): number {
    if ((address & 1) !== 0) {
      return status.badAlignment;
    }
    const { memories } = this.#machine;
    const { cacheStart, cacheEnd } = memories.map;
    const isSafe = (at: number) => memories.isRam(at) && (at < cacheStart || at > cacheEnd);
    if (!isSafe(address) || !isSafe(address + tableSize)) {
      return status.invalidAddress;
    }
    memories.write(address, Uint8Array.of(tableSize, 0, 0, 0));
    return status.ok;
  }

  #exec(address: number): boolean {
    const { memories } = this.#machine;
    const number = (bytes: Uint8Array) => bytes.reduceRight((sum, byte) => sum * 256 + byte, 0);
    const bus = {
      load: (at: number, size: 1 | 2 | 4) => number(memories.read(at, size)),
      store: (at: number, size: 1 | 2 | 4, value: number) => {
        memories.write(
          at,
          Uint8Array.from({ length: size }, (_, index) => value >>> (index * 8)),
        );
      },
    };
    return memories.isRam(address) && runThumb(bus, address, memories.map.ramEnd);
  }

  *#erase(address: number, size: number): Work {
    if (address % sectorSize !== 0 || size % sectorSize !== 0) {
      return status.badAlignment;
    }
    const end = (address + size) >>> 0;
    if (!this.#isFlash(address) || !this.#isFlash(end)) {
      return status.invalidAddress;
    }
    for (let at = address; at < end; at += sectorSize) {
      if (!this.#machine.rules.isPermitted(at - flashStart, sectorSize, 'write')) {
        return status.notPermitted;
      }
      yield* this.#command(commandBytes, (flash, now) => flash.eraseSector(now, at - flashStart));
    }
    return status.ok;
  }

  *#access({ steps, address, data, length }: Task): Work {
    const { memories } = this.#machine;
    const end = (address + length) >>> 0;
    const { rules } = this.#machine;
    if (rules.isRam(address, length) || (steps.write !== true && rules.isReadableRom(address, length))) {
      if (steps.write === true) {
        memories.write(address, data.slice(0, length));
      } else {
        data.set(memories.read(address, length).subarray(0, data.length));
      }
      return status.ok;
    }
    if (!this.#isFlash(address) || !this.#isFlash(end)) {
      return status.invalidAddress;
    }
    if (address % pageSize !== 0) {
      return status.badAlignment;
    }
    if (!rules.isPermitted(address - flashStart, pageSize, steps.write === true ? 'write' : 'read')) {
      return status.notPermitted;
    }
    if (steps.write === true) {
      // Without data the ROM sends zeros.
      const page = data.length === 0 ? new Uint8Array(pageSize) : data;
      yield* this.#command(commandBytes + pageSize, (flash, now) => flash.programPage(now, address - flashStart, page));
    } else {
      yield* this.#readPage(address, data);
    }
    return status.ok;
  }

  #isFlash(address: number): boolean {
    return address >= flashStart && address <= this.#machine.rules.flashEnd;
  }

  *#readPage(address: number, data: Uint8Array): Work {
    const { link, flash, times, worker } = this.#machine;
    yield (4 + pageSize) * times.byte;
    if (!link.isOn) {
      return status.ok;
    }
    const bytes = flash.read(worker.time, address - flashStart, pageSize);
    if (data.length > 0) {
      data.set(link.isAborted ? new Uint8Array(pageSize) : bytes);
    }
    return status.ok;
  }

  /** Sends an operation to the flash and waits until it is ready, unless the wait is aborted. */
  *#command(bytes: number, send: (flash: SpiFlash, now: number) => void): Work {
    const { link, flash, times, worker } = this.#machine;
    // Write enable is a command of its own, before the one with address and data.
    yield times.byte;
    if (link.isOn) {
      flash.enableWrites(worker.time);
    }
    yield (bytes - 1) * times.byte;
    if (link.isOn) {
      send(flash, worker.time);
      while (!link.isAborted && flash.busyUntil > worker.time) {
        yield 'ready';
      }
    }
    return status.ok;
  }
}
