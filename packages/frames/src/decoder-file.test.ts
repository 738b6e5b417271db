import { checkDecoder } from '@wirebench/contract/decoders';
import { describe, expect, it } from 'vitest';
import { fileHash, largestDecoderFile, readDecoderFile } from './decoder-file.ts';
import { loadBuiltInFile, missingFiles, readerOf } from './ready-reader.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const dbc = 'VERSION ""\nBO_ 256 Motor: 2 ECU\n SG_ Speed : 0|16@1+ (0.5,0) [0|0] "rpm" Panel\n';
const table = 'name,address,unit\nspeed,0,rpm\n"motor current",1,A\n';
const xml =
  '<mavlink><include>standard.xml</include><include>own.xml</include><messages><message id="200" name="PUMP"><field type="uint8_t" name="state">x</field></message></messages></mavlink>';

describe('a file beside a decoder', () => {
  it.each([
    ['motor.dbc', dbc, { use: 'dbc', summary: '1 message, 1 signal' }],
    ['pump.xml', xml, { use: 'mavlink', summary: '1 message, includes 2 files' }],
    ['registers.csv', table, { use: 'registers', summary: '2 registers' }],
    ['registers.json', '[{"name":"speed","address":0}]', { use: 'registers', summary: '1 register' }],
    ['decoder.json', '{"registers":[{"name":"speed","address":"0x10"}]}', { use: 'registers', summary: '1 register' }],
  ])('is known by its content: %s', (name, text, facts) => {
    expect(readDecoderFile(name, bytesOf(text))).toMatchObject({
      ...facts,
      sha256: fileHash(bytesOf(text)),
      warnings: [],
    });
  });

  it('has the SHA-256 that the product names its own files by', async () => {
    const sha256 = '0616e56cd8ffbc585e673adf7e522a41711f394e27483533048b9d09c2bf5bfb';
    expect(fileHash((await loadBuiltInFile(sha256)) ?? new Uint8Array())).toBe(sha256);
  });

  it.each([
    ['a.dbc', 'VERSION ""\nBU_: ECU\n', 'a.dbc is no DBC file with messages: it has none.'],
    ['a.xml', '<svg/>', 'a.xml: this is no file of MAVLink message definitions.'],
    ['a.xml', '<mavlink><messages/></mavlink>', 'a.xml defines no message.'],
    [
      'a.bin',
      '\0\x01\x02',
      'a.bin is no DBC file, no message definitions in XML and no table of registers. The first row must name the columns; name and address are needed.',
    ],
    [
      'a.json',
      '[{"name":"speed"}]',
      'a.json is no DBC file, no message definitions in XML and no table of registers. Register 1: address must be a whole number from 0 to 65535.',
    ],
  ])('is refused with the reason: %s %j', (name, text, reason) => {
    expect(() => readDecoderFile(name, bytesOf(text))).toThrow(reason);
  });

  it('is refused if it is too large, unread', () => {
    expect(() => readDecoderFile('a.dbc', new Uint8Array(largestDecoderFile + 1))).toThrow(
      'a.dbc is larger than 32 MB',
    );
  });

  it('gives its registers to a decoder that names it', async () => {
    const sha256 = fileHash(bytesOf(table));
    const { content } = checkDecoder(
      JSON.stringify({
        name: 'pump',
        title: 'Pump',
        framing: { kind: 'step', longest: 256, ms: 100 },
        steps: ['modbus'],
        registers: [{ name: 'own', address: 2 }],
        files: [{ use: 'registers', name: 'registers.csv', sha256 }],
      }),
    );
    if (content === null) {
      throw new Error('the decoder is not right');
    }
    expect((await missingFiles(content, new Map())).map(({ name }) => name)).toEqual(['registers.csv']);
    await expect(readerOf([content])).rejects.toThrow('The file registers.csv of the decoder Pump is missing.');
    const files = new Map([[sha256, bytesOf(table)]]);
    expect(await missingFiles(content, files)).toEqual([]);
    const { reader } = await readerOf([content], files);
    const conversation = reader.conversation();
    const ask = Uint8Array.of(7, 3, 0, 0, 0, 3, 0x05, 0xad);
    const answer = Uint8Array.of(7, 3, 6, 5, 0xdc, 0, 12, 0, 1, 0x6f, 0x71);
    conversation.add(ask, 'frame', 'received', 0, 1);
    const link = conversation.add(answer, 'frame', 'received', 2, 3);
    const { fields } = conversation.decode(answer, 'frame', link, 'received');
    expect(
      fields.filter(({ unit, name }) => unit !== undefined || name === 'own').map(({ name, value }) => [name, value]),
    ).toEqual([
      ['speed', 1_500],
      ['motor_current', 12],
      ['own', 1],
    ]);
  });
});
