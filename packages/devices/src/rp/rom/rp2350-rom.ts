/**
 * The boot ROM of an RP2350 from one start of its USB boot to the next reset. By RP2350 datasheet, chapter 5, and the
 * published ROM source; nothing of it was compared with the ROM itself.
 */

import { createRandom } from '../../random.ts';
import { address, BootDevice, type BootDeviceFacts, type Setup } from './boot-device.ts';
import type { BootRom, RomContext } from './boot-rom.ts';
import { MassStorage } from './mass-storage.ts';
import { commonRules, type Dialect, Picoboot, request } from './picoboot.ts';
import { ResidentTable } from './resident-table.ts';
import { Rp2350Uf2 } from './rp2350-uf2.ts';
import { infoWords } from './system-info.ts';
import { type OtherStep, type Task, TaskRunner } from './tasks.ts';
import { VirtualDisk } from './virtual-disk.ts';
import { status, type Work, Worker } from './worker.ts';

/** Ids and texts in OTP that take the place of Raspberry Pi's (datasheet, section 5.7). */
export interface WhiteLabel {
  readonly vendorId?: number;
  readonly productId?: number;
  readonly manufacturer?: string;
  readonly product?: string;
  readonly serialNumber?: string;
  /** Up to 11 characters. */
  readonly volumeLabel?: string;
  readonly model?: string;
  readonly boardId?: string;
}

type Rp2350Context = RomContext & { readonly whiteLabel: WhiteLabel; readonly seed: number };

const bosType = 15;
/** Vendor code of the request for the Microsoft OS 2.0 descriptor set. */
const microsoftRequest = { request: 1, index: 7 } as const;
const microsoftGuid = '{bc7398c1-73cd-4cb7-98b8-913a8fca7bf6}';
/** Bytes of GET_INFO's answer at most: it is one chunk. */
const maxInfo = 256;
const rebootType = { normal: 0, bootsel: 2, ramImage: 3, flashUpdate: 4, jump: 13 } as const;
/** Rows of OTP. */
const otpRows = 4_096;

export class Rp2350Rom implements BootRom {
  readonly device: BootDevice;
  readonly storage: MassStorage;
  readonly picoboot: Picoboot;
  readonly #context: Rp2350Context;
  readonly #worker: Worker;
  readonly #tasks: TaskRunner;
  readonly #table: ResidentTable;
  readonly #reception: Rp2350Uf2;
  readonly #chipId: readonly [number, number];
  readonly #random: readonly number[];
  readonly #otp = new Map<number, number>();

