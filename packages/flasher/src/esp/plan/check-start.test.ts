import { beforeAll, describe, expect, it } from 'vitest';
import type { BootRules } from '../efuse/boot-rules.ts';
import { readPartitionTable } from '../images/partition-table.ts';
import { buildTable, factoryLayout } from '../testing/esp-data.ts';
import { buildApp, buildBootloader, buildMerged, chipIds, filler } from '../testing/esp-images.ts';
import { board, codesOf, file, plan } from '../testing/plans.ts';
import { makeEcdsaKey, makeRsaKey, type SigningKey, signed } from '../testing/signed-images.ts';

let own: SigningKey;
let other: SigningKey;
let revoked: SigningKey;
beforeAll(() => {
  [own, other, revoked] = [makeRsaKey(), makeEcdsaKey(), makeEcdsaKey()];
});

const open: BootRules = {
  secureBoot: 'off',
  keys: [],
  flashEncryption: 'off',
  encryptsDownloads: false,
  secureVersion: 0,
  ignoresMaximumRevision: false,
};
const locked = (): BootRules => ({
  ...open,
  secureBoot: 'v2',
  keys: [
    { name: 'SECURE_BOOT_DIGEST0', digest: own.digest, revoked: false },
    { name: 'SECURE_BOOT_DIGEST1', digest: revoked.digest, revoked: true },
  ],
});

const s3 = (rules: BootRules | null, security = {}) =>
  board({
    info: {
      chip: 'esp32s3',
      model: 'ESP32-S3',
      revision: { major: 0, minor: 2 },
      security: {
        secureBoot: rules?.secureBoot === 'v2',
        flashEncryption: rules !== null && rules.flashEncryption !== 'off',
        secureDownload: false,
        ...security,
      },
    },
    table: readPartitionTable(buildTable(factoryLayout)),
    bootRules: rules,
  });
const appOf = (built = {}) => buildApp({ chipId: chipIds.esp32s3, maximumRevision: 99, ...built });
const bootloader = buildBootloader({ chipId: chipIds.esp32s3, segments: [{ address: 0x3fce3808, data: filler(400) }] });
const asApp = (bytes: Uint8Array) => [file('app.bin', 0x10000, bytes)];
const asBootloader = (bytes: Uint8Array) => [file('bootloader.bin', 0, bytes)];

