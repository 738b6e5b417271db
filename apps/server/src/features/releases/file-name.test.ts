import { releaseLimits } from '@wirebench/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../api-error.ts';
import { checkBinName } from './file-name.ts';

/** Any code units, with special characters more often than by chance. */
const anyText = fc
  .array(fc.oneof(fc.nat(0xffff), fc.constantFrom(...[...'ab./\\\r\n"%'].map((letter) => letter.charCodeAt(0)))), {
    maxLength: 120,
  })
  .map((units) => String.fromCharCode(...units));

function refusalOf(name: string): string | null {
  try {
    checkBinName(name);
    return null;
  } catch (error) {
    return error instanceof ApiError ? error.code : String(error);
  }
}

describe('file name', () => {
  it.each([
    ['app.bin', 'app.bin'],
    ['APP.BIN', 'APP.BIN'],
    [' app.bin ', 'app.bin'],
    ['../../etc/passwd.bin', 'passwd.bin'],
    ['C:\\build\\app.bin', 'app.bin'],
    ['/app.bin', 'app.bin'],
    ['blinker v1.2 (über).bin', 'blinker v1.2 (über).bin'],
    ['..a.bin', '..a.bin'],
  ])('%j is kept as %j', (given, kept) => {
    expect(checkBinName(given)).toBe(kept);
  });

  it.each([
    ['', 'unsupported-media-type'],
    ['.bin', 'unsupported-media-type'],
    ['app', 'unsupported-media-type'],
    ['app.elf', 'unsupported-media-type'],
    ['app.bin/', 'unsupported-media-type'],
    ['app.bin.exe', 'unsupported-media-type'],
    ['a\r\nset-cookie: x=1.bin', 'invalid-request'],
    ['a\0.bin', 'invalid-request'],
    ['a\u202enib.bin', 'invalid-request'],
    [`${'x'.repeat(97)}.bin`, 'invalid-request'],
  ])('%j is refused', (given, code) => {
    expect(refusalOf(given)).toBe(code);
  });

  it('is short, has no folders and no control characters, whatever was sent', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        fc.pre(refusalOf(`${text}.bin`) === null);
        const name = checkBinName(`${text}.bin`);
        expect(name).not.toMatch(/[/\\\p{Cc}]/u);
        expect(name.length).toBeLessThanOrEqual(releaseLimits.fileNameMaxLength);
        expect(checkBinName(name)).toBe(name);
      }),
    );
  });
});
