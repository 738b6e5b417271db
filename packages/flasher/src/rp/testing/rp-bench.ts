/** A simulated board in BOOTSEL, and the family of the page that writes it. */
import type { BoardChange } from '../../core/board-change.ts';
import type { FamilyBoard, WriteOptions } from '../../family.ts';
import { formatFat } from '../../file-systems/fat/format-fat.ts';
import type { NewFile } from '../../file-systems/file-system.ts';
import { openFileSystem } from '../../file-systems/index.ts';
import { buildUf2 } from '../../images/testing/formats.ts';
import { createRpFamily } from '../family.ts';
import { type RpTypes, rpSettings } from '../family-types.ts';
import { flashStart } from '../files/index.ts';
import { RpRig } from './rp-rig.ts';
import { type RpBoardOptions, rpFirmware } from './simulated-rp.ts';

const KIB = 1_024;
const MIB = 1_048_576;
const RP2040 = 0xe48b_ff56;

export interface Area {
  readonly offset: number;
  readonly size: number;
}

export const never: AbortSignal = new AbortController().signal;
export const quiet: WriteOptions = {
  signal: never,
  save: async () => undefined,
  onStage: () => undefined,
  onEvent: () => undefined,
};

/** Areas for files in 2 MiB: of MicroPython for the Pico and for the Pico W (`mpconfigboard.h` of both boards). */
export const pico: Area = { offset: 0xa_0000, size: 1_408 * KIB };
export const picoW: Area = { offset: 0x12_c000, size: 848 * KIB };
/** Drives of CircuitPython: firmware of 1,020 and of 1,536 KiB, then 4 KiB of settings (`mpconfigport.h`). */
export const smallCore = 0x10_0000;
export const largeCore = 0x18_1000;

export const microPython = (text: string, { offset, size }: Area, length: number = 600 * KIB): Uint8Array =>
  rpFirmware({
    text,
    size: length,
    seed: text.length,
    drive: { name: 'MicroPython', address: flashStart + offset, size },
  });

export const circuitPython = (text: string, offset: number): Uint8Array =>
  rpFirmware({ text, size: offset - 4_096, drive: { name: 'CircuitPython', address: offset, size: 2 * MIB - offset } });

/** Returns a volume as CircuitPython makes it: sectors of 512 bytes, the label CIRCUITPY. */
export function circuitPythonDrive(size: number, files: readonly NewFile[]): Uint8Array {
  const image = formatFat(size, { wearLevelling: false, sectorSize: 512 });
  const reserved = 512;
  const tables = 2 * 512 * new DataView(image.buffer).getUint16(22, true);
  image.set([...'CIRCUITPY  '].map((letter) => letter.charCodeAt(0)).concat(0x08), reserved + tables);
  const fileSystem = openFileSystem(image);
  for (const { path, bytes } of files) {
    fileSystem.write(path, bytes);
  }
  return fileSystem.image;
}

/** A board in BOOTSEL with these contents, and the family of the page that writes it. */
export class Bench {
  readonly rig: RpRig;
  readonly family = createRpFamily();

  constructor(content: Exclude<RpBoardOptions['content'], string | undefined>, options: Partial<RpBoardOptions> = {}) {
    this.rig = new RpRig({ pace: 'none', content, ...options });
  }

  async connect(): Promise<FamilyBoard<RpTypes>> {
    await this.rig.clock.advance(1_000);
    const { device } = this.rig.device;
    const gone = new AbortController();
    this.rig.device.usb.addEventListener('disconnect', () => gone.abort(), { once: true });
    const options = {
      clock: this.rig.clock,
      signal: never,
      settings: rpSettings,
      baudRate: null,
      byHand: false,
      expectedId: null,
      isDemo: true,
      place: 1,
      isSame: true,
      returned: () => new Promise<SerialPort>(() => undefined),
      onStep: () => undefined,
    };
    return this.rig.run(this.family.connectUsb?.(device as never, gone.signal, options) ?? Promise.reject());
  }

  /** @param image Program to write; null: changes alone. */
  async plan(
    board: FamilyBoard<RpTypes>,
    image: Uint8Array | null,
    eraseAll = false,
    changes: readonly BoardChange[] = [],
  ) {
    const uf2 = image === null ? null : Uint8Array.from(buildUf2({ address: flashStart, bytes: image }, RP2040));
    const files = uf2 === null ? [] : await this.family.readFiles([{ name: 'new.uf2', offset: 0, bytes: uf2 }]);
    return this.rig.run(board.plan({ files, settings: { ...rpSettings, eraseAll }, guard: null, changes }, never));
  }

  write(board: FamilyBoard<RpTypes>) {
    return this.rig.run(board.write(quiet));
  }

  /** Files of the file system that a program finds in this area. */
  files({ offset, size }: Area): Record<string, Uint8Array> {
    const fileSystem = openFileSystem(this.rig.device.flash.read(offset, size));
    return filesOf(
      fileSystem
        .list()
        .filter(({ kind }) => kind === 'file')
        .map(({ path }) => ({ path, bytes: fileSystem.read(path) })),
    );
  }
}

/** Returns the contents by path. */
export const filesOf = (files: readonly NewFile[]) =>
  Object.fromEntries(files.map(({ path, bytes }) => [path, Uint8Array.from(bytes)]));
