/** What is written to a Nordic board: the images of a DFU package or a file, in the order in which they go, and whom they are for. Only types. */

export type NordicImageKind = 'softdevice' | 'bootloader' | 'softdevice-bootloader' | 'application' | 'mcuboot';

/** What a file has besides its images, and is not sent. */
export interface LeftOutPart {
  /** Padding; the trailer by which imgtool marks an image for a debug probe; or data for another place of the chip. */
  readonly kind: 'padding' | 'trailer' | 'memory';
  /** In words: `12 bytes for UICR at 0x10001000`. */
  readonly what: string;
}

/** Bytes of each part of an image; only `softdevice-bootloader` has two. */
export interface NordicParts {
  readonly softdevice: number;
  readonly bootloader: number;
  readonly application: number;
}

export interface NordicImage {
  readonly kind: NordicImageKind;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The `.dat` file of a package: init packet (secure) or legacy init packet; null for MCUboot. */
  readonly initPacket: Uint8Array | null;
  /** What the image or its init packet says of itself: `1.2.3+4` of MCUboot, else a number; null when it does not. */
  readonly version: string | null;
  /** MCUboot: which image of a multi-image device; 0 otherwise. */
  readonly imageNumber: number;
  /** MCUboot and secure DFU: hash of the image, lower-case hexadecimal (SHA-256 but for MCUboot of other builds); null elsewhere. */
  readonly hash: string | null;
  /** Legacy: CRC-16 of the image that the bootloader compares before it starts it; null elsewhere. */
  readonly crc16: number | null;
  /** Null where the format has no place for a signature. Whose it is, only the board can tell. */
  readonly signed: boolean | null;
  /** Firmware ids of the SoftDevices that it runs with; empty: any. */
  readonly softdevices: readonly number[];
  /** Null for MCUboot. */
  readonly parts: NordicParts | null;
  /** What was beside it in its file. */
  readonly leftOut: readonly LeftOutPart[];
}

export interface NordicFirmware {
  readonly format: 'secure-package' | 'legacy-package' | 'mcuboot-image' | 'mcuboot-package';
  /** At least one. */
  readonly images: readonly NordicImage[];
  /** From the init packet: hardware version (secure) or device type (legacy); null when it does not say. */
  readonly hardwareVersion: number | null;
  /** MCUboot: the chip that the manifest names, such as `nRF5340`; null elsewhere, or when it does not say. */
  readonly chip: string | null;
  /** Legacy: device revision, by which a bootloader knows its part; null elsewhere, or when it does not say. */
  readonly deviceRevision: number | null;
}
