/** Words of the chip's registers as they were read last and before that, and what is about to be written. Lasts as long as the board is open. */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { RegisterFacts } from '../../../workbench/lab/lab-protocol.ts';
import { getLab } from '../store/lab-line.ts';
import { labStore } from '../store/lab-store.ts';
import type { ReadWord } from './read-word.ts';

interface RegisterState {
  readonly words: ReadonlyMap<number, ReadWord>;
  /** When registers were read before the last time, in milliseconds since the Unix epoch; null before the second. */
  readonly since: number | null;
  readonly readAt: number | null;
  /** By address, bits that are to be the other way round and were not written yet. */
  readonly flips: ReadonlyMap<number, number>;
  /** Groups that are unfolded, by name; null: nobody has chosen. */
  readonly unfolded: readonly string[] | null;
  /** The register that is looked at, by its key in the tree; null: nobody has chosen. */
  readonly selected: string | null;
}

const nothing: RegisterState = {
  words: new Map(),
  since: null,
  readAt: null,
  flips: new Map(),
  unfolded: null,
  selected: null,
};

export const registerStore = createStore<RegisterState>(() => nothing);

labStore.subscribe(({ board }, before) => {
  if (board !== before.board) {
    registerStore.setState(nothing);
  }
});

export function useRegisters<Part>(select: (state: RegisterState) => Part): Part {
  return useStore(registerStore, select);
}

export function flipBits(address: number, flips: number): void {
  registerStore.setState((state) => ({ flips: new Map(state.flips).set(address, flips) }));
}

/** @throws what the host refuses */
export async function readRegisters(registers: readonly RegisterFacts[]): Promise<void> {
  const addresses = registers.map(({ address }) => address);
  const words = await getLab().call('readWords', addresses);
  note(addresses.map((address, index) => [address, words[index] ?? 0]));
}

/** Changes the bits of `mask` and notes what is read afterwards. @throws what the host refuses */
export async function writeRegister(address: number, value: number, mask: number): Promise<void> {
  note([[address, await getLab().call('writeWord', address, value, mask)]]);
}

function note(read: readonly (readonly [address: number, word: number])[]): void {
  registerStore.setState(({ words, readAt }) => {
    const next = new Map(words);
    for (const [address, now] of read) {
      next.set(address, { now: now >>> 0, before: words.get(address)?.now ?? null });
    }
    return { words: next, since: readAt, readAt: Date.now() };
  });
}

/** Registers that can be read with the others: reading takes nothing away, and there is something to read. */
export const readable = (registers: readonly RegisterFacts[]) =>
  registers.filter(({ readTakes, writeOnly }) => !readTakes && !writeOnly);