describe('start check', () => {
  it.each([
    ['no digest is burnt', [], 'Secure boot is on, and no key is burnt: it starts no firmware at all'],
    [
      'every key was revoked',
      [{ name: 'SECURE_BOOT_DIGEST0', digest: '00'.repeat(32), revoked: true }],
      'Secure boot is on, and no key is left: it starts no firmware at all',
    ],
  ])('says no, in the words of the eFuses, if %s', async (_, keys, text) => {
    const rules: BootRules = { ...locked(), keys };
    for (const bytes of [appOf(), signed(appOf(), own)]) {
      const { start, refusals } = await plan({ files: asApp(bytes), board: s3(rules) });
      expect(start?.result).toBe('no');
      expect(JSON.stringify(start)).toContain(text);
      expect(refusals).toHaveLength(1);
    }
  });

  it('says yes, with one line for each reason, on an open board', async () => {
    const { start, refusals } = await plan({ files: asApp(appOf()), board: s3(open) });
    expect(refusals).toEqual([]);
    expect(start).toEqual({
      result: 'yes',
      why: 'app.bin fits the chip, and the board asks for nothing more.',
      checks: [
        { result: 'yes', text: 'Built for ESP32-S3, and this is one', fact: 'chip_id 9' },
        { result: 'yes', text: 'Chip revision v0.2 is in range: v0.0 to v0.99', fact: 'WAFER_VERSION 0.2' },
        { result: 'yes', text: 'No signature is asked for', fact: 'SECURE_BOOT_EN 0' },
        { result: 'yes', text: 'Flash is not encrypted, so plain files are right', fact: 'SPI_BOOT_CRYPT_CNT even' },
        { result: 'yes', text: 'No newer security version is asked for', fact: 'SECURE_VERSION 0' },
      ],
    });
  });

  it('is skipped for data files and without a board', async () => {
    expect((await plan({ files: [file('data.bin', 0x200000, filler(100))], board: s3(open) })).start).toBeNull();
    expect((await plan({ files: asApp(appOf()), board: null })).start).toBeNull();
  });

  it('says no for another chip and for another revision', async () => {
    const wrong = await plan({ files: asApp(buildApp()), board: s3(open) });
    expect(wrong.start).toMatchObject({ result: 'no', why: 'app.bin was built for ESP32; this is an ESP32-S3.' });
    const newer = await plan({ files: asApp(appOf({ minimumRevision: 3 })), board: s3(open) });
    expect(newer.start?.checks[1]).toMatchObject({
      result: 'no',
      text: 'app.bin needs chip revision v0.3 to v0.99; this is v0.2',
    });
  });

  it('says yes above the highest revision of the image if the board ignores that', async () => {
    const built = appOf({ maximumRevision: 1 });
    expect((await plan({ files: asApp(built), board: s3(open) })).start?.result).toBe('no');
    const ignoring = await plan({ files: asApp(built), board: s3({ ...open, ignoresMaximumRevision: true }) });
    expect([ignoring.start?.result, ignoring.refusals]).toEqual(['yes', []]);
  });

  it('says yes for a program signed with the key of the board', async () => {
    const { start, refusals } = await plan({ files: asApp(signed(appOf(), own)), board: s3(locked()) });
    expect([start?.result, refusals]).toEqual(['yes', []]);
    expect(start?.checks[2]?.text).toMatch(
      /^app\.bin is signed \(RSA-3072\) with a key of this board, [\dA-F]{4} [\dA-F]{4}$/,
    );
    const both = await plan({ files: asApp(signed(appOf(), other, own)), board: s3(locked()) });
    expect(both.start?.result).toBe('yes');
  });

  it.each<[string, () => Uint8Array, string, string]>([
    ['unsigned', () => appOf(), 'not-signed', 'Secure boot is on, and app.bin carries no signature'],
    ['signed with another key', () => signed(appOf(), other), 'wrong-key', 'app.bin is signed with another key'],
    [
      'signed with a revoked key',
      () => signed(appOf(), revoked),
      'key-revoked',
      'app.bin is signed with a key that was revoked on this board',
    ],
    [
      'changed after it was signed',
      () => {
        const bytes = signed(appOf(), own);
        // The padding before the signature belongs to what is signed.
        bytes[bytes.length - 4_097] = 0;
        return bytes;
      },
      'signature-invalid',
      'app.bin was changed after it was signed',
    ],
  ])('says no for a program that is %s', async (_, build, code, text) => {
    const input = { files: asApp(build()), board: s3(locked()) };
    const { start, refusals } = await plan(input);
    expect(start).toMatchObject({
      result: 'no',
      why: expect.stringContaining('Sign app.bin with the key whose digest starts with'),
    });
    expect(start?.checks[2]?.text.startsWith(text)).toBe(true);
    expect(refusals).toMatchObject([{ code, files: ['app.bin'], overridable: true }]);
    expect(
      (await plan({ ...input, overrides: ['not-signed', 'wrong-key', 'key-revoked', 'signature-invalid'] })).refusals,
    ).toEqual([]);
  });

  it('says no, without an override, for a bootloader that the ROM would refuse', async () => {
    const { refusals } = await plan({
      files: asBootloader(bootloader),
      board: s3(locked()),
      overrides: ['not-signed'],
    });
    expect(refusals).toMatchObject([{ code: 'not-signed', files: ['bootloader.bin'], overridable: false }]);
    expect((await plan({ files: asBootloader(signed(bootloader, own)), board: s3(locked()) })).refusals).toEqual([]);
  });

  it('checks each program of a merged image', async () => {
    const merged = (bootKey: SigningKey) =>
      buildMerged([
        [0, signed(bootloader, bootKey)],
        [0x8000, buildTable(factoryLayout)],
        [0x10000, signed(appOf(), own)],
      ]);
    const files = (bytes: Uint8Array) => [file('merged.bin', 0, bytes)];
    expect((await plan({ files: files(merged(own)), board: s3(locked()) })).start?.result).toBe('yes');
    const wrong = await plan({ files: files(merged(other)), board: s3(locked()) });
    expect(wrong.start?.checks.map(({ result }) => result)).toEqual(['yes', 'yes', 'no', 'yes', 'yes', 'yes']);
    expect(codesOf(wrong)[0]).toEqual(['wrong-key']);
  });

  it('compares only the half of the digest that an ESP32-C2 holds', async () => {
    const rules: BootRules = {
      ...locked(),
      keys: [{ name: 'BLOCK_KEY0_HI_128', digest: own.digest.slice(0, 32), revoked: false }],
    };
    expect((await plan({ files: asApp(signed(appOf(), own)), board: s3(rules) })).start?.result).toBe('yes');
    expect((await plan({ files: asApp(signed(appOf(), other)), board: s3(rules) })).start?.result).toBe('no');
  });

  it('is unknown if the keys of the board cannot be read', async () => {
    const unknown = s3(null, { secureBoot: true });
    const { start, refusals } = await plan({ files: asApp(signed(appOf(), own)), board: unknown });
    expect(start).toMatchObject({
      result: 'unknown',
      why: 'app.bin is signed, but the keys of this board cannot be read.',
    });
    expect(refusals).toMatchObject([{ code: 'secure-boot', overridable: true }]);
    expect(codesOf(await plan({ files: asApp(appOf()), board: unknown }))[0]).toEqual(['not-signed']);
  });

  it('says no for an older security version than the board requires', async () => {
    const rules = { ...open, secureVersion: 3 };
    const { start, refusals } = await plan({ files: asApp(appOf()), board: s3(rules) });
    expect(start).toMatchObject({ result: 'no', why: 'Build app.bin with security version 3 or newer.' });
    expect(refusals).toMatchObject([{ code: 'older-version', overridable: true }]);
  });
});
