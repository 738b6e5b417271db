/**
 * Conditions that the eFuses set for a program to start, and for writing to encrypted flash. Plain values, which can
 * be posted to a worker.
 */
import { hexOf } from '../../core/bytes.ts';
import { oddBits } from '../chips/chip.ts';
import type { Efuses, EfuseValue } from './decode-efuses.ts';

/** A digest of a public key that the ROM accepts. */
export interface BootKey {
  /** Name of the digest or of its block: `SECURE_BOOT_DIGEST0`, `BLOCK2`. */
  readonly name: string;
  /**
   * SHA-256 of the key as lower-case hexadecimal: 64 digits, or the first 32 of them on the ESP32-C2. Null: hidden
   * from reading, or damaged.
   */
  readonly digest: string | null;
  /** True: the ROM no longer accepts it. */
  readonly revoked: boolean;
}

export interface BootRules {
  readonly secureBoot: 'off' | 'v1' | 'v2';
  /** Keys of Secure Boot V2 that are burnt or revoked; empty for V1. */
  readonly keys: readonly BootKey[];
  /**
   * `development`: new firmware can be written by cable and is encrypted by the chip. `release`: only firmware that is
   * encrypted already.
   */
  readonly flashEncryption: 'off' | 'development' | 'release';
  /** True: flash is encrypted, and the download mode encrypts what it writes if it is asked to. */
  readonly encryptsDownloads: boolean;
  /** Least security version of an app; 0 accepts all. */
  readonly secureVersion: number;
  /** True: the chip ignores the highest revision that an image allows. */
  readonly ignoresMaximumRevision: boolean;
}

/** Purposes of key blocks that hold the key of flash encryption. */
const encryptionPurposes = ['XTS_AES_128_KEY', 'XTS_AES_256_KEY_1', 'XTS_AES_256_KEY_2'];
/** Bit of FORCE_USE_KEY_MANAGER_KEY for flash encryption (esptool, `FORCE_USE_KEY_MANAGER_VAL_XTS_AES_KEY`). */
const KEY_MANAGER_FOR_FLASH = 2;

/** ESP32: all bits of the key are varied with the address (ESP-IDF, "Flash Encryption", eFuse FLASH_CRYPT_CONFIG). */
const WHOLE_KEY = 0xf;

export function bootRulesOf(efuses: Efuses): BootRules {
  const secureBoot = secureBootOf(efuses);
  const flashEncryption = flashEncryptionOf(efuses);
  return {
    secureBoot,
    keys: secureBoot === 'v2' ? bootKeysOf(efuses) : [],
    flashEncryption,
    encryptsDownloads: flashEncryption === 'development' && hasEncryptionKey(efuses),
    secureVersion: bitCountOf(efuses.number('SECURE_VERSION') ?? 0),
    ignoresMaximumRevision: efuses.number('DISABLE_WAFER_VERSION_MAJOR') === 1,
  };
}

function secureBootOf(efuses: Efuses): BootRules['secureBoot'] {
  if (efuses.chip !== 'esp32') {
    return efuses.number('SECURE_BOOT_EN') === 1 ? 'v2' : 'off';
  }
  // Before revision 3 the ESP32 has no Secure Boot V2 and ignores its bit.
  const hasV2 = (efuses.number('WAFER_VERSION_MAJOR') ?? 0) >= 3;
  if (hasV2 && efuses.number('ABS_DONE_1') === 1) {
    return 'v2';
  }
  return efuses.number('ABS_DONE_0') === 1 ? 'v1' : 'off';
}

/**
 * Returns the digests of public keys, also while secure boot is off. A block of zeros holds no digest, whatever its purpose
 * says: no key has the digest 0.
 */
