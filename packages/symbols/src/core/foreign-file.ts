/** Recognises files that are not core dumps by their first bytes, and encrypted flash by its byte statistics. */
import { CoreDumpError, whatToDrop } from './core-failure.ts';

const signatures: readonly (readonly [readonly number[], string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'a zip archive'],
  [[0x1f, 0x8b], 'a gzip archive'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'a 7z archive'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'an xz archive'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'a zstd archive'],
  [[0x89, 0x50, 0x4e, 0x47], 'a picture'],
  [[0xff, 0xd8, 0xff], 'a picture'],
  [[0x47, 0x49, 0x46, 0x38], 'a picture'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF document'],
  [[0x55, 0x46, 0x32, 0x0a], 'a UF2 firmware file'],
];

/** Number of bytes examined. */
const SAMPLE = 4_096;

/** Magic number and maximum segments of an app image (ESP-IDF, `esp_app_format.h`). */
const [IMAGE_MAGIC, MAX_SEGMENTS] = [0xe9, 16];

/**
 * Refuses a file of a known kind that is not a core dump.
 *
 * @throws CoreDumpError `foreign`
 */
export function refuseForeignFile(bytes: Uint8Array): void {
  const signature = signatures.find(([magic]) => magic.every((byte, index) => bytes[index] === byte));
  const [first, segments = 0] = bytes;
  if (signature !== undefined) {
    throw foreign(signature[1]);
  }
  if (first === IMAGE_MAGIC && segments > 0 && segments <= MAX_SEGMENTS) {
    throw foreign('a firmware image');
  }
}

/**
 * Refuses a text of a known kind. A web page may contain a dump, so call this only for a text without one.
 *
 * @throws CoreDumpError `foreign`
 */
export function refuseForeignText(text: string): void {
  const start = text.slice(0, 512).trimStart();
  if (/^<(?:!doctype html|html|head|body)\b/i.test(start)) {
    throw foreign('a web page');
  }
  if (/^<\?xml\b/i.test(start)) {
    throw foreign('an XML document');
  }
  if (/^[[{]/.test(start) && isJson(text)) {
    throw foreign('a JSON document');
  }
}

const foreign = (kind: string) =>
  new CoreDumpError('foreign', { text: `This is ${kind}, not a core dump. ${whatToDrop}` });

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns true if all byte values are about equally frequent, as in encrypted flash. Firmware and its memory have
 * many zeros.
 */
export function looksEncrypted(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE);
  const counts = new Uint32Array(256);
  for (const byte of sample) {
    counts[byte] = (counts[byte] ?? 0) + 1;
  }
  const entropy = counts.reduce(
    (sum, count) => (count === 0 ? sum : sum - (count / sample.length) * Math.log2(count / sample.length)),
    0,
  );
  return entropy > 0.9 * Math.log2(Math.min(256, sample.length));
}
