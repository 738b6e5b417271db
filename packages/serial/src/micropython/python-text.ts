/** Python literals: strings and bytes for the board, and the `repr` of bytes that a board prints. */

/**
 * Returns the text as a string literal. Characters outside ASCII stay as they are, because builds without Unicode
 * strings do not know `\u`.
 */
export function pythonString(text: string): string {
  let literal = "'";
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (character === "'" || character === '\\') {
      literal += `\\${character}`;
    } else {
      literal += code < 0x20 || code === 0x7f ? hexEscape(code) : character;
    }
  }
  return `${literal}'`;
}

/** Returns the bytes as a bytes literal in ASCII. */
export function pythonBytes(bytes: Uint8Array): string {
  let literal = "b'";
  for (const byte of bytes) {
    if (byte === 0x27 || byte === 0x5c) {
      literal += `\\${String.fromCharCode(byte)}`;
    } else {
      literal += byte < 0x20 || byte > 0x7e ? hexEscape(byte) : String.fromCharCode(byte);
    }
  }
  return `${literal}'`;
}

function hexEscape(code: number): string {
  return `\\x${code.toString(16).padStart(2, '0')}`;
}

const simpleEscapes: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, '\\': 0x5c, "'": 0x27, '"': 0x22 };

/** Parses the `repr` of a bytes object. Returns null for any other text. */
export function parsePythonBytes(text: string): Uint8Array<ArrayBuffer> | null {
  const match = /^b(['"])(.*)\1$/s.exec(text);
  const body = match?.[2];
  if (body === undefined) {
    return null;
  }
  const bytes: number[] = [];
  for (let at = 0; at < body.length; at++) {
    const character = body.charAt(at);
    if (character !== '\\') {
      const code = body.charCodeAt(at);
      if (code > 0x7f) {
        return null;
      }
      bytes.push(code);
      continue;
    }
    const escaped = body.charAt(++at);
    const simple = simpleEscapes[escaped];
    const hex = body.slice(at + 1, at + 3);
    if (simple !== undefined) {
      bytes.push(simple);
    } else if (escaped === 'x' && /^[0-9a-f]{2}$/i.test(hex)) {
      bytes.push(Number.parseInt(hex, 16));
      at += 2;
    } else {
      return null;
    }
  }
  return Uint8Array.from(bytes);
}
