/** Decodes UTF-8 (RFC 3629) without loss: a byte that belongs to no valid sequence is written out as `\xe2`. */

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Range of the second byte after these first bytes of sequences of 3 or 4. It is narrower, to exclude overlong forms,
 * surrogates and code points above U+10FFFF.
 */
const narrowSecond: Readonly<Record<number, readonly [low: number, high: number] | undefined>> = {
  224: [0xa0, 0xbf],
  237: [0x80, 0x9f],
  240: [0x90, 0xbf],
  244: [0x80, 0x8f],
};

export function decodeVisibly(bytes: Uint8Array): string {
  const quick = decoder.decode(bytes);
  return quick.includes('\ufffd') ? decodePiecewise(bytes) : quick;
}

function decodePiecewise(bytes: Uint8Array): string {
  let text = '';
  let valid = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    text += `${decoder.decode(bytes.subarray(valid, at))}\\x${(bytes[at] ?? 0).toString(16)}`;
    valid = ++at;
  }
  return text + decoder.decode(bytes.subarray(valid));
}

/** Returns how many bytes at the end begin an unfinished sequence: 0 to 3. */
export function unfinishedLength(bytes: Uint8Array): number {
  for (let length = 1; length <= Math.min(3, bytes.length); length++) {
    const at = bytes.length - length;
    if (announcedLength(bytes[at] ?? 0) > length) {
      return continuationLength(bytes, at, length) === length ? length : 0;
    }
  }
  return 0;
}

/** Returns the length of the valid sequence at `at`; 0 if it is invalid. */
export function sequenceLength(bytes: Uint8Array, at: number): number {
  const announced = announcedLength(bytes[at] ?? 0);
  return continuationLength(bytes, at, announced) === announced ? announced : 0;
}

/** Returns the length of a sequence by its first byte; 0 if no sequence begins with it. */
function announcedLength(first: number): number {
  if (first < 0x80) {
    return 1;
  }
  if (first < 0xc2 || first > 0xf4) {
    return 0;
  }
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** Returns how many of the first `length` bytes of the sequence at `at` are valid. */
function continuationLength(bytes: Uint8Array, at: number, length: number): number {
  const narrow = narrowSecond[bytes[at] ?? 0];
  let valid = Math.min(length, 1);
  while (valid < length) {
    const byte = bytes[at + valid] ?? 0;
    const [low, high] = (valid === 1 ? narrow : undefined) ?? [0x80, 0xbf];
    if (byte < low || byte > high) {
      break;
    }
    valid++;
  }
  return valid;
}
