/**
 * The MCUboot image: a header, the program, then records of type, length and value, all little endian (MCUboot,
 * "Bootloader", section "Image format"). The hash covers everything before the unprotected records.
 */
import { hexOf, isFilledWith, viewOf } from '../../core/bytes.ts';
import { mcubootHeaderSize, readMcubootHeader } from '../../images/formats/mcuboot.ts';
import { PackageError } from './package-fault.ts';

const PROTECTED_RECORDS = 0x6908;
const RECORDS = 0x6907;
const RECORD_HEADER = 4;
/** `IMAGE_F_ENCRYPTED_AES128` and `…AES256`. The hash covers the decrypted image. */
const ENCRYPTED = 0x0c;

/** `IMAGE_TLV_SHA…` → name of the algorithm. */
const hashRecords: Readonly<Record<number, string>> = { 16: 'SHA-256', 17: 'SHA-384', 18: 'SHA-512' };
/** Records of RSA-2048, ECDSA-224, ECDSA, RSA-3072, Ed25519 signatures. */
const signatureRecords: ReadonlySet<number> = new Set([0x20, 0x21, 0x22, 0x23, 0x24]);

export interface McubootImage {
  /** For example `1.2.3+4`. */
  readonly version: string;
  /** Hash in the image, which the board reports too; lower-case hexadecimal. */
  readonly hash: string;
  readonly signed: boolean;
  readonly encrypted: boolean;
  /** Bytes of header, program and records. Padding may follow. */
  readonly size: number;
}

/**
 * Reads an image and checks its hash.
 *
 * @throws PackageError `mcuboot-damaged`, `mcuboot-no-hash`, `hash-mismatch`.
 */
export async function readMcubootImage(bytes: Uint8Array, name: string): Promise<McubootImage> {
  const damaged = () => new PackageError('mcuboot-damaged', { where: name });
  const header = readMcubootHeader(bytes);
  if (header === null) {
    throw damaged();
  }
  const { headerSize, protectedSize } = header;
  const hashed = headerSize + header.programSize + protectedSize;
  if (headerSize < mcubootHeaderSize || hashed + RECORD_HEADER > bytes.length) {
    throw damaged();
  }
  const first = hashed - protectedSize;
  const isProtected = protectedSize === 0 ? null : readRecords(bytes, first, PROTECTED_RECORDS);
  const records = readRecords(bytes, hashed, RECORDS);
  if (records === null || (protectedSize > 0 && isProtected === null)) {
    throw damaged();
  }
  const hash = records.entries.find(({ type }) => type in hashRecords);
  if (hash === undefined) {
    throw new PackageError('mcuboot-no-hash', { where: name });
  }
  const encrypted = (header.flags & ENCRYPTED) !== 0;
  if (!encrypted) {
    await checkHash(bytes.subarray(0, hashed), hash, name);
  }
  return {
    version: header.version,
    hash: hexOf(hash.value),
    signed: records.entries.some(({ type }) => signatureRecords.has(type)),
    encrypted,
    size: records.end,
  };
}

/**
 * Magic at the end of a slot that imgtool marked with `--pad` or `--confirm`, for each write size (MCUboot,
 * design.md, "Image trailer").
 */
const trailerMagics = [
  '77c295f360d2ef7f3552500f2cb67980',
  // The first two bytes are the write size if it is above 8.
  '2de15d29410b8d77679c110f1f8a',
];
const MAGIC_SIZE = 16;
/** Bytes of flags and sizes before the magic: four fields of at most 64 bytes (`BOOT_MAX_ALIGN`). */
const TRAILER_FIELDS = 4 * 64;

/**
 * Classifies the bytes after an image, as `imgtool` pads it.
 *
 * @param rest All bytes after the image.
 */
export function partBehindImage(rest: Uint8Array): 'nothing' | 'padding' | 'trailer' | 'data' {
  if (rest.length === 0) {
    return 'nothing';
  }
  const erased = rest[0] ?? 0;
  const isErased = (bytes: Uint8Array) => (erased === 0 || erased === 0xff) && isFilledWith(bytes, erased);
  if (isErased(rest)) {
    return 'padding';
  }
  let end = rest.length;
  while (end > 0 && rest[end - 1] === erased) {
    end--;
  }
  const magic = hexOf(rest.subarray(Math.max(0, end - MAGIC_SIZE), end));
  const isTrailer = trailerMagics.some((known) => magic.endsWith(known));
  return isTrailer && isErased(rest.subarray(0, Math.max(0, end - MAGIC_SIZE - TRAILER_FIELDS))) ? 'trailer' : 'data';
}

interface MetadataRecord {
  readonly type: number;
  readonly value: Uint8Array;
}

function readRecords(bytes: Uint8Array, start: number, magic: number) {
  const view = viewOf(bytes);
  const size = view.getUint16(start + 2, true);
  const end = start + size;
  if (view.getUint16(start, true) !== magic || size < RECORD_HEADER || end > bytes.length) {
    return null;
  }
  const entries: MetadataRecord[] = [];
  for (let at = start + RECORD_HEADER; at < end; ) {
    const next = at + RECORD_HEADER > end ? null : at + RECORD_HEADER + view.getUint16(at + 2, true);
    if (next === null || next > end) {
      return null;
    }
    entries.push({ type: view.getUint16(at, true), value: bytes.subarray(at + RECORD_HEADER, next) });
    at = next;
  }
  return { entries, end };
}

async function checkHash(hashed: Uint8Array, { type, value }: MetadataRecord, name: string): Promise<void> {
  const digest = await crypto.subtle.digest(hashRecords[type] ?? '', new Uint8Array(hashed));
  if (hexOf(new Uint8Array(digest)) !== hexOf(value)) {
    throw new PackageError('hash-mismatch', { where: name });
  }
}
