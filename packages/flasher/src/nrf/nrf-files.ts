/**
 * Holds the firmware that may be written, with its bytes: one package or image, because a bootloader takes one
 * package at a time. Each image in it is a file of the page, in the order of writing.
 */

import { baseName } from '../core/index.ts';
import type { ChosenFiles, FileFacts, FileId } from '../given-files/chosen-files.ts';
import { overlappingBuilds } from '../given-files/given-builds.ts';
import type { ChosenPlace, FilesOfFamily, LeftOut, OpenedFile } from '../given-files/given-files.ts';
import { wholenessOf } from '../images/index.ts';
import { printedStartOf } from '../images/printed-start.ts';
import { sha256Of } from '../images/sha256.ts';
import {
  isNrfFirmware,
  type NrfFirmware,
  type NrfImage,
  type NrfImageKind,
  PackageError,
  readNrfFirmware,
} from './index.ts';

const kindText = {
  softdevice: 'SoftDevice',
  bootloader: 'Bootloader',
  'softdevice-bootloader': 'SoftDevice and bootloader',
  application: 'Application',
  mcuboot: 'Application',
} satisfies Record<NrfImageKind, string>;

const formatText = {
  'secure-package': 'secure DFU',
  'legacy-package': 'Adafruit DFU',
  'mcuboot-image': 'MCUboot',
  'mcuboot-package': 'MCUboot',
} satisfies Record<NrfFirmware['format'], string>;

interface Kept {
  /** Name of the given file. */
  readonly name: string;
  readonly firmware: NrfFirmware;
  readonly files: readonly FileFacts[];
  /** SHA-256 of the given file, with its signatures. */
  readonly sha256: string;
}

export class NrfFiles {
  #kept: Kept | null = null;
  #nextId = 1;

  get key(): string | null {
    return this.#kept?.sha256 ?? null;
  }

  /** Takes the package or image in place of the one before. Of several, `buildsAmong` has found one to take. */
  async add(opened: readonly OpenedFile[], before: readonly LeftOut[]): Promise<ChosenFiles> {
    const leftOut: LeftOut[] = [...before];
    let fresh: Kept | null = null;
    for (const file of opened) {
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

  /** Returns the package of these files; none if they were removed. */
  forPlan(places: readonly ChosenPlace[]): NrfFirmware[] {
    return this.#kept?.files.some((file) => places.some(({ id }) => file.id === id)) ? [this.#kept.firmware] : [];
  }

  async #read({ name: path, from, bytes, group }: OpenedFile, leftOut: LeftOut[]): Promise<Kept | null> {
    const name = baseName(path);
    try {
      const firmware = await readNrfFirmware(name, bytes);
      const files: FileFacts[] = [];
      for (const [place, image] of firmware.images.entries()) {
        files.push({ ...(await this.#factsOf(from, firmware, image, place)), build: group ?? name });
      }
      return { name, firmware, files, sha256: await sha256Of(bytes) };
    } catch (error) {
      if (!(error instanceof PackageError)) {
        throw error;
      }
      leftOut.push({ name, why: `${error.message} ${error.remedy}` });
      return null;
    }
  }

  async #factsOf(from: string, { format }: NrfFirmware, image: NrfImage, place: number): Promise<FileFacts> {
    const { name, bytes, version, kind, signed, imageNumber, leftOut: parts } = image;
    const what = [
      kind === 'mcuboot' && imageNumber > 0 ? `Image ${imageNumber}` : kindText[kind],
      `for ${formatText[format]}`,
      ...(version === null ? [] : [`version ${version}`]),
      ...(signed === null ? [] : [signed ? 'signed' : 'not signed']),
      ...parts.map((part) => `without ${part.what}`),
    ];
    const prints = printedStartOf(bytes);
    return {
      id: this.#nextId++,
      name: baseName(name),
      from,
      size: bytes.length,
      what: what.join(', ').replace(', for', ' for'),
      offset: place,
      why: '',
      // The index of the image takes the place of an address: only the bootloader knows the address.
      places: [{ offset: place, length: 1 }],
      application: version === null || place > 0 ? null : `version ${version}`,
      ...(prints !== null && { prints }),
      sha256: await sha256Of(bytes),
    };
  }

  #chosen(leftOut: readonly LeftOut[]): ChosenFiles {
    return { files: this.#kept?.files ?? [], leftOut, conflicts: [] };
  }
}

export const nrfFiles: FilesOfFamily<NrfFiles> = {
  family: 'nrf',
  create: () => new NrfFiles(),
  takesOne: true,
  async wholenessOf(name, bytes, program) {
    if (!isNrfFirmware(bytes)) {
      return wholenessOf(name, bytes, program);
    }
    try {
      await readNrfFirmware(name, bytes);
      return 'whole';
    } catch (error) {
      if (error instanceof PackageError) {
        return 'torn';
      }
      throw error;
    }
  },
  // A bootloader takes one package at a time, so that all of them are alternatives.
  buildsAmong: (files) =>
    overlappingBuilds(files, ({ bytes }) => (isNrfFirmware(bytes) ? [{ offset: 0, length: 1 }] : [])),
};
