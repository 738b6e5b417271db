/** Finds core dumps in the text of logs, as written by tools and copied by users. */
import { describe, expect, it } from 'vitest';
import { CoreDumpError } from './core-failure.ts';
import { readCoreDump } from './read-core-dump.ts';
import { coreElf, extraInfo, riscvStatus } from './testing/dump-files.ts';
import { wrapped } from './testing/wrapped-dump.ts';

const elf = coreElf({
  machine: 243,
  notes: [
    riscvStatus(
      0x3fc8_ec30,
      Array.from({ length: 32 }, (_, index) => 0x4038_0000 + index),
    ),
    extraInfo(0x3fc8_ec30),
  ],
  memory: [{ address: 0x3fc8_e9d0, bytes: Uint8Array.from({ length: 512 }, (_, index) => (index * 7) & 0xff) }],
});
const crcDump = wrapped(5, 0x102, [0, 0, 0, 3], elf);
const shaDump = wrapped(5, 0x103, [0, 0, 0, 3], elf);

/** Returns lines of Base64 in ESP-IDF's layout: 48 bytes each, the header on a line of its own. */
function base64(dump: Uint8Array): string[] {
  const pieces = [dump.subarray(0, 24)];
  for (let at = 24; at < dump.length; at += 48) {
    pieces.push(dump.subarray(at, at + 48));
  }
  return pieces.map((piece) => btoa(String.fromCharCode(...piece)));
}

const start = '================= CORE DUMP START =================';
const end = '================= CORE DUMP END =================';
const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string, { isBig = false, hasMark = true } = {}) => {
  const units = [...(hasMark ? '\ufeff' : ''), ...text].map((character) => character.charCodeAt(0));
  return Uint8Array.from(units.flatMap((unit) => (isBig ? [unit >> 8, unit & 0xff] : [unit & 0xff, unit >> 8])));
};

