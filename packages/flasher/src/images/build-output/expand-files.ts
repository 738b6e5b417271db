/**
 * Takes dropped files apart before they are looked at: archives into their files, formats with addresses into stretches of bytes.
 * One level: an archive in an archive stays as it is.
 */
import { addressText } from '../bytes.ts';
import { imagePartOf } from '../esp/image-part.ts';
import { readIntelHex, startsLikeIntelHex } from '../formats/intel-hex.ts';
import type { MemorySegment } from '../formats/memory-segments.ts';
import { readUf2, startsLikeUf2 } from '../formats/uf2.ts';
import { readZip, startsLikeZip } from '../formats/zip.ts';
import { ImageError } from '../image-error.ts';

export interface ExpandedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Where the file itself says that its bytes go; null when it does not. */
  readonly address: number | null;
}

interface Unreadable {
  readonly name: string;
  readonly reason: string;
}

export interface Expanded {
  readonly files: readonly ExpandedFile[];
  readonly unreadable: readonly Unreadable[];
}

type Given = Omit<ExpandedFile, 'address'>;

/** Never throws for what a file holds. */
export function expandFiles(dropped: readonly Given[]): Expanded {
  const unreadable: Unreadable[] = [];
  const attempt = <File extends Given, Result>(file: File, read: (file: File) => readonly Result[]) => {
    try {
      return read(file);
    } catch (error) {
      if (!(error instanceof ImageError)) {
        throw error;
      }
      unreadable.push({ name: file.name, reason: error.message });
      return [];
    }
  };
  const flat = dropped.flatMap((file) => (startsLikeZip(file.bytes) ? attempt(file, unpacked) : [file]));
  return { files: flat.flatMap((file) => attempt(file, addressed)), unreadable };
}

function unpacked({ name: archive, bytes }: Given): Given[] {
  return readZip(bytes).map(({ name, bytes: content }) => ({ name: `${archive}/${name}`, bytes: content }));
}

function addressed(file: Given): ExpandedFile[] {
  const { name, bytes } = file;
  if (startsLikeUf2(bytes)) {
    const segments = readUf2(bytes)[0]?.segments ?? [];
    return stretches(name, segments).map(withoutStart);
  }
  if (startsLikeIntelHex(bytes) && /\.(hex|ihex|ihx)$/i.test(name)) {
    return stretches(name, readIntelHex(bytes).segments);
  }
  return [{ ...file, address: null }];
}

function stretches(name: string, segments: readonly MemorySegment[]): ExpandedFile[] {
  return segments.map(({ address, bytes }) => ({
    name: segments.length === 1 ? name : `${name} (${addressText(address)})`,
    bytes,
    address,
  }));
}

/** TinyUF2 counts from the start of the app's partition, `esptool merge-bin` from that of the flash: only a merged image tells. */
function withoutStart(file: ExpandedFile): ExpandedFile {
  return file.address === 0 && imagePartOf(file.bytes).kind !== 'merged' ? { ...file, address: null } : file;
}
