/**
 * Takes dropped files apart before they are looked at: archives into their files, formats with addresses into stretches of bytes.
 * One level: an archive in an archive stays as it is.
 */
import { addressText, sizeText } from '../../core/bytes.ts';
import { isNamedLike } from '../../images/formats/file-extensions.ts';
import { formatOf, isMemoryFormat } from '../../images/formats/formats.ts';
import type { MemoryContents, OwnChips } from '../../images/formats/image-format.ts';
import type { MemorySegment } from '../../images/formats/memory-segments.ts';
import { readZip, startsLikeZip } from '../../images/formats/zip.ts';
import { ImageError, imageFaultText } from '../../images/image-error.ts';
import { imagePartOf } from '../images/image-part.ts';
import type { DroppedFile, LeftOutFile } from './placement.ts';

export interface ExpandedFile extends DroppedFile {
  /** Where the file itself says that its bytes go; null when it does not. */
  readonly address: number | null;
}

interface Unreadable {
  readonly name: string;
  readonly reason: string;
  /** What to do about it. */
  readonly remedy: string;
}

export interface Expanded {
  readonly files: readonly ExpandedFile[];
  readonly unreadable: readonly Unreadable[];
  /** Files of which a part is for other chips. */
  readonly leftOut: readonly LeftOutFile[];
}

/** Bytes of the largest flash chip that a header of an image can name. */
const LARGEST_FLASH = 128 * 1_048_576;

/** What was taken apart before stays as it is. Never throws for what a file holds. */
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
    const { segments, others = [] } = espressifPart(format.read(bytes, espressifChips));
    const found = stretches(file, segments).map(withoutStart);
    for (const { name, size } of others) {
      leftOut.push({ ...file, why: `It also holds ${sizeText(size)} for ${name}: this part is left out.` });
    }
    return found;
  }
  // An ELF file is not flashed as it is, and a text is records only where it is called so, too.
  if (isMemoryFormat(format) && format.kind !== 'elf' && isNamedLike(file.name, format.kind)) {
    return stretches(file, format.read(bytes).segments).map(withoutUnknownStart);
  }
  return [{ ...file, address: null }];
}

const isEspressif = (family: string) => family.startsWith('ESP');
const espressifChips: OwnChips = { includes: isEspressif };

/** A family that nobody knows is not taken for Espressif's. One without a family may be for any chip. */
function espressifPart(contents: MemoryContents): MemoryContents {
  const { target = null } = contents;
  if (target !== null && !isEspressif(target)) {
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

/** TinyUF2 counts from the start of the app's partition, `esptool merge-bin` from that of the flash: only a merged image tells. */
function withoutStart(file: ExpandedFile): ExpandedFile {
  return file.address === 0 && imagePartOf(file.bytes).kind !== 'merged' ? { ...file, address: null } : file;
}

/** Programs for other processors are linked to 0, too: what is not Espressif's there goes nowhere by itself. */
function withoutUnknownStart(file: ExpandedFile): ExpandedFile {
  return file.address === 0 && imagePartOf(file.bytes).kind === 'unknown' ? { ...file, address: null } : file;
}
