import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../core/bytes.ts';
import { printedStartOf } from './printed-start.ts';

/** A program with a string among its code. */
const programWith = (text: string) => new Uint8Array([0, 0x20, ...asciiBytes(text), 0, 0xbe]);

describe('printed start of a program', () => {
  it.each([
    ['*** Booting Zephyr OS build %s%s ***', 'the banner of Zephyr'],
    ['*** Booting nRF Connect SDK v2.6.0 ***', 'the banner of nRF Connect SDK'],
    ['I (%lu) %s: Calling app_main()', 'the first lines of ESP-IDF'],
  ])('is known from %s', (text, name) => {
    expect(printedStartOf(new Uint8Array(8), programWith(text))).toBe(name);
  });

  it('is unknown of a program without such a line', () => {
    expect(printedStartOf(programWith('MicroPython v1.22.0'), new Uint8Array())).toBeNull();
  });
});
