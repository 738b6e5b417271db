import { expect, it } from 'vitest';
import { dropUse } from './drop-use.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

it.each([
  ['an ELF file', Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 1, 1, 1, 0), 'crashes'],
  ['an image without zeros', Uint8Array.of(0xe9, 2, 2, 0x20), 'crashes'],
  ['the log of a crash', bytes('boot\nGuru Meditation Error: Core 0 panic’ed\n'), 'crash-log'],
  ['a JKit of a panel', bytes('{"name":"GNSS","fields":["version"]}'), 'jkit'],
  ['a JKit of the server’s API', bytes('{"data":{"name":"GNSS","content":"{}"}}'), 'jkit'],
  ['a JKit in UTF-16', Buffer.from('\ufeff{"name":"GNSS","fields":["version"]}', 'utf16le'), 'jkit'],
  ['the log of a crash in UTF-16', Buffer.from('\ufeffboot\nGuru Meditation Error: Core 0\n', 'utf16le'), 'crash-log'],
  ['a decoder', bytes('{"name":"motor","framing":{"kind":"cobs"},"fields":[]}'), 'decoder'],
  ['a JKit with a decoder', bytes('{"data":{"type":"decoder","content":"{}"}}'), 'decoder'],
  ['other JSON', bytes('{"scripts":{}}'), 'text'],
  ['a text', bytes('AT\r\nAT+GMR\r\n'), 'text'],
] as const)('knows the use of %s', (_, content, use) => {
  expect(dropUse(content)).toBe(use);
});
