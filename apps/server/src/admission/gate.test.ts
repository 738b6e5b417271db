import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { SlowReaders } from './gate.ts';

const TIMEOUT = 60_000;
/** Time of a server that has been running for an hour, in milliseconds. */
const START = 3_600_000;

/** A client that reads nothing. */
class StuckConnection extends Writable {
  bytesWritten = 0;

  constructor() {
    super({ write: () => undefined });
  }

  answer(bytes: number): void {
    this.bytesWritten += bytes;
    this.write(Buffer.alloc(bytes));
  }
}

describe('slow readers', () => {
  it('are not those who asked a moment ago, however long the server has been up', () => {
    const readers = new SlowReaders(TIMEOUT);
    const connection = new StuckConnection();
    readers.watch(connection, START);
    connection.answer(1_000);
    expect(readers.sweep(START + 500)).toBe(0);
    expect(connection.destroyed).toBe(false);
  });

  it('are those who have taken nothing of an answer for the whole time', () => {
    const readers = new SlowReaders(TIMEOUT);
    const connection = new StuckConnection();
    readers.watch(connection, START);
    connection.answer(1_000);
    expect(readers.sweep(START + TIMEOUT)).toBe(1);
    expect(connection.destroyed).toBe(true);
  });
});
