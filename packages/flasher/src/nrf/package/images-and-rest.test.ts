import { joined } from '@wirebench/port/bytes';
import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../../core/bytes.ts';
import {
  buildIntelHex,
  buildSRecords,
  buildUf2,
  buildUf2Blocks,
  type Stretch,
  uf2Blocks,
} from '../../images/testing/formats.ts';
import { fromHex } from '../../testing/from-hex.ts';
import { noise } from '../../testing/program.ts';
import type { NrfInfo } from '../nrf-board.ts';
import { planNrf } from '../plan/plan-nrf.ts';
import { mcubootImageOf, zipOf } from '../testing/packages.ts';
import { readNrfFirmware } from './read-firmware.ts';

const app = mcubootImageOf(noise(5_000));
const magic = fromHex('77c295f360d2ef7f3552500f2cb67980');
const wideMagic = fromHex('20002de15d29410b8d77679c110f1f8a');
const filled = (length: number, value = 0xff) => new Uint8Array(length).fill(value);
/** The flag "image confirmed", then the magic. */
const confirmed = (erased = 0xff) => joined(Uint8Array.of(1), filled(7, erased), magic);

const board: NrfInfo = {
  bootloader: 'mcuboot',
  link: 'uart',
  part: null,
  flashSize: null,
  ramSize: null,
  slots: [],
  room: 100_000,
  canTest: false,
  unfinished: null,
};

const imageOf = async (bytes: Uint8Array, name = 'zephyr.signed.bin') => (await readNrfFirmware(name, bytes)).images[0];
const faultOf = (bytes: Uint8Array) =>
  readNrfFirmware('file', bytes).then(
    () => null,
    (error) => error,
  );

describe('an MCUboot image with something behind it', () => {
  it.each([
    ['padding of erased flash', filled(400_000), 'padding'],
    ['padding of zeros', filled(3, 0), 'padding'],
    ['the trailer of imgtool --pad', joined(filled(20_000), magic), 'trailer'],
    ['the trailer of imgtool --confirm', joined(filled(20_000), confirmed()), 'trailer'],
    ['a trailer in flash that is zero when erased', joined(filled(20_000, 0), confirmed(0)), 'trailer'],
    ['a trailer of wide writes', joined(filled(9_000), wideMagic), 'trailer'],
    ['a trailer, and padding', joined(filled(900), magic, filled(50)), 'trailer'],
  ])('is sent without %s', async (_what, rest, kind) => {
    const file = joined(app, rest);
    expect(await imageOf(file)).toMatchObject({ bytes: app, leftOut: [{ kind }] });
    const hex = buildIntelHex([{ address: 0xc000, bytes: file }]);
    expect(await imageOf(hex)).toMatchObject({ bytes: app, leftOut: [{ kind }] });
    const zip = zipOf({ 'manifest.json': { files: [{ file: 'a.bin', size: file.length }] }, 'a.bin': file });
    expect(await imageOf(zip)).toMatchObject({ bytes: app, leftOut: [{ kind }] });
  });

  it.each([
    ['another image', app],
    ['a byte', Uint8Array.of(1)],
    ['data behind padding', joined(filled(600), Uint8Array.of(1, 2, 3))],
    ['data before a trailer', joined(Uint8Array.of(1, 2, 3), filled(600), magic)],
    ['half a magic', joined(filled(600), magic.subarray(0, 8))],
    ['both kinds of padding', joined(filled(10), filled(10, 0))],
  ])('is refused with the place of %s', async (_what, rest) => {
    const error = await faultOf(joined(app, rest));
    expect(error).toMatchObject({ code: 'data-behind-image' });
    expect(error.message).toContain(`${rest.length.toLocaleString('en-US')} byte`);
    expect(error.message).toContain(`0x${app.length.toString(16).toUpperCase()}`);
  });

  it('has room for what is sent, and a word about a trailer', async () => {
    const plain = planNrf(await readNrfFirmware('a.bin', joined(app, filled(200_000))), board);
    expect(plain).toMatchObject({ refusals: [], warnings: [], bytes: app.length });
    const marked = planNrf(await readNrfFirmware('a.bin', joined(app, filled(200_000), magic)), board);
    expect(marked).toMatchObject({ refusals: [], warnings: [{ code: 'trailer-left-out' }], bytes: app.length });
  });
});

