/** What is captured how, what was captured, and what of it is shown: kept while other instruments are looked at. */
import { type Wave, waveOf } from '@wirebench/lab/probe';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type {
  CapturedTransfer,
  CaptureOrder,
  I2cBus,
  LabCapture,
  SpiBus,
} from '../../../workbench/lab/lab-protocol.ts';
import { ownerPort } from '../pins/pin-words.ts';
import { getLab } from '../store/lab-line.ts';
import { type LabState, labStore } from '../store/lab-store.ts';
import type { Decoder } from './decoding.ts';
import type { Span } from './time-axis.ts';

/** Pins of a capture; the chip keeps as many in a run of levels. */
export const mostPins = 16;

export interface Lane {
  readonly gpio: number;
  /** `SDA 21`, as when it was captured. */
  readonly label: string;
  readonly port: 1 | 2 | 3 | 4 | undefined;
  readonly wave: Wave;
}

export interface Captured {
  readonly lanes: readonly Lane[];
  /** Nanoseconds: of a sample, of the trigger, of the end. */
  readonly samplePeriod: number;
  readonly zero: number;
  readonly end: number;
  readonly samples: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

export type CursorName = 'a' | 'b';

export type CaptureStart = CaptureOrder['trigger']['kind'] | 'transfer';

/** What is to be captured. */
export interface CaptureSettings {
  /** GPIO numbers. Null: nobody has chosen, and the pins of open buses are taken. */
  readonly pins: readonly number[] | null;
  /** Null: nobody has chosen, and `startOf` decides. */
  readonly start: CaptureStart | null;
  /** Null: the first of the pins. */
  readonly triggerPin: number | null;
  readonly triggerHigh: boolean;
  readonly rate: number | null;
  readonly samples: number;
  /** Per cent of the samples before the trigger. */
  readonly before: number;
}

export interface CaptureState {
  readonly settings: CaptureSettings;
  readonly captured: Captured | null;
  readonly span: Span;
  readonly cursors: Readonly<Record<CursorName, number | null>>;
  /** Which one a click places. */
  readonly placing: CursorName;
  readonly decoders: readonly Decoder[];
}

const firstState: CaptureState = {
  settings: {
    ...{ pins: null, rate: null, samples: 4_000 },
    ...{ start: null, triggerPin: null, triggerHigh: false, before: 10 },
  },
  captured: null,
  span: { from: 0, to: 1 },
  cursors: { a: null, b: null },
  placing: 'a',
  decoders: [],
};

export const captureStore = createStore<CaptureState>(() => firstState);

/** Whose pins were captured. */
let lastBoard: LabState['board'] = null;

labStore.subscribe(({ board }, before) => {
  // The same board once more keeps them, as after Back to ROM.
  if (board !== null && before.board !== board && (board.chip !== lastBoard?.chip || board.mac !== lastBoard?.mac)) {
    forgetCaptures();
  }
  lastBoard = board ?? lastBoard;
});

export function forgetCaptures(): void {
  captureStore.setState(firstState, true);
}

export function useCapture<Part>(select: (state: CaptureState) => Part): Part {
  return useStore(captureStore, select);
}

export function choose(settings: Partial<CaptureSettings>): void {
  captureStore.setState((state) => ({ settings: { ...state.settings, ...settings } }));
}

type Tick = Pick<LabState['tick'], 'owned' | 'i2c' | 'uart' | 'spi'>;

/** Those of open buses, as far as one capture can have them. */
export function usualPins({ owned }: Pick<Tick, 'owned'>): readonly number[] {
  const pins = owned.filter(({ use, owner }) => use === null || owner === 'pwm').map(({ gpio }) => gpio);
  return pins.filter((gpio) => sameBank(gpio, pins[0] ?? 0)).slice(0, mostPins);
}

/**
 * What a capture begins with: as chosen, else a transfer where the lines of the I2C bus are captured.
 * @param pins that are captured; without any, those of the bus will be
 * @param bus that is open, or whose pins were chosen; null for neither
 */
export function startOf(
  { start }: Pick<CaptureSettings, 'start'>,
  pins: readonly number[],
  bus: I2cBus | null,
): CaptureStart {
  const hasBus = bus !== null && (pins.length === 0 || (pins.includes(bus.sda) && pins.includes(bus.scl)));
  return start ?? (hasBus ? 'transfer' : 'immediate');
}

/** One input register has the levels of 32 pins. */
export function sameBank(one: number, other: number): boolean {
  return one >> 5 === other >> 5;
}

/** Decoders of the open buses whose pins were captured. */
function usualDecoders({ i2c, uart, spi }: Tick, pins: readonly number[]): readonly Decoder[] {
  const has = (...all: number[]) => all.every((pin) => pins.includes(pin));
  const only = (pin: number) => (has(pin) ? pin : null);
  return [
    ...(i2c !== null && has(i2c.sda, i2c.scl) ? [{ kind: 'i2c', sda: i2c.sda, scl: i2c.scl } as const] : []),
    ...(uart === null
      ? []
      : [uart.tx, uart.rx].flatMap((pin) =>
          has(pin) ? [{ kind: 'uart', pin, baudRate: uart.baudRate, parity: 'none', dataBits: 8 } as const] : [],
        )),
    ...(spi !== null && has(spi.clk) ? [spiDecoder(spi, only)] : []),
  ];
}

function spiDecoder({ clk, mosi, miso, cs, mode }: SpiBus, only: (pin: number) => number | null): Decoder {
  return { kind: 'spi', clk, mosi: only(mosi), miso: only(miso), cs: only(cs), mode };
}

/** @throws what the host refuses */
export async function take(order: CaptureOrder): Promise<void> {
  show(await getLab().call('capture', order));
}

/** The next transfer that any part of the bench makes. @throws what the host refuses */
export async function takeNextTransfer(pins: readonly number[]): Promise<void> {
  show(await getLab().call('captureTransfer', pins));
}

/** A capture is shown also of a transfer that failed: that is what one wants to see. @throws what the host refuses */
export async function takeTransfer(pins: readonly number[], transferred: CapturedTransfer): Promise<void> {
  const { address, write, read } = transferred;
  // A device that is read meanwhile makes other ones.
  const capturing = getLab().call('captureTransfer', pins, transferred).then(show);
  const transfer = getLab().call('transfer', address, write, read);
  // One that was refused never comes, and nobody else's is meant.
  transfer.catch(() => getLab().call('cancelProgram')).catch(() => undefined);
  const results = await Promise.allSettled([transfer, capturing]);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    throw failed.reason;
  }
}

