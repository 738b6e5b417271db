/** The inspector's words for what an Espressif chip has in its flash. */

import { addressText, hexOf, sizeText } from '../../bytes.ts';
import { chipFacts } from '../../espressif/chips/chip-name.ts';
import type { AppDescription, BootloaderDescription } from '../esp/description.ts';
import { type EspImage, endsWithImage, findImageFaults, type RevisionRange } from '../esp/esp-image.ts';
import { readFlashSettings } from '../esp/flash-settings.ts';
import { type ImagePart, imagePartOf, partTitle } from '../esp/image-part.ts';
import { findTableFaults } from '../esp/partition-faults.ts';
import type { PartitionTable } from '../esp/partition-table.ts';
import { type ImageFault, imageFaultText } from '../image-error.ts';
import { type Described, partsOfMerged, type ReportFact, type ReportFault } from './image-report.ts';

/** Null for what is none of Espressif's formats. */
export async function describeEsp(bytes: Uint8Array): Promise<Described | null> {
  const part = imagePartOf(bytes);
  const title = partTitle(part);
  switch (part.kind) {
    case 'app':
    case 'bootloader': {
      const { image, description } = part;
      return {
        kind: part.kind === 'app' ? 'esp-app' : 'esp-bootloader',
        title,
        facts: [...descriptionFacts(description), ...imageFacts(image)],
        faults: (await findImageFaults(bytes, image)).map(faultOf),
        notes: imageNotes(bytes, image),
        segments: image.segments,
      };
    }
    case 'merged':
      return {
        kind: 'esp-merged',
        title,
        facts: [
          { label: 'Chip', value: chipFacts[part.chip].label },
          { label: 'Begins at', value: addressText(part.offset) },
          ...part.parts.flatMap((inner) => innerFact(bytes, part, inner)),
        ],
        notes: tableNotes(part.table, part.tableOffset),
        partitions: part.table.partitions,
        parts: partsOfMerged(part.parts),
      };
    case 'partition-table':
      return {
        kind: 'partition-table',
        title,
        facts: [{ label: 'MD5', value: part.table.hasMd5 ? 'Matches' : 'None, as in old builds' }],
        notes: tableNotes(part.table),
        partitions: part.table.partitions,
      };
    case 'ota-data':
      return { kind: 'ota-data', title, facts: [{ label: 'Sequence number', value: `${part.otaData.sequence}` }] };
    case 'nvs':
    case 'file-system':
    case 'empty':
      return { kind: part.kind, title };
    case 'broken':
      return {
        kind: part.looksLike === 'image' ? 'esp-app' : 'partition-table',
        title,
        faults: [faultOf(part.fault)],
      };
    case 'unknown':
      return null;
  }
}

function faultOf(code: ImageFault): ReportFault {
  return { code, ...imageFaultText[code] };
}

function descriptionFacts(description: AppDescription | BootloaderDescription | null): ReportFact[] {
  if (description === null) {
    return [];
  }
  if ('built' in description) {
    return given([
      ['ESP-IDF', description.idfVersion],
      ['Built', description.built],
    ]);
  }
  return given([
    ['Project', description.project],
    ['Version', description.version],
    ['ESP-IDF', description.idfVersion],
    ['Built', `${description.date} ${description.time}`.trim()],
    ['Secure version', description.secureVersion === 0 ? '' : `${description.secureVersion}`],
    ['SHA-256 of the ELF file', description.elfHash === null ? '' : hexOf(description.elfHash)],
  ]);
}

function imageFacts({ chip, chipId, flash, revisions, entry, hasHash, isSigned }: EspImage): ReportFact[] {
  const settings = chip === null ? null : readFlashSettings(chip, flash);
  const frequencies = settings?.frequencies.map((frequency) => `${frequency} MHz`).join(' or ') ?? '';
  return given([
    ['Chip', chip === null ? `Unknown, id ${chipId}` : chipFacts[chip].label],
    ['Chip revisions', revisions === null ? '' : revisionsText(revisions)],
    ['Flash mode', settings?.mode?.toUpperCase() ?? `Unknown, code ${flash.mode}`],
    ['Flash frequency', frequencies === '' ? `Unknown, code ${flash.frequency}` : frequencies],
    [
      'Flash size',
      settings === null || settings.size === null ? `Unknown, code ${flash.size}` : sizeText(settings.size),
    ],
    ['Entry point', addressText(entry)],
    ['SHA-256 appended', hasHash ? 'Yes' : 'No'],
    ['Signed', isSigned ? 'Secure Boot V2' : ''],
  ]);
}

function revisionsText({ minimum, maximum, legacyMinimum }: RevisionRange): string {
  const text = (revision: number) => `v${Math.floor(revision / 100)}.${revision % 100}`;
  if (minimum === 0 && maximum === null) {
    return legacyMinimum === 0 ? 'All' : `${legacyMinimum} and newer`;
  }
  return maximum === null ? `${text(minimum)} and newer` : `${text(minimum)} to ${text(maximum)}`;
}

function imageNotes(bytes: Uint8Array, image: EspImage): string[] {
  return image.isSigned || image.chip === 'esp8266' || endsWithImage(bytes, image)
    ? []
    : [`${sizeText(bytes.length - image.size)} of other data follows the image.`];
}

function innerFact(
  bytes: Uint8Array,
  { offset }: { offset: number },
  inner: { name: string; offset: number },
): ReportFact[] {
  const part: ImagePart = imagePartOf(bytes.subarray(inner.offset - offset));
  return part.kind === 'app' || part.kind === 'bootloader' ? [{ label: inner.name, value: partTitle(part) }] : [];
}

function tableNotes(table: PartitionTable, tableOffset?: number): string[] {
  return findTableFaults(table, tableOffset === undefined ? {} : { tableOffset }).map(({ what }) => what);
}

/** Without those that say nothing. */
function given(facts: readonly (readonly [label: string, value: string])[]): ReportFact[] {
  return facts.filter(([, value]) => value !== '').map(([label, value]) => ({ label, value }));
}
