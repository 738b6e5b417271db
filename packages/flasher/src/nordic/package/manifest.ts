/**
 * `manifest.json` of the two kinds of packages: of nrfutil and adafruit-nrfutil (images by their kind, each with an init packet)
 * and of nRF Connect SDK (a list of MCUboot images; `generate_zip.py`). Believes nothing about the files that they name.
 */

import type { ZipFile } from '../../images/formats/zip.ts';
import { isObject, type JsonObject } from '../../images/json-fields.ts';
import type { NordicImageKind } from './nordic-firmware.ts';
import { PackageError } from './package-fault.ts';

const manifestName = 'manifest.json';

/** In the order in which images go: an application needs the SoftDevice that it was built for (nrfutil, `dfu_send_images`). */
const kinds = [
  ['softdevice_bootloader', 'softdevice-bootloader'],
  ['softdevice', 'softdevice'],
  ['bootloader', 'bootloader'],
  ['application', 'application'],
] as const satisfies readonly (readonly [string, NordicImageKind])[];

export interface DfuEntry {
  readonly kind: (typeof kinds)[number][1];
  readonly imageFile: string;
  readonly initFile: string;
  /** Of a SoftDevice with a bootloader, where the manifest says: bytes. */
  readonly softdeviceSize: number | null;
  readonly bootloaderSize: number | null;
}

export interface McubootEntry {
  readonly file: string;
  /** Bytes; null when it does not say. */
  readonly size: number | null;
  readonly imageNumber: number;
  /** Of builds that run from either slot: which one this is for; null when there is only one. */
  readonly slot: number | null;
}

export type Manifest =
  | { readonly kind: 'dfu'; readonly legacy: boolean; readonly entries: readonly DfuEntry[] }
  | { readonly kind: 'mcuboot'; readonly entries: readonly McubootEntry[] };

/** @throws PackageError `not-a-package`, `manifest-damaged`, `no-images`. */
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

function parse(bytes: Uint8Array): JsonObject {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(bytes));
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
    // nrfutil has the sizes one level deeper than adafruit-nrfutil.
    const sizes = isObject(entry['info_read_only_metadata']) ? entry['info_read_only_metadata'] : entry;
    return [
      {
        kind,
        imageFile: textIn(entry, 'bin_file'),
        initFile: textIn(entry, 'dat_file'),
        softdeviceSize: numberOf(sizes['sd_size']),
        bootloaderSize: numberOf(sizes['bl_size']),
      },
    ];
  });
  // Only packages for the legacy bootloader say which version of DFU they are for.
  return { kind: 'dfu', legacy: manifest['dfu_version'] !== undefined, entries };
}

function mcubootManifest(files: readonly unknown[]): Manifest {
  const entries = files.map((entry): McubootEntry => {
    if (!isObject(entry)) {
      throw new PackageError('manifest-damaged');
    }
    return {
      file: textIn(entry, 'file'),
      size: numberOf(entry['size']),
      imageNumber: numberOf(entry['image_index']) ?? 0,
      slot: numberOf(entry['slot']),
    };
  });
  return { kind: 'mcuboot', entries };
}

function textIn(json: JsonObject, key: string): string {
  const value = json[key];
  if (typeof value !== 'string' || value === '') {
    throw new PackageError('manifest-damaged');
  }
  return value;
}

/** Some tools write numbers as texts. */
function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}
