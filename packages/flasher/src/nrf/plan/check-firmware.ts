/** Checks firmware against the board's information: refusals that the board would give, and warnings for the user. */
import { bytesText, hexNumber, sizeText } from '../../core/bytes.ts';
import { notFirmware } from '../../images/contents/not-firmware.ts';
import { isDemoFirmware } from '../../images/demo-mark.ts';
import type { NrfBootloader, NrfInfo, NrfSlot } from '../nrf-board.ts';
import type { NrfFirmware, NrfImage } from '../package/nrf-firmware.ts';
import { softdeviceText } from '../softdevices.ts';
import { type NrfRefusal, type NrfWarning, nrfFindings } from './nrf-plan-finding.ts';

export const bootloaderOf = {
  'secure-package': 'secure-dfu',
  'legacy-package': 'adafruit-dfu',
  'mcuboot-image': 'mcuboot',
  'mcuboot-package': 'mcuboot',
} as const satisfies Record<NrfFirmware['format'], NrfBootloader>;

const bootloaderNames = {
  'secure-dfu': 'the secure bootloader of the nRF5 SDK',
  'adafruit-dfu': "Adafruit's bootloader",
  mcuboot: 'MCUboot',
} as const satisfies Record<NrfBootloader, string>;

/** `NRF_DFU_HW_VERSION` of the SDK for each series. Board vendors may choose other values. */
const usualHardware: Readonly<Record<number, string>> = { 51: 'nRF51', 52: 'nRF52' };
/** `ADAFRUIT_DEVICE_TYPE`. The bootloader silently rejects any other. */
const ADAFRUIT_DEVICE_TYPE = 0x0052;
/** `ADAFRUIT_DEV_REV`, which a bootloader or SoftDevice must match. Only the nRF52832 has no USB. */
const revisions = { usb: [52_840, 52_833], uart: [0xadaf] } as const;
/**
 * Largest image in bytes. The largest part has a megabyte, minus the MBR, the bootloader and its settings
 * (`dfu_types.h`).
 */
const LARGEST_LEGACY = 0xf4000 - 0x1000;

/** A release's requirements for its boards. Null accepts any value. */
export interface NrfGuard {
  /** Chip or series such as `nrf52840` or `nrf52`, in lower case. */
  readonly model: string | null;
  /** Least flash size in bytes. */
  readonly flashSize: number | null;
}

export class FirmwareCheck {
  readonly #firmware: NrfFirmware;
  readonly #info: NrfInfo | null;
  readonly #isDemo: boolean;
  readonly #guard: NrfGuard;
  readonly findings = nrfFindings();

  constructor(
    firmware: NrfFirmware,
    info: NrfInfo | null,
    { isDemo, guard }: { readonly isDemo: boolean; readonly guard: NrfGuard },
  ) {
    this.#firmware = firmware;
    this.#info = info;
    this.#isDemo = isDemo;
    this.#guard = guard;
  }

  run(): void {
    const { format, images } = this.#firmware;
    const wanted = bootloaderOf[format];
    const found = this.#info?.bootloader ?? wanted;
    if (found !== wanted) {
      const [first] = images;
      this.#refuse('wrong-bootloader', first, bootloaderNames[wanted], bootloaderNames[found]);
      return;
    }
    this.#checkGuard();
    this.#checkHardware();
    for (const image of images) {
      this.#checkImage(image);
    }
    if (wanted === 'adafruit-dfu') {
      this.#checkLegacy(images);
    }
  }

