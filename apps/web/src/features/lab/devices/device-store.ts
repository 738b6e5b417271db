/** What is known of the devices on the bus: the JKits that fit each address, the ones that are open, and their readings. */
import type { ReadingResult } from '@wirebench/lab/chip-jkit';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { DeviceCycle } from '../../../workbench/lab/bus-transfers.ts';
import type { ReadWord } from '../registers/read-word.ts';
import { labStore } from '../store/lab-store.ts';
import type { KnownChip } from './known-chip.ts';

/** How sure it is what stands at an address. */
export type Certainty = 'address' | 'likely' | 'register';

export interface Offer {
  readonly chip: KnownChip;
  readonly certainty: Certainty;
  /** What was seen: `register 0xD0 = 0x60`; empty for an address alone. */
  readonly evidence: string;
}

/** What is known of one address. */
export interface Identity {
  /** The surest first. */
  readonly offers: readonly Offer[];
  /** Nobody was asked: at this address a device may act on the number of a register. */
  readonly isUnasked: boolean;
  /** It keeps what is written to it, as a switch does: what was there before was written back. */
  readonly hasKept: string | null;
}

export interface OpenDevice {
  readonly chip: KnownChip;
  /** Its registers hold something else than the JKit expects. */
  readonly isUnlikely: boolean;
  /** True: a reading was refused, because the device does not hold what its JKit writes to set it up. */
  readonly needsSetUp: boolean;
  /** When it was set up here, in milliseconds since the Unix epoch; null: not here. */
  readonly initialisedAt: number | null;
  /** Milliseconds between two readings; null while it is not read repeatedly. */
  readonly interval: number | null;
  /** Why there is nothing new, or why reading ended. */
  readonly failure: string | null;
  readonly results: readonly ReadingResult[];
  readonly readAt: number | null;
  readonly registers: ReadonlyMap<string, ReadWord>;
  readonly registersReadAt: number | null;
  /** By register, bits that are to be the other way round and were not written yet. */
  readonly flips: ReadonlyMap<string, number>;
  /** The register that is looked at; null: nobody has chosen. */
  readonly selected: string | null;
  /** What a check of its identity has said: null when there is nothing to check, undefined before one. */
  readonly isFitting: boolean | null | undefined;
  /** A picture was written to it, a display. */
  readonly hasPicture: boolean;
}

/** What a device has answered a person who asked it register by register, or took. */
export interface Exchange {
  readonly address: number;
  readonly register: number;
  readonly kind: 'read' | 'written';
  readonly bytes: Uint8Array;
}

export interface MapByte {
  /** Null: it was not acknowledged. */
  readonly now: number | null;
  /** What was read the time before; null when nothing was. */
  readonly before: number | null;
}

/** The bytes of a device by the numbers of its registers. */
export interface RegisterMapState {
  readonly bytes: ReadonlyMap<number, MapByte>;
  /** Ends the reading that is under way; null when none is. */
  readonly reading: AbortController | null;
  /** How the last reading ended; empty before one has. */
  readonly outcome: string;
}

export interface DeviceState {
  readonly identities: ReadonlyMap<number, Identity>;
  readonly isIdentifying: boolean;
  /** Why JKits of the server are missing; null when they are not, or nobody is signed in. */
  readonly sourceFailure: string | null;
  /** By address: a second JKit for a device takes the place of the first. */
  readonly open: ReadonlyMap<number, OpenDevice>;
  /** The last of each form: by the address of its device, null for the form that is about none. */
  readonly exchanges: ReadonlyMap<number | null, Exchange>;
  readonly maps: ReadonlyMap<number, RegisterMapState>;
  /** Counts up with every reading that was kept. */
  readonly revision: number;
}

const nothing: DeviceState = {
  identities: new Map(),
  isIdentifying: false,
  sourceFailure: null,
  open: new Map(),
  exchanges: new Map(),
  maps: new Map(),
  revision: 0,
};

export const deviceStore = createStore<DeviceState>(() => nothing);

/** What was read of a device: as many values a time as it has readings, NaN for one that failed. */
export interface History {
  readonly times: number[];
  readonly values: number[][];
}

/** Times kept of a device; the oldest half goes when there are more. */
const most = 20_000;

