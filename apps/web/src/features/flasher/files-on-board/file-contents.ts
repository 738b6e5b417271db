/** Decides how the contents of a file are shown: as text that can be edited, as a picture, or as bytes. */

/** Longest text that is edited in place, in bytes. */
const maxEditedText = 128 * 1_024;
/** Bytes of a longer file that are shown. */
export const shownBytes = 8 * 1_024;
/** Largest picture that is shown, in bytes: it is passed to the browser as text. */
const maxPicture = 1_024 * 1_024;
/** Bytes that are read for a preview. */
export const previewLimit = maxPicture;

type LineEnd = '\n' | '\r\n';

export type FilePreview =
  /** `text` has plain line feeds. `lineEnd` is put back when it is saved. */
  | { readonly kind: 'text'; readonly text: string; readonly lineEnd: LineEnd }
  | { readonly kind: 'picture'; readonly type: PictureType }
  | { readonly kind: 'bytes' };

type PictureType = (typeof pictures)[number]['type'];

const pictures = [
  { type: 'image/png', name: 'PNG', start: [0x89, 0x50, 0x4e, 0x47] },
  { type: 'image/jpeg', name: 'JPEG', start: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', name: 'GIF', start: [0x47, 0x49, 0x46, 0x38] },
  { type: 'image/bmp', name: 'BMP', start: [0x42, 0x4d] },
  { type: 'image/x-icon', name: 'icon', start: [0, 0, 1, 0] },
] as const;

export function pictureName(type: PictureType): string {
  return pictures.find((picture) => picture.type === type)?.name ?? '';
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** @param size Whole size in bytes; `bytes` may be the beginning. */
export function previewOf(bytes: Uint8Array, size: number): FilePreview {
  const picture = pictures.find(({ start }) => start.every((byte, index) => bytes[index] === byte));
  if (picture !== undefined && size <= maxPicture && bytes.length === size) {
    return { kind: 'picture', type: picture.type };
  }
  const text = size <= maxEditedText && bytes.length === size ? decodeText(bytes) : null;
  const lineEnd = text === null ? null : lineEndOf(text);
  return text === null || lineEnd === null
    ? { kind: 'bytes' }
    : { kind: 'text', text: text.replaceAll('\r\n', '\n'), lineEnd };
}

/** Returns null for bytes that are no UTF-8, or have control characters that a text field would lose. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    const text = decoder.decode(bytes);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
    return /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** Returns null for a text with both kinds of line ends, or with carriage returns alone. */
function lineEndOf(text: string): LineEnd | null {
  const rest = text.replaceAll('\r\n', '');
  if (rest.length === text.length) {
    return rest.includes('\r') ? null : '\n';
  }
  return /[\r\n]/.test(rest) ? null : '\r\n';
}

/** @param text With plain line feeds. */
export function encodeText(text: string, lineEnd: LineEnd): Uint8Array {
  return encoder.encode(lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd));
}

/**
 * Returns the numbers of changed lines, from 0. Equal lines at the start and at the end are found; a part between them
 * with another number of lines counts as changed.
 */
export function changedLines(before: string, after: string): ReadonlySet<number> {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) {
    start++;
  }
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) {
    end++;
  }
  const changed = new Set<number>();
  for (let line = start; line < now.length - end; line++) {
    if (old.length !== now.length || old[line] !== now[line]) {
      changed.add(line);
    }
  }
  return changed;
}
