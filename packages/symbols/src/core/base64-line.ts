/**
 * Base64 lines of a printed core dump. ESP-IDF encodes up to 48 bytes a line, each line separately
 * (`core_dump_uart.c`). Padding may therefore be in the middle of a text that has lost its line ends.
 */

const GROUPS = /^(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)+$/;
const PADDED = /[A-Za-z0-9+/]+={0,2}/g;

/** Returns the number of bytes that `text` encodes; null if it is not Base64. */
export function base64Size(text: string): number | null {
  return GROUPS.test(text) ? (text.length / 4) * 3 - (text.match(/=/g)?.length ?? 0) : null;
}

/** Decodes text for which `base64Size` is not null. */
export function decodeBase64(text: string): Uint8Array {
  const bytes = (text.match(PADDED) ?? []).map(atob).join('');
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0));
}
