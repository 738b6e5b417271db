/**
 * Python literals: strings and bytes for the board, and the `repr` of bytes that a board prints. A path whose bytes are
 * no UTF-8 is a string in which U+DC80 to U+DCFF stand for the bytes 80 to FF, as Python's `surrogateescape` has it
 * (PEP 383).
 */

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

/** Decodes the bytes of a name. Bytes that are no UTF-8 become U+DC80 to U+DCFF. */
export function decodeName(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return decoder.decode(bytes);
  } catch {
    let name = '';
    for (let at = 0; at < bytes.length; ) {
      const length = [1, 2, 3, 4].find((size) => isCharacter(bytes.subarray(at, at + size)));
      name +=
        length === undefined
          ? String.fromCharCode(0xdc00 + (bytes[at] ?? 0))
          : decoder.decode(bytes.subarray(at, at + length));
      at += length ?? 1;
    }
    return name;
  }
}

function isCharacter(bytes: Uint8Array): boolean {
  try {
    return [...new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)].length === 1;
  } catch {
    return false;
  }
}

/** Returns the literal of a path: a string, or bytes if the path is no UTF-8. Boards take both. */
export function pathLiteral(path: string): string {
  return path.isWellFormed() ? pythonString(path) : bytesLiteral(path);
}

/** Returns the bytes literal of a path. */
export function bytesLiteral(path: string): string {
  const encoder = new TextEncoder();
  const bytes = [...path].flatMap((character) =>
    character.isWellFormed() ? [...encoder.encode(character)] : [character.charCodeAt(0) & 0xff],
  );
  return pythonBytes(Uint8Array.from(bytes));
}

/** Returns a path for people: a byte that is no UTF-8 is written as `\xE9`. */
export function pathText(path: string): string {
  const text = (character: string) =>
    character.isWellFormed() ? character : `\\x${(character.charCodeAt(0) & 0xff).toString(16).toUpperCase()}`;
  return [...path].map(text).join('');
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