  /** Only secure bootloaders report part and flash. The others meet every requirement. */
  #checkGuard(): void {
    const { model, flashSize } = this.#guard;
    const { part = null, flashSize: found = null } = this.#info ?? {};
    const [first] = this.#firmware.images;
    if (model !== null && part !== null && !part.toLowerCase().startsWith(model)) {
      this.#refuse('guard-model', first, `nRF${model.slice('nrf'.length).toUpperCase()}`, part);
    }
    if (flashSize !== null && found !== null && found < flashSize) {
      this.#refuse('guard-flash', first, sizeText(flashSize), sizeText(found));
    }
  }

  #checkHardware(): void {
    const { hardwareVersion: version, format, images, chip } = this.#firmware;
    const part = this.#info?.part ?? null;
    if (chip !== null && this.#info !== null) {
      if (part === null) {
        this.#warn('hardware-not-known', images[0], chip);
      } else if (!part.startsWith(chip)) {
        this.#refuse('wrong-hardware', images[0], chip, `an ${part}`);
      }
    }
    const series = version === null ? undefined : usualHardware[version];
    if (format !== 'secure-package' || version === null || this.#info === null) {
      return;
    }
    if (part === null) {
      this.#warn('hardware-not-known', images[0], String(version));
    } else if (series !== undefined && !part.startsWith(series)) {
      this.#refuse('wrong-hardware', images[0], `${series} (hardware version ${version})`, `an ${part}`);
    }
  }

  #checkImage(image: NrfImage): void {
    const { bytes, kind } = image;
    const room = this.#info?.room ?? null;
    for (const part of image.leftOut) {
      if (part.kind === 'trailer' || part.kind === 'slot') {
        this.#warn(`${part.kind}-left-out`, image, part.what);
      }
    }
    const others = image.leftOut.filter((part) => part.kind === 'memory').map(({ what }) => what);
    if (others.length > 0) {
      this.#refuse('parts-left-out', image, others.join(', '));
    }
    const isNested = kind === 'bootloader' || kind === 'softdevice-bootloader';
    // Header and hash of an MCUboot image are valid, so its content is what its maker signed.
    const not = kind === 'mcuboot' ? null : notFirmware(bytes, 'nrf');
    if (not !== null) {
      this.#refuse('not-firmware', image, not.name, not.remedy);
    }
    if (!this.#isDemo && this.#info !== null && isDemoFirmware(bytes)) {
      this.#refuse('demo-firmware', image);
    }
    // An update of the SoftDevice makes its own room. An application must fit between the SoftDevice and the
    // bootloader.
    if (
      room !== null &&
      bytes.length > room &&
      (kind === 'application' || (kind === 'mcuboot' && image.imageNumber === 0))
    ) {
      this.#refuse('too-large', image, bytesText(bytes.length), bytesText(room));
    }
    if (isNested) {
      this.#warn('replaces-bootloader', image);
    }
    if (image.signed === false && this.#firmware.format !== 'legacy-package') {
      if (isNested) {
        this.#refuse('unsigned-bootloader', image);
      } else {
        this.#warn('unsigned', image);
      }
    }
    this.#checkSoftdevice(image);
    this.#checkVersion(image);
  }

  /** Checks an application's SoftDevice. A SoftDevice in the same package is written before the application. */
  #checkSoftdevice(image: NrfImage): void {
    const slots = this.#info?.slots ?? [];
    const found = slots.find(({ name }) => name === 'softdevice');
    const brings = this.#firmware.images.some(({ parts }) => (parts?.softdevice ?? 0) > 0);
    const fits = image.softdevices.length === 0 || image.softdevices.includes(Number(found?.version ?? Number.NaN));
    if (image.kind === 'application' && slots.length > 0 && !brings && !fits) {
      const wanted = image.softdevices.map(softdeviceText).join(' or ');
      this.#refuse(
        'wrong-softdevice',
        image,
        wanted,
        found === undefined ? 'none' : softdeviceText(Number(found.version)),
      );
    }
  }

  #checkVersion(image: NrfImage): void {
    if (isPresent(image, this.#info)) {
      this.#warn('already-there', image);
      return;
    }
    const slot = slotOf(image, this.#info);
    const hasOrder = image.kind !== 'softdevice' && image.version !== null && slot !== null;
    const order = !hasOrder ? null : compareVersions(image.version ?? '', slot?.version ?? '');
    if (order !== null && order < 0) {
      this.#warn('downgrade', image, image.version ?? '', slot?.version ?? '');
    } else if (order === 0) {
      this.#warn('same-version', image, image.version ?? '');
    }
  }

  /** Refuses in advance what this bootloader would silently reject. */
  #checkLegacy(images: readonly NrfImage[]): void {
    const { hardwareVersion } = this.#firmware;
    if (hardwareVersion !== ADAFRUIT_DEVICE_TYPE) {
      const wanted = hardwareVersion === null ? 'an unspecified device type' : `device type ${idText(hardwareVersion)}`;
      this.#refuse('wrong-hardware', images[0], wanted, `device type ${idText(ADAFRUIT_DEVICE_TYPE)}`);
    }
    for (const image of images) {
      const { length } = image.bytes;
      const { deviceRevision = null } = this.#firmware;
      const fits: readonly (number | null)[] = revisions[this.#info?.link ?? 'usb'];
      if (image.kind !== 'application' && this.#info !== null && !fits.includes(deviceRevision)) {
        const wanted = deviceRevision === null ? 'an unspecified device revision' : `device revision ${deviceRevision}`;
        this.#refuse('wrong-hardware', image, wanted, `device revision ${fits.join(' or ')}`);
      }
      if (length % 4 !== 0) {
        this.#refuse('not-whole-words', image, bytesText(length));
      }
      if (length > LARGEST_LEGACY) {
        this.#refuse('too-large', image, bytesText(length), bytesText(LARGEST_LEGACY));
      }
    }
    if (this.#info !== null) {
      this.#warn('cannot-resume', images[0]);
      const isUsb = this.#info.link === 'usb';
      const remedy = isUsb
        ? 'It counts as verified when the port comes back as the application: only a program with the right checksum is started.'
        : 'Check that the board starts afterwards.';
      this.#warn('no-proof', images[0], '', remedy);
    }
  }

  #refuse(code: NrfRefusal, image: NrfImage | undefined, wanted = '', found = ''): void {
    this.findings.refuse(code, { files: [image?.name ?? ''], wanted, found });
  }

  #warn(code: NrfWarning, image: NrfImage | undefined, wanted = '', found = ''): void {
    this.findings.warn(code, { files: [image?.name ?? ''], wanted, found });
  }
}

