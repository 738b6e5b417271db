/**
 * Settings of a capture, the last result, and the view of it. The store outlives the panel, which other instruments
 * replace.
 */
import { type Wave, waveOf } from '@wirebench/lab/probe';
import type { CapturedTransfer, CaptureOrder, I2cBus, LabCapture, SpiBus } from '../../../protocol/lab-protocol.ts';
import { pageStore } from '../../../shared/page-store.ts';
import { ownerPort } from '../pins/pin-words.ts';
import { getLab } from '../store/lab-line.ts';
import { type LabState, labNow, onLabChange } from '../store/lab-store.ts';
import type { Decoder } from './decoding.ts';
import type { Span } from './time-axis.ts';

/** Maximum number of pins in one capture: the chip keeps 16 bits for a run of levels. */
export const maxPins = 16;

export interface Lane {
  readonly gpio: number;
  /** Label at the time of the capture, such as `SDA 21`. */
  readonly label: string;
  readonly port: 1 | 2 | 3 | 4 | undefined;
  readonly wave: Wave;
}

export interface Captured {
  readonly lanes: readonly Lane[];
  /** Period of a sample, time of the trigger (`zero`), and time of the end, in nanoseconds. */
  readonly samplePeriod: number;
  readonly zero: number;
  readonly end: number;
  readonly samples: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

export type CursorName = 'a' | 'b';

export type CaptureStart = CaptureOrder['trigger']['kind'] | 'transfer';

/** Settings for the next capture. */
export interface CaptureSettings {
  /** GPIO numbers. Null: not chosen, so `usualPins` decides. */
  readonly pins: readonly number[] | null;
  /** Null: not chosen, so `startOf` decides. */
  readonly start: CaptureStart | null;
  /** Null: the first of the pins. */
  readonly triggerPin: number | null;
  readonly triggerHigh: boolean;
  readonly rate: number | null;
  readonly samples: number;
  /** Part of the samples before the trigger, in per cent. */
  readonly before: number;
}

interface CaptureState {
  readonly settings: CaptureSettings;
  readonly captured: Captured | null;
  readonly span: Span;
  readonly cursors: Readonly<Record<CursorName, number | null>>;
  /** Cursor that a click places. */
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

const captureStore = pageStore<CaptureState>(firstState);

export const { getState: captureNow, setState: changeCapture } = captureStore;

/** Last board that was open. Its captures stay when it is connected again. */
let lastBoard: LabState['board'] = null;

onLabChange(({ board }, before) => {
  // The same board keeps its captures when it is connected again, for example after Back to ROM.
  if (board !== null && before.board !== board && (board.chip !== lastBoard?.chip || board.mac !== lastBoard?.mac)) {
    forgetCaptures();
  }
  lastBoard = board ?? lastBoard;
});

export function forgetCaptures(): void {
  captureStore.setState(firstState, true);
}

export const useCapture = captureStore.use;

export function choose(settings: Partial<CaptureSettings>): void {
  captureStore.setState((state) => ({ settings: { ...state.settings, ...settings } }));
}

type Tick = Pick<LabState['tick'], 'owned' | 'i2c' | 'uart' | 'spi'>;

/** Returns the pins of open buses and of PWM, limited to one input register and to `maxPins`. */
export function usualPins({ owned }: Pick<Tick, 'owned'>): readonly number[] {
  const pins = owned.filter(({ use, owner }) => use === null || owner === 'pwm').map(({ gpio }) => gpio);
  return pins.filter((gpio) => sameBank(gpio, pins[0] ?? 0)).slice(0, maxPins);
}

/**
 * Returns the start of a capture: the chosen one, else a transfer if the lines of the I2C bus are captured.
 *
 * @param pins Pins of the capture. Without pins, those of the bus will be captured.
 * @param bus The open bus, or the chosen pins of one; null for neither.
 */
export function startOf(
  { start }: Pick<CaptureSettings, 'start'>,
  pins: readonly number[],
  bus: I2cBus | null,
): CaptureStart {
  const hasBus = bus !== null && (pins.length === 0 || (pins.includes(bus.sda) && pins.includes(bus.scl)));
  return start ?? (hasBus ? 'transfer' : 'immediate');
}

/** Returns true if one input register contains both pins. A register has 32 pins. */
export function sameBank(one: number, other: number): boolean {
  return one >> 5 === other >> 5;
}

/** Returns decoders for the open buses whose pins were captured. */
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

/**
 * Captures and shows the result.
 * @throws CallError if the host refuses.
 */
export async function take(order: CaptureOrder): Promise<void> {
  show(await getLab().call('capture', order));
}

/**
 * Captures the next I2C transfer that any part of the bench makes.
 * @throws CallError if the host refuses.
 */
export async function takeNextTransfer(pins: readonly number[]): Promise<void> {
  show(await getLab().call('captureTransfer', pins));
}

/**
 * Makes a transfer and captures it. A failed transfer is shown as well, because its levels explain the failure.
 * @throws CallError if the host refuses, or if the transfer fails.
 */
export async function takeTransfer(pins: readonly number[], transferred: CapturedTransfer): Promise<void> {
  const { address, write, read } = transferred;
  // Names the transfer, because a device that is read repeatedly causes other transfers.
  const capturing = getLab().call('captureTransfer', pins, transferred).then(show);
  const transfer = getLab().call('transfer', address, write, read);
  // A refused transfer is never made, so the capture would wait without end.
  transfer.catch(() => getLab().call('cancelProgram')).catch(() => undefined);
  const results = await Promise.allSettled([transfer, capturing]);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    throw failed.reason;
  }
}

function show(capture: LabCapture): void {
  const { tick } = labNow();
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
    // The user's decoders stay as long as the same pins are captured.
    decoders: samePins && decoders.length > 0 ? decoders : usualDecoders(tick, pins),
  });
}

export function showSpan(span: Span): void {
  captureStore.setState({ span });
}

/** @param at In nanoseconds; null removes the cursor. */
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

/** Returns the nearest edge of any lane before or after `at`; null if no edge follows in that direction. */
export function nextEdge(lanes: readonly Lane[], at: number, direction: 1 | -1): number | null {
  const edges = lanes.flatMap(({ wave }) => {
    const found =
      direction > 0 ? wave.edges.find((edge) => edge > at + 1e-6) : wave.edges.findLast((edge) => edge < at - 1e-6);
    return found === undefined ? [] : [found];
  });
  return edges.length === 0 ? null : direction > 0 ? Math.min(...edges) : Math.max(...edges);
}
