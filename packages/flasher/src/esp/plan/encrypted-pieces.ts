/**
 * Decides which bytes of a plan the chip encrypts on a board whose flash is encrypted (ESP-IDF, "Flash Encryption", section
 * "Encrypted Partitions"). The place decides. The kind of a file counts only where no partition table says what a place is.
 */
import { isErased, isFilledWith } from '../../core/bytes.ts';
import { endOf } from '../../core/ranges.ts';
import { type FlashRange, sectorSize } from '../../core/region.ts';
import type { ImagePart } from '../images/image-part.ts';
import { isNvsKeys } from '../images/partition-types.ts';
import { type EspFindings, encryptRemedy } from './esp-plan-finding.ts';
import type { FlashAfter, FlashStretch } from './flash-after.ts';
import type { Piece } from './kept-settings.ts';
import type { KnownFile } from './known-file.ts';
import { rangeOf } from './placed-part.ts';

export interface EncryptablePiece extends Piece {
  readonly encrypted?: true;
}

/** `unknown`: no partition table says how the board stores it. */
type Storage = 'encrypted' | 'plain' | 'unknown';

interface StoredStretch extends FlashRange {
  readonly storage: Storage;
  readonly reader: FlashStretch['reader'];
  /** Name of the partition; null outside of all. */
  readonly partition: string | null;
}

/** Kinds that every board with encrypted flash stores encrypted. */
const encryptedKinds: readonly ImagePart['kind'][] = ['app', 'bootloader', 'partition-table', 'ota-data', 'nvs-keys'];

/** Splits a range of a file by the way in which a board with encrypted flash stores it. */
function storedStretches(file: KnownFile, range: FlashRange, after: FlashAfter): StoredStretch[] {
  return after.stretchesOf(range).flatMap((stretch) => {
    const { reader, place } = stretch;
    const partition = place.partition?.name ?? null;
    if (place.partition !== null && isNvsKeys(place.partition)) {
      return inSectors(stretch).map((sector) => ({
        ...sector,
        reader,
        partition,
        storage: isErased(bytesAt(file, sector)) ? 'plain' : 'encrypted',
      }));
    }
    return [{ offset: stretch.offset, length: stretch.length, reader, partition, storage: storageOf(file, stretch) }];
  });

  /** Erased sectors of a partition of keys stay erased: NVS takes them for no keys (`nvs_flash_read_security_cfg`). */
  function inSectors({ offset, length }: FlashRange): FlashRange[] {
    return Array.from({ length: Math.ceil(length / sectorSize) }, (_, index) => {
      const at = offset + index * sectorSize;
      return { offset: at, length: Math.min(sectorSize, offset + length - at) };
    });
  }
}

function storageOf({ part }: KnownFile, { place, isEncrypted }: FlashStretch): Storage {
  if (isEncrypted === true) {
    return 'encrypted';
  }
  if (place.partition === null && encryptedKinds.includes(part.kind)) {
    return 'encrypted';
  }
  return isEncrypted === false || isPlainAnywhere(part) ? 'plain' : 'unknown';
}

/**
 * Returns true for contents that no program reads from an encrypted partition: NVS (`nvs_partition_lookup.cpp`) and SPIFFS
 * (`esp_spiffs.c`) refuse one. Erased flash is neither plain nor encrypted.
 */
function isPlainAnywhere(part: ImagePart): boolean {
  return part.kind === 'empty' || part.kind === 'nvs' || (part.kind === 'file-system' && part.format === 'spiffs');
}

/** Returns true if what the board reads encrypted may be so already. Everything that is recognised is plain. */
function mayBeEncrypted(file: KnownFile, after: FlashAfter): boolean {
  const isPlain = (stretch: StoredStretch) =>
    stretch.storage === 'encrypted' && hasEvenBlock(bytesAt(file, stretch), (byte) => byte !== ERASED);
  return (
    file.part.kind === 'unknown' && file.contents === null && !storedStretches(file, rangeOf(file), after).some(isPlain)
  );
}

const ERASED = 0xff;
const BLOCK = 16;

