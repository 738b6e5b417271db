/** Bytes as readable text in one line. */

const names: Readonly<Record<string, string>> = { '\r': '\\r', '\n': '\\n', '\t': '\\t', '\\': '\\\\' };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns UTF-8 text with controls as escapes. In bytes that are no UTF-8, those above 7F become `\xhh`. */
export function visibleText(bytes: Uint8Array): string {
  try {
    return escaped(decoder.decode(bytes));
  } catch (error) {
    if (!(error instanceof TypeError)) {
      throw error;
    }
    return Array.from(bytes, (byte) => (byte < 0x80 ? escaped(String.fromCharCode(byte)) : hex(byte))).join('');
  }
}

const escaped = (text: string) =>
  text.replaceAll(/[\p{Cc}\\]/gu, (character) => names[character] ?? hex(character.charCodeAt(0)));

const hex = (code: number) => `\\x${code.toString(16).padStart(2, '0')}`;
