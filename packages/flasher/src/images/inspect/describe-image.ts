/** "What is this .bin?": looks at a file by itself, without a board and without a plan. */
import { hexOf } from '../../bytes.ts';
import { isDemoFirmware } from '../esp/demo-mark.ts';
import { formatOf } from '../formats/formats.ts';
import { ImageError, imageFaultText } from '../image-error.ts';
import { sha256 } from '../sha256.ts';
import { describeEsp } from './describe-esp.ts';
import { describeFormat } from './describe-format.ts';
import type { Described, ImageReport } from './image-report.ts';

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
    const format = formatOf(bytes);
    return {
      kind: format?.kind ?? 'unknown',
      title: format === null ? 'Unknown data' : `${format.title} that cannot be read`,
      faults: [{ code: error.code, what: error.message, remedy }],
    };
  }
}
