/** The worker's part of Espressif's chips: their files, the words of the log, and what the page lists of their flash. */
import { chipFacts, type EspNotice, type EspTypes } from '@wirebench/flasher/esp';
import { createEspFamily } from '@wirebench/flasher/esp/family';
import { espFiles } from '@wirebench/flasher/esp/files';
import { beginsCoreDump, CORE_HEAD_SIZE } from '@wirebench/symbols';
import { memoryText } from '../../../shared/format/bytes.ts';
import { addressText } from '../../../shared/format/hex.ts';
import type { Line } from '../flash-lines.ts';
import type { FamilyParts } from '../worker-family.ts';

const withoutStubReason = {
  'secure-download': 'the chip is in Secure Download Mode',
  'chip-revision': 'there is none for this chip and revision',
  chosen: 'as chosen',
  failed: 'it did not start',
} satisfies Record<Extract<EspNotice, { kind: 'without-stub' }>['reason'], string>;

/** Log texts for events at an Espressif board. */
const noticeLines = (notice: EspNotice): Line[] => [noticeLine(notice)];

function noticeLine(notice: EspNotice): Line {
  switch (notice.kind) {
    case 'baud-fell-back':
      return {
        level: 'warning',
        text: `${notice.wanted} baud did not work on this board; continuing at ${notice.baudRate} baud`,
      };
    case 'without-stub':
      return { level: 'warning', text: `Working without the flashing program: ${withoutStubReason[notice.reason]}` };
    case 'region-repeated':
      return {
        level: 'warning',
        text: `${addressText(notice.offset)} did not arrive intact; writing it again, attempt ${notice.attempt}`,
      };
    case 'neighbours-unchecked':
      return {
        level: 'warning',
        text: `This flash chip does not say how large it is: ${addressText(notice.offset)} and above could not be checked for changes`,
      };
    case 'reconnected':
      return { level: 'warning', text: 'The board was reset and connected again' };
  }
}

function boardLines({ info, baudRate }: Pick<EspTypes['facts'], 'info' | 'baudRate'>): Line[] {
  const { chip, model, revision, flash, mac } = info;
  const facts = [
    `Chip is ${chipFacts[chip].label} (${model}${revision === null ? '' : `, revision v${revision.major}.${revision.minor}`})`,
    ...(mac === null ? [] : [`MAC ${mac}`]),
    ...(flash?.size ? [`${memoryText(flash.size)} flash`] : []),
    `${baudRate} baud`,
  ];
  return [{ level: 'success', text: facts.join(', ') }];
}

function efuseLines({ efuses }: EspTypes['facts']): Line[] {
  if (efuses === undefined) {
    return [];
  }
  const clean = efuses.errors.every((word) => word === 0);
  const outcome = clean ? 'no coding errors' : 'with coding errors';
  const text = `Read ${efuses.blocks.length} eFuse blocks by register, ${outcome}`;
  return [{ level: clean ? 'success' : 'warning', text }];
}

export const espFamilyParts = (): FamilyParts<EspTypes> => ({
  family: createEspFamily(),
  files: espFiles,
  boardLines,
  noticeLines,
  actionLines: efuseLines,
  readProof: 'MD5 matches',
  hidesActions: true,
  inspection: { coreHeadSize: CORE_HEAD_SIZE, isCoreDump: beginsCoreDump },
});
