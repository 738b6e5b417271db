/** The bytes of a channel exactly as they came. */
import type { LineChannel } from './line-channel.ts';

const CHUNK_BYTES = 1 << 20;

/**
 * Everything held when the export begins, oldest first, as copies. What has to leave the full ring before it is asked for
 * is missing, whole lines at a time.
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
