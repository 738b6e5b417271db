/** Words for an opened log: its encoding, the program that wrote it, and the part that is shown. */
import { type LogEncoding, type LogProgramName, logPrograms } from '@wirebench/serial/opened-log';
import type { OpenedLog } from '../../protocol/log-protocol.ts';
import { sizeText } from '../../shared/format/bytes.ts';
import { clockTime } from '../../workbench/console/row-times.ts';
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

/** Returns a pattern of a marked time as people read it: `hh:mm:ss.f`. */
const patternText = (pattern: string): string =>
  pattern.replace(/^\*./, '… ').replace(/\\(.)/g, '$1').replace(/\$$/, '').trim();

/** Returns the name of the program that wrote the prefixes, or the form that a person has marked. */
export const timesName = ({ program, marked }: Pick<OpenedLog, 'program' | 'marked'>): string =>
  marked === null ? programName(program) : `Marked: ${patternText(marked)}`;

const markedDate = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
const yearlessDate = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });

/** Formats the date that a marked time has in one order of its digits: `3 April 2026`. */
export const wayText = (pattern: string, at: number): string =>
  (pattern.includes('Y') ? markedDate : yearlessDate).format(at);

/** Formats a marked time as it will be read: `3 April 2026 14:03:05.120`, or `14:03:05.120` without a date. */
export const markedTimeText = (pattern: string, at: number): string =>
  /[YMDb]/.test(pattern.replace(/\\./g, '')) ? `${wayText(pattern, at)} ${clockTime(at)}` : clockTime(at);

/** Formats `tio · dates of the file · UTF-8 · 1.2 MB`. */
export function factsText(log: OpenedLog): string {
  const { program, marked, encoding, size } = log;
  const dates = dateWords(log)?.short;
  return [
    ...(program === null && marked === null ? [] : [timesName(log)]),
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
