/**
 * Reads `manifest.json` of both kinds of packages. Those of nrfutil and adafruit-nrfutil list images by kind, each
 * with an init packet. Those of nRF Connect SDK list MCUboot images (`generate_zip.py`). The listed files are checked
 * elsewhere.
 */

import { givenText } from '@wirebench/port/given-text';
import { archivePath, type ZipFile } from '../../images/formats/zip.ts';
import { isObject, type JsonObject } from '../../images/json-fields.ts';
import type { NrfImageKind } from './nrf-firmware.ts';
import { PackageError } from './package-fault.ts';

export const manifestName = 'manifest.json';

/**
 * Kinds in the order in which images are sent. An application needs the SoftDevice that it was built for (nrfutil,
 * `dfu_send_images`).
 */
const kinds = [
  ['softdevice_bootloader', 'softdevice-bootloader'],
  ['softdevice', 'softdevice'],
  ['bootloader', 'bootloader'],
  ['application', 'application'],
] as const satisfies readonly (readonly [string, NrfImageKind])[];

export interface DfuEntry {
  readonly kind: (typeof kinds)[number][1];
  readonly imageFile: string;
  readonly initFile: string;
  /** Bytes of both parts of a SoftDevice with a bootloader; null if the manifest does not state them. */
  readonly softdeviceSize: number | null;
  readonly bootloaderSize: number | null;
}

export interface McubootEntry {
  readonly file: string;
  /** In bytes; null if the manifest does not state it. */
  readonly size: number | null;
  readonly imageNumber: number;
  /**
   * For builds that run from either slot: 0 for the file of the first slot, 1 for that of the second. Null if there
   * is only one file.
   */
  readonly variant: 0 | 1 | null;
  /** For example `nRF5340`; null if the manifest does not state it. */
  readonly chip: string | null;
}

export type Manifest =
  | { readonly kind: 'dfu'; readonly legacy: boolean; readonly entries: readonly DfuEntry[] }
  | { readonly kind: 'mcuboot'; readonly entries: readonly McubootEntry[] };

/**
 * Reads the manifest.
 *
 * @param files Files of one package.
 * @throws PackageError `not-a-package`, `manifest-damaged`, `manifest-conflict`, `image-twice`, `chips-differ`,
 *   `no-images`.
 */
export function readManifest(files: readonly ZipFile[]): Manifest {
  const file = files.find(({ name }) => name === manifestName);
  if (file === undefined) {
    throw new PackageError('not-a-package');
  }
  const json = parse(file.bytes);
  const { manifest, files: listed } = json;
  const result = isObject(manifest) ? dfuManifest(manifest) : Array.isArray(listed) ? mcubootManifest(listed) : null;
  if (result === null) {
    throw new PackageError('manifest-damaged');
  }
  if (result.entries.length === 0) {
    throw new PackageError('no-images');
  }
  return result;
}

/**
 * Returns true if a file of this name may be a package's manifest. Web apps, for example, use the same name. An
 * unreadable file counts as one.
 */
export function isPackageManifest(bytes: Uint8Array): boolean {
  try {
    const { manifest, files } = parse(bytes);
    return isObject(manifest) || Array.isArray(files);
  } catch {
    return true;
  }
}

function parse(bytes: Uint8Array): JsonObject {
  try {
    const json: unknown = JSON.parse(givenText(bytes));
    if (isObject(json)) {
      return json;
    }
  } catch (cause) {
    throw new PackageError('manifest-damaged', { cause });
  }
  throw new PackageError('manifest-damaged');
}

function dfuManifest(manifest: JsonObject): Manifest {
  const entries = kinds.flatMap(([key, kind]): DfuEntry[] => {
    const entry = manifest[key];
    if (entry === undefined || entry === null) {
      return [];
    }
    if (!isObject(entry)) {
      throw new PackageError('manifest-damaged');
    }
    // nrfutil nests the sizes one level deeper than adafruit-nrfutil.
    const sizes = isObject(entry['info_read_only_metadata']) ? entry['info_read_only_metadata'] : entry;
    return [
      {
        kind,
        imageFile: pathIn(entry, 'bin_file'),
        initFile: pathIn(entry, 'dat_file'),
        softdeviceSize: numberOf(sizes['sd_size']),
        bootloaderSize: numberOf(sizes['bl_size']),
      },
    ];
  });
  // Only packages for the legacy bootloader state their DFU version.
  return { kind: 'dfu', legacy: manifest['dfu_version'] !== undefined, entries };
}

