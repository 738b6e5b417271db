/**
 * Assembles the chunks of a long export into one file, in slices. The thread keeps reading the ports, and memory
 * holds the data only once.
 */

/** Longest run of assembling before the ports are read again, in milliseconds. */
const sliceDuration = 8;

/** Bytes passed to the browser at a time, so that this thread need not keep them. */
const partBytes = 16 << 20;

/**
 * @param pause Yields to other work of this thread. Receives the number of bytes assembled so far.
 * @throws The reason of `signal` after its abort.
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