describe.each([
  ['CRC-32', crcDump],
  ['SHA-256', shaDump],
])('a core dump with %s in a text', (_, dump) => {
  const lines = base64(dump);
  const whole = [start, ...lines, end];
  let count = 998;
  const prefixed = (prefix: () => string) => utf8(whole.map((line) => `${prefix()}${line}`).join('\n'));
  const stamp = () => `2026-11-20 14:03:05.${100 + (count++ % 900)}`;
  const inserted = (at: number, ...others: readonly string[]) => utf8(whole.toSpliced(at, 0, ...others).join('\r\n'));

  it.each([
    ['an exported text', prefixed(() => `${stamp()}  Port 1  RX  `)],
    ['an exported text with a named port', prefixed(() => `${stamp()}  Kitchen sensor  RX  `)],
    ['an exported text with controls written out', prefixed(() => `${stamp()}  Port 1  RX  \\x1b[K`)],
    ['an exported table', prefixed(() => `${stamp()},1763643785123.000,Port 1,RX,`)],
    ['a terminal that erases lines', prefixed(() => '\u001b[K')],
    ['a quotation', prefixed(() => '> ')],
    ['the serial monitor of Arduino', prefixed(() => '12:34:56.789 -> ')],
    ['brackets', prefixed(() => `[${count++}] [DEBUG] `)],
    ['an unknown tool', prefixed(() => `<esp-7 #${count++}> `)],
    ['ESPHome', prefixed(() => '\u001b[0;36m[12:34:56][D][logger:1]:\u001b[0m ')],
    ['carriage returns', utf8(whole.join('\r'))],
    ['carriage returns in front of lines', utf8(whole.join('\n\r'))],
    ['two carriage returns', utf8(whole.join('\r\r\n'))],
    ['one line', utf8(`${start}\n${lines.join('')}\n${end}\n`)],
    ['one line with blanks', utf8(whole.join(' '))],
    ['one line without marks', utf8(lines.join(''))],
    ['lines without the end', utf8([start, ...lines].join('\n'))],
    ['lines without the end, and a log behind it', utf8([start, ...lines, 'Rebooting...', 'done', 'help'].join('\n'))],
    ['lines without the start', utf8([...lines, end].join('\n'))],
    ['lines with a short word in between', inserted(4, 'wifiDone')],
    ['lines with a short word in front', inserted(1, 'wifiDone')],
    ['lines with a short word behind', inserted(whole.length - 1, 'wifiDone')],
    ['lines with two short words in between', inserted(4, 'help', 'wifiDone')],
    ['lines with a line of a log in between', inserted(4, 'I (400) wifi: still here')],
    ['UTF-16', utf16(whole.join('\r\n'))],
    ['UTF-16 without a mark', utf16(whole.join('\r\n'), { hasMark: false })],
    ['UTF-16 with the high byte first', utf16(whole.join('\r\n'), { isBig: true })],
    ['UTF-8 with a mark', utf8(`\ufeff${whole.join('\n')}`)],
    ['a log with a NUL at its start', utf8(`\0\0${whole.join('\n')}`)],
    ['a log with noise', utf8(`${'\ufffd\u0001'.repeat(3_000)}\n${whole.join('\n')}`)],
    ['a web page', utf8(`<!DOCTYPE html>\n<pre>\n${whole.join('\n')}\n</pre>`)],
  ])('is read from %s', async (_name, bytes) => {
    expect(await readCoreDump(bytes)).toMatchObject({ crashedTask: 0x3fc8_ec30, appHash: null });
  });

  const token = btoa('{"sub":"board-7","name":"kitchen sensor","iat":1763643785}').replaceAll('=', '');
  const lone = token.slice(0, token.length - (token.length % 4));
  it.each([
    ['a token as long as a line of the dump', [lone.slice(0, 64)]],
    ['a longer token', [lone + lone]],
    ['a shorter token', [lone.slice(0, 24)]],
    ['a line of a log that ends with Base64', [`I (5012) mqtt: payload ${lone.slice(0, 64)}`]],
    ['random Base64 beside other words', ['W (5012) cert: MIIBCgKCAQEAp7Yq0kVv+sVn9Xk2mT1bQvZC4l0aU5yL8rD3eFgHjWoi']],
    ['two tokens', [lone.slice(0, 24), lone.slice(0, 60)]],
    ['a shorter token and a word', [lone.slice(0, 24), 'wifiDone']],
  ])('is read with %s in between, and names it', async (_name, others) => {
    for (const at of [2, 5, whole.length - 2]) {
      const report = await readCoreDump(inserted(at, ...others));
      expect(report.crashedTask).toBe(0x3fc8_ec30);
      expect(report.skipped?.map(({ number }) => number)).toEqual(others.map((_other, index) => at + index + 1));
    }
  });

  it.each([
    ['a line of a log that ends with Base64', `I (5012) mqtt: payload ${lone.slice(0, 64)}`],
    ['a longer token', lone + lone],
    ['a shorter token', lone.slice(0, 24)],
    ['a token as long as a line of the dump', lone.slice(0, 64)],
    ['random Base64 beside other words', 'W (5012) cert: MIIBCgKCAQEAp7Yq0kVv+sVn9Xk2mT1bQvZC4l0aU5yL8rD3eFgHjWoi'],
  ])('is read with %s after every second line, and names each', async (_name, other) => {
    const text = [start, ...lines.flatMap((line, index) => (index % 2 === 1 ? [line, other] : [line])), end];
    expect(lines.length).toBeGreaterThan(2 * 3 + 1);
    const report = await readCoreDump(utf8(text.join('\r\n')));
    expect(report.crashedTask).toBe(0x3fc8_ec30);
    expect(report.skipped?.map(({ number }) => number)).toEqual(
      text.flatMap((line, index) => (line === other ? [index + 1] : [])),
    );
    const cut = await readCoreDump(utf8([...text.slice(0, -1), 'Rebooting...', lone.slice(0, 32)].join('\n')));
    expect(cut.crashedTask).toBe(0x3fc8_ec30);
  });

  it('is read from an export of two ports whose lines alternate', async () => {
    const text = whole.flatMap((line, index) => [
      `${stamp()}  Port 1  RX  ${line}`,
      `${stamp()}  Port 2  RX  ${lines[index] ?? 'idle'}`,
      `${stamp()}  Port 1  TX  help`,
      `${stamp()}  Port 1  INFO  Connected`,
    ]);
    expect((await readCoreDump(utf8(text.join('\n')))).tasks).toHaveLength(1);
  });
});

describe('a core dump that is not whole', () => {
  const lines = base64(crcDump);
  const messageOf = async (text: readonly string[]) => {
    const error: unknown = await readCoreDump(utf8(text.join('\n'))).catch((reason: unknown) => reason);
    return error instanceof CoreDumpError ? error.message : `${error}`;
  };

  it('names the line that does not fit', async () => {
    const cut = [start, ...lines.with(4, `${lines[4]?.slice(0, 30)}W (400) wifi: other core`), end];
    expect(await messageOf(cut)).toMatch(
      /^This core dump ends too early\. .* 48 bytes are missing\. Line 6 does not fit: ‘.{30,41}…’\.$/,
    );
  });

  it('says how much is missing where no line is to blame', async () => {
    expect(await messageOf([start, ...lines.toSpliced(4, 1), end])).toContain(' 48 bytes are missing.');
  });
});