const histories = new Map<number, History>();
const evaluations = new Map<number, (cycle: DeviceCycle) => void>();

labStore.subscribe(({ board, tick }, before) => {
  if (board !== before.board || (before.tick.open && !tick.open)) {
    forgetDevices();
  }
});

/** Ends whatever finds out what devices are. */
let identification = new AbortController();

/** @returns the signal of the one that begins now: it ends with the next one, with the bus and with the board */
export function beginIdentification(): AbortSignal {
  endIdentification();
  return identification.signal;
}

/** Before the bus is opened on other pins, or closed: no device there is asked for what was found here. */
export function endIdentification(): void {
  identification.abort();
  identification = new AbortController();
  deviceStore.setState({ isIdentifying: false });
}

export function forgetDevices(): void {
  endIdentification();
  for (const { reading } of deviceStore.getState().maps.values()) {
    reading?.abort();
  }
  histories.clear();
  evaluations.clear();
  deviceStore.setState({ ...nothing, revision: deviceStore.getState().revision + 1 });
}

export function useDevices<Part>(select: (state: DeviceState) => Part): Part {
  return useStore(deviceStore, select);
}

export const openDeviceAt = (address: number): OpenDevice | undefined => deviceStore.getState().open.get(address);

/** Nothing happens to a device that was closed meanwhile. */
export function changeDevice(address: number, change: Partial<OpenDevice>): void {
  deviceStore.setState(({ open }) => {
    const device = open.get(address);
    return device === undefined ? {} : { open: new Map(open).set(address, { ...device, ...change }) };
  });
}

/** @param device as in `exchanges` */
export function noteExchange(device: number | null, exchange: Exchange | null): void {
  deviceStore.setState(({ exchanges }) => {
    const next = new Map(exchanges);
    next.delete(device);
    return { exchanges: exchange === null ? next : next.set(device, exchange) };
  });
}

const noMap: RegisterMapState = { bytes: new Map(), reading: null, outcome: '' };

export const mapOf = (address: number) => deviceStore.getState().maps.get(address) ?? noMap;

export const useRegisterMap = (address: number) => useDevices(({ maps }) => maps.get(address) ?? noMap);

export function changeMap(address: number, change: Partial<RegisterMapState>): void {
  const next = { ...mapOf(address), ...change };
  deviceStore.setState(({ maps }) => ({ maps: new Map(maps).set(address, next) }));
}

export function flipBits(address: number, register: string, bits: number): void {
  changeDevice(address, { flips: new Map(openDeviceAt(address)?.flips).set(register, bits) });
}

export function setDevice(address: number, device: OpenDevice | null): void {
  histories.delete(address);
  evaluations.delete(address);
  deviceStore.setState(({ open, revision }) => {
    const next = new Map(open);
    next.delete(address);
    return { open: device === null ? next : next.set(address, device), revision: revision + 1 };
  });
}

export const historyOf = (address: number): History => histories.get(address) ?? { times: [], values: [] };

export function addReadings(address: number, at: number, results: readonly ReadingResult[]): void {
  const history = histories.get(address) ?? { times: [], values: results.map(() => []) };
  histories.set(address, history);
  history.times.push(at);
  for (const [index, column] of history.values.entries()) {
    const result = results[index];
    column.push(result !== undefined && 'value' in result ? result.value : Number.NaN);
  }
  if (history.times.length > most) {
    for (const column of [history.times, ...history.values]) {
      column.splice(0, most / 2);
    }
  }
  changeDevice(address, { results, readAt: at, failure: null });
  deviceStore.setState(({ revision }) => ({ revision: revision + 1 }));
}

/** @param evaluate is told of the cycles of this address until another one is, or the device is closed */
export function onCycles(address: number, evaluate: (cycle: DeviceCycle) => void): void {
  evaluations.set(address, evaluate);
}

export function takeCycles(cycles: readonly DeviceCycle[]): void {
  for (const cycle of cycles) {
    evaluations.get(cycle.address)?.(cycle);
  }
}

/** The JKits that fit an address, the surest first. */
export const offersAt = (address: number) => deviceStore.getState().identities.get(address)?.offers ?? [];
