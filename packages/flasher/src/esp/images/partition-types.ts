/**
 * Types and subtypes of partitions, and their names (ESP-IDF, `gen_esp32part.py` and `esp_partition.h`, with the state of
 * `listDate`). `npm run lists -- esp-partitions` compares them with newer ones.
 */
import { hexNumber } from '../../core/bytes.ts';
import { notListed } from '../../core/published-list.ts';

const listDate = '2026-07-23';
/** First type that ESP-IDF leaves to projects (`esp_partition.h`, `esp_partition_type_t`). */
const FIRST_OWN_TYPE = 0x40;

/** Type and subtype, which identify the use of a partition. */
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

/** Returns `app`, `data`, …, or the number in hexadecimal for a project's own type. */
export function typeName({ type }: Typed): string {
  return typeNames[type] ?? hexNumber(type, 2);
}

/** Returns `factory`, `ota_0`, `nvs`, …, or the number in hexadecimal. */
export function subtypeName({ type, subtype }: Typed): string {
  return subtypeNames[type]?.[subtype] ?? hexNumber(subtype, 2);
}

/** Returns both names: `data, nvs`. Says so if ESP-IDF has no name for the numbers. */
export function typesText(partition: Typed): string {
  const { type, subtype } = partition;
  const text = `${typeName(partition)}, ${subtypeName(partition)}`;
  if (type >= FIRST_OWN_TYPE) {
    return `${text} (the project's own)`;
  }
  return subtypeNames[type]?.[subtype] === undefined ? `${text} (${notListed(listDate)})` : text;
}

/** Returns the number of a type's name; null for other texts. */
export function typeNumber(name: string): number | null {
  return numberOf(typeNames, name);
}

/** Returns the number of a subtype's name; null for other texts. */
export function subtypeNumber(type: number, name: string): number | null {
  return numberOf(subtypeNames[type] ?? {}, name);
}

/** Returns the names of the subtypes of a type, in the order of their numbers. */
export function subtypesOf(type: number): string[] {
  return Object.values(subtypeNames[type] ?? {});
}

function numberOf(names: Readonly<Record<number, string>>, name: string): number | null {
  const found = Object.entries(names).find(([, one]) => one === name.toLowerCase());
  return found === undefined ? null : Number(found[0]);
}

export function isApp({ type }: Typed): boolean {
  return type === partitionType.app;
}

/** Returns true for NVS, which holds the program's settings: Wi-Fi, pairing, calibration. */
export function isNvs({ type, subtype }: Typed): boolean {
  return type === partitionType.data && subtype === 2;
}

/** Returns true for OTA data, which selects the OTA slot to start. */
export function isOtaData({ type, subtype }: Typed): boolean {
  return type === partitionType.data && subtype === 0;
}

export function isFactoryApp({ type, subtype }: Typed): boolean {
  return type === partitionType.app && subtype === 0;
}

/** Returns true for the app that a pin starts, or the bootloader where no other app is intact. */
export function isTestApp({ type, subtype }: Typed): boolean {
  return type === partitionType.app && subtype === 0x20;
}

/** Returns true for the keys of encrypted NVS. */
export function isNvsKeys({ type, subtype }: Typed): boolean {
  return type === partitionType.data && subtype === 4;
}

/**
 * Returns true for a partition that is encrypted on a board whose flash is encrypted (ESP-IDF, "Partition Tables",
 * section "Flags", and `esp_partition`, `is_partition_encrypted`). Everything else is plain on such a board, too.
 */
export function isStoredEncrypted(partition: Typed & { readonly encrypted: boolean }): boolean {
  const { type } = partition;
  return (
    partition.encrypted ||
    type === partitionType.app ||
    type === partitionType.bootloader ||
    type === partitionType.partitionTable ||
    isOtaData(partition) ||
    isTeeOtaData(partition) ||
    isNvsKeys(partition)
  );
}

/** Returns true for the data that select the app of the trusted execution environment (ESP-IDF, "ESP-TEE"). */
export function isTeeOtaData({ type, subtype }: Typed): boolean {
  return type === partitionType.data && subtype === 0x90;
}

export function isCoreDump({ type, subtype }: Typed): boolean {
  return type === partitionType.data && subtype === 3;
}

/** Returns true for the bootloader that the ROM starts and for the table itself, which newer tables list. */
export function isHead({ type, subtype }: Typed): boolean {
  return (type === partitionType.bootloader || type === partitionType.partitionTable) && subtype === 0;
}

/** Returns true for FAT, SPIFFS or LittleFS. Arduino gives its LittleFS partition the subtype SPIFFS. */
export function isFileSystem({ type, subtype }: Typed): boolean {
  return type === partitionType.data && subtype >= 129 && subtype <= 131;
}

/** Returns the OTA slot, 0 to 15; null for other partitions. */
export function otaSlotOf({ type, subtype }: Typed): number | null {
  const slot = subtype - FIRST_OTA_SLOT;
  return type === partitionType.app && slot >= 0 && slot < OTA_SLOTS ? slot : null;
}
