/** Types and subtypes of partitions by name (ESP-IDF, `gen_esp32part.py` and `esp_partition.h`). */
import { hexText } from '../../core/bytes.ts';

/** What tells partitions apart. */
interface Typed {
  readonly type: number;
  readonly subtype: number;
}

export const partitionType = { app: 0, data: 1, bootloader: 2, partitionTable: 3 } as const;

const typeNames: Readonly<Record<number, string>> = { 0: 'app', 1: 'data', 2: 'bootloader', 3: 'partition_table' };

const FIRST_OTA_SLOT = 0x10;
const OTA_SLOTS = 16;
const FIRST_TEE_SLOT = 0x30;
const TEE_SLOTS = 2;

const subtypeNames: Readonly<Record<number, Readonly<Record<number, string>>>> = {
  [partitionType.app]: {
    0: 'factory',
    32: 'test',
    ...Object.fromEntries(Array.from({ length: OTA_SLOTS }, (_, slot) => [FIRST_OTA_SLOT + slot, `ota_${slot}`])),
    ...Object.fromEntries(Array.from({ length: TEE_SLOTS }, (_, slot) => [FIRST_TEE_SLOT + slot, `tee_${slot}`])),
  },
  [partitionType.data]: {
    0: 'ota',
    1: 'phy',
    2: 'nvs',
    3: 'coredump',
    4: 'nvs_keys',
    5: 'efuse',
    6: 'undefined',
    128: 'esphttpd',
    129: 'fat',
    130: 'spiffs',
    131: 'littlefs',
    144: 'tee_ota',
  },
  [partitionType.bootloader]: { 0: 'primary', 1: 'ota', 2: 'recovery' },
  [partitionType.partitionTable]: { 0: 'primary', 1: 'ota' },
};

/** `app`, `data`, …, or the number in hexadecimal for types of a project's own. */
export function typeName({ type }: Typed): string {
  return typeNames[type] ?? hexadecimal(type);
}

/** `factory`, `ota_0`, `nvs`, …, or the number in hexadecimal. */
export function subtypeName({ type, subtype }: Typed): string {
  return subtypeNames[type]?.[subtype] ?? hexadecimal(subtype);
}

export function isApp({ type }: Typed): boolean {
  return type === partitionType.app;
}

/** Settings of the program: Wi-Fi, pairing, calibration. */
export function isNvs({ type, subtype }: Typed): boolean {
  return type === partitionType.data && subtype === 2;
}

/** Says which OTA slot starts. */
export function isOtaData({ type, subtype }: Typed): boolean {
  return type === partitionType.data && subtype === 0;
}

/** FAT, SPIFFS or LittleFS. SPIFFS is also what Arduino calls its LittleFS partition. */
export function isFileSystem({ type, subtype }: Typed): boolean {
  return type === partitionType.data && subtype >= 129 && subtype <= 131;
}

/** 0 to 15; null for what is no OTA slot. */
export function otaSlotOf({ type, subtype }: Typed): number | null {
  const slot = subtype - FIRST_OTA_SLOT;
  return type === partitionType.app && slot >= 0 && slot < OTA_SLOTS ? slot : null;
}

function hexadecimal(value: number): string {
  return hexText(value);
}
