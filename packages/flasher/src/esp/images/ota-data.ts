/**
 * OTA data, which selects the app to start (ESP-IDF API guide, "Over The Air Updates", "OTA Data Partition"). It has
 * two entries of 32 bytes, each at the start of a sector. An entry (`esp_ota_select_entry_t`) has a sequence number,
 * a label of 20 bytes, a state, and the CRC-32 of the sequence number.
 */
import { isErased, viewOf } from '../../core/bytes.ts';
import type { FlashRegion } from '../../core/region.ts';
import { crc32 } from '../../images/crc32.ts';

const SECTOR = 0x1000;
const ENTRY_SIZE = 32;
const NEVER_SET = 0xffff_ffff;
/** `ESP_OTA_IMG_INVALID` and `ESP_OTA_IMG_ABORTED`, which the bootloader does not start. */
const refusedStates = [3, 4];

/** States of an entry (`esp_ota_img_states_t`). */
const otaStates = {
  0: 'new',
  1: 'pending',
  2: 'valid',
  3: 'invalid',
  4: 'aborted',
  4294967295: 'undefined',
} as const;

/**
 * State of an app by its entry. `new`: not started yet. `pending`: started once, and not confirmed. `undefined`: built
 * without rollback.
 */
type OtaState = (typeof otaStates)[keyof typeof otaStates] | 'unknown';

export interface OtaEntry {
  readonly sequence: number;
  readonly state: OtaState;
  readonly isCrcValid: boolean;
  /** True: the bootloader counts the entry. */
  readonly isUsable: boolean;
}

/** Returns both entries. Null: erased, or cut off. */
export function readOtaEntries(bytes: Uint8Array): readonly [OtaEntry | null, OtaEntry | null] {
  return [readEntry(bytes, 0), readEntry(bytes, SECTOR)];
}

function readEntry(bytes: Uint8Array, at: number): OtaEntry | null {
  if (at + ENTRY_SIZE > bytes.length || isErased(bytes.subarray(at, at + ENTRY_SIZE))) {
    return null;
  }
  const view = viewOf(bytes);
  const state = view.getUint32(at + 24, true);
  return {
    sequence: view.getUint32(at, true),
    state: state in otaStates ? otaStates[state as keyof typeof otaStates] : 'unknown',
    isCrcValid: view.getUint32(at + 28, true) === crc32(bytes.subarray(at, at + 4), NEVER_SET),
    isUsable: sequenceAt(bytes, at) !== null,
  };
}

export interface OtaChoice {
  /** Sequence number before the change; null if no entry was valid. */
  readonly before: number | null;
  readonly sequence: number;
  /** Sector to write, relative to the partition. The other sector keeps the choice from before. */
  readonly sector: FlashRegion;
}

/**
 * Selects a slot as `esp_ota_set_boot_partition` does (ESP-IDF, `esp_ota_ops.c`): the entry that does not count now
 * gets the next sequence number that stands for the slot. A power cut during the write leaves the choice from before.
 *
 * @param bytes Contents of the partition.
 * @param slot Number of the slot, counted from 0, below `slots`.
 * @param slots Number of slots of the table.
 */
export function chooseOtaSlot(bytes: Uint8Array, slot: number, slots: number): OtaChoice {
  const entries = readOtaEntries(bytes);
  const usable = entries.flatMap((entry, index) => (entry?.isUsable ? [{ index, sequence: entry.sequence }] : []));
  const active = usable.toSorted((one, other) => other.sequence - one.sequence)[0];
  const before = active?.sequence ?? null;
  let sequence = slot + 1;
  while (sequence <= (before ?? 0)) {
    sequence += slots;
  }
  const sector = new Uint8Array(SECTOR).fill(0xff);
  const view = viewOf(sector);
  view.setUint32(0, sequence, true);
  view.setUint32(28, crc32(sector.subarray(0, 4), NEVER_SET), true);
  return { before, sequence, sector: { offset: active?.index === 0 ? SECTOR : 0, bytes: sector } };
}

export interface OtaData {
  /** Highest valid sequence number. */
  readonly sequence: number;
}

/** Returns null if no entry is valid. Then the factory app starts, or the first slot if there is no factory app. */
export function readOtaData(bytes: Uint8Array): OtaData | null {
  const valid = [0, SECTOR].flatMap((at) => sequenceAt(bytes, at) ?? []);
  return valid.length === 0 ? null : { sequence: Math.max(...valid) };
}

/**
 * Returns the slot that starts, counted from 0.
 *
 * @param slots Number of slots, at least 1.
 */
export function otaSlotToStart({ sequence }: OtaData, slots: number): number {
  return (sequence - 1) % slots;
}

function sequenceAt(bytes: Uint8Array, at: number): number | null {
  if (at + ENTRY_SIZE > bytes.length) {
    return null;
  }
  const view = viewOf(bytes);
  const sequence = view.getUint32(at, true);
  const isValid =
    sequence !== NEVER_SET &&
    sequence !== 0 &&
    !refusedStates.includes(view.getUint32(at + 24, true)) &&
    view.getUint32(at + 28, true) === crc32(bytes.subarray(at, at + 4), NEVER_SET);
  return isValid ? sequence : null;
}
