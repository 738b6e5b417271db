/** Defines tests for crash dumps. The dumps follow the printing code of each system; their values are made up. */
import { describe, expect, it } from 'vitest';
import type { PanicMark } from '../panic-mark.ts';
import { PanicRecogniser } from '../panic-recogniser.ts';

export interface Dump {
  readonly name: string;
  /** Source of the form. */
  readonly source: string;
  readonly text: string;
  /** Words that the sentences must contain, in this order. */
  readonly says: readonly string[];
  /** Addresses that are certainly code, with label and role: `PC exact 8000a08`. */
  readonly addresses: readonly string[];
}

/** Roles of addresses that are certainly code; other registers and words of the stack may hold anything. */
const certain = new Set(['exact', 'frame', 'call', 'return']);

function read(text: string): { marks: PanicMark[]; says: string; addresses: string[] } {
  const recogniser = new PanicRecogniser();
  const marks = text.split('\n').flatMap((line) => recogniser.line(line) ?? []);
  return {
    marks,
    says: marks.map(({ sentence }) => sentence ?? '').join(' '),
    addresses: marks
      .flatMap(({ addresses }) => addresses)
      .filter(({ role }) => certain.has(role))
      .map(({ label, role, value }) => `${label ?? '-'} ${role} ${value.toString(16)}`),
  };
}

/** Defines tests that each dump is explained, with its addresses, alone and after a prefix. */
export function checkDumps(dumps: readonly Dump[]): void {
  describe.each(dumps)('$name ($source)', ({ text, says, addresses }) => {
    it('has its cause in words and its addresses', () => {
      const found = read(text);
      let at = 0;
      for (const words of says) {
        const next = found.says.indexOf(words, at);
        expect(next, `${words} in: ${found.says.slice(at)}`).toBeGreaterThanOrEqual(0);
        at = next + words.length;
      }
      expect(found.addresses).toEqual(addresses);
      for (const { sentence } of found.marks) {
        expect(sentence ?? 'Nothing.').toMatch(/^[A-Z].*\.$/);
      }
    });

    it('has them behind what a tool writes in front of its lines', () => {
      const prefixed = text
        .split('\n')
        .map((line) => `2026-11-25 12:34:56.789 -> ${line}`)
        .join('\n');
      expect(read(prefixed).addresses).toEqual(addresses);
    });

    it('is never skipped', () => {
      expect(new PanicRecogniser().skips(new TextEncoder().encode(`boot\n${text}\n`))).toBe(false);
    });

    it('lets the lines behind it alone', () => {
      const idle = Array.from({ length: 12 }, (_, index) => `[00:00:09.000,000] <inf> app: value ${index}`);
      const after = ['R1 = 12', 'PC connected', 'sp: 12345678', '0: ra: 80000412', '0x42001234', 'BT0: 0x40081234'];
      const recogniser = new PanicRecogniser();
      for (const line of [...text.split('\n'), ...idle]) {
        recogniser.line(line);
      }
      expect(after.map((line) => recogniser.line(line))).toEqual(after.map(() => undefined));
    });
  });
}
