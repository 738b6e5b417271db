/** Recognises what a dropped file is for, by its content. Loaded with the first file. */

import { fieldsOf, parseJson } from '@wirebench/contract/json';
import { encodingOf } from '@wirebench/port/given-text';

/** `crash-log`: a text with a crash, for the crash inspector and as a log. */
export type DropUse = 'crashes' | 'crash-log' | 'jkit' | 'decoder' | 'text';

/** Text by which the log of a crash is recognised. */
const crashText = /CORE DUMP START|Guru Meditation|Backtrace:|abort\(\) was called|rst:0x/;

/**
 * Returns the use of a file's content. Binary files are ELF files or core dumps.
 *
 * @param bytes Start of the file.
 */
export function dropUse(bytes: Uint8Array): DropUse {
  const text = readText(bytes);
  if (text === null) {
    return 'crashes';
  }
  const root = fieldsOf(parseJson(text));
  const data = fieldsOf(root['data']);
  if (typeof fieldsOf(root['framing'])['kind'] === 'string' || [root['type'], data['type']].includes('decoder')) {
    return 'decoder';
  }
  if (Array.isArray(root['fields']) || root['content'] !== undefined || data['content'] !== undefined) {
    return 'jkit';
  }
  return crashText.test(text) ? 'crash-log' : 'text';
}

/** Decodes a text. Returns null for binary data. */
function readText(bytes: Uint8Array): string | null {
  const { encoding } = encodingOf(bytes);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') {
    return new TextDecoder(encoding).decode(bytes, { stream: true });
  }
  if (bytes.includes(0)) {
    return null;
  }
  try {
    // Decodes a part of a stream, because the end may cut a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    // The bytes are no UTF-8, the only reason for an error.
    return null;
  }
}
