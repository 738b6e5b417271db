/**
 * Set-up of every test file. Vitest compares arrays of bytes property by property, which takes seconds for a flash of 4 MB; this compares their
 * memory. What differs in type goes Vitest's own way, and so does the text of a failure.
 */
import { expect } from 'vitest';

expect.addEqualityTesters([
  (one: unknown, other: unknown): boolean | undefined =>
    one instanceof Uint8Array && other instanceof Uint8Array && one.constructor === other.constructor
      ? Buffer.from(one.buffer, one.byteOffset, one.byteLength).equals(
          Buffer.from(other.buffer, other.byteOffset, other.byteLength),
        )
      : undefined,
]);
