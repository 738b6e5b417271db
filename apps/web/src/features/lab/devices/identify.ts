/**
 * Finds the JKits that fit the device at an address. Without the user's consent only a one-byte register number is
 * written, and only if that is safe. A device without registers takes the byte as its own: a TCA9548A connects buses
 * (Texas Instruments SCPS207, 8.5), a PCF8574 switches pins (NXP PCF8574, section 8). A 16-bit number is a register
 * and its new value for a device with 8-bit numbers, so it is not written either. JKits that other users share ask a
 * device nothing at first.
 */
import { allChips } from '@wirebench/contract/chip-library';
import { type ChipContent, checkChip } from '@wirebench/contract/chips';
import { type ChipTransfer, describedChip } from '@wirebench/lab/chip-jkit';
import type { BusTransfer } from '../../../protocol/bus-transfers.ts';
import { hexBytes, hexNumber } from '../../../shared/format/hex.ts';
import { failureFrom } from '../store/lab-failures.ts';
import { getLab } from '../store/lab-line.ts';
import { beginIdentification, changeDevices, type Identity, type Offer } from './device-store.ts';
import { chipSources, type FoundChip, type KnownChip } from './known-chip.ts';

/** Addresses of the PCF8574A: the PCF8574's ports at other addresses. No JKit of the product lists them. */
const morePorts = Array.from({ length: 8 }, (_, index) => 0x38 + index);

/** Maximum number of reads without a write, of 31 bytes each: one full round of an 8-bit register number. */
const looks = 9;
const bytesOfLook = 31;
/**
 * Number of different bytes that proves registers. A switch always returns the same byte, and a port hardly changes
 * that often within milliseconds.
 */
const differentBytes = 8;
/** Maximum number of JKits of one source. The rest is left out. */
const maxOfSource = 200;

const shipped: readonly KnownChip[] = allChips.toReversed().flatMap(({ id, name, content }) => {
  const { content: checked } = checkChip(JSON.stringify(content));
  return checked === null ? [] : [{ id, name, publisher: 'wirebench', origin: 'shipped' as const, content: checked }];
});

export const shippedAt = (address: number): readonly KnownChip[] =>
  shipped.filter(({ content }) => isAt(content, address));

const isAt = ({ bus, addresses }: ChipContent, address: number) => bus === 'i2c' && addresses.includes(address);

/** Returns true if a device that takes every byte as its own may be at the address. */
function actsOnBytes(address: number, chips: readonly KnownChip[]): boolean {
  return morePorts.includes(address) || chips.some(({ content }) => content.pointer === 0 && isAt(content, address));
}

let known: readonly KnownChip[] = shipped;

/**
 * Identifies devices as far as that is safe, address by address. A later call replaces an earlier one, and closing
 * the bus ends it.
 *
 * @returns `late` resolves when the JKits of the sources have been considered.
 */
export async function identifyAll(addresses: readonly number[]): Promise<{ readonly late: Promise<void> }> {
  const signal = beginIdentification();
  changeDevices({ identities: new Map(), isIdentifying: true, sourceFailure: null });
  // JKits of the product come first, so that a slow server delays nothing.
  known = shipped;
  const others = fromSources(addresses, signal);
  await unlessEnded(signal, () => identifyEach(addresses, signal));
  return { late: unlessEnded(signal, async () => identifyLate(addresses, await others, signal)) };
}

async function identifyLate(
  addresses: readonly number[],
  more: readonly KnownChip[],
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (more.length > 0) {
    known = [...shipped, ...more];
    await identifyEach(
      addresses.filter((address) => more.some(({ content }) => isAt(content, address))),
      signal,
    );
  }
  changeDevices({ isIdentifying: false });
}

/** Runs a part of an identification. Failures after its end are ignored. */
async function unlessEnded(signal: AbortSignal, act: () => Promise<void>): Promise<void> {
  try {
    if (!signal.aborted) {
      await act();
    }
  } catch (error) {
    if (!signal.aborted) {
      changeDevices({ isIdentifying: false });
      throw error;
    }
  }
}

