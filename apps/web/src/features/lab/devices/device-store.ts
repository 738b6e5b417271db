/** State of the devices on the bus: the JKits that fit each address, the open JKits, and their readings. */
import type { ReadingResult } from '@wirebench/lab/chip-jkit';
import type { DeviceCycle } from '../../../protocol/bus-transfers.ts';
import { pageStore } from '../../../shared/page-store.ts';
import type { ReadWord } from '../registers/read-word.ts';
import { onLabChange } from '../store/lab-store.ts';
import type { KnownChip } from './known-chip.ts';

/** Certainty of an identification. */
export type Certainty = 'address' | 'likely' | 'register';

export interface Offer {
  readonly chip: KnownChip;
  readonly certainty: Certainty;
  /** Observation behind the certainty: `register 0xD0 = 0x60`; empty for the address alone. */
  readonly evidence: string;
}

/** Result of the identification at one address. */
export interface Identity {
  /** Sorted by certainty, highest first. */
  readonly offers: readonly Offer[];
  /** True: the device was not asked, because a device at this address may act on the number of a register. */
  readonly isUnasked: boolean;
  /** Set if the device keeps the bytes written to it, as a switch does: its previous byte, which was written back. */
  readonly hasKept: string | null;
}

export interface OpenDevice {
  readonly chip: KnownChip;
  /** True: its registers hold other values than the JKit expects. */
  readonly isUnlikely: boolean;
  /** True: a reading was refused, because the device does not hold the values that its JKit writes to set it up. */
  readonly needsSetUp: boolean;
  /** Time of the set-up here, in milliseconds since the Unix epoch; null if it was not set up here. */
  readonly initialisedAt: number | null;
  /** Milliseconds between two readings; null while it is not read repeatedly. */
  readonly interval: number | null;
  /** Reason why the last reading failed, or why reading ended. */
  readonly failure: string | null;
  readonly results: readonly ReadingResult[];
  readonly readAt: number | null;
  readonly registers: ReadonlyMap<string, ReadWord>;
  readonly registersReadAt: number | null;
  /** Bits to invert with the next write, by register. */
  readonly flips: ReadonlyMap<string, number>;
  /** Name of the register in view; null until the user chooses one. */
  readonly selected: string | null;
  /** Result of the identity check. Null: nothing to check. Undefined: not checked yet. */
  readonly isFitting: boolean | null | undefined;
  /** True: a picture was written to this display. */
  readonly hasPicture: boolean;
}

/** Last answer of a device to a read or a write of a single register by the user. */
export interface Exchange {
  readonly address: number;
  readonly register: number;
  readonly kind: 'read' | 'written';
  readonly bytes: Uint8Array;
}

export interface MapByte {
  /** Null if the register was not acknowledged. */
  readonly now: number | null;
  /** Value of the previous read; null before that. */
  readonly before: number | null;
}

/** Bytes of a device by register number. */
export interface RegisterMapState {
  readonly bytes: ReadonlyMap<number, MapByte>;
  /** Cancels the current read of the map; null if no read is running. */
  readonly reading: AbortController | null;
  /** Result of the last read as a sentence; empty before the first. */
  readonly outcome: string;
}

export interface DeviceState {
  readonly identities: ReadonlyMap<number, Identity>;
  readonly isIdentifying: boolean;
  /** Reason why JKits of the server are missing; null if they were loaded, or if the user is not signed in. */
  readonly sourceFailure: string | null;
  /** Open JKits by address. A second JKit for a device replaces the first. */
  readonly open: ReadonlyMap<number, OpenDevice>;
  /** Last answer of each form, by the address of its device; null for the form without a device. */
  readonly exchanges: ReadonlyMap<number | null, Exchange>;
  readonly maps: ReadonlyMap<number, RegisterMapState>;
  /** Increases with every stored reading. */
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

const deviceStore = pageStore<DeviceState>(nothing);

export const { getState: devicesNow, setState: changeDevices, subscribe: onDevicesChange } = deviceStore;

/** Readings of a device over time: one value for each reading and time, NaN for a failed one. */
export interface History {
  readonly times: number[];
  readonly values: number[][];
}

/** Maximum number of times kept for a device. Beyond it, the oldest half is removed. */
const most = 20_000;

const histories = new Map<number, History>();
const evaluations = new Map<number, (cycle: DeviceCycle) => void>();

onLabChange(({ board, tick }, before) => {
  if (board !== before.board || (before.tick.open && !tick.open)) {
    forgetDevices();
  }
});

/** Cancels the current identification. */
let identification = new AbortController();

/**
 * Starts an identification, and ends an earlier one.
 * @returns Its signal, which aborts with the next identification, with the bus and with the board.
 */
export function beginIdentification(): AbortSignal {
  endIdentification();
  return identification.signal;
}

/**
 * Ends the identification. Call it before the bus is closed or opened on other pins, so that it asks no device there.
 */
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

export const useDevices = deviceStore.use;

export const openDeviceAt = (address: number): OpenDevice | undefined => deviceStore.getState().open.get(address);

/** Changes the state of an open device. Does nothing if the device was closed. */
export function changeDevice(address: number, change: Partial<OpenDevice>): void {
  deviceStore.setState(({ open }) => {
    const device = open.get(address);
    return device === undefined ? {} : { open: new Map(open).set(address, { ...device, ...change }) };
  });
}

/** @param device Key of the form, as in `exchanges`. */
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

/**
 * Registers a listener for the cycles of an address, in place of an earlier one. It ends when the device is closed.
 *
 * @param evaluate Receives the cycles of this address.
 */
export function onCycles(address: number, evaluate: (cycle: DeviceCycle) => void): void {
  evaluations.set(address, evaluate);
}

export function takeCycles(cycles: readonly DeviceCycle[]): void {
  for (const cycle of cycles) {
    evaluations.get(cycle.address)?.(cycle);
  }
}

/** Returns the JKits that fit an address, sorted by certainty, highest first. */
export const offersAt = (address: number) => deviceStore.getState().identities.get(address)?.offers ?? [];