describe('an MCUboot image in Intel HEX or S-records', () => {
  const image: Stretch = { address: 0xc000, bytes: app };
  const at = (address: number, length = 12): Stretch => ({ address, bytes: noise(length, 3) });

  it('is sent without the trailer that imgtool writes far behind it', async () => {
    const trailer = { address: 0x7_b000, bytes: joined(filled(100), confirmed()) };
    expect(await imageOf(buildIntelHex([image, trailer]))).toMatchObject({
      bytes: app,
      leftOut: [{ kind: 'trailer' }],
    });
  });

  it.each([
    ['UICR', 0x1000_1000, '12 bytes for UICR at 0x10001000'],
    ['UICR of an nRF53 or nRF91', 0x00ff_8000, '12 bytes for UICR at 0xFF8000'],
    ['FICR', 0x1000_0010, '12 bytes for FICR at 0x10000010'],
    ['FICR of an nRF53', 0x00ff_0000, '12 bytes for FICR at 0xFF0000'],
    ['RAM', 0x2000_0000, '12 bytes for RAM at 0x20000000'],
    ['external flash', 0x1200_0000, '12 bytes for external flash (QSPI) at 0x12000000'],
    ['a bootloader', 0, '12 bytes at 0x0'],
    ['settings behind it', 0x7_f000, '12 bytes at 0x7F000'],
  ])('has other data named: %s', async (_what, address, text) => {
    for (const build of [buildIntelHex, buildSRecords]) {
      const pieces = [image, at(address)].toSorted((one, other) => one.address - other.address);
      const firmware = await readNrfFirmware('merged.hex', build(pieces));
      expect(firmware.images).toMatchObject([{ bytes: app, leftOut: [{ kind: 'memory', what: text }] }]);
      const { refusals } = planNrf(firmware, board);
      expect(refusals).toMatchObject([{ code: 'parts-left-out', overridable: true }]);
      expect(refusals[0]?.what).toBe(`"merged.hex" also contains ${text}. This bootloader writes the image alone.`);
      const anyway = planNrf(firmware, board, { overrides: ['parts-left-out', 'too-large'] });
      expect(anyway).toMatchObject({ refusals: [], overridden: [{ code: 'parts-left-out' }], bytes: app.length });
    }
  });

  it('is refused when there are several, with their places', async () => {
    const error = await faultOf(buildIntelHex([image, { address: 0x4_0000, bytes: app }]));
    expect(error.message).toBe('0xC000 and 0x40000: The file contains several MCUboot images.');
  });

  it('is read in any encoding and behind comments', async () => {
    const text = new TextDecoder().decode(buildIntelHex([image]));
    expect(await imageOf(new TextEncoder().encode(`\ufeff; signed\r\n${text}`))).toMatchObject({ bytes: app });
    expect(await imageOf(Uint8Array.from(Buffer.from(`\ufeff${text}`, 'utf16le')))).toMatchObject({ bytes: app });
  });

  it('is refused as what it is meant to be, with its line, when it is damaged', async () => {
    const text = new TextDecoder().decode(buildIntelHex([image]));
    const damaged = await faultOf(asciiBytes(text.replace(/^(.*\n)(.*)..\n/, '$1$2ZZ\n')));
    expect([damaged.code, damaged.message]).toEqual([
      'text-damaged',
      'Intel HEX: Line 2: This line is not an Intel HEX record.',
    ]);
    expect(await faultOf(asciiBytes(text.slice(0, 300)))).toMatchObject({ code: 'text-damaged' });
    expect(await faultOf(buildSRecords([at(0)]))).toMatchObject({ code: 'plain-s-record' });
    expect(await faultOf(buildIntelHex([at(0)]))).toMatchObject({ code: 'plain-hex' });
  });
});

