/** Tables and OTA data of boards with any number of slots, for the app that a bootloader starts. */
import {
  type OtaStateName,
  otaStateNumbers,
  type VectorEntry,
} from '../../../../devices/src/esp/testing/boot-choices.ts';
import { type BuiltPartition, buildOtaData, buildTable } from './esp-data.ts';

export const otaDataOffset = 0xe000;
const APP_SIZE = 0x20000;

/** Offset of an app: the factory's at 0x10000, slots behind it. */
export const appOffset = (app: number | 'factory') => 0x10000 + (app === 'factory' ? 0 : (app + 1) * APP_SIZE);

function bootLayout(slots: number, hasFactory: boolean): BuiltPartition[] {
  return [
    { name: 'nvs', type: 1, subtype: 2, offset: 0x9000, size: 0x5000 },
    { name: 'otadata', type: 1, subtype: 0, offset: otaDataOffset, size: 0x2000 },
    ...(hasFactory ? [{ name: 'factory', type: 0, subtype: 0, offset: appOffset('factory'), size: APP_SIZE }] : []),
    ...Array.from({ length: slots }, (_, slot) => ({
      name: `ota_${slot}`,
      type: 0,
      subtype: 0x10 + slot,
      offset: appOffset(slot),
      size: APP_SIZE,
    })),
  ];
}

export function bootTable(slots: number, hasFactory: boolean): Uint8Array {
  return buildTable(bootLayout(slots, hasFactory));
}

/** Returns the two sectors of OTA data. */
export function otaBytes(entries: readonly [VectorEntry, VectorEntry]): Uint8Array {
  const bytes = new Uint8Array(0x2000).fill(0xff);
  for (const [index, entry] of entries.entries()) {
    if (entry !== null) {
      bytes.set(sectorOf(...entry), index * 0x1000);
    }
  }
  return bytes;
}

function sectorOf(sequence: number, state: OtaStateName, isIntact: boolean): Uint8Array {
  const sector = buildOtaData(sequence, null, otaStateNumbers[state]).subarray(0, 0x1000);
  sector[28] = (sector[28] ?? 0) ^ (isIntact ? 0 : 1);
  return sector;
}
