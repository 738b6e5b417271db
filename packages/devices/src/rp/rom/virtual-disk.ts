/**
 * Sectors of the ROM's drive: a partition table, a FAT16 file system and two files, made when they are read. Nothing
 * that is written is kept. Layout from the published ROM source and a recorded RP2040.
 */

export const sectorBytes = 512;
/** Sectors of the whole drive: 128 MiB. */
export const driveSectors = 262_144;
const sectorsPerFat = 129;
const sectorsPerCluster = 8;
const rootEntries = 512;
const rootSectors = (rootEntries * 32) / sectorBytes;
const fatStart = 2;
const rootStart = fatStart + 2 * sectorsPerFat;
const dataStart = rootStart + rootSectors;
const volumeSectors = driveSectors - 1;
const fat16Lba = 0x0e;
const fixedDisk = 0xf8;
/** 5 September 2008, 16:20:51, as FAT stores it: hundredths, time, date. */
const fileTime = [100, 0x99, 0x82, 0x25, 0x39] as const;
const attribute = { readOnly: 0x01, volume: 0x08, archive: 0x20 } as const;

export interface DriveFacts {
  /** Up to 11 characters. */
  readonly label: string;
  readonly infoFile: string;
  readonly indexFile: string;
}

export class VirtualDisk {
  readonly #facts: DriveFacts;
  readonly #serial: () => number;
  readonly #files: readonly { readonly name: string; readonly data: Uint8Array }[];

  /** @param serial Returns the volume's serial number. An RP2040 takes the time of the first read. */
  constructor(facts: DriveFacts, serial: () => number) {
    this.#facts = facts;
    this.#serial = serial;
    this.#files = [
      { name: 'INDEX   HTM', data: ascii(facts.indexFile) },
      { name: 'INFO_UF2TXT', data: ascii(facts.infoFile) },
    ];
  }

  /** Returns a sector. Those behind the end are empty, too. */
  read(sector: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(sectorBytes);
    const view = new DataView(bytes.buffer);
    if (sector === 0) {
      this.#fillPartitionTable(bytes, view);
    } else if (sector === 1) {
      this.#fillBootSector(bytes, view);
    } else if (sector < rootStart) {
      if ((sector - fatStart) % sectorsPerFat === 0) {
        bytes.set([fixedDisk, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
      }
    } else if (sector === rootStart) {
      this.#fillRoot(bytes, view);
    } else {
      const file = this.#files.find((_, index) => sector === dataStart + index * sectorsPerCluster);
      bytes.set(file?.data ?? []);
    }
    return bytes;
  }

  #fillPartitionTable(bytes: Uint8Array, view: DataView): void {
    view.setUint32(0x1b8, this.#serial(), true);
    const entry = 0x1be;
    bytes[entry + 4] = fat16Lba;
    view.setUint32(entry + 8, 1, true);
    view.setUint32(entry + 12, volumeSectors, true);
    bytes.set([0x55, 0xaa], 510);
  }

  #fillBootSector(bytes: Uint8Array, view: DataView): void {
    bytes.set([0xeb, 0x3c, 0x90]);
    bytes.set(ascii('MSWIN4.1'), 3);
    view.setUint16(11, sectorBytes, true);
    bytes[13] = sectorsPerCluster;
    view.setUint16(14, 1, true);
    bytes[16] = 2;
    view.setUint16(17, rootEntries, true);
    bytes[21] = fixedDisk;
    view.setUint16(22, sectorsPerFat, true);
    // Sectors of a track and heads are 1; one sector is hidden before the volume.
    view.setUint16(24, 1, true);
    view.setUint16(26, 1, true);
    view.setUint32(28, 1, true);
    view.setUint32(32, volumeSectors, true);
    bytes[38] = 0x29;
    view.setUint32(39, this.#serial(), true);
    bytes.set(ascii(this.#label), 43);
    bytes.set(ascii('FAT16   '), 54);
    bytes.set([0xeb, 0xfe], 62);
  }

  #fillRoot(bytes: Uint8Array, view: DataView): void {
    bytes.set(ascii(this.#label));
    bytes[11] = attribute.volume | attribute.archive;
    for (const [index, { name, data }] of this.#files.entries()) {
      const at = 32 * (index + 1);
      bytes.set(ascii(name), at);
      bytes[at + 11] = attribute.readOnly | attribute.archive;
      bytes.set(fileTime, at + 13);
      bytes.set(fileTime.slice(1), at + 22);
      view.setUint16(at + 26, 2 + index, true);
      view.setUint32(at + 28, data.length, true);
    }
  }

  get #label(): string {
    return this.#facts.label.padEnd(11);
  }
}

function ascii(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0) & 0xff);
}