describe('a UF2 file', () => {
  const start = (address: number): Stretch => ({ address, bytes: noise(600) });
  const messageOf = async (bytes: Uint8Array) => {
    const { code, message } = await faultOf(bytes);
    return `${code}: ${message}`;
  };

  it.each([
    [0x2_6000, 0xada52840, 'for nRF52840 that starts at 0x26000: it fits SoftDevice S140 6.x (6.1.1).'],
    [0x2_7000, 0xada52840, 'for nRF52840 that starts at 0x27000: it fits SoftDevice S140 7.x (7.3.0).'],
    [0x1000, 0xada52840, 'it fits no SoftDevice: it begins right behind the MBR.'],
    [0x2_6000, 0x1b57745f, 'for nRF52 that starts at 0x26000: it fits SoftDevice S132 6.x or 7.x.'],
    [0x2_7000, 0x621e937a, 'for nRF52833 that starts at 0x27000: it fits SoftDevice S140 7.x (7.3.0).'],
    [0x2_6000, 0x239a0029, 'This is a UF2 file that starts at 0x26000: it fits SoftDevice S140'],
    [0x2_6000, null, 'This is a UF2 file that starts at 0x26000: it fits SoftDevice S140'],
    [0x3_0000, 0xada52840, 'no SoftDevice that is known here ends there.'],
    [0xf_4000, 0xd663823c, 'replaces the bootloader of an nRF52 board'],
  ])('says which SoftDevice it fits: %i for family %i', async (address, family, text) => {
    const message = await messageOf(buildUf2(start(address), family));
    expect(message).toMatch(/^uf2-file: /);
    expect(message).toContain(text);
    expect(message).toContain("It is not sent over a serial port, but copied to the board's drive.");
  });

  it('is refused by name for another chip', async () => {
    expect(await messageOf(buildUf2(start(0x1000_0000), 0xe48bff56))).toBe(
      'uf2-other-chip: This UF2 file is for RP2040, not for a Nordic chip.',
    );
    const two = [...uf2Blocks(start(0), { family: 0xe48bff56 }), ...uf2Blocks(start(0), { family: 0xbfdd4eee })];
    expect(await messageOf(buildUf2Blocks(two))).toContain('RP2040 and ESP32-S2');
    expect(await messageOf(buildUf2(start(0), 0x7b3ef230))).toContain('is for BK7231N, not for a Nordic chip.');
    expect(await messageOf(buildUf2(start(0), 0x12345678))).toContain(
      'is for the family 0x12345678 (not in the published list of 2026-02-08), not for a Nordic chip.',
    );
  });

  it('names what it holds for other chips and other memory', async () => {
    const blocks = [
      ...uf2Blocks(start(0x2_6000), { family: 0xada52840, total: 7 }),
      ...uf2Blocks(start(0x1000_1000), { family: 0xada52840, first: 3, total: 7 }),
      ...uf2Blocks({ address: 0, bytes: noise(100) }, { family: 0xe48bff56, first: 6, total: 7 }),
    ];
    const message = await messageOf(buildUf2Blocks(blocks));
    expect(message).toContain('It contains 600 bytes for UICR at 0x10001000.');
    expect(message).toContain('It also holds 100 bytes for RP2040.');
  });

  it('is not to be copied when it is damaged', async () => {
    const error = await faultOf(buildUf2(start(0x2_6000)).subarray(0, 512));
    expect([error.code, error.message, error.remedy]).toEqual([
      'uf2-file',
      'This UF2 file cannot be used. Block 1 of 3: Blocks of the UF2 file are missing.',
      'Build it again, or get a fresh copy.',
    ]);
  });
});