  constructor(context: Rp2350Context) {
    this.#context = context;
    const random = createRandom(context.seed, 'rp2350 id');
    const word = () => random.below(0x1_0000) * 0x1_0000 + random.below(0x1_0000);
    this.#chipId = [word(), word()];
    this.#random = [word(), word(), word(), word()];
    this.device = new BootDevice(deviceFacts(context.whiteLabel, this.#chipId));
    this.#worker = new Worker(context.clock, context.slack, () => context.flash);
    this.#table = new ResidentTable((offset, length) => {
      const now = Math.max(this.#worker.time, context.clock.now());
      return context.flash.view(now).read(offset, length);
    });
    this.#tasks = this.#taskRunner();
    this.#reception = new Rp2350Uf2({
      memories: context.memories,
      worker: this.#worker,
      run: (task) => this.#tasks.run(task),
      target: (family) => this.#table.targetOf(family),
      reboot: (wanted) => context.reboot(wanted),
      written: (token, result) => this.storage.sectorDone(token, result),
    });
    const [low, high] = this.#chipId;
    const disk = new VirtualDisk(driveFacts(context.whiteLabel), () => (Math.imul(high, 31) + low) >>> 0);
    this.storage = new MassStorage({
      in: this.device.endpoint(address.storageIn),
      out: this.device.endpoint(address.storageOut),
      identity: 'RPI     RP2350          1   ',
      read: (sector) => disk.read(sector),
      write: (token, sector) => this.#reception.write(token, sector),
      reset: () => this.#reception.reset(),
    });
    this.picoboot = new Picoboot({
      in: this.device.endpoint(address.picobootIn),
      out: this.device.endpoint(address.picobootOut),
      worker: this.#worker,
      dialect: this.#dialect(),
      run: (task) => this.#run(task),
      abortFlash: () => this.#abortFlash(),
    });
    this.device.connect({
      configure: (isConfigured) => this.#configure(isConfigured),
      vendorRequest: (setup) => this.#vendorRequest(setup),
      resetStorage: () => this.storage.reset(),
      deviceRequest: ({ type, request: code, index, length }) => {
        const isAsked = type === 0xc0 && code === microsoftRequest.request && index === microsoftRequest.index;
        return isAsked ? microsoftSet().slice(0, length) : null;
      },
      descriptor: (type) => (type === bosType ? bosDescriptor() : null),
    });
    this.#configure(false);
  }

  stop(): void {
    this.#worker.stop();
  }

  #taskRunner(): TaskRunner {
    const { memories, isRebooting } = this.#context;
    const { map } = memories;
    const isMemory = (at: number) =>
      (at >= map.ramStart && at < map.ramEnd) || (at >= map.cacheStart && at < map.cacheEnd);
    return new TaskRunner({
      ...this.#context,
      worker: this.#worker,
      get isRebooting() {
        return isRebooting();
      },
      rules: {
        flashEnd: 0x1200_0000,
        isRam: (start, length) => isMemory(start) && isMemory(start + length - 1),
        isReadableRom: (start, length) => start <= map.readableRom && start + length <= map.readableRom,
        isPermitted: (offset, length, access) => this.#table.isPermitted(offset, length, access),
      },
      setExclusive: (mode) => {
        this.#worker.disable('drive', mode !== 0);
        if (mode === 2) {
          this.storage.eject();
        }
      },
    });
  }

  #dialect(): Dialect {
    const other = (what: OtherStep['what'], args: DataView) => ({ other: { what, args } });
    const refused = (args: DataView) => other('refused', args);
    const rows = (args: DataView) => args.getUint16(2, true) * (args.getUint8(4) === 0 ? 4 : 2);
    return {
      rules: {
        ...commonRules,
        // REBOOT, EXEC and VECTORIZE_FLASH of the RP2040.
        2: { size: 12, steps: refused },
        8: { size: 4, steps: refused },
        9: { size: 4, steps: refused },
        11: {
          size: 16,
          length: (_, asked) => (asked <= maxInfo ? asked : -1),
          steps: (args) => other('get-info', args),
        },
        12: { size: 5, length: rows, steps: (args) => other('otp-read', args) },
        13: { size: 5, length: rows, steps: (args) => other('otp-write', args) },
      },
      reboot: { id: 10, size: 16, run: (args) => this.#reboot(args) },
      reportsAll: true,
    };
  }

  /** REBOOT2. */
  #reboot(args: DataView): boolean {
    const delay = args.getUint32(4, true);
    const { reboot } = this.#context;
    switch (args.getUint32(0, true) & 0xf) {
      case rebootType.bootsel:
        reboot({ kind: 'bootsel', delay });
        return true;
      case rebootType.ramImage:
        reboot({ kind: 'ram-image', address: args.getUint32(8, true), delay });
        return true;
      case rebootType.jump:
        reboot({ kind: 'jump', pc: args.getUint32(8, true), sp: args.getUint32(12, true), delay });
        return true;
      default:
        reboot({ kind: 'normal', delay });
        return true;
    }
  }

  *#run(task: Task): Work {
    const { other } = task.steps;
    if (other === undefined) {
      return yield* this.#tasks.run(task);
    }
    if (this.#context.isRebooting()) {
      return status.rebooting;
    }
    switch (other.what) {
      case 'get-info':
        return this.#info(other.args, task);
      case 'otp-read':
      case 'otp-write':
        return this.#accessOtp(other, task);
      default:
        return status.unknownCommand;
    }
  }

  #info(args: DataView, { data, length }: Task): number {
    const words = infoWords(args, Math.floor(length / 4) - 1, {
      chipId: this.#chipId,
      random: this.#random,
      table: this.#table,
      uf2: this.#reception.status,
    });
    if (typeof words === 'number') {
      return words;
    }
    data.fill(0);
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    for (const [index, value] of words.slice(0, Math.floor(length / 4)).entries()) {
      view.setUint32(index * 4, value >>> 0, true);
    }
    return status.ok;
  }

  /** Rows of 24 bits, or 16 with error correction. Bits are set and never cleared. */
  #accessOtp({ what, args }: OtherStep, { data, length }: Task): number {
    const size = args.getUint8(4) === 0 ? 4 : 2;
    const first = args.getUint16(0, true);
    if (first + length / size > otpRows) {
      return status.invalidAddress;
    }
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    for (let index = 0; index < length / size; index++) {
      const row = first + index;
      const old = this.#otp.get(row) ?? 0;
      if (what === 'otp-read') {
        view.setUint16(index * size, old & 0xffff, true);
        if (size === 4) {
          view.setUint16(index * size + 2, old >>> 16, true);
        }
      } else {
        const value = size === 4 ? view.getUint32(index * size, true) & 0xff_ffff : view.getUint16(index * size, true);
        this.#otp.set(row, old | value);
      }
    }
    return status.ok;
  }

  #vendorRequest(setup: Setup): Uint8Array<ArrayBuffer> | null {
    if (setup.type >= 0x80) {
      return setup.request === request.status && setup.length === 16 ? this.picoboot.status() : null;
    }
    if (setup.request !== request.reset) {
      return null;
    }
    this.picoboot.reset();
    return new Uint8Array();
  }

  #configure(isConfigured: boolean): void {
    this.#abortFlash();
    if (isConfigured) {
      this.storage.reset();
      this.picoboot.reset();
    }
  }

  #abortFlash(): void {
    this.#context.link.isAborted = true;
    this.#worker.wake();
  }
}