async function identifyEach(addresses: readonly number[], signal: AbortSignal): Promise<void> {
  for (const address of addresses) {
    const identity = await identityOf(address, signal);
    signal.throwIfAborted();
    setIdentity(address, identity);
  }
}

/**
 * Identifies a device after the user has confirmed the side effects. All JKits for the address are tried. If the
 * device keeps written bytes, its previous byte is written back.
 */
export async function identifyAsked(address: number): Promise<void> {
  const chips = known.filter(({ content }) => isAt(content, address));
  const [before] = await read(address, 1);
  const asked = chips.filter(({ content }) => content.identification.length > 0);
  const facts = await ask(address, asked);
  const pointers = asked.flatMap((chip) => transfersOf(chip, address)).flatMap(({ write }) => [...write]);
  const [after] = await read(address, 1);
  const last = pointers.at(-1);
  const isKept = before !== undefined && last !== undefined && after === last && after !== before;
  if (isKept) {
    await getLab().call('transferAll', [{ address, write: Uint8Array.of(before), read: 0, delay: 0 }]);
  }
  setIdentity(address, {
    offers: offersOf(chips, isKept ? new Map() : facts),
    isUnasked: false,
    hasKept: isKept ? hexNumber(before) : null,
  });
}

/**
 * Asks the device whether its registers hold the values that a JKit expects.
 *
 * @returns Null if the JKit has nothing to check.
 * @throws CallError if the host refuses, or if the device does not acknowledge.
 */
export async function fits({ content }: KnownChip, address: number): Promise<boolean | null> {
  const { identify } = describedChip(content, address);
  if (identify.transfers.length === 0) {
    return null;
  }
  return identify.value(await getLab().call('transferAll', toBus(identify.transfers))) === 'identified';
}

function setIdentity(address: number, identity: Identity): void {
  changeDevices(({ identities }) => ({ identities: new Map(identities).set(address, identity) }));
}

async function identityOf(address: number, signal: AbortSignal): Promise<Identity> {
  const chips = known.filter(({ content }) => isAt(content, address));
  const asked = chips.filter((chip) => chip.origin !== 'shared' && isHarmless(chip.content));
  const silent = asked.filter(({ content }) => content.pointer === 0);
  const naming = asked.filter(({ content }) => content.pointer !== 0);
  const isUnasked = naming.length > 0 && actsOnBytes(address, chips) && !(await hasRegisters(address, signal));
  const facts = await ask(address, isUnasked ? silent : asked, signal);
  return { offers: offersOf(chips, facts), isUnasked, hasKept: null };
}

/** Returns true if a JKit identifies its device with one-byte register numbers, and without waits. */
function isHarmless({ pointer, identification, registers }: ChipContent): boolean {
  const waits = identification.some(({ register }) => registers.find(({ name }) => name === register)?.wait !== 0);
  return identification.length > 0 && pointer !== 16 && !waits;
}

/** Returns true if a device returns so many different bytes that it must have registers. Writes nothing. */
async function hasRegisters(address: number, signal: AbortSignal): Promise<boolean> {
  const seen = new Set<number>();
  for (let look = 0; look < looks; look++) {
    const bytes = await read(address, bytesOfLook, signal);
    for (const byte of bytes) {
      seen.add(byte);
    }
    if (bytes.length === 0 || seen.size >= differentBytes) {
      break;
    }
  }
  return seen.size >= differentBytes;
}

/** Returns the bytes read; empty if the device does not answer. */
async function read(address: number, count: number, signal?: AbortSignal): Promise<Uint8Array> {
  return (await answerTo({ address, write: new Uint8Array(), read: count, delay: 0 }, signal)) ?? new Uint8Array();
}

/**
 * Makes a transfer. Returns null if the device did not acknowledge, because that is an answer as well.
 * @throws CallError if the board is lost.
 */
async function answerTo(transfer: BusTransfer, signal?: AbortSignal): Promise<Uint8Array | null> {
  signal?.throwIfAborted();
  try {
    const [answer] = await getLab().call('transferAll', [transfer]);
    return answer ?? null;
  } catch (error) {
    if (failureFrom(error).code !== null) {
      throw error;
    }
    return null;
  }
}

const transfersOf = ({ content }: KnownChip, address: number) => describedChip(content, address).identify.transfers;

