/**
 * The boot ROM of an RP2040 from one start of its USB boot to the next reset: the USB device with PICOBOOT and the
 * drive behind it. A board makes one for each visit to BOOTSEL.
 */
import { address, BootDevice, type BootDeviceFacts } from './boot-device.ts';
import type { BootRom, RebootRequest, RomContext } from './boot-rom.ts';
import { MassStorage } from './mass-storage.ts';
import { commonRules, Picoboot, request } from './picoboot.ts';
import { TaskRunner } from './tasks.ts';
import { Uf2Reception } from './uf2-reception.ts';
import { type DriveFacts, VirtualDisk } from './virtual-disk.ts';
import { Worker } from './worker.ts';

/** Silicon revisions by their ROM: version 2 and version 3. They differ in texts only, as far as a host sees them. */
export type RomRevision = 'B1' | 'B2';

const romVersion: Readonly<Record<RomRevision, number>> = { B1: 2, B2: 3 };
/** 24 bits of SYSINFO's GITREF, then 24 of the ROM's own revision: equal in all chips with one ROM. */
const serialNumber: Readonly<Record<RomRevision, string>> = { B1: 'E0C91200A4A1', B2: 'E0C9125B0D9B' };
/** Bytes of INDEX.HTM. */
const indexSize = 241;

export class Rp2040Rom implements BootRom {
  readonly device: BootDevice;
  readonly storage: MassStorage;
  readonly picoboot: Picoboot;
  readonly #context: RomContext & { readonly revision: RomRevision };
  readonly #worker: Worker;

  constructor(context: RomContext & { readonly revision: RomRevision }) {
    this.#context = context;
    this.device = new BootDevice(deviceFacts(context.revision));
    this.#worker = new Worker(context.clock, context.slack, () => context.flash);
    const { memories } = context;
    const { readableRom } = memories.map;
    const tasks = new TaskRunner({
      ...context,
      rules: {
        // The ROM counts the first address of RAM as flash.
        flashEnd: memories.map.ramStart,
        isRam: (start, length) => memories.isRam(start) && memories.isRam((start + length) >>> 0),
        isReadableRom: (start, length) => start < readableRom && (start + length) >>> 0 < readableRom,
        isPermitted: () => true,
      },
      worker: this.#worker,
      get isRebooting() {
        return context.isRebooting();
      },
      setExclusive: (mode) => this.#setExclusive(mode),
    });
    const reboot = (pc: number, sp: number, delay: number) => {
      const request: RebootRequest = { kind: 'jump', pc, sp, delay };
      context.reboot(pc === 0 ? { kind: 'normal', delay } : request);
    };
    const reception = new Uf2Reception({
      memories: context.memories,
      worker: this.#worker,
      run: (task) => tasks.run(task),
      reboot,
      written: (token, result) => this.storage.sectorDone(token, result),
    });
    const disk = new VirtualDisk(driveFacts(context.revision), this.#volumeSerial());
    this.storage = new MassStorage({
      in: this.device.endpoint(address.storageIn),
      out: this.device.endpoint(address.storageOut),
      identity: `RPI     RP2             ${String(romVersion[context.revision]).padEnd(4)}`,
      read: (sector) => disk.read(sector),
      write: (token, sector) => reception.write(token, sector),
      reset: () => reception.reset(),
    });
    this.picoboot = new Picoboot({
      in: this.device.endpoint(address.picobootIn),
      out: this.device.endpoint(address.picobootOut),
      worker: this.#worker,
      run: (task) => tasks.run(task),
      dialect: {
        rules: {
          ...commonRules,
          8: { size: 4, steps: () => ({ exec: true }) },
          9: { size: 4, steps: () => ({ vectorize: true }) },
        },
        reboot: {
          id: 2,
          size: 12,
          run: (args) => {
            reboot(args.getUint32(0, true), args.getUint32(4, true), args.getUint32(8, true));
            return true;
          },
        },
        reportsAll: false,
      },
      abortFlash: () => this.#abortFlash(),
    });
    this.device.connect({
      configure: (isConfigured) => this.#configure(isConfigured),
      vendorRequest: (setup) => {
        if (setup.type >= 0x80) {
          return setup.request === request.status && setup.length === 16 ? this.picoboot.status() : null;
        }
        if (setup.request !== request.reset) {
          return null;
        }
        this.picoboot.reset();
        return new Uint8Array();
      },
      resetStorage: () => this.storage.reset(),
    });
    this.#configure(false);
  }

  /** The chip is reset or loses its supply. */
  stop(): void {
    this.#worker.stop();
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

  #setExclusive(mode: number): void {
    this.#worker.disable('drive', mode !== 0);
    if (mode === 2) {
      this.storage.eject();
    }
  }

  /** The volume's serial number: the timer when it is read first. */
  #volumeSerial(): () => number {
    let serial: number | null = null;
    return () => {
      serial ??= this.#context.timer() >>> 0;
      return serial;
    };
  }
}

function deviceFacts(revision: RomRevision): BootDeviceFacts {
  return {
    vendorId: 0x2e8a,
    productId: 0x0003,
    usbVersion: 0x0110,
    deviceVersion: 0x0100,
    maxPower: 0xfa,
    manufacturer: 'Raspberry Pi',
    product: 'RP2 Boot',
    serialNumber: serialNumber[revision],
  };
}

function driveFacts(revision: RomRevision): DriveFacts {
  const page = 'https://raspberrypi.com/device/RP2';
  const html = `<html><head><meta http-equiv="refresh" content="0;URL='${page}'"/></head><body><a href='${page}'>RP2040</a></body></html>`;
  return {
    label: 'RPI-RP2',
    infoFile: `UF2 Bootloader v${romVersion[revision]}.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n`,
    indexFile: html.padEnd(indexSize),
  };
}
