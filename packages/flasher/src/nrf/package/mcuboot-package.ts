/** Reads MCUboot images, alone or in a package of nRF Connect SDK (`dfu_application.zip`). */
import { baseName } from '../../core/base-name.ts';
import { addressText, bytesText, sizeText } from '../../core/bytes.ts';
import { endsLikeDfu, readDfuSuffix } from '../../images/formats/dfu-suffix.ts';
import { startsLikeMcuboot } from '../../images/formats/mcuboot.ts';
import type { ZipFile } from '../../images/formats/zip.ts';
import { ImageError } from '../../images/image-error.ts';
import { fileOf, must } from './dfu-package.ts';
import type { McubootEntry } from './manifest.ts';
import { partBehindImage, readMcubootImage } from './mcuboot-image.ts';
import type { LeftOutPart, NrfFirmware, NrfImage } from './nrf-firmware.ts';
import { PackageError } from './package-fault.ts';

/** @throws PackageError. */
export async function readMcubootPackage(
  files: readonly ZipFile[],
  entries: readonly McubootEntry[],
): Promise<NrfFirmware> {
  // Builds that run from either slot have an image for each. Only the image of the first slot can start there.
  const isFirst = ({ imageNumber, variant }: McubootEntry) =>
    variant !== 1 || entries.every((other) => other.imageNumber !== imageNumber || other.variant === 1);
  const images = await Promise.all(
    entries.filter(isFirst).map(async ({ file, size, imageNumber }) => {
      const bytes = fileOf(files, file);
      must(size === null || size === bytes.length, 'size-mismatch', file);
      const content = withoutSuffix(bytes);
      must(startsLikeMcuboot(content), 'not-mcuboot', file);
      const second = entries.filter((other) => other.imageNumber === imageNumber && !isFirst(other));
      return mcubootImage(
        file,
        content,
        imageNumber,
        second.map((other) => ({ kind: 'slot', what: `"${baseName(other.file)}" for the second slot` })),
      );
    }),
  );
  return {
    format: 'mcuboot-package',
    images: images.toSorted((one, other) => one.imageNumber - other.imageNumber),
    chip: entries.find(({ chip }) => chip !== null)?.chip ?? null,
    hardwareVersion: null,
    deviceRevision: null,
  };
}

/**
 * Removes a DFU suffix, which Zephyr's USB samples add.
 *
 * @throws PackageError `dfu-damaged`.
 */
export function withoutSuffix(bytes: Uint8Array): Uint8Array {
  try {
    return endsLikeDfu(bytes) ? readDfuSuffix(bytes).content : bytes;
  } catch (cause) {
    throw new PackageError('dfu-damaged', { cause, ...(cause instanceof ImageError && { what: cause.message }) });
  }
}

/**
 * Returns the image alone. Padding would be written as well, and the bootloader writes its own trailer.
 *
 * @param leftOut Other parts of the file.
 * @throws PackageError `mcuboot-damaged`, `mcuboot-no-hash`, `hash-mismatch`, `data-behind-image`.
 */
export async function mcubootImage(
  name: string,
  bytes: Uint8Array,
  imageNumber = 0,
  leftOut: readonly LeftOutPart[] = [],
): Promise<NrfImage> {
  const { version, hash, signed, size } = await readMcubootImage(bytes, name);
  const rest = bytes.subarray(size);
  const behind = partBehindImage(rest);
  if (behind === 'data') {
    const what = `${bytesText(rest.length)} behind the MCUboot image, from ${addressText(size)} on, are neither padding nor a boot trailer.`;
    throw new PackageError('data-behind-image', { where: name, what });
  }
  return {
    kind: 'mcuboot',
    name,
    bytes: bytes.subarray(0, size),
    initPacket: null,
    version,
    imageNumber,
    hash,
    crc16: null,
    signed,
    softdevices: [],
    parts: null,
    leftOut: behind === 'nothing' ? leftOut : [{ kind: behind, what: leftOutText(behind, rest.length) }, ...leftOut],
  };
}

export function leftOutText(kind: 'padding' | 'trailer', size: number): string {
  return kind === 'padding' ? `${sizeText(size)} of padding` : `the boot trailer at the end of its slot`;
}