function deviceFacts(label: WhiteLabel, [low, high]: readonly [number, number]): BootDeviceFacts {
  const digits = (value: number) => value.toString(16).toUpperCase().padStart(8, '0');
  return {
    vendorId: label.vendorId ?? 0x2e8a,
    productId: label.productId ?? 0x000f,
    usbVersion: 0x0210,
    deviceVersion: 0x0100,
    maxPower: 0x19,
    manufacturer: label.manufacturer ?? 'Raspberry Pi',
    product: label.product ?? 'RP2350 Boot',
    serialNumber: label.serialNumber ?? digits(high) + digits(low),
  };
}

function driveFacts({ volumeLabel = 'RP2350', model = 'Raspberry Pi RP2350', boardId = 'RP2350' }: WhiteLabel) {
  const page = 'https://raspberrypi.com/device/RP2';
  return {
    label: volumeLabel,
    infoFile: `UF2 Bootloader v1.0\nModel: ${model}\nBoard-ID: ${boardId}\n`,
    indexFile: `<html><head><meta http-equiv="refresh" content="0;URL='${page}'"/></head><body><a href='${page}'>${boardId}</a></body></html>`,
  };
}

/** BOS with the capability that leads Windows to the descriptor set (Microsoft OS 2.0 Descriptors, table 4). */
function bosDescriptor(): Uint8Array<ArrayBuffer> {
  const platform = [0xdf, 0x60, 0xdd, 0xd8, 0x89, 0x45, 0xc7, 0x4c, 0x9c, 0xd2, 0x65, 0x9d, 0x9e, 0x64, 0x8a, 0x9f];
  const set = microsoftSet().length;
  return Uint8Array.from([5, 15, 33, 0, 1, 28, 16, 5, 0, ...platform, 0, 0, 3, 6, set, 0, microsoftRequest.request, 0]);
}

/** WinUSB for interface 1, with a GUID by which programs find it. */
function microsoftSet(): Uint8Array<ArrayBuffer> {
  const wide = (text: string) => [...`${text}\0`].flatMap((letter) => [letter.charCodeAt(0), 0]);
  const name = wide('DeviceInterfaceGUID');
  const value = wide(microsoftGuid);
  const property = [name.length + value.length + 10, 0, 4, 0, 1, 0, name.length, 0, ...name, value.length, 0, ...value];
  const compatible = [20, 0, 3, 0, ...new TextEncoder().encode('WINUSB'), ...new Array<number>(10).fill(0)];
  const subset = [8, 0, 2, 0, 1, 0, 8 + compatible.length + property.length, 0];
  const length = 10 + subset.length + compatible.length + property.length;
  return Uint8Array.from([10, 0, 0, 0, 0, 0, 3, 6, length, 0, ...subset, ...compatible, ...property]);
}
