/**
 * Unpacks dropped files before they are examined: archives into their files, formats with addresses into stretches of
 * bytes. An archive within an archive stays packed.
 */
import { addressText, sizeText } from '../../core/bytes.ts';
import { isNamedLike } from '../../images/formats/file-extensions.ts';
import { formatOf, isMemoryFormat } from '../../images/formats/formats.ts';
import type { MemoryContents, OwnChips } from '../../images/formats/image-format.ts';
import type { MemorySegment } from '../../images/formats/memory-segments.ts';
import { readZip, startsLikeZip } from '../../images/formats/zip.ts';
import { ImageError, imageFaultText } from '../../images/image-error.ts';
import { imagePartOf } from '../images/image-part.ts';
import { besidesReason } from './file-name.ts';
import type { DroppedFile, LeftOutFile } from './placement.ts';

export interface ExpandedFile extends DroppedFile {
  /** Flash address that the file itself states; null if it states none. */
  readonly address: number | null;
}

interface Unreadable {
  readonly name: string;
  readonly reason: string;
  readonly remedy: string;
}

export interface Expanded {
  readonly files: readonly ExpandedFile[];
  readonly unreadable: readonly Unreadable[];
  /** Files of which a part is for other chips. */
  readonly leftOut: readonly LeftOutFile[];
}

/** Size of the largest flash that an image header can state, in bytes. */
const LARGEST_FLASH = 128 * 1_048_576;

/** Expands dropped files. A file that was expanded before is kept. Never throws because of a file's contents. */
export function expandFiles(dropped: readonly DroppedFile[]): Expanded {
  const unreadable: Unreadable[] = [];
  const leftOut: LeftOutFile[] = [];
  const attempt = <File extends DroppedFile, Result>(file: File, read: (file: File) => readonly Result[]) => {
    try {
      return read(file);
    } catch (error) {
      if (!(error instanceof ImageError)) {
        throw error;
      }
      unreadable.push({ name: file.name, reason: error.message, remedy: imageFaultText[error.code].remedy });
      return [];
    }
  };
  const flat = dropped.flatMap((file) => (startsLikeZip(file.bytes) ? attempt(file, unpacked) : [file]));
  return { files: flat.flatMap((file) => attempt(file, (one) => addressed(one, leftOut))), unreadable, leftOut };
}

function unpacked({ name: archive, bytes }: DroppedFile): DroppedFile[] {
  return readZip(bytes).map(({ name, bytes: content }) => ({ name: `${archive}/${name}`, bytes: content }));
}

function addressed(file: DroppedFile, leftOut: LeftOutFile[]): ExpandedFile[] {
  const { bytes, address } = file;
  if (address !== undefined) {
    return [{ ...file, address }];
  }
  const format = formatOf(bytes);
  if (isMemoryFormat(format) && format.kind === 'uf2') {
    const { segments, others = [] } = espPart(format.read(bytes, espChips));
    const found = stretches(file, segments).map(withoutStart);
    for (const { name, size } of others) {
      leftOut.push({ ...file, why: `It also holds ${sizeText(size)} for ${name}: this part is left out.` });
    }
    return found;
  }
  // An ELF file is never flashed directly, nor is a .txt. A text counts as records only if its extension says so.
  const isRecords = isMemoryFormat(format) && format.kind !== 'elf' && isNamedLike(file.name, format.kind);
  if (isRecords && besidesReason(file.name) === null) {
    return stretches(file, format.read(bytes).segments).map(withoutUnknownStart);
  }
  return [{ ...file, address: null }];
}

const isEsp = (family: string) => family.startsWith('ESP');
const espChips: OwnChips = { includes: isEsp };

/**
 * Returns the contents for an Espressif chip. An unknown family does not count as Espressif's. Contents without a
 * family may be for any chip.
 */
function espPart(contents: MemoryContents): MemoryContents {
  const { target = null } = contents;
  if (target !== null && !isEsp(target)) {
    throw new ImageError('other-chip', { where: `For ${target}` });
  }
  return contents;
}

function stretches(file: DroppedFile, segments: readonly MemorySegment[]): ExpandedFile[] {
  const beyond = segments.find(({ address, bytes }) => address + bytes.length > LARGEST_FLASH);
  if (beyond !== undefined) {
    throw new ImageError('other-chip', { where: `At ${addressText(beyond.address)}` });
  }
  return segments.map(({ address, bytes }) => ({
    ...file,
    name: segments.length === 1 ? file.name : `${file.name} (${addressText(address)})`,
    bytes,
    address,
  }));
}

/**
 * Removes an address of zero unless the file is a merged image. TinyUF2 counts from the start of the app's partition,
 * `esptool merge-bin` from the start of flash.
 */
function withoutStart(file: ExpandedFile): ExpandedFile {
  return file.address === 0 && imagePartOf(file.bytes).kind !== 'merged' ? { ...file, address: null } : file;
}

/**
 * Removes an address of zero from unknown contents, because programs for other processors are linked to zero as well.
 */
function withoutUnknownStart(file: ExpandedFile): ExpandedFile {
  return file.address === 0 && imagePartOf(file.bytes).kind === 'unknown' ? { ...file, address: null } : file;
}