/**
 * Reads the image list. nRF Connect SDK (`cmake/sysbuild/zip.cmake`) numbers slots across all images: image n has the
 * slots 2n and 2n + 1. `slot` is such a number; `slot_index_primary` and `slot_index_secondary` are one higher.
 */
function mcubootManifest(files: readonly unknown[]): Manifest {
  const entries = files.map(mcubootEntry);
  const chips = [...new Set(entries.flatMap(({ chip }) => chip ?? []))];
  if (chips.length > 1) {
    throw new PackageError('chips-differ', { where: chips.join(' and ') });
  }
  for (const entry of entries) {
    // A file without a variant and one for the second slot are the same image, built for each slot.
    const same = entries.filter(
      ({ imageNumber, variant }) => imageNumber === entry.imageNumber && (variant ?? 0) === (entry.variant ?? 0),
    );
    if (same.length > 1) {
      const names = same.map(({ file }) => file).join(' and ');
      throw new PackageError('image-twice', { where: `${names}, image ${entry.imageNumber}` });
    }
  }
  return { kind: 'mcuboot', entries };
}

function mcubootEntry(entry: unknown): McubootEntry {
  if (!isObject(entry)) {
    throw new PackageError('manifest-damaged');
  }
  const file = pathIn(entry, 'file');
  const [index, primary, secondary, slot] = ['image_index', 'slot_index_primary', 'slot_index_secondary', 'slot'].map(
    (key) => numberIn(entry, key, file),
  );
  const must = (holds: boolean) => {
    if (!holds) {
      throw new PackageError('manifest-conflict', { where: file });
    }
  };
  must(primary === null || primary === undefined || primary % 2 === 1);
  must(secondary === null || secondary === undefined || (secondary > 0 && secondary % 2 === 0));
  const images = [primary, secondary].flatMap((place) => (place == null ? [] : Math.floor((place - 1) / 2)));
  if (index != null) {
    images.push(index);
  }
  // Slots 0 and 1 may be counted within the image.
  if (slot != null && (slot > 1 || images.length === 0)) {
    images.push(Math.floor(slot / 2));
  }
  const [imageNumber = 0] = images;
  must(images.every((one) => one === imageNumber));
  return {
    file,
    size: numberIn(entry, 'size', file),
    imageNumber,
    variant: slot == null ? null : slot % 2 === 0 ? 0 : 1,
    chip: chipOf(entry['soc']) ?? chipOf(entry['board']),
  };
}

/**
 * Returns the chip in `nRF5340_CPUAPP_QKAA` or `thingy53/nrf5340/cpuapp`: the last one named, in the spelling of data
 * sheets.
 */
function chipOf(value: unknown): string | null {
  const found = typeof value === 'string' ? [...value.matchAll(/nrf(\d{2,}(?:[a-z]\d+)?)/gi)].at(-1)?.[1] : undefined;
  return found === undefined ? null : `nRF${found.toUpperCase()}`;
}

/** Returns a path as the archive has it. One that points outside stays, and no file has it. */
function pathIn(json: JsonObject, key: string): string {
  const value = json[key];
  if (typeof value !== 'string' || value === '') {
    throw new PackageError('manifest-damaged');
  }
  return archivePath(value) ?? value;
}

/** @throws PackageError `manifest-damaged` if the value is present and not a number. */
function numberIn(json: JsonObject, key: string, where: string): number | null {
  const value = json[key];
  const number = numberOf(value);
  if (number === null && value !== undefined && value !== null) {
    throw new PackageError('manifest-damaged', { where: `${where}, ${key}` });
  }
  return number;
}

/** Parses a non-negative integer, which some tools write as text. */
function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}
