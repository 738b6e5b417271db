/**
 * OTA data, which selects the app to start (ESP-IDF API guide, "Over The Air Updates", "OTA Data Partition"). It has
 * two entries of 32 bytes, each at the start of a sector. An entry (`esp_ota_select_entry_t`) has a sequence number,
 * a label of 20 bytes, a state, and the CRC-32 of the sequence number. `boot-order.ts` has the bootloader's rules.
 */
import { isErased, viewOf } from '../../core/bytes.ts';
import type { FlashRange, FlashRegion } from '../../core/region.ts';
import { crc32 } from '../../images/crc32.ts';

const SECTOR = 0x1000;
const ENTRY_SIZE = 32;
const NEVER_SET = 0xffff_ffff;

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
}

/** Both entries. Null: erased, or cut off. */
export type OtaEntries = readonly [OtaEntry | null, OtaEntry | null];

export const erasedOtaData: OtaEntries = [null, null];

/** Stands for other contents in the place of OTA data, whose checksum fits only by chance. */
export const otherOtaData: OtaEntries = [{ sequence: 0, state: 'unknown', isCrcValid: false }, null];

export function readOtaEntries(bytes: Uint8Array): OtaEntries {
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
  };
}

/**
 * Returns true for bytes that are certainly OTA data. The sequence number 0 counts for the bootloader, but its CRC-32 is
 * that of erased flash, so that other data may look like it.
 */
export function hasOtaEntry(bytes: Uint8Array): boolean {
  return readOtaEntries(bytes).some(
    (entry) => entry?.isCrcValid === true && entry.sequence !== 0 && entry.sequence !== NEVER_SET,
  );
}

/** Returns true if the bootloader reads an entry as empty, whatever its checksum is (`bootloader_common_ota_select_invalid`). */
function isGivenUp(entry: OtaEntry | null, rollback: boolean): boolean {
  return (
    entry === null ||
    entry.sequence === NEVER_SET ||
    entry.state === 'invalid' ||
    entry.state === 'aborted' ||
    // A bootloader with rollback makes it `aborted` before it selects.
    (rollback && entry.state === 'pending')
  );
}

/** `none`: both entries are empty or given up. `damaged`: no entry counts, and one has a wrong checksum. */
export type OtaSelection = 'none' | 'damaged' | { readonly index: 0 | 1; readonly entry: OtaEntry };

/**
 * Returns the entry that the bootloader counts at the next start (ESP-IDF, `bootloader_common_get_active_otadata`).
 *
 * @param rollback True: the bootloader is built with rollback. The state `pending` is written only by such ones.
 */
export function selectOtaEntry([first, second]: OtaEntries, rollback = true): OtaSelection {
  if (isGivenUp(first, rollback) && isGivenUp(second, rollback)) {
    return 'none';
  }
  const counted = (entry: OtaEntry | null) => (isGivenUp(entry, rollback) || !entry?.isCrcValid ? null : entry);
  const [one, other] = [counted(first), counted(second)];
  if (one !== null && (other === null || one.sequence >= other.sequence)) {
    return { index: 0, entry: one };
  }
  return other === null ? 'damaged' : { index: 1, entry: other };
}

/** Returns the entries as a start leaves them: an app of the state `new` is on trial until it confirms itself. */
export function otaEntriesAfterStart(entries: OtaEntries): OtaEntries {
  const selected = selectOtaEntry(entries);
  const onTrial = (entry: OtaEntry | null, index: number): OtaEntry | null =>
    entry !== null && typeof selected !== 'string' && selected.index === index && entry.state === 'new'
      ? { ...entry, state: 'pending' }
      : entry;
  return [onTrial(entries[0], 0), onTrial(entries[1], 1)];
}

/**
 * Returns the slot that an entry stands for, counted from 0. The bootloader subtracts without a sign: 0 stands for the
 * slot of 2^32.
 *
 * @param slots Number of slots, at least 1.
 */
export function otaSlotOfSequence(sequence: number, slots: number): number {
  return ((sequence - 1) >>> 0) % slots;
}

export interface OtaChoice {
  /** Sequence number before the change; null if no entry counted. */
  readonly before: number | null;
  readonly sequence: number;
  /** Sector to write, relative to the partition. The other sector keeps the choice from before. */
  readonly sector: FlashRegion;
  /** Sector to erase before, because its number is too high to be followed by another one; null usually. */
  readonly erase: FlashRange | null;
}

/**
 * Selects a slot as `esp_ota_set_boot_partition` does (ESP-IDF, `esp_ota_ops.c`): the entry that does not count gets the
 * next sequence number that stands for the slot. A power cut during the write leaves the choice from before.
 *
 * @param slot Number of the slot, counted from 0, below `slots`.
 * @param slots Number of slots of the table.
 */
export function chooseOtaSlot(entries: OtaEntries, slot: number, slots: number): OtaChoice {
  const active = selectOtaEntry(entries);
  const before = typeof active === 'string' ? null : active.entry.sequence;
  const index = typeof active !== 'string' && active.index === 0 ? 1 : 0;
  const other = entries[index === 0 ? 1 : 0];
  // Bootloaders without rollback count an entry that this one gives up.
  const last = other?.isCrcValid === true && other.sequence !== NEVER_SET ? other.sequence : 0;
  const next = slot + 1 + Math.max(0, Math.ceil((last - slot) / slots)) * slots;
  return next < NEVER_SET
    ? { before, sequence: next, sector: sectorWith(next, index), erase: null }
    : { before, sequence: slot + 1, sector: sectorWith(slot + 1, 0), erase: { offset: SECTOR, length: SECTOR } };
}

function sectorWith(sequence: number, index: 0 | 1): FlashRegion {
  const bytes = new Uint8Array(SECTOR).fill(0xff);
  const view = viewOf(bytes);
  view.setUint32(0, sequence, true);
  view.setUint32(28, crc32(bytes.subarray(0, 4), NEVER_SET), true);
  return { offset: index * SECTOR, bytes };
}
