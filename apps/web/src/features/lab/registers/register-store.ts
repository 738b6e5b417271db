/**
 * Values of the chip's registers from the last two reads, and the bits to write. They are kept until the next
 * connect.
 */
import type { RegisterFacts } from '../../../protocol/lab-protocol.ts';
import { pageStore } from '../../../shared/page-store.ts';
import { getLab } from '../store/lab-line.ts';
import { onLabChange } from '../store/lab-store.ts';
import type { ReadWord } from './read-word.ts';

interface RegisterState {
  readonly words: ReadonlyMap<number, ReadWord>;
  /** Time of the previous read, in milliseconds since the Unix epoch; null before the second read. */
  readonly since: number | null;
  readonly readAt: number | null;
  /** Bits to invert with the next write, by address. */
  readonly flips: ReadonlyMap<number, number>;
  /** Names of the unfolded groups; null until the user chooses. */
  readonly unfolded: readonly string[] | null;
  /** Key of the register in view; null until the user chooses. */
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

const registerStore = pageStore<RegisterState>(nothing);

onLabChange(({ board }, before) => {
  if (board !== before.board) {
    registerStore.setState(nothing);
  }
});

export const useRegisters = registerStore.use;

export function flipBits(address: number, flips: number): void {
  registerStore.setState((state) => ({ flips: new Map(state.flips).set(address, flips) }));
}

/** @throws CallError if the host refuses. */
export async function readRegisters(registers: readonly RegisterFacts[]): Promise<void> {
  const addresses = registers.map(({ address }) => address);
  const words = await getLab().call('readWords', addresses);
  note(addresses.map((address, index) => [address, words[index] ?? 0]));
}

/**
 * Changes the bits of `mask`, and stores the value that is read afterwards.
 * @throws CallError if the host refuses.
 */
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

/** Returns the registers that can be read together: a read has no side effect, and the register is readable. */
export const readable = (registers: readonly RegisterFacts[]) =>
  registers.filter(({ readTakes, writeOnly }) => !readTakes && !writeOnly);

/** @param names Peripherals whose registers are listed. */
export function unfoldPeripherals(names: RegisterState['unfolded']): void {
  registerStore.setState({ unfolded: names });
}

export function selectRegister(chosen: RegisterState['selected']): void {
  registerStore.setState({ selected: chosen });
}
