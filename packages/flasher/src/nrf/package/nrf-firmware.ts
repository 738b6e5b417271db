/**
 * Firmware for a Nordic board: the images of a DFU package or a file in the order of writing, and their target. Types
 * only.
 */

export type NrfImageKind = 'softdevice' | 'bootloader' | 'softdevice-bootloader' | 'application' | 'mcuboot';

/** Part of a file that is not sent. */
export interface LeftOutPart {
  /**
   * Padding, the trailer by which imgtool marks an image for a debug probe, data for other memory of the chip, or the file of a
   * build for either slot that starts from the second one.
   */
  readonly kind: 'padding' | 'trailer' | 'memory' | 'slot';
  /** Description in words: `12 bytes for UICR at 0x10001000`. */
  readonly what: string;
}

/** Bytes of each part of an image. Only `softdevice-bootloader` has two parts. */
export interface NrfParts {
  readonly softdevice: number;
  readonly bootloader: number;
  readonly application: number;
}

export interface NrfImage {
  readonly kind: NrfImageKind;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The `.dat` file of a package: init packet (secure) or legacy init packet. Null for MCUboot. */
  readonly initPacket: Uint8Array | null;
  /** Version from the image or its init packet: `1.2.3+4` for MCUboot, otherwise a number. Null if not stated. */
  readonly version: string | null;
  /** MCUboot: image number of a multi-image device; otherwise 0. */
  readonly imageNumber: number;
  /**
   * MCUboot and secure DFU: hash of the image as lower-case hexadecimal (SHA-256, or another one in some MCUboot
   * builds). Otherwise null.
   */
  readonly hash: string | null;
  /** Legacy: CRC-16 of the image, which the bootloader compares before it starts the image. Otherwise null. */
  readonly crc16: number | null;
  /** Null if the format has no signature. Only the board can check whose signature it is. */
  readonly signed: boolean | null;
  /** Firmware IDs of compatible SoftDevices; empty for any. */
  readonly softdevices: readonly number[];
  /** Null for MCUboot. */
  readonly parts: NrfParts | null;
  /** Parts of the file that are not sent. */
  readonly leftOut: readonly LeftOutPart[];
}

export interface NrfFirmware {
  readonly format: 'secure-package' | 'legacy-package' | 'mcuboot-image' | 'mcuboot-package';
  /** At least one image. */
  readonly images: readonly NrfImage[];
  /** From the init packet: hardware version (secure) or device type (legacy). Null if not stated. */
  readonly hardwareVersion: number | null;
  /** MCUboot: chip in the manifest, such as `nRF5340`. Null if not stated, and for other formats. */
  readonly chip: string | null;
  /** Legacy: device revision, by which a bootloader recognises its part. Null if not stated, and for other formats. */
  readonly deviceRevision: number | null;
}
