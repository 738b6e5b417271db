/**
 * Set-up of every test file: compares byte arrays by their memory. Vitest compares them property by property, which
 * takes seconds for a flash of 4 MB. Arrays of different types, and the text of a failure, stay with Vitest.
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
