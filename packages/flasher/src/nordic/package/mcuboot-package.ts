/** MCUboot images, alone or in a package of nRF Connect SDK (`dfu_application.zip`). */
import { startsLikeMcuboot } from '../../images/formats/mcuboot.ts';
import type { ZipFile } from '../../images/formats/zip.ts';
import { fileOf, must } from './dfu-package.ts';
import type { McubootEntry } from './manifest.ts';
import { readMcubootImage } from './mcuboot-image.ts';
import type { NordicFirmware, NordicImage } from './nordic-firmware.ts';

/** @throws PackageError. */
export async function readMcubootPackage(
  files: readonly ZipFile[],
  entries: readonly McubootEntry[],
): Promise<NordicFirmware> {
  // Builds that run from either slot have an image for each: the one of the first slot is the one that starts there.
  const chosen = entries.filter(({ slot }) => slot === null || slot === 0);
  const images = await Promise.all(
    (chosen.length === 0 ? entries : chosen).map(async ({ file, size, imageNumber }) => {
      const bytes = fileOf(files, file);
      must(size === null || size === bytes.length, 'size-mismatch', file);
      must(startsLikeMcuboot(bytes), 'not-mcuboot', file);
      return mcubootImage(file, bytes, imageNumber);
    }),
  );
  return {
    format: 'mcuboot-package',
    images: images.toSorted((one, other) => one.imageNumber - other.imageNumber),
    hardwareVersion: null,
    deviceRevision: null,
  };
}

/** @throws PackageError `mcuboot-damaged`, `mcuboot-no-hash`, `hash-mismatch`. */
export async function mcubootImage(name: string, bytes: Uint8Array, imageNumber = 0): Promise<NordicImage> {
  const { version, hash, signed } = await readMcubootImage(bytes, name);
  return {
    kind: 'mcuboot',
    name,
    bytes,
    initPacket: null,
    version,
    imageNumber,
    hash,
    crc16: null,
    signed,
    softdevices: [],
    parts: null,
  };
}
