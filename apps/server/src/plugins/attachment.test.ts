import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attachment } from './attachment.ts';

describe('download header', () => {
  it('is plain where the name is', () => {
    expect(attachment('app v1.2.bin')).toBe('attachment; filename="app v1.2.bin"');
  });

  it('has the whole name for those who read it', () => {
    expect(attachment('"Blinker" ü*.bin')).toBe(
      'attachment; filename="_Blinker_ __.bin"; filename*=UTF-8\'\'%22Blinker%22%20%C3%BC%2A.bin',
    );
  });

  it('is one line of ASCII with two quotes, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const header = attachment(name.toWellFormed());
        expect(header).toMatch(/^attachment; filename="[\w.() -]*"(; filename\*=UTF-8''[\w.~!%-]*)?$/);
      }),
    );
  });

  it('gives the name back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
        const [, plain, encoded] = /filename="(.*?)"(?:; filename\*=UTF-8''(.*))?$/.exec(attachment(name)) ?? [];
        expect(encoded === undefined ? plain : decodeURIComponent(encoded)).toBe(name);
      }),
    );
  });
});
