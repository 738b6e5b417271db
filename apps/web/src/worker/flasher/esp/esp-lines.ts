/** Log texts for events at an Espressif board. */
import {
  chipFacts,
  type EfuseWords,
  type EspConnectStep,
  type EspInfo,
  type EspNotice,
  espStepText,
} from '@wirebench/flasher/espressif';
import { memoryText } from '../../../shared/format/bytes.ts';
import { addressText } from '../../../shared/format/hex.ts';
import type { Line } from '../flash-lines.ts';

/** Returns null if the next line contains all information. */
export function stepLine(step: EspConnectStep): Line | null {
  return step === 'ready' ? null : { level: 'info', text: espStepText[step] };
}

const withoutStubReason = {
  'secure-download': 'the chip is in Secure Download Mode',
  'chip-revision': 'there is none for this chip and revision',
  chosen: 'as chosen',
  failed: 'it did not start',
} satisfies Record<Extract<EspNotice, { kind: 'without-stub' }>['reason'], string>;

export function noticeLine(notice: EspNotice): Line {
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

export function boardLine({ chip, model, revision, flash, mac }: EspInfo, baudRate: number): Line {
  const facts = [
    `Chip is ${chipFacts[chip].label} (${model}${revision === null ? '' : `, revision v${revision.major}.${revision.minor}`})`,
    ...(mac === null ? [] : [`MAC ${mac}`]),
    ...(flash?.size ? [`${memoryText(flash.size)} flash`] : []),
    `${baudRate} baud`,
  ];
  return { level: 'success', text: facts.join(', ') };
}

export function efusesLine({ blocks, errors }: EfuseWords): Line {
  const clean = errors.every((word) => word === 0);
  return {
    level: clean ? 'success' : 'warning',
    text: `Read ${blocks.length} eFuse blocks by register, ${clean ? 'no coding errors' : 'with coding errors'}`,
  };
}
