/** Range requests (RFC 9110, section 14) on a file of known length. Knows headers, no request. */
import type { ByteRange } from '../../storage/blobs/blob-store.ts';

/**
 * The part that `header` asks for; null for the whole file. What is no single range of bytes is ignored, as the RFC allows;
 * `unsatisfiable` is one that lies outside of the file.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec((header ?? '').trim().toLowerCase()) ?? [];
  if (from === '') {
    return to === '' ? null : suffix(Number(to), size);
  }
  const start = Number(from);
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < start) {
    return null;
  }
  return start < size ? { start, end } : 'unsatisfiable';
}

/** The last `length` bytes. */
function suffix(length: number, size: number): ByteRange | 'unsatisfiable' {
  return length === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 };
}

/** Whether `If-None-Match` names this tag; weak comparison, as the RFC asks here. */
export function matchesTag(header: string | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return (header ?? '').split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag));
}
