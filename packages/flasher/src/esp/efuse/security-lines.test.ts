import { describe, expect, it } from 'vitest';
import type { ChipName } from '../chips/chip-facts.ts';
import { type Burnt, burntEfuses } from '../testing/efuse-words.ts';
import { bootRulesOf } from './boot-rules.ts';
import { reportLines, securityLines } from './security-lines.ts';
import { efuseSummary } from './summary-text.ts';

const digest = Uint8Array.from({ length: 32 }, (_, index) => 0x3f + index);
const textsOf = async (chip: ChipName, burnt: Record<string, Burnt>, revision = { major: 3, minor: 0 }) =>
  securityLines(await burntEfuses(chip, burnt, { revision })).map(({ text }) => text);

describe('sentences about a board', () => {
  it('say that everything is open on a new chip', async () => {
    const efuses = await burntEfuses('esp32s3', {});
    expect(securityLines(efuses).slice(0, 5)).toEqual([
      { mark: 'open', text: 'Anyone with a cable can read and replace everything on it', fuses: 'DIS_DOWNLOAD_MODE 0' },
      { mark: 'open', text: 'Flash is not encrypted', fuses: 'SPI_BOOT_CRYPT_CNT 0' },
      { mark: 'open', text: 'It starts any firmware: no signature is asked for', fuses: 'SECURE_BOOT_EN 0' },
      { mark: 'open', text: 'A debugger can be attached by USB and by pins', fuses: 'DIS_USB_JTAG 0 · DIS_PAD_JTAG 0' },
      { mark: 'key', text: 'All 6 key slots are free', fuses: 'KEY_PURPOSE_0…5 0' },
    ]);
  });

  it('name the key that a board starts, and keys that were revoked', async () => {
    const texts = await textsOf('esp32s3', {
      SECURE_BOOT_EN: 1,
      KEY_PURPOSE_2: 9,
      BLOCK_KEY2: digest,
      KEY_PURPOSE_3: 10,
      SECURE_BOOT_KEY_REVOKE1: 1,
    });
    expect(texts).toContain('It starts only firmware signed with the key whose digest starts with 3F40 4142');
    expect(texts).toContain('2 of 6 key slots are used: first boot key, second boot key, 1 boot key was revoked');
    expect(await textsOf('esp32s3', { SECURE_BOOT_EN: 1, KEY_PURPOSE_2: 9, SECURE_BOOT_KEY_REVOKE0: 1 })).toContain(
      'Secure boot is on, and no key is left: it starts no firmware at all',
    );
  });

  const noKey = 'Secure boot is on, and no key is burnt: it starts no firmware at all';

  it.each<[string, ChipName, Record<string, Burnt>, string]>([
    ['an ESP32', 'esp32', { ABS_DONE_1: 1 }, 'The key block for secure boot is free'],
    [
      'an ESP32 whose block is locked',
      'esp32',
      { ABS_DONE_1: 1, WR_DIS: 2 ** 8 },
      'The key block for secure boot is empty, and can no longer be written',
    ],
    ['an ESP32-C2', 'esp32c2', { SECURE_BOOT_EN: 1 }, 'The key block for secure boot is free'],
    ['an ESP32-C3 without a purpose', 'esp32c3', { SECURE_BOOT_EN: 1 }, 'All 6 key slots are free'],
    [
      'an ESP32-C3 with a purpose alone',
      'esp32c3',
      { SECURE_BOOT_EN: 1, KEY_PURPOSE_0: 9 },
      '1 of 6 key slots is used: first boot key (no key is burnt)',
    ],
    [
      'an ESP32-P4 with three purposes alone',
      'esp32p4',
      { SECURE_BOOT_EN: 1, KEY_PURPOSE_0: 9, KEY_PURPOSE_1: 10, KEY_PURPOSE_2: 11 },
      '3 of 6 key slots are used: first boot key (no key is burnt), second boot key (no key is burnt), third boot key (no key is burnt)',
    ],
  ])('say of a digest of zeros in every place that no key is burnt: %s', async (_, chip, burnt, line) => {
    const efuses = await burntEfuses(chip, burnt, { revision: { major: 3, minor: 0 } });
    expect(bootRulesOf(efuses)).toMatchObject({ secureBoot: 'v2', keys: [] });
    const texts = securityLines(efuses).map(({ text }) => text);
    expect(texts).toContain(noKey);
    expect(texts).toContain(line);
    expect(texts.join(' ')).not.toContain('0000 0000');
  });

  it('leave an empty digest out beside a burnt one, and name purposes of other keys without a key', async () => {
    const burnt = { SECURE_BOOT_EN: 1, KEY_PURPOSE_0: 9, KEY_PURPOSE_1: 10, BLOCK_KEY1: digest, KEY_PURPOSE_2: 8 };
    const texts = await textsOf('esp32c3', burnt);
    expect(texts).toContain('It starts only firmware signed with the key whose digest starts with 3F40 4142');
    expect(texts).toContain(
      '3 of 6 key slots are used: first boot key (no key is burnt), second boot key, HMAC of its program (no key is burnt)',
    );
  });

  it('say of a hidden or damaged digest that it cannot be read, and not that it is empty', async () => {
    const hidden = { SECURE_BOOT_EN: 1, KEY_PURPOSE_0: 9, RD_DIS: 1 };
    expect(await textsOf('esp32c3', hidden)).toContain('It starts only firmware signed with a key that cannot be read');
    expect(await textsOf('esp32', { ABS_DONE_1: 1, RD_DIS: 2 })).toEqual(
      expect.arrayContaining([
        'It starts only firmware signed with a key that cannot be read',
        'The key block for secure boot is used, and hidden from reading',
      ]),
    );
    // The failure bit of block 4, which is BLOCK_KEY0 of an ESP32-S3.
    const damaged = await burntEfuses(
      'esp32s3',
      { SECURE_BOOT_EN: 1, KEY_PURPOSE_0: 9 },
      { errors: [0, 0, 0, 0, 0, 0x8000, 0] },
    );
    expect(bootRulesOf(damaged).keys).toEqual([{ name: 'SECURE_BOOT_DIGEST0', digest: null, revoked: false }]);
    expect(securityLines(damaged).map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        'It starts only firmware signed with a key that cannot be read',
        '1 of 6 key slots is used: first boot key (damaged)',
      ]),
    );
  });

  it.each<[string, ChipName, Record<string, Burnt>, 'development' | 'release', boolean]>([
    ['with a key', 'esp32c3', { SPI_BOOT_CRYPT_CNT: 1, KEY_PURPOSE_0: 4 }, 'development', true],
    ['without a key', 'esp32c3', { SPI_BOOT_CRYPT_CNT: 1 }, 'development', false],
    [
      'in release',
      'esp32c3',
      { SPI_BOOT_CRYPT_CNT: 7, KEY_PURPOSE_0: 4, DIS_DOWNLOAD_MANUAL_ENCRYPT: 1 },
      'release',
      false,
    ],
    ['of ESP32', 'esp32', { FLASH_CRYPT_CNT: 1, FLASH_CRYPT_CONFIG: 15, RD_DIS: 1 }, 'development', true],
    [
      'of ESP32 with half a key',
      'esp32',
      { FLASH_CRYPT_CNT: 1, FLASH_CRYPT_CONFIG: 3, RD_DIS: 1 },
      'development',
      false,
    ],
    [
      'of ESP32 in release',
      'esp32',
      { FLASH_CRYPT_CNT: 127, DISABLE_DL_ENCRYPT: 1, DISABLE_DL_DECRYPT: 1 },
      'release',
      false,
    ],
    ['of ESP32-C2', 'esp32c2', { SPI_BOOT_CRYPT_CNT: 1, RD_DIS: 1 }, 'development', true],
    [
      'by the key manager',
      'esp32p4',
      { SPI_BOOT_CRYPT_CNT: 1, KEY_PURPOSE_0: 4, FORCE_USE_KEY_MANAGER_KEY: 2 },
      'development',
      false,
    ],
  ])('tell flash encryption %s', async (_, chip, burnt, flashEncryption, encryptsDownloads) => {
    const efuses = await burntEfuses(chip, burnt);
    expect(bootRulesOf(efuses)).toMatchObject({ flashEncryption, encryptsDownloads });
    const mode = flashEncryption === 'release' ? 'in release mode' : 'in development mode';
    expect(securityLines(efuses)[1]?.text).toContain(mode);
  });

  it('tell if encryption can be turned off', async () => {
    const on = { KEY_PURPOSE_0: 4 };
    expect((await textsOf('esp32c3', { ...on, SPI_BOOT_CRYPT_CNT: 1 }))[1]).toMatch(/can still be turned off$/);
    expect((await textsOf('esp32c3', { ...on, SPI_BOOT_CRYPT_CNT: 7 }))[1]).toMatch(/can no longer be turned off$/);
    expect((await textsOf('esp32c3', { ...on, SPI_BOOT_CRYPT_CNT: 1, WR_DIS: 2 ** 4 }))[1]).toMatch(/can no longer/);
    expect((await textsOf('esp32c3', { SPI_BOOT_CRYPT_CNT: 3 }))[1]).toMatch(
      /^Flash encryption was on once and is off/,
    );
  });

  it('tell V1 and V2 of the ESP32 apart by its revision', async () => {
    const both = { ABS_DONE_0: 1, ABS_DONE_1: 1 };
    const rules = async (burnt: Record<string, Burnt>, major: number) =>
      bootRulesOf(await burntEfuses('esp32', burnt, { revision: { major, minor: 0 } })).secureBoot;
    expect([await rules(both, 1), await rules(both, 3)]).toEqual(['v1', 'v2']);
    expect([await rules({ ABS_DONE_1: 1 }, 1), await rules({ ABS_DONE_0: 1 }, 3)]).toEqual(['off', 'v1']);
  });

  it('tell how a debugger gets in', async () => {
    const about = async (chip: ChipName, burnt: Record<string, Burnt>) =>
      (await textsOf(chip, burnt)).find((text) => /debugger/i.test(text));
    expect(await about('esp32', { JTAG_DISABLE: 1 })).toBe('No debugger can be attached. This cannot be undone');
    expect(await about('esp32c3', { DIS_PAD_JTAG: 1 })).toBe('A debugger can be attached by USB');
    expect(await about('esp32c3', { DIS_PAD_JTAG: 1, DIS_USB_JTAG: 1 })).toMatch(/^No debugger/);
    expect(await about('esp32c3', { SOFT_DIS_JTAG: 1 })).toBe(
      'A debugger can be attached only once its program allows it with a key',
    );
    expect(await about('esp32c3', { SOFT_DIS_JTAG: 3 })).toBe('A debugger can be attached by USB and by pins');
  });

  it('warn of coding errors and of a wrong check sum', async () => {
    const warnings = async (chip: ChipName, burnt: Record<string, Burnt>, errors: number[]) =>
      securityLines(await burntEfuses(chip, burnt, { errors })).flatMap(({ mark, text }) =>
        mark === 'warning' ? [text] : [],
      );
    expect(await warnings('esp32', { MAC_CRC: 1 }, [0])).toEqual([
      'MAC address 00:00:00:00:00:00 (CRC 0x01 invalid - calculated 0x00)',
    ]);
    expect(await warnings('esp32s3', {}, [0, 0, 0, 0, 0, 0x100, 0])).toEqual([
      'BLOCK_USR_DATA has 1 coding error, which the chip corrected',
    ]);
  });

  it('say of a board in Secure Download Mode only what it reports', () => {
    const texts = reportLines({ flags: 0b1000_1101, cryptCount: 7, keyPurposes: [] }).map(({ text }) => text);
    expect(texts).toEqual([
      'It can be written by cable, but not read. Its eFuses cannot be read either; this is all that it reports',
      'Flash is encrypted',
      'It starts only signed firmware. Its keys cannot be read',
      '1 boot key was revoked',
      'No debugger can be attached by pins. This cannot be undone',
    ]);
  });
});

describe('all eFuses as text', () => {
  it('have the shape of a summary', async () => {
    const text = efuseSummary(await burntEfuses('esp32c3', { SECURE_BOOT_EN: 1, RD_DIS: 1 }), ['ESP32-C3']);
    expect(text).toMatch(/^ESP32-C3\n/);
    expect(text).toMatch(/^Security fuses:$/m);
    expect(text).toMatch(/^SECURE_BOOT_EN \(BLOCK0\) {2,}\S.* = True R\/W \(0b1\)$/m);
    expect(text).toMatch(/^BLOCK_KEY0 \(BLOCK4\) {2,}Key block 0 {2,}= \?\?( \?\?){31} -\/W$/m);
    expect(text).toMatch(/^MAC \(BLOCK1\) .* = 00:00:00:00:00:00 \(OK\) R\/W$/m);
  });
});
