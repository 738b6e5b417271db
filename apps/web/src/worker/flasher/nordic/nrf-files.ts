/**
 * Holds the firmware that may be written, with its bytes: one package or image, because a bootloader takes one
 * package at a time. Each image in it is a file of the page, in the order of writing.
 */
import { baseName } from '@wirebench/flasher/core';
import {
  type NordicFirmware,
  type NordicImage,
  type NordicImageKind,
  PackageError,
  readNordicFirmware,
} from '@wirebench/flasher/nordic';
import type { ChosenFiles, FileFacts, FileId, GivenFile } from '../../../protocol/flash-protocol.ts';
import { sha256Of } from '../../../shared/files/sha256.ts';
import type { LeftOut } from '../given-files.ts';

const kindText = {
  softdevice: 'SoftDevice',
  bootloader: 'Bootloader',
  'softdevice-bootloader': 'SoftDevice and bootloader',
  application: 'Application',
  mcuboot: 'Application',
} satisfies Record<NordicImageKind, string>;

const formatText = {
  'secure-package': 'secure DFU',
  'legacy-package': 'Adafruit DFU',
  'mcuboot-image': 'MCUboot',
  'mcuboot-package': 'MCUboot',
} satisfies Record<NordicFirmware['format'], string>;

interface Kept {
  /** Name of the given file. */
  readonly name: string;
  readonly firmware: NordicFirmware;
  readonly files: readonly FileFacts[];
}

export class NrfFiles {
  #kept: Kept | null = null;
  #nextId = 1;

  /** Takes the first usable package or image of `given` in place of the one before. */
  async add(given: readonly GivenFile[]): Promise<ChosenFiles> {
    const leftOut: LeftOut[] = [];
    let fresh: Kept | null = null;
    for (const file of given) {
      const read = await this.#read(file, leftOut);
      if (read !== null && fresh !== null) {
        leftOut.push({ name: read.name, why: 'One package is written at a time.' });
      }
      fresh ??= read;
    }
    this.#kept = fresh ?? this.#kept;
    return this.#chosen(leftOut);
  }

  /** Removes the whole package if one of its images is named, because it is written as a whole. */
  remove(ids: readonly FileId[]): ChosenFiles {
    if (this.#kept?.files.some(({ id }) => ids.includes(id))) {
      this.#kept = null;
    }
    return this.#chosen([]);
  }

  /** Returns null if these files were removed. */
  forPlan(ids: readonly FileId[]): NordicFirmware | null {
    return this.#kept?.files.some(({ id }) => ids.includes(id)) ? this.#kept.firmware : null;
  }

  async #read({ name: path, content }: GivenFile, leftOut: LeftOut[]): Promise<Kept | null> {
    const name = baseName(path);
    try {
      const firmware = await readNordicFirmware(name, new Uint8Array(await content.arrayBuffer()));
      const files: FileFacts[] = [];
      for (const [place, image] of firmware.images.entries()) {
        files.push(await this.#factsOf(firmware, image, place));
      }
      return { name, firmware, files };
    } catch (error) {
      if (!(error instanceof PackageError)) {
        throw error;
      }
      leftOut.push({ name, why: `${error.message} ${error.remedy}` });
      return null;
    }
  }

  async #factsOf({ format }: NordicFirmware, image: NordicImage, place: number): Promise<FileFacts> {
    const { name, bytes, version, kind, signed, imageNumber, leftOut: parts } = image;
    const what = [
      kind === 'mcuboot' && imageNumber > 0 ? `Image ${imageNumber}` : kindText[kind],
      `for ${formatText[format]}`,
      ...(version === null ? [] : [`version ${version}`]),
      ...(signed === null ? [] : [signed ? 'signed' : 'not signed']),
      ...parts.map((part) => `without ${part.what}`),
    ];
    return {
      id: this.#nextId++,
      name: baseName(name),
      size: bytes.length,
      what: what.join(', ').replace(', for', ' for'),
      offset: place,
      why: '',
      // The index of the image takes the place of an address: only the bootloader knows the address.
      places: [{ offset: place, length: 1 }],
      application: version === null || place > 0 ? null : `version ${version}`,
      sha256: await sha256Of(bytes),
    };
  }

  #chosen(leftOut: readonly LeftOut[]): ChosenFiles {
    return { files: this.#kept?.files ?? [], leftOut, conflicts: [] };
  }
}