function bootKeysOf(efuses: Efuses): BootKey[] {
  const only = efuses.chip === 'esp32' ? 'BLOCK2' : efuses.chip === 'esp32c2' ? 'BLOCK_KEY0_HI_128' : null;
  if (only !== null) {
    const block = efuses.get(only);
    return keyStateOf(block) === 'empty' ? [] : [{ name: only, digest: digestIn(block), revoked: false }];
  }
  return [0, 1, 2].flatMap((index) => {
    const name = `SECURE_BOOT_DIGEST${index}`;
    const slot = [0, 1, 2, 3, 4, 5].find((key) => efuses.get(`KEY_PURPOSE_${key}`)?.text === name);
    const revoked = efuses.number(`SECURE_BOOT_KEY_REVOKE${index}`) === 1;
    const block = slot === undefined ? null : efuses.get(`BLOCK_KEY${slot}`);
    return keyStateOf(block) === 'empty' && !revoked ? [] : [{ name, digest: digestIn(block), revoked }];
  });
}

/**
 * `empty`: nothing is burnt. `hidden`: its bits read as 0 whatever was burnt. `damaged`: its bits could not be corrected.
 */
export type KeyState = 'empty' | 'burnt' | 'hidden' | 'damaged';

/** Decides what a key block holds. @param value The block, or half of it; null if the chip has none. */
export function keyStateOf(value: EfuseValue | null): KeyState {
  if (value === null) {
    return 'empty';
  }
  if (!value.readable) {
    return 'hidden';
  }
  return value.isFailed ? 'damaged' : value.isBurnt ? 'burnt' : 'empty';
}

function digestIn(value: EfuseValue | null): string | null {
  return value === null || value.bytes === null || !['burnt', 'empty'].includes(keyStateOf(value))
    ? null
    : hexOf(value.bytes);
}

/** Returns why a board with Secure Boot V2 starts no firmware; null if it accepts a key. */
export function noKeyText({ secureBoot, keys }: Pick<BootRules, 'secureBoot' | 'keys'>): string | null {
  if (secureBoot !== 'v2' || keys.some(({ revoked }) => !revoked)) {
    return null;
  }
  const what = keys.length === 0 ? 'no key is burnt' : 'no key is left';
  return `Secure boot is on, and ${what}: it starts no firmware at all`;
}

/**
 * Decides the mode in the way of ESP-IDF (`esp_get_flash_encryption_mode`): release if encryption cannot be turned
 * off, and the download mode neither encrypts nor decrypts.
 */
function flashEncryptionOf(efuses: Efuses): BootRules['flashEncryption'] {
  const counter = efuses.get('FLASH_CRYPT_CNT') ?? efuses.get('SPI_BOOT_CRYPT_CNT');
  if (counter === null || counter.number === null || !oddBits(counter.number)) {
    return 'off';
  }
  const locks =
    efuses.chip === 'esp32' ? ['DISABLE_DL_ENCRYPT', 'DISABLE_DL_DECRYPT'] : ['DIS_DOWNLOAD_MANUAL_ENCRYPT'];
  return locks.every((name) => efuses.number(name) === 1) ? 'release' : 'development';
}

/** Returns true if a key of flash encryption is burnt, and the ROM takes it from the eFuses. */
function hasEncryptionKey(efuses: Efuses): boolean {
  if (efuses.number('DISABLE_DL_ENCRYPT') === 1) {
    return false;
  }
  if (efuses.chip === 'esp32' && efuses.number('FLASH_CRYPT_CONFIG') !== WHOLE_KEY) {
    return false;
  }
  if (((efuses.number('FORCE_USE_KEY_MANAGER_KEY') ?? 0) & KEY_MANAGER_FOR_FLASH) !== 0) {
    return false;
  }
  if (efuses.chip === 'esp32' || efuses.chip === 'esp32c2') {
    const key = efuses.get(efuses.chip === 'esp32' ? 'BLOCK1' : 'BLOCK_KEY0_LOW_128');
    return keyStateOf(key) !== 'empty';
  }
  return [0, 1, 2, 3, 4, 5].some((key) => encryptionPurposes.includes(efuses.get(`KEY_PURPOSE_${key}`)?.text ?? ''));
}

export function bitCountOf(number: number): number {
  let count = 0;
  for (let rest = number >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) {
    count++;
  }
  return count;
}

/** Formats the beginning of a digest for comparing by eye: `3FA2 91C0`. */
export function digestText(digest: string): string {
  return `${digest.slice(0, 4)} ${digest.slice(4, 8)}`.toUpperCase();
}
