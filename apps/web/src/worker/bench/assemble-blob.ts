/** Chunks of a long export → one file, without holding the thread that reads the ports, and without holding it twice. */

/** Longest run of assembling before the ports are read again, in milliseconds. */
const sliceDuration = 8;

/** Bytes passed to the browser at a time, so that the thread need not keep them. */
const partBytes = 16 << 20;

/**
 * Rejects with the reason of `signal` when that aborts.
 * @param pause lets everything else that waits for this thread have its turn; told how many bytes there are so far.
 */
export async function assembleBlob(
  chunks: Iterable<Uint8Array<ArrayBuffer>>,
  type: string,
  pause: (bytes: number) => Promise<void>,
  signal?: AbortSignal,
): Promise<Blob> {
  const parts: Blob[] = [];
  let pending: Uint8Array<ArrayBuffer>[] = [];
  let pendingBytes = 0;
  let bytes = 0;
  let sliceEnds = performance.now() + sliceDuration;
  for (const chunk of chunks) {
    pending.push(chunk);
    pendingBytes += chunk.byteLength;
    bytes += chunk.byteLength;
    if (pendingBytes >= partBytes) {
      parts.push(new Blob(pending));
      pending = [];
      pendingBytes = 0;
    }
    if (performance.now() >= sliceEnds) {
      await pause(bytes);
      signal?.throwIfAborted();
      sliceEnds = performance.now() + sliceDuration;
    }
  }
  return new Blob([...parts, ...pending], { type });
}
