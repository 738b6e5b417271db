/** The inspector's words for formats that are not Espressif's. */
import { addressText, hasBytesAt } from '../../bytes.ts';
import { imagePartOf, partTitle } from '../esp/image-part.ts';
import { formatOf } from '../formats/formats.ts';
import type { PackedFile } from '../formats/image-format.ts';
import { vectorTableOf } from '../formats/memory-file.ts';
import type { Described, ReportFact } from './image-report.ts';

const gzipMagic = Uint8Array.of(0x1f, 0x8b);
/** Bytes that are looked at to tell text and random data from others. */
const SAMPLE_SIZE = 65_536;
/** Bits a byte: compressed or encrypted data have more, programs less. */
const RANDOM_ENTROPY = 7.9;
/** Fewer bytes cannot reach it. */
const RANDOM_MINIMUM = 4_096;

/** @throws ImageError of the format that the file begins like. */
export function describeFormat(bytes: Uint8Array): Described {
  const format = formatOf(bytes);
  if (format === null) {
    return describeVectors(bytes) ?? describeRest(bytes);
  }
  const { title, facts = [], notes = [], parts, files = [] } = format.read(bytes);
  return { kind: format.kind, title, facts: [...facts, ...files.flatMap(knownPart)], notes, parts };
}

/** What is known of a file in an archive. */
function knownPart({ name, bytes }: PackedFile): ReportFact[] {
  const part = imagePartOf(bytes);
  return part.kind === 'unknown' ? [] : [{ label: name, value: partTitle(part) }];
}

function describeVectors(bytes: Uint8Array): Described | null {
  const vectors = vectorTableOf(bytes);
  return vectors === null
    ? null
    : {
        kind: 'cortex-m',
        title: 'Program for an Arm Cortex-M, such as STM32 or nRF',
        facts: [
          { label: 'Stack', value: addressText(vectors.stack) },
          { label: 'Starts at', value: addressText(vectors.reset) },
        ],
        notes: ['The file contains no address: flash it at the address for which the program was linked.'],
      };
}

function describeRest(bytes: Uint8Array): Described {
  const sample = bytes.subarray(0, SAMPLE_SIZE);
  if (sample.every((byte) => byte === 9 || byte === 10 || byte === 13 || (byte >= 0x20 && byte < 0x7f))) {
    return { kind: 'text', title: 'Text', notes: ['Text files are not flashed.'] };
  }
  if (hasBytesAt(bytes, 0, gzipMagic)) {
    return { kind: 'unknown', title: 'Compressed file (gzip)', notes: ['Unpack it, and choose the file inside.'] };
  }
  const isRandom = bytes.length >= RANDOM_MINIMUM && entropyOf(sample) > RANDOM_ENTROPY;
  return {
    kind: 'unknown',
    title: isRandom ? 'Encrypted or compressed data' : 'Unknown data',
    notes: isRandom ? ['If it is encrypted, only the board that it was encrypted for can start it.'] : [],
  };
}

/** Shannon's, in bits a byte. */
function entropyOf(bytes: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (const byte of bytes) {
    counts[byte] = (counts[byte] ?? 0) + 1;
  }
  return counts.reduce((sum, count) => {
    const share = count / bytes.length;
    return count === 0 ? sum : sum - share * Math.log2(share);
  }, 0);
}
