/** Log texts for events at any board. Events of a single family have their texts in the family's folder. */
import type {
  FlashRange,
  RegionProof,
  RegionReport,
  WriteEvent,
  WriteReport,
  WriteStage,
} from '@wirebench/flasher/core';
import { proofNames } from '@wirebench/flasher/receipt';
import type { FlashLineLevel } from '../../protocol/flash-protocol.ts';
import { sizeText } from '../../shared/format/bytes.ts';
import { durationText } from '../../shared/format/durations.ts';
import { addressText } from '../../shared/format/hex.ts';

export interface Line {
  readonly level: FlashLineLevel;
  readonly text: string;
}

const proofText = ({ kind }: RegionProof) =>
  kind === 'read-back' ? 'read back and equal' : `${proofNames[kind]} matches`;

function outcomeLine({ outcome, proof }: RegionReport): Line {
  if (outcome === 'same') {
    return { level: 'info', text: 'already there' };
  }
  return proof === null
    ? { level: 'warning', text: 'written; this board cannot confirm that it arrived' }
    : { level: 'success', text: `written, ${proofText(proof)}` };
}

/**
 * Returns null for events that the progress bar shows better.
 * @param placeName Names the place of a region.
 */
export function writeLine(event: WriteEvent, placeName: (offset: number) => string = addressText): Line | null {
  switch (event.type) {
    case 'progress':
      return null;
    case 'compared':
      return {
        level: 'info',
        text: `${sizeText(event.same)} already there, ${sizeText(event.toWrite)} to write`,
      };
    case 'region': {
      const { level, text } = outcomeLine(event);
      return { level, text: `${placeName(event.offset)}, ${sizeText(event.length)}: ${text}` };
    }
  }
}

/** @param proof States how the bytes were verified. */
export function readLine(range: FlashRange, proof: string): Line {
  return { level: 'success', text: `${rangeText(range)}: read, ${proof}` };
}

/** @param range Null for all of the flash. */
export function erasedLine(range: FlashRange | null): Line {
  return { level: 'success', text: `${range === null ? 'Whole flash' : rangeText(range)}: erased` };
}

const rangeText = ({ offset, length }: FlashRange) => `${addressText(offset)}, ${sizeText(length)}`;

const stageText = {
  saving: 'Reading the data to write back after the erase',
  erasing: 'Erasing',
  writing: null,
} satisfies Record<WriteStage, string | null>;

export function stageLine(stage: WriteStage): Line | null {
  const text = stageText[stage];
  return text === null ? null : { level: 'info', text };
}

export function reportLine({ written, duration, state }: WriteReport): Line {
  if (written === 0 && state === 'complete') {
    return { level: 'success', text: 'Nothing to write: everything was already there' };
  }
  return state === 'complete'
    ? { level: 'success', text: `${sizeText(written)} written and verified in ${durationText(duration)}` }
    : { level: 'warning', text: `${sizeText(written)} written in ${durationText(duration)}, not verified` };
}
