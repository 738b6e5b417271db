import { describe, expect, it } from 'vitest';
import { readSetting } from './setting-text.ts';

const around =
  'DATA_DIR has quotation marks around its value. They are part of it: docker run --env-file, for example, keeps them. Remove the marks.';
const oneEnd = (end: string) =>
  `DATA_DIR has a quotation mark at the ${end} of its value, and none at the other. Remove the mark.`;

describe('text of a setting', () => {
  it.each([
    ['carriage return', '/var/lib/bench\r'],
    ['line feed', '/var/lib/bench\n'],
    ['blanks and tabs', ' \t/var/lib/bench\t '],
    ['byte order mark', '\ufeff/var/lib/bench'],
    ['no-break space', '\u00a0/var/lib/bench\u00a0'],
    ['zero-width space', '\u200b/var/lib/bench\u200b'],
    ['end of a DOS file', '/var/lib/bench\r\n\x1a'],
  ])('has no %s at its ends', (_what, text) => {
    expect(readSetting('DATA_DIR', text)).toEqual({ value: '/var/lib/bench', fault: null });
  });

  it.each(['"/x"', "'/x'", '`/x`', '“/x”', '„/x“', '‘/x’', '«/x»', ' "/x"\r', '\ufeff"/x"', '""', '" "'])(
    'is refused with marks around it: %j',
    (text) => {
      for (const isSecret of [false, true]) {
        expect(readSetting('DATA_DIR', text, { isSecret }).fault).toBe(around);
      }
    },
  );

  it.each([
    ['"/x', 'start'],
    ["'/x", 'start'],
    ['“/x', 'start'],
    ['/x"', 'end'],
    ['/x”', 'end'],
    [`"/x'`, 'start'],
  ])('is refused with a mark at one end, unless it is confidential: %j', (text, end) => {
    expect(readSetting('DATA_DIR', text).fault).toBe(oneEnd(end));
    expect(readSetting('DATA_DIR', text, { isSecret: true })).toEqual({ value: text, fault: null });
  });

  it('keeps marks and blanks inside', () => {
    expect(readSetting('ADMIN_ROLE', `bench "a" 'b'.`)).toEqual({ value: `bench "a" 'b'.`, fault: null });
  });

  it('names no part of a confidential value', () => {
    expect(readSetting('REDIS_URL', '"redis://:secret@redis"', { isSecret: true }).fault).not.toContain('secret');
  });
});
