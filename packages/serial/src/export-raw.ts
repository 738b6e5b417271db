import type { LineChannel } from './line-channel.ts';

const CHUNK_BYTES = 1 << 20;

/**
 * Yields the bytes of a channel exactly as they arrived: all that are held when the export begins, oldest first, as
 * copies. Lines that leave the full ring before they are read are missing, always as whole lines.
 */
export function* exportRaw(channel: LineChannel): Generator<Uint8Array<ArrayBuffer>, void> {
  const end = channel.ring.end;
  let from = channel.start;
  while (from < end) {
    const to = Math.min(from + CHUNK_BYTES, end);
    const chunk = new Uint8Array(to - from);
    channel.ring.copy(from, to, chunk, 0);
    yield chunk;
    from = Math.max(to, channel.start);
  }
}
