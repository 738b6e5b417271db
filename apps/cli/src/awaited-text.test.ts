import { describe, expect, it } from 'vitest';
import { readAwaited, readWait } from './awaited-text.ts';

const untilOf = (until: string) => readAwaited({ until }).until?.pattern;

describe('awaited texts', () => {
  it.each([
    ['[ATSS]:ATS', '[ATSS]:ATS'],
    ['done\\r\\n', 'done\r\n'],
    ['/dev/ttyUSB0', '/dev/ttyUSB0'],
    ['/', '/'],
    ['\\x2fa/', '/a/'],
  ])('read %s as a text', (given, text) => {
    expect(untilOf(given)).toEqual({ kind: 'bytes', bytes: new TextEncoder().encode(text) });
  });

  it('read an expression between slashes with its flags', () => {
    expect(untilOf('/v(\\d+)\\/[/x]/is')).toEqual({ kind: 'expression', source: 'v(\\d+)\\/[/x]', flags: 'is' });
  });

  it.each([
    ['/(/', '--until /(/: Invalid regular expression: /(/: Unterminated group. A text that'],
    ['/(a)\\1/', '--until /(a)\\1/: Backreferences such as \\1 are not supported here. A text that'],
    ['/a/m', '--until /a/m: the flags of an expression are i, s and u. A text that'],
    ['a\\q', 'Character 2 begins no escape.'],
    ['', '--until takes a text'],
  ])('refuse %s with exit code 2 and the place', (given, message) => {
    expect(() => readAwaited({ until: given })).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringContaining(message) }),
    );
  });

  it('name the option of a forbidden text that cannot be used', () => {
    expect(() => readAwaited({ failOn: ['fine', '/[/'] })).toThrow(/^--fail-on \/\[\/: the expression has no end/);
  });

  it('are waited for as long as an option says, up to days', () => {
    const awaited = readAwaited({ until: 'x' });
    expect(readWait({ timeout: '172800' }, awaited, 10)).toBe(172_800_000);
    expect([readWait({}, awaited, 10), readWait({}, readAwaited({}), 10)]).toEqual([10, 0]);
  });
});
