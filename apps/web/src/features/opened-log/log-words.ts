/** Words for an opened log: its encoding, the program that wrote it, and the part that is shown. */
import { type LogEncoding, type LogProgramName, logPrograms } from '@wirebench/serial/opened-log';
import type { OpenedLog } from '../../protocol/log-protocol.ts';
import { sizeText } from '../../shared/format/bytes.ts';

export const encodingNames = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16, big endian',
  latin1: 'Latin-1',
  bytes: 'Raw bytes',
} satisfies Record<LogEncoding, string>;

export const programName = (program: LogProgramName | null): string =>
  program === null ? 'No times' : logPrograms[program].title;

/** Formats `tio · UTF-8 · 1.2 MB`. */
export function factsText({ program, encoding, size }: OpenedLog): string {
  return [...(program === null ? [] : [programName(program)]), encodingNames[encoding], sizeText(size)].join(' · ');
}

/** Bytes before the first line that it does not contain: a byte order mark. */
const longestMark = 3;

/** True: all lines of the file are held. */
export const isWhole = ({ from, to, size }: OpenedLog): boolean => from <= longestMark && to >= size;

/** Formats the size of the held part of a file: `64 MB of 1.0 GB`. */
export const heldText = ({ from, to, size }: OpenedLog): string => `${sizeText(to - from)} of ${sizeText(size)}`;

/** Formats the place of the held part in its file: `from 128 MB on`. */
export const placeText = ({ from }: OpenedLog): string =>
  from <= longestMark ? 'from the start' : `from ${sizeText(from)} on`;