/** Returns true if all bytes of a block have one value, as no encrypted block has. Erased flash is not encrypted. */
function hasEvenBlock(bytes: Uint8Array, counts: (value: number) => boolean): boolean {
  for (let at = 0; at + BLOCK <= bytes.length; at += BLOCK) {
    const block = bytes.subarray(at, at + BLOCK);
    const [value = 0] = block;
    if (counts(value) && isFilledWith(block, value)) {
      return true;
    }
  }
  return false;
}

/** Returns true for data where the ROM or the bootloader reads: plain contents for such a place would have been recognised. */
function isForStart(file: KnownFile, after: FlashAfter): boolean {
  return (
    file.part.kind === 'unknown' &&
    storedStretches(file, rangeOf(file), after).some(
      ({ storage, reader }) => storage === 'encrypted' && (reader === 'rom' || reader === 'bootloader'),
    )
  );
}

/** Marks the bytes that the chip encrypts. Files that are encrypted already stay as they are. */
export function encryptPieces(
  pieces: readonly Piece[],
  files: readonly KnownFile[],
  after: FlashAfter,
): EncryptablePiece[] {
  return pieces.flatMap((piece): EncryptablePiece[] => {
    const end = piece.offset + piece.bytes.length;
    const file = files.find(
      (one) => one.name === piece.file && one.offset <= piece.offset && end <= one.offset + one.size,
    );
    if (file === undefined || (isForStart(file, after) && mayBeEncrypted(file, after))) {
      return [piece];
    }
    const parts: { start: number; end: number; encrypted: boolean }[] = [];
    const whole = { offset: piece.offset, length: piece.bytes.length };
    for (const { offset, length, storage } of storedStretches(file, whole, after)) {
      const encrypted = storage === 'encrypted';
      const last = parts.at(-1);
      if (last?.encrypted === encrypted) {
        last.end = offset + length;
      } else {
        parts.push({ start: offset, end: offset + length, encrypted });
      }
    }
    return parts.map(({ start, end, encrypted }) => ({
      ...piece,
      offset: start,
      bytes: piece.bytes.subarray(start - piece.offset, end - piece.offset),
      ...(encrypted && { encrypted: true as const }),
    }));
  });
}

export interface EncryptionContext {
  /** True: the board can encrypt what it writes. */
  readonly canEncrypt: boolean;
  /** True: it is asked to. */
  readonly isEncrypting: boolean;
}

/**
 * Refuses files that a board with encrypted flash would store in a way in which nothing could read them. Recognised contents
 * are certainly plain. Others may be encrypted already, and a person may say so.
 */
export function checkEncryption(
  files: readonly KnownFile[],
  after: FlashAfter,
  { canEncrypt, isEncrypting }: EncryptionContext,
  findings: EspFindings,
): void {
  for (const file of files) {
    const files = [file.name];
    const stretches = storedStretches(file, rangeOf(file), after);
    const isUnsaid = stretches.some(({ storage }) => storage === 'unknown');
    const [first] = stretches.filter(({ storage }) => storage === 'encrypted');
    const isData = first?.reader === 'app' && first.partition !== null;
    const isOpen = mayBeEncrypted(file, after);
    if (first !== undefined && (!isEncrypting || isForStart(file, after))) {
      const remedies = canEncrypt && !isEncrypting && (isData || !isOpen) ? { wanted: encryptRemedy } : {};
      const partitions = isData ? [first.partition] : [];
      findings.refuse(
        'flash-encryption',
        { files, partitions, ...remedies },
        file.part.kind !== 'unknown' || (isData && !isOpen),
      );
    } else if (isUnsaid) {
      findings.refuse(isOpen && !isEncrypting ? 'flash-encryption' : 'encryption-unknown', { files });
    } else if (first !== undefined && isOpen && looksEncrypted(file.bytes)) {
      findings.warn('encrypted-again', { files, partitions: [first.partition ?? ''] });
    }
  }
}

/** Least size of data whose bytes say something. */
const SAMPLE = 4_096;

/** Returns true if not even erased bytes are among the data. Contents of partitions have some, as a rule. */
function looksEncrypted(bytes: Uint8Array): boolean {
  return bytes.length >= SAMPLE && !hasEvenBlock(bytes, () => true);
}

function bytesAt({ bytes, offset }: KnownFile, range: FlashRange): Uint8Array {
  return bytes.subarray(range.offset - offset, endOf(range) - offset);
}
