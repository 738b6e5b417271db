import { describe, expect, it, vi } from 'vitest';
import { assembleBlob } from './row-worker.ts';

/** Yields chunks, each of which takes longer than one slice. */
function* slowChunks(count: number): Generator<Uint8Array<ArrayBuffer>> {
  for (let index = 0; index < count; index++) {
    vi.advanceTimersByTime(20);
    yield new Uint8Array(10).fill(index);
  }
}

describe('a file that takes a while', () => {
  it('reports how far it is, and holds every byte', async () => {
    vi.useFakeTimers();
    const reported: number[] = [];
    const blob = await assembleBlob(slowChunks(3), 'text/plain', async (bytes) => void reported.push(bytes));
    vi.useRealTimers();
    expect(reported).toEqual([10, 20, 30]);
    expect(blob.size).toBe(30);
  });

  it('can be cancelled, and asks for no more chunks then', async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const reported: number[] = [];
    const pause = async (bytes: number) => {
      reported.push(bytes);
      controller.abort();
    };
    await expect(assembleBlob(slowChunks(3), 'text/plain', pause, controller.signal)).rejects.toThrow();
    vi.useRealTimers();
    expect(reported).toEqual([10]);
  });
});