/** Returns the board's current image in place of this one; null if the board does not report it. */
function slotOf({ kind, imageNumber }: NrfImage, info: NrfInfo | null): NrfSlot | null {
  const isOne = (slot: NrfSlot) =>
    kind === 'mcuboot'
      ? slot.imageNumber === imageNumber && slot.name.endsWith('slot 0')
      : slot.name === (kind === 'softdevice-bootloader' ? 'bootloader' : kind);
  return info?.slots.find(isOne) ?? null;
}

/** Returns true if the board already has the image. Only a hash proves that, and only MCUboot reports one. */
export function isPresent(image: NrfImage, info: NrfInfo | null): boolean {
  const slot = slotOf(image, info);
  return image.hash !== null && slot !== null && slot.hash === image.hash;
}

/** Formats the ID of a device type, a number of 16 bits. */
function idText(id: number): string {
  return hexNumber(id & 0xffff, 4);
}

/** Returns −1, 0 or 1 if `one` is lower, equal or higher; null if they are not comparable. */
function compareVersions(one: string, other: string): number | null {
  const [left, right] = [numbersOf(one), numbersOf(other)];
  if (left === null || right === null) {
    return null;
  }
  const length = Math.max(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) {
      return Math.sign(difference);
    }
  }
  return 0;
}

/** Parses `1.2.3+4` of images, `1.2.3.4` of boards, or `5`. */
function numbersOf(version: string): number[] | null {
  return /^\d+([.+]\d+)*$/.test(version) ? version.split(/[.+]/).map(Number) : null;
}
