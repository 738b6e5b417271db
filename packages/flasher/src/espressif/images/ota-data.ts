/**
 * OTA data, which selects the app to start (ESP-IDF API guide, "Over The Air Updates", "OTA Data Partition"). It has
 * two entries of 32 bytes, each at the start of a sector. An entry (`esp_ota_select_entry_t`) has a sequence number,
 * a label of 20 bytes, a state, and the CRC-32 of the sequence number.
 */
import { viewOf } from '../../core/bytes.ts';
import { crc32 } from '../../images/crc32.ts';

const SECTOR = 0x1000;
const ENTRY_SIZE = 32;
const NEVER_SET = 0xffff_ffff;
/** `ESP_OTA_IMG_INVALID` and `ESP_OTA_IMG_ABORTED`, which the bootloader does not start. */
const refusedStates = [3, 4];

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
