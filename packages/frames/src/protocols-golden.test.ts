/** Decoders as data on streams of 27 protocols, judged by what outside programs read in them. */
import type { DecoderDraft } from '@wirebench/contract/decoders';
import { isLong } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import {
  bytesOf,
  chunksOf,
  type GoldenCase,
  goldenCases,
  readChunks,
  recut,
  type SeenPiece,
} from './testing/golden-cases.ts';
import { protocolDecoders } from './testing/protocol-decoders.ts';

const names = [...protocolDecoders.keys()];

const decoderOf = (name: string) => protocolDecoders.get(name) as DecoderDraft;

interface GoldenFrame {
  readonly dir: 'rx' | 'tx';
  readonly at: number;
  readonly hex: string;
  readonly core?: readonly [number, number];
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly bonus?: Readonly<Record<string, unknown>>;
  readonly to?: number;
  readonly span?: boolean;
  readonly what?: string;
}

interface PlacedPiece extends SeenPiece {
  readonly index: number;
  readonly from: number;
  readonly to: number;
}

function placed(pieces: readonly SeenPiece[]): PlacedPiece[] {
  const at = { received: 0, sent: 0 };
  return pieces.map((piece, index) => {
    const from = at[piece.direction];
    at[piece.direction] += piece.bytes.length;
    return { ...piece, index, from, to: at[piece.direction] };
  });
}

const shown = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value);

function isEqual(seen: unknown, wanted: unknown): boolean {
  if (typeof seen === 'number' && typeof wanted === 'number') {
    return Math.abs(seen - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted));
  }
  return seen === wanted;
}

/** Returns the values of a name, also of one in a group or list. */
function valuesOf(pieces: readonly SeenPiece[], name: string): unknown[] {
  const own = new RegExp(`(^|\\.)${name}$`);
  const inList = new RegExp(`^${name}\\.\\d+$`);
  const fields = pieces.flatMap(({ decoded }) => decoded.fields);
  const single = fields.filter((field) => own.test(field.name));
  return (single.length > 0 ? single : fields.filter((field) => inList.test(field.name))).map(({ value }) =>
    shown(value),
  );
}

const hasValues = ({ decoded }: SeenPiece) => decoded.fields.some(({ value }) => value !== null && value !== '');

/** Returns what is wrong with the pieces of a case. */
function faultsOf(golden: GoldenCase, seen: readonly SeenPiece[]): string[] {
  const pieces = placed(seen);
  const frames = golden.frames as unknown as readonly GoldenFrame[];
  const faults: string[] = [];
  const owners = new Map<number, number>();
  for (const [number, { dir, at, hex, core, fields = {}, bonus = {}, to, span, what }] of frames.entries()) {
    const direction = dir === 'tx' ? 'sent' : 'received';
    const [first, last] = core ?? [0, bytesOf(hex).length];
    const over = pieces.filter(
      (piece) => piece.direction === direction && piece.from < at + last && piece.to > at + first,
    );
    if (what === 'broken') {
      if (over.some((piece) => piece.kind === 'frame' && piece.decoded.kind !== 'broken' && hasValues(piece))) {
        faults.push(`${number}: values of a broken frame`);
      }
      continue;
    }
    const whole = over.filter((piece) => piece.kind === 'frame' && piece.decoded.kind !== 'broken');
    for (const { index } of over) {
      owners.set(index, number);
    }
    if (whole.length !== over.length || (span !== true && over.length !== 1)) {
      faults.push(
        `${number}: ${over.map(({ kind, bytes, decoded }) => `${kind} ${bytes.length} ${decoded.sentence}`).join('; ')}`,
      );
      continue;
    }
    for (const [name, wanted] of Object.entries({ ...fields, ...bonus })) {
      const values = valuesOf(whole, name);
      const list = Array.isArray(wanted) ? wanted : [wanted];
      if (values.length !== list.length || !list.every((one, place) => isEqual(values[place], one))) {
        faults.push(`${number}: ${name} is ${JSON.stringify(values)}, not ${JSON.stringify(wanted)}`);
      }
    }
    if (to !== undefined) {
      const question = whole[0]?.link.to ?? null;
      if (question === null || owners.get(question) !== to) {
        faults.push(`${number}: answers ${question === null ? 'nothing' : owners.get(question)}, not ${to}`);
      }
    }
  }
  for (const piece of pieces) {
    const isOwned = frames.some(
      ({ dir, at, hex }) =>
        (dir === 'tx') === (piece.direction === 'sent') && piece.from < at + bytesOf(hex).length && piece.to > at,
    );
    if (!isOwned && piece.kind === 'frame' && hasValues(piece)) {
      faults.push(`values of bytes that are no frame: ${piece.decoded.sentence}`);
    }
  }
  return faults;
}

describe('decoders as data', () => {
  it.each(names)('%s reads every golden frame', (name) => {
    const decoder = decoderOf(name);
    const wrong = goldenCases(`protocols/${name}`).flatMap((golden) =>
      faultsOf(golden, readChunks([decoder], chunksOf(golden)).pieces).map((fault) => `${golden.case}: ${fault}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each(names)('%s reads the same frames however the stream is cut', (name) => {
    const decoder = decoderOf(name);
    for (const golden of goldenCases(`protocols/${name}`)) {
      for (let turn = 0; turn < (isLong ? 20 : 1); turn++) {
        expect(faultsOf(golden, readChunks([decoder], recut(chunksOf(golden))).pieces)).toEqual([]);
      }
    }
  });

  it('share a line, and pair across decoders', () => {
    const hci = decoderOf('hci');
    const { of } = hci.framing as Extract<DecoderDraft['framing'], { kind: 'any' }>;
    const [command, data, event] = of;
    const one = (kind: number, framing: DecoderDraft['framing'], answers: readonly string[]): DecoderDraft => ({
      ...hci,
      name: `hci${kind}`,
      framing,
      messages: (hci.messages ?? []).map((message) => ({
        ...message,
        answers: (message.answers ?? []).length > 0 ? [...answers] : [],
      })),
    });
    const apart = [one(1, command as never, []), one(2, data as never, []), one(4, event as never, ['hci1.command'])];
    for (const golden of goldenCases('protocols/hci')) {
      expect(faultsOf(golden, readChunks(apart, chunksOf(golden)).pieces)).toEqual([]);
    }
  });
});
