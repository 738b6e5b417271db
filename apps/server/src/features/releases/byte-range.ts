/** Range requests (RFC 9110, section 14) on a file of known length. */
import type { ByteRange } from '../../storage/blobs/blob-store.ts';

/**
 * Returns the range that `header` asks for; null for the whole file. Anything but a single byte range is ignored, as
 * the RFC allows. Returns `unsatisfiable` for a range outside the file.
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

function suffix(length: number, size: number): ByteRange | 'unsatisfiable' {
  return length === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 };
}

/** Returns true if `If-None-Match` contains this tag. The comparison is weak, as the RFC requires here. */
export function matchesTag(header: string | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return (header ?? '').split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag));
}
