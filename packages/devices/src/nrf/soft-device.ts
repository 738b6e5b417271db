/**
 * SoftDevices as a bootloader sees them: an information structure at a fixed place with size and firmware id. The
 * images made here contain that structure and filler, no radio code. Source: nRF5 SDK, `nrf_sdm.h` (SD_SIZE_OFFSET,
 * SD_FWID_OFFSET, SD_VERSION_OFFSET, SD_MAGIC_NUMBER); ids: Nordic's list in pc-nrfutil (`--sd-req`); sizes: release
 * notes, "SoftDevice memory map".
 */

import { viewOf } from '../byte-fields.ts';
import { mbrSize } from './boards.ts';

/** Offset from the start of the SoftDevice, which is the end of the master boot record. */
const infoOffset = 0x2000;
const infoSize = 0x2f;
const softDeviceMagic = 0x51b1e5db;

/** Known SoftDevices by FWID: the address after them, and their version in the form of `SD_VERSION`. */
const known: Readonly<Record<number, { readonly end: number; readonly version: number }>> = {
  182: { end: 0x26000, version: 6_001_001 },
  183: { end: 0x26000, version: 6_001_001 },
  256: { end: 0x27000, version: 7_002_000 },
  257: { end: 0x26000, version: 7_002_000 },
  291: { end: 0x27000, version: 7_003_000 },
};

export interface SoftDeviceInfo {
  /** Address after the SoftDevice, where applications begin. */
  readonly end: number;
  readonly fwid: number;
  readonly version: number;
}

/**
 * Reads the information structure. Returns null without a SoftDevice.
 * @param image Flash from the end of the master boot record on.
 */
export function readSoftDevice(image: Uint8Array): SoftDeviceInfo | null {
  if (image.length < infoOffset + infoSize) {
    return null;
  }
  const view = viewOf(image.subarray(infoOffset));
  return view.getUint32(4, true) === softDeviceMagic
    ? { end: view.getUint32(8, true), fwid: view.getUint16(12, true), version: view.getUint32(20, true) }
    : null;
}

/** Bytes from the end of the master boot record on that `readSoftDevice` needs. */
export const softDeviceHead = infoOffset + infoSize;
/** Address of the magic number in flash. */
export const softDeviceMagicAddress = mbrSize + infoOffset + 4;

/**
 * Returns an image of the SoftDevice with this firmware id.
 * @throws Error for an unknown id.
 */
export function softDeviceImage(fwid: number): Uint8Array<ArrayBuffer> {
  const facts = known[fwid];
  if (facts === undefined) {
    throw new Error(`No SoftDevice with the firmware id 0x${fwid.toString(16)} is known.`);
  }
  const image = new Uint8Array(facts.end - mbrSize - 0x400);
  for (let index = 0; index < image.length; index++) {
    image[index] = index * 29 + (index >> 8) * 7;
  }
  const view = viewOf(image.subarray(infoOffset));
  view.setUint8(0, infoSize);
  view.setUint32(4, softDeviceMagic, true);
  view.setUint32(8, facts.end, true);
  view.setUint16(12, fwid, true);
  view.setUint32(20, facts.version, true);
  return image;
}
