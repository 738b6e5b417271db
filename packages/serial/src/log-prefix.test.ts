import { describe, expect, it } from 'vitest';
import { logPrefix } from './log-prefix.ts';
import { utf8 } from './testing/line-channels.ts';

function parts(line: string): unknown {
  const bytes = utf8(line);
  const prefix = logPrefix(bytes, 0, bytes.length);
  return prefix && [line.slice(prefix.tagStart, prefix.tagEnd), line.slice(prefix.textStart)];
}

describe('prefix of a log line', () => {
  it.each([
    ['E (995) bme280: i2c read 0x76 failed', ['bme280', 'i2c read 0x76 failed']],
    ['\x1b[0;33mW (765) wifi: no saved channel\x1b[0m', ['wifi', 'no saved channel\x1b[0m']],
    ['\x1b[0m\x1b[1;32mI (7) wifi: up', ['wifi', 'up']],
    ['\x1b[2K\x1b[GI (7) wifi: up', ['wifi', 'up']],
    ['I (14:12:07.020) main_task:Started', ['main_task', 'Started']],
    ['D (12) a b: text', ['a b', 'text']],
    ['V (12) tag:', ['tag', '']],
  ])('is told apart from the text: %s', (line, expected) => {
    expect(parts(line)).toEqual(expected);
  });

  it('is not looked for behind the next m of a sequence that is no colour', () => {
    expect(parts('\x1b[Ktemp E (1) a: b')).toBeNull();
    expect(parts('\x1bomE (1) a: b')).toBeNull();
  });

  it.each([
    '',
    'E',
    'E (',
    'E (995',
    'E (995)',
    'E (995) ',
    'E (995) no colon',
    'E () a: b',
    'E (1) : b',
    'X (1) a: b',
    'E(1) a: b',
    '  E (1) a: b',
    '\x1b[0',
  ])('is not seen in %j', (line) => {
    expect(parts(line)).toBeNull();
  });

  it('ends with the line, not with the one behind it', () => {
    const bytes = utf8('I (1) ab\nc: d');
    expect(logPrefix(bytes, 0, 8)).toBeNull();
  });
});
