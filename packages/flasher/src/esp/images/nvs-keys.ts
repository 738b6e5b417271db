/** Keys of encrypted NVS, as `nvs_partition_gen.py` writes them (ESP-IDF, "NVS Encryption", section "NVS Key Partition"). */
import { isErased, isFilledWith, viewOf } from '../../core/bytes.ts';
import { crc32 } from '../../images/crc32.ts';

/** Two keys of 32 bytes, followed by their CRC-32. */
const KEYS_SIZE = 64;

/** Returns true for plain keys. Keys that were encrypted already look like any other data. */
export function startsWithNvsKeys(bytes: Uint8Array): boolean {
  const keys = bytes.subarray(0, KEYS_SIZE);
  return (
    bytes.length >= KEYS_SIZE + 4 &&
    !isErased(keys) &&
    !isFilledWith(keys, 0) &&
    viewOf(bytes).getUint32(KEYS_SIZE, true) === crc32(keys, 0xffff_ffff)
  );
}