function show(capture: LabCapture): void {
  const { tick } = labStore.getState();
  const { pins, runs, samplePeriod, samples, trigger, at } = capture;
  const lanes = pins.map((gpio, line): Lane => {
    const owned = tick.owned.find((one) => one.gpio === gpio);
    return {
      gpio,
      label: owned === undefined ? `GPIO ${gpio}` : `${owned.label} ${gpio}`,
      port: owned && ownerPort[owned.owner],
      wave: waveOf(runs, line, samplePeriod),
    };
  });
  const end = samples * samplePeriod;
  const { captured: before, decoders } = captureStore.getState();
  const samePins = before?.lanes.map(({ gpio }) => gpio).join() === pins.join();
  captureStore.setState({
    captured: { lanes, samplePeriod, zero: trigger * samplePeriod, end, samples, at },
    span: { from: 0, to: end },
    cursors: { a: null, b: null },
    placing: 'a',
    // What a person set stays while the same pins are captured.
    decoders: samePins && decoders.length > 0 ? decoders : usualDecoders(tick, pins),
  });
}

export function showSpan(span: Span): void {
  captureStore.setState({ span });
}

/** @param at nanoseconds; null takes it away */
export function placeCursor(name: CursorName, at: number | null): void {
  const { cursors, captured } = captureStore.getState();
  const inside = at === null ? null : Math.min(captured?.end ?? 0, Math.max(0, at));
  const next = { ...cursors, [name]: inside };
  captureStore.setState({ cursors: next, placing: next.a !== null && next.b === null ? 'b' : name });
}

export function setDecoder(index: number, decoder: Decoder | null): void {
  const { decoders } = captureStore.getState();
  captureStore.setState({
    decoders: decoder === null ? decoders.filter((_, at) => at !== index) : decoders.with(index, decoder),
  });
}

export function addDecoder(decoder: Decoder): void {
  captureStore.setState(({ decoders }) => ({ decoders: [...decoders, decoder] }));
}

/** The nearest edge of any lane to `at`, before or behind it; null when there is none. */
export function nextEdge(lanes: readonly Lane[], at: number, direction: 1 | -1): number | null {
  const edges = lanes.flatMap(({ wave }) => {
    const found =
      direction > 0 ? wave.edges.find((edge) => edge > at + 1e-6) : wave.edges.findLast((edge) => edge < at - 1e-6);
    return found === undefined ? [] : [found];
  });
  return edges.length === 0 ? null : direction > 0 ? Math.min(...edges) : Math.max(...edges);
}
