/** Names files that are dropped in the place of a core dump, by their first bytes, and tells encrypted flash from other bytes. */
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

/** Bytes of flash that are judged. */
const SAMPLE = 4_096;

/** The magic number of an app image, and how many segments it has at most (ESP-IDF, `esp_app_format.h`). */
const [IMAGE_MAGIC, MAX_SEGMENTS] = [0xe9, 16];

/** Throws a `CoreDumpError` `foreign` for a file of a known kind that is no core dump. */
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

/** Throws a `CoreDumpError` `foreign` for a text of a known kind. A web page may hold a dump: call this for a text without one. */
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

/** True: all values of a byte are about as frequent, as in encrypted flash. Firmware and its memory have many zeros. */
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
