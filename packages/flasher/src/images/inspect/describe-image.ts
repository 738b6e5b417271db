/** "What is this .bin?": looks at a file by itself, without a board and without a plan. */
import { hexOf } from '../../bytes.ts';
import { isDemoFirmware } from '../esp/demo-mark.ts';
import { startsLikeElf } from '../formats/elf.ts';
import { startsLikeIntelHex } from '../formats/intel-hex.ts';
import { startsLikeUf2 } from '../formats/uf2.ts';
import { startsLikeZip } from '../formats/zip.ts';
import { ImageError, imageFaultText } from '../image-error.ts';
import { sha256 } from '../sha256.ts';
import { describeEsp } from './describe-esp.ts';
import { describeFormat } from './describe-format.ts';
import type { Described, ImageReport, ReportKind } from './image-report.ts';

/** Never rejects for what a file holds: what is damaged is a report with faults. */
export async function describeImage(name: string, bytes: Uint8Array): Promise<ImageReport> {
  const described = (await describeEsp(bytes)) ?? orDamaged(bytes);
  return {
    name,
    size: bytes.length,
    sha256: hexOf(await sha256(bytes)),
    facts: [],
    faults: [],
    segments: [],
    partitions: [],
    parts: [],
    ...described,
    notes: [
      ...(isDemoFirmware(bytes) ? ['It is for the demo device only: on a real chip it would do nothing.'] : []),
      ...(described.notes ?? []),
    ],
  };
}

function orDamaged(bytes: Uint8Array): Described {
  try {
    return describeFormat(bytes);
  } catch (error) {
    if (!(error instanceof ImageError)) {
      throw error;
    }
    const { remedy } = imageFaultText[error.code];
    const [kind, title] = damagedAs(bytes);
    return { kind, title, faults: [{ code: error.code, what: error.message, remedy }] };
  }
}

function damagedAs(bytes: Uint8Array): [ReportKind, string] {
  const kinds: readonly (readonly [(bytes: Uint8Array) => boolean, ReportKind, string])[] = [
    [startsLikeZip, 'zip', 'Zip archive that cannot be read'],
    [startsLikeElf, 'elf', 'ELF file that cannot be read'],
    [startsLikeUf2, 'uf2', 'UF2 file that cannot be read'],
    [startsLikeIntelHex, 'intel-hex', 'Intel HEX file that cannot be read'],
  ];
  const [, kind = 'unknown', title = 'Unknown data'] = kinds.find(([startsLike]) => startsLike(bytes)) ?? [];
  return [kind, title];
}
