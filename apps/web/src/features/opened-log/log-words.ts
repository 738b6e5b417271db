/** Words for an opened log: its encoding, the program that wrote it, and the part that is shown. */
import { type LogEncoding, type LogProgramName, logPrograms } from '@wirebench/serial/opened-log';
import type { OpenedLog } from '../../protocol/log-protocol.ts';
import { sizeText } from '../../shared/format/bytes.ts';
import { longestMark } from '../../workbench/opened-log/log-store.ts';

export const encodingNames = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16, big endian',
  latin1: 'Latin-1',
  bytes: 'Raw bytes',
} satisfies Record<LogEncoding, string>;

/** Meanings of times whose form does not tell which it is. */
const meanings: Partial<Record<LogProgramName, string>> = {
  tio: 'Time of day, or since the start',
  'tio-delta': 'Time since the previous line',
  coolterm: 'Time of day, or since the start',
  'ts-delta': 'Time since the previous line',
  'candump-start': 'Time since the start',
  'candump-delta': 'Time since the previous line',
};

export const candidateText = (program: LogProgramName): string => meanings[program] ?? logPrograms[program].title;

export const programName = (program: LogProgramName | null): string =>
  program === null ? 'No times' : logPrograms[program].title;

/** Formats `tio · dates of the file · UTF-8 · 1.2 MB`. */
export function factsText(log: OpenedLog): string {
  const { program, encoding, size } = log;
  const dates = dateWords(log)?.short;
  return [
    ...(program === null ? [] : [programName(program)]),
    ...(dates === undefined ? [] : [dates]),
    encodingNames[encoding],
    sizeText(size),
  ].join(' · ');
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** Says where the dates of the lines come from: in short, and as sentences. Null: the lines have their own, or no times. */
export function dateWords({ hasTimes, date }: OpenedLog): { readonly short: string; readonly long: string } | null {
  if (!hasTimes || date?.from === 'lines') {
    return null;
  }
  switch (date?.from) {
    case 'changed':
      return {
        short: `dated ${day.format(date.at)}, when the file was changed`,
        long: `Its lines have no dates. The last one is taken to be of ${day.format(date.at)}, when the file was last changed.`,
      };
    case 'beside':
      return {
        short: 'date of the log beside it',
        long: 'Its lines have no dates. They have the date of the log beside it.',
      };
    default:
      return {
        short: 'no dates',
        long: 'The dates of its lines are not known. Saved logs have their times without a date.',
      };
  }
}

/** Formats the size of the held part of a file: `64 MB of 1.0 GB`. */
export const heldText = ({ from, to, size }: OpenedLog): string => `${sizeText(to - from)} of ${sizeText(size)}`;

/** Formats the place of the held part in its file: `from 128 MB on`. */
export const placeText = ({ from }: OpenedLog): string =>
  from <= longestMark ? 'from the start' : `from ${sizeText(from)} on`;
