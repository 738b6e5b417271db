/**
 * Names of a recording's files, and its entry in the list of recordings. The entry is a file of JSON lines: the
 * worker writes one at the start and one at the end. Without the second line the recording was cut off.
 */

import { fieldsOf, parseJson } from '@wirebench/contract/json';
import { type PortNumber, portNumbers } from '@wirebench/serial';

/** Content of a recording: lines with times in both directions, the received bytes of each port, or both. */
const recordingKinds = ['text', 'raw', 'both'] as const;
export type RecordingKind = (typeof recordingKinds)[number];

const recordingFailures = ['storage-full', 'not-allowed', 'folder-gone', 'too-slow', 'not-writable'] as const;
export type RecordingFailure = (typeof recordingFailures)[number];

const version = 1;

/** Facts that are known at the start of a recording. */
export interface RecordingStart {
  readonly kind: RecordingKind;
  readonly ports: readonly PortNumber[];
  readonly portNames: Readonly<Partial<Record<PortNumber, string>>>;
  readonly splitBytes: number | null;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
}

export type RecordingEnd = 'stopped' | RecordingFailure;

export interface RecordingIndex {
  readonly start: RecordingStart;
  /** Null: the recording runs, or its tab was closed. */
  readonly end: { readonly end: RecordingEnd; readonly endedAt: number } | null;
}

const indexEnding = '.recording';

export const indexName = (id: string): string => `${id}${indexEnding}`;

/** @param part From 1 on; null for a recording that is not split. */
export const textFileName = (id: string, part: number | null): string => `${id}${partText(part)}.txt`;

/** @param part From 1 on; null for a recording that is not split. */
export const rawFileName = (id: string, port: PortNumber, part: number | null): string =>
  `${id}-port-${port}${partText(part)}.bin`;

/** Digits keep the parts in order where files are sorted by name. */
const partText = (part: number | null) => (part === null ? '' : `-part-${String(part).padStart(3, '0')}`);

export interface RecordingFileName {
  readonly id: string;
  readonly type: 'index' | 'text' | 'raw';
  /** Null unless the file has the bytes of a port. */
  readonly port: PortNumber | null;
  /** Null for a recording that is not split. */
  readonly part: number | null;
}

/** Returns null for other files, such as the second file that Chromium keeps beside one that a stream writes. */
export function parseRecordingFileName(name: string): RecordingFileName | null {
  if (name.endsWith(indexEnding)) {
    return { id: name.slice(0, -indexEnding.length), type: 'index', port: null, part: null };
  }
  const [, id, port, part, ending] = /^(.+?)(?:-port-([1-4]))?(?:-part-(\d+))?\.(txt|bin)$/.exec(name) ?? [];
  if (id === undefined || (ending === 'bin') !== (port !== undefined)) {
    return null;
  }
  return {
    id,
    type: ending === 'bin' ? 'raw' : 'text',
    port: portNumbers.find((known) => String(known) === port) ?? null,
    part: part === undefined ? null : Number(part),
  };
}

const encoder = new TextEncoder();
const jsonLine = (value: object) => encoder.encode(`${JSON.stringify(value)}\n`);

export const startLine = (start: RecordingStart): Uint8Array<ArrayBuffer> => jsonLine({ version, ...start });

export const endLine = (end: NonNullable<RecordingIndex['end']>): Uint8Array<ArrayBuffer> => jsonLine(end);

/** Returns null for a text that is not an entry, such as one that was cut off while it was written. */
export function parseRecordingIndex(text: string): RecordingIndex | null {
  const [first = '', second = ''] = text.split('\n');
  const start = fieldsOf(parseJson(first));
  const { kind, ports, portNames, splitBytes, startedAt } = start;
  const known = recordingKinds.find((other) => other === kind);
  if (start['version'] !== version || known === undefined || typeof startedAt !== 'number') {
    return null;
  }
  const names = Object.entries(fieldsOf(portNames)).filter(([, name]) => typeof name === 'string');
  return {
    start: {
      kind: known,
      ports: portNumbers.filter((port) => Array.isArray(ports) && ports.includes(port)),
      portNames: Object.fromEntries(names),
      splitBytes: typeof splitBytes === 'number' ? splitBytes : null,
      startedAt,
    },
    end: parseEnd(second),
  };
}

function parseEnd(line: string): RecordingIndex['end'] {
  const { end, endedAt } = fieldsOf(parseJson(line));
  const known = (['stopped', ...recordingFailures] as const).find((other) => other === end);
  return known === undefined || typeof endedAt !== 'number' ? null : { end: known, endedAt };
}