/** Converts transfers for the host, which needs an address on each. */
export const toBus = (transfers: readonly ChipTransfer[]): BusTransfer[] =>
  transfers.map((transfer) => ({ ...transfer, address: transfer.address ?? -1 }));

/** Maps the id of a JKit to whether its registers hold the expected values. JKits that were not tried are missing. */
type Facts = ReadonlyMap<string, boolean>;

/** Tries the JKits. Equal transfers of several JKits are made once. */
async function ask(address: number, chips: readonly KnownChip[], signal?: AbortSignal): Promise<Facts> {
  const answers = new Map<string, Uint8Array | null>();
  const facts = new Map<string, boolean>();
  for (const chip of chips) {
    const { identify } = describedChip(chip.content, address);
    const own: (Uint8Array | null)[] = [];
    for (const transfer of toBus(identify.transfers)) {
      const key = `${hexBytes(transfer.write)}:${transfer.read}`;
      const answer = answers.has(key) ? (answers.get(key) ?? null) : await answerTo(transfer, signal);
      answers.set(key, answer);
      own.push(answer);
    }
    const whole = own.flatMap((answer) => answer ?? []);
    facts.set(chip.id, whole.length === own.length && identify.value(whole) === 'identified');
  }
  return facts;
}

/** Counts the bits that must be right for a JKit to fit. */
function comparedBits({ identification, registers }: ChipContent): number {
  return identification.reduce((sum, { register, mask }) => {
    const width = registers.find(({ name }) => name === register)?.width ?? 0;
    return sum + (mask === undefined ? width : mask.toString(2).replaceAll('0', '').length);
  }, 0);
}

/** Minimum number of compared bits for a sure match: fewer would fit many devices by chance. */
const enoughBits = 8;

/** Returns the JKits by certainty, highest first. JKits whose check failed are left out. */
function offersOf(chips: readonly KnownChip[], facts: Facts): readonly Offer[] {
  const fitting = chips.filter(({ id }) => facts.get(id) === true);
  const parts = new Set(fitting.map(({ content }) => content.name));
  const sure = fitting.map((chip): Offer => {
    const isSure = parts.size === 1 && comparedBits(chip.content) >= enoughBits;
    const others = isSure ? '' : ' (other chips give the same answer)';
    return { chip, certainty: isSure ? 'register' : 'likely', evidence: `${evidenceOf(chip.content)}${others}` };
  });
  const guessed = chips
    .filter(({ id }) => !facts.has(id))
    .map((chip): Offer => ({ chip, certainty: 'address', evidence: '' }));
  return [...sure, ...guessed];
}

/** Describes the checked registers: `register 0xD0 = 0x60`. */
function evidenceOf({ identification, registers, pointer }: ChipContent): string {
  return identification
    .map(({ register: name, mask, value, others }) => {
      const register = registers.find((one) => one.name === name);
      const masked = mask === undefined ? '' : ` & ${hexNumber(mask)}`;
      return `${pointer === 0 ? 'its byte' : `register ${hexNumber(register?.address ?? 0)}`}${masked} = ${[value, ...others].map((one) => hexNumber(one)).join(' or ')}`;
    })
    .join(', ');
}

/** Loads the JKits of all sources. Invalid descriptions are left out. */
async function fromSources(addresses: readonly number[], signal: AbortSignal): Promise<readonly KnownChip[]> {
  const lists = await Promise.all(
    chipSources().map(async (source) => {
      try {
        return (await source(addresses)).slice(0, maxOfSource);
      } catch (error) {
        if (!signal.aborted) {
          changeDevices({ sourceFailure: error instanceof Error ? error.message : String(error) });
        }
        return [];
      }
    }),
  );
  const ids = new Set(shipped.map(({ id }) => id));
  return lists.flat().flatMap((chip) => {
    const checked = ids.has(chip.id) ? null : knownFrom(chip);
    ids.add(chip.id);
    return checked === null || !addresses.some((address) => isAt(checked.content, address)) ? [] : [checked];
  });
}

function knownFrom({ content: text, ...chip }: FoundChip): KnownChip | null {
  const { content } = checkChip(text);
  return content === null ? null : { ...chip, content };
}
