import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFileFacts, encodeFileFacts, safeFileName } from './file-facts.ts';
import { outgoing } from './testing/memory-files.ts';

const facts = (text: string) => decodeFileFacts(Uint8Array.from(text, (character) => character.charCodeAt(0)));

describe('names of received files', () => {
  it.each([
    ['config.bin', 'config.bin'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\win.ini', 'win.ini'],
    ['/abs/dir/', 'dir'],
    ['..', 'received.bin'],
    ['.bashrc', 'bashrc'],
    ['a\u0000b\u001b[2Jc', 'ab[2Jc'],
    ['evil\u202etxt.exe', 'eviltxt.exe'],
    ['a<b>c:d|e?f*g"h', 'a_b_c_d_e_f_g_h'],
    ['nul', '_nul'],
    ['COM1.txt', '_COM1.txt'],
    ['name. . ', 'name'],
  ])('makes %j safe', (name, safe) => {
    expect(safeFileName(name)).toBe(safe);
  });

  it('is never empty, long, hidden or a path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        const safe = safeFileName(name);
        expect(safe.length).toBeGreaterThan(0);
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(256);
        expect(safe).not.toMatch(/[/\\]|^\./);
      }),
    );
  });

  it('keeps the ending of a long name', () => {
    expect(safeFileName(`${'a'.repeat(300)}.json`)).toMatch(/^a{250}\.json$/);
    expect(safeFileName(`${'漢'.repeat(100)}.json`)).toMatch(/^漢{83}\.json$/);
  });
});

describe('announcements', () => {
  it('carries name, size and time', () => {
    const bytes = encodeFileFacts(outgoing('über config.bin', new Uint8Array(1_234), 1_700_000_000_999));
    expect(decodeFileFacts(bytes)).toEqual({ name: 'über config.bin', size: 1_234, modified: 1_700_000_000_000 });
  });

  it.each([
    ['157 characters', `${'a'.repeat(153)}.bin`],
    ['255 bytes', `${'a'.repeat(251)}.bin`],
  ])('carries a name of %s whole', (_what, name) => {
    const decoded = decodeFileFacts(encodeFileFacts(outgoing(name, new Uint8Array(5), null), ' 1 5'));
    expect(decoded).toEqual({ name, size: 5, modified: null });
  });

  it('carries the longest name of Windows in 1,024 bytes, which a file system of 255 bytes shortens', () => {
    const bytes = encodeFileFacts(
      outgoing('漢'.repeat(255), new Uint8Array(0xffff_ffff % 7), Date.now()),
      ' 9999 9999999999',
    );
    expect(bytes.indexOf(0)).toBe(765);
    expect(bytes.length).toBeLessThanOrEqual(1_024);
    expect(decodeFileFacts(bytes)).toMatchObject({ name: '漢'.repeat(85), isNameCut: true });
  });

  it('reads the time as octal, and does without size and time', () => {
    expect(facts('a.bin\x0012345 14524552500 100644\x00')).toEqual({
      name: 'a.bin',
      size: 12_345,
      modified: 0o14524552500 * 1_000,
    });
    expect(facts('a.bin\x00')).toEqual({ name: 'a.bin', size: null, modified: null });
    expect(facts('a.bin\x00-5 xyz\x00')).toEqual({ name: 'a.bin', size: null, modified: null });
  });

  it('takes a field for unknown that the end of the block may have cut', () => {
    expect(facts(`${'a'.repeat(124)}\x00500`)).toMatchObject({ size: null, modified: null });
    expect(facts(`${'a'.repeat(118)}\x005000 1530`)).toMatchObject({ size: 5_000, modified: null });
  });

  it('takes an empty name for the end of a batch', () => {
    expect(decodeFileFacts(new Uint8Array(128))).toBeNull();
  });
});
