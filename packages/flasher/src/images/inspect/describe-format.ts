/** The inspector's words for formats that are not Espressif's. */
import { addressText, hasBytesAt, viewOf } from '../../bytes.ts';
import { imagePartOf, partTitle } from '../esp/image-part.ts';
import { readElf, startsLikeElf } from '../formats/elf.ts';
import { readIntelHex, startsLikeIntelHex } from '../formats/intel-hex.ts';
import { vectorTableOf } from '../formats/memory-file.ts';
import type { MemorySegment } from '../formats/memory-segments.ts';
import { readUf2, startsLikeUf2 } from '../formats/uf2.ts';
import { readZip, startsLikeZip } from '../formats/zip.ts';
import type { Described, ReportPart } from './image-report.ts';

/** `IMAGE_MAGIC` (MCUboot, design.md, "Image format"), little endian. */
const mcubootMagic = Uint8Array.of(0x3d, 0xb8, 0xf3, 0x96);
const MCUBOOT_HEADER = 32;
const gzipMagic = Uint8Array.of(0x1f, 0x8b);
/** Bytes that are looked at to tell text and random data from others. */
const SAMPLE_SIZE = 65_536;
/** Bits a byte: compressed or encrypted data have more, programs less. */
const RANDOM_ENTROPY = 7.9;
/** Fewer bytes cannot reach it. */
const RANDOM_MINIMUM = 4_096;

const machineNames = { arm: 'Arm', xtensa: 'Xtensa', riscv: 'RISC-V', other: 'another processor' } as const;

/** @throws ImageError of the format that the file begins like. */
export function describeFormat(bytes: Uint8Array): Described {
  if (startsLikeZip(bytes)) {
    return describeZip(bytes);
  }
  if (startsLikeElf(bytes)) {
    return describeElf(bytes);
  }
  if (startsLikeUf2(bytes)) {
    return describeUf2(bytes);
  }
  if (startsLikeIntelHex(bytes)) {
    return describeIntelHex(bytes);
  }
  if (hasBytesAt(bytes, 0, mcubootMagic) && bytes.length >= MCUBOOT_HEADER) {
    return describeMcuboot(bytes);
  }
  return describeVectors(bytes) ?? describeRest(bytes);
}

function describeZip(bytes: Uint8Array): Described {
  const files = readZip(bytes);
  return {
    kind: 'zip',
    title: `Zip archive, ${files.length} files`,
    facts: files.flatMap(({ name, bytes: content }) => {
      const part = imagePartOf(content);
      return part.kind === 'unknown' ? [] : [{ label: name, value: partTitle(part) }];
    }),
    parts: files.map(({ name, bytes: content }) => ({ name, address: null, size: content.length })),
  };
}

function describeElf(bytes: Uint8Array): Described {
  const { machine, entry, segments } = readElf(bytes);
  const isEspressif = machine === 'xtensa' || machine === 'riscv';
  return {
    kind: 'elf',
    title: `ELF program for ${machineNames[machine]}`,
    facts: [{ label: 'Entry point', value: addressText(entry) }],
    notes: isEspressif
      ? ['It cannot be flashed as it is: choose the .bin file of the same build. Use it to look up crash addresses.']
      : [],
    parts: partsOf(segments),
  };
}

function describeUf2(bytes: Uint8Array): Described {
  const programs = readUf2(bytes);
  const names = programs.map(({ family, familyId }) => family ?? `family ${addressText(familyId ?? 0)}`);
  return {
    kind: 'uf2',
    title: `UF2 file for ${names.join(', ')}`,
    notes: ['It is made for a bootloader that shows up as a drive: copy it there.'],
    parts: programs.flatMap(({ segments }) => partsOf(segments)),
  };
}

function describeIntelHex(bytes: Uint8Array): Described {
  const { segments, entry } = readIntelHex(bytes);
  return {
    kind: 'intel-hex',
    title: 'Intel HEX file',
    facts: entry === null ? [] : [{ label: 'Entry point', value: addressText(entry) }],
    parts: partsOf(segments),
  };
}

/** `struct image_header`: magic, load address, header size, size of protected TLVs, image size, flags, version. */
function describeMcuboot(bytes: Uint8Array): Described {
  const view = viewOf(bytes);
  const version = `${bytes[20]}.${bytes[21]}.${view.getUint16(22, true)}+${view.getUint32(24, true)}`;
  return {
    kind: 'mcuboot',
    title: `Image for MCUboot, version ${version}`,
    facts: [
      { label: 'Load address', value: addressText(view.getUint32(4, true)) },
      { label: 'Header', value: `${view.getUint16(8, true)} bytes` },
      { label: 'Program', value: `${view.getUint32(12, true)} bytes` },
    ],
  };
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

function partsOf(segments: readonly MemorySegment[]): ReportPart[] {
  return segments.map(({ address, bytes }) => ({ name: addressText(address), address, size: bytes.length }));
}
