/** The blocks of UF2 that the recordings leave out between the first and the last four of a session. */
import { pattern } from './pattern.ts';
import { blockOf, bytesOf, dataOf, headerOf, type RecordedSession, type RecordedStep } from './recorded-sessions.ts';

interface Block {
  readonly number: number;
  readonly total?: number;
  readonly address?: number;
  readonly flags?: number;
  readonly family?: number;
  /** Seed of the payload, and the block's index in it. */
  readonly seed?: number;
  readonly index?: number;
}

const flash = 0x1000_0000;
const rp2350Family = 0xe48b_ff59;

/** Returns `count` numbers from 0. */
function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Orders and contents that differ from 48 blocks in a row, from the titles of the sessions. */
const special: Readonly<Record<string, readonly Block[]>> = {
  reverse: upTo(48).map((index) => ({ number: 47 - index })),
  shuffled: upTo(48).map((index) => ({ number: (index * 5) % 48 })),
  repeated: upTo(96).map((index) => ({ number: index >> 1 })),
  missing: upTo(48).flatMap((number) => (number === 20 ? [] : { number })),
  'missing-then-sent': [...upTo(48).flatMap((number) => (number === 20 ? [] : { number })), { number: 20 }],
  gap: upTo(48).map((number) => ({ number, address: flash + (number < 16 ? number : number + 496) * 256 })),
  'gap-inside-sixteen': upTo(48).map((number) => ({
    number,
    address: flash + (number < 8 ? number : number + 504) * 256,
  })),
  'ram-and-flash': upTo(48).map((number) => ({ number, address: (number < 40 ? flash : 0x2000_0000) + number * 256 })),
  'not-main-flash': upTo(48).map((number) => (number === 5 ? { number, flags: 0x2001 } : { number })),
  'e10-block-first': [{ number: 0 }, ...upTo(48).map((number) => ({ number }))],
  'two-families': [
    ...upTo(48).map((number) => ({ number })),
    ...upTo(48).map((number) => ({ number, family: rp2350Family, seed: 0x43 })),
  ],
  'two-families-one-numbering': [
    ...upTo(48).map((number) => ({ number, total: 96, family: rp2350Family, seed: 0x43 })),
    ...upTo(48).map((number) => ({ number: number + 48, total: 96, address: flash + number * 256, index: number })),
  ],
};

/** Returns the sectors that stand in the place of a session's `left-out` step. */
export function leftOutSectors(session: RecordedSession): Uint8Array<ArrayBuffer>[] {
  const at = session.steps.findIndex(({ op }) => op === 'left-out');
  const count = (session.steps[at]?.steps ?? 0) / 3;
  const before = session.steps.slice(0, at).filter(({ header }) => header !== undefined);
  const first = before[0]?.header ?? '';
  const fields = new DataView(bytesOf(first).buffer);
  const word = (index: number) => fields.getUint32(index * 4, true);
  const blocks: readonly Block[] = special[session.id] ?? upTo(before.length + count).map((number) => ({ number }));
  const isPlain = session.id !== 'e10-block-first' && session.id !== 'reverse';
  return blocks.slice(before.length, before.length + count).map(({ seed = 0x42, index, ...block }) => {
    const ofFirst = isPlain ? { flags: word(2), family: word(7), total: word(6) } : { total: 48 };
    const own = special[session.id] === undefined ? { address: word(3) + block.number * 256 } : {};
    const start = (index ?? block.number) * 256;
    const header = headerOf({ ...ofFirst, ...own, ...familyOf(session.id), ...block });
    return blockOf(header, pattern(seed, start + 256).slice(start));
  });
}

/** The family of blocks that name none of their own, where the first block has another. */
function familyOf(id: string): { readonly family?: number } {
  return id === 'two-families-one-numbering' ? { family: 0xe48b_ff56 } : {};
}

/** Returns the bytes of an OUT step, with the one damage that a title names. */
export function sentBy(session: RecordedSession, step: RecordedStep): Uint8Array<ArrayBuffer> {
  const data = dataOf(step);
  if (session.id === 'bad-end-magic' && step.header !== undefined && data[20] === 3) {
    data.set([0x31], 508);
  }
  return data;
}
