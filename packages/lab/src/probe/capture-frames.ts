/**
 * Frames of a capture (`firmware/probe/PROTOCOL.md`, "CAPTURE_START"): the request, the outcome, and the levels as
 * runs. Pure functions.
 */
import { type ProbeFrame, viewOf } from './frames.ts';
import { wordsAndBytes } from './operations.ts';

/** `edge`: the pins change to the given levels. `change`: the pins change to the opposite of their previous levels. */
type CaptureTrigger =
  | { readonly kind: 'immediate' }
  | { readonly kind: 'level' | 'edge'; readonly levels: readonly { readonly pin: number; readonly high: boolean }[] }
  | { readonly kind: 'change'; readonly pins: readonly number[] };

export interface CaptureRequest {
  /**
   * GPIO numbers, 1 to 16. All are below 32, or all are 32 and above, because one register must hold them. Bit k of
   * the levels is pin k of this list.
   */
  readonly pins: readonly number[];
  readonly samples: number;
  /** Number of samples before the trigger; included in `samples`. */
  readonly before: number;
  /** Minimum cycles between samples; 0 for the maximum rate. */
  readonly period: number;
  readonly trigger: CaptureTrigger;
  /**
   * A register write right before the first sample, so that the capture contains its effect. The sender must check
   * the address against its policy; nothing here does.
   */
  readonly stimulus?: { readonly address: number; readonly value: number };
}

const triggerKinds = { immediate: 0, level: 1, edge: 2, change: 3 } as const;
const pinPlaces = 16;

/**
 * Encodes the data of a CAPTURE_START request.
 *
 * @throws RangeError for pins that one capture cannot have.
 */
export function captureStartData(request: CaptureRequest): Uint8Array {
  const { pins, samples, before, period, trigger, stimulus } = request;
  const triggerPins = pinsOf(trigger);
  const bank = (pins[0] ?? 0) >> 5;
  if (pins.length === 0 || pins.length > pinPlaces || [...pins, ...triggerPins].some((pin) => pin >> 5 !== bank)) {
    throw new RangeError('A capture has 1 to 16 pins, and all of them, those of the trigger too, below 32 or none.');
  }
  const mask = bitsOf(triggerPins);
  const value = 'levels' in trigger ? bitsOf(trigger.levels.filter(({ high }) => high).map(({ pin }) => pin)) : 0;
  const data = wordsAndBytes([samples, before, period, mask, value], new Uint8Array(28));
  data.set([triggerKinds[trigger.kind], bank, pins.length, 0, ...pins], 20);
  const view = viewOf(data);
  view.setUint32(40, stimulus?.address ?? 0, true);
  view.setUint32(44, (stimulus?.value ?? 0) >>> 0, true);
  return data;
}

function pinsOf(trigger: CaptureTrigger): readonly number[] {
  switch (trigger.kind) {
    case 'immediate':
      return [];
    case 'change':
      return trigger.pins;
    default:
      return trigger.levels.map(({ pin }) => pin);
  }
}

function bitsOf(pins: readonly number[]): number {
  return pins.reduce((bits, pin) => bits | (1 << (pin & 31)), 0);
}

export interface CaptureOutcome {
  readonly isCancelled: boolean;
  /** Number of samples that can be read. */
  readonly samples: number;
  /** Index of the trigger's sample; null if the trigger never came. */
  readonly trigger: number | null;
  /** Cycles between samples, measured from the trigger to the last sample; null if the capture was cancelled. */
  readonly period: number | null;
}

export function readCaptureDone({ value, data }: ProbeFrame): CaptureOutcome {
  const view = viewOf(data);
  const [samples, trigger, cycles, periods] = [0, 4, 8, 12].map((at) => view.getUint32(at, true)) as [
    number,
    number,
    number,
    number,
  ];
  const isCancelled = value !== 0;
  return {
    isCancelled,
    samples,
    trigger: trigger === 0xffff_ffff ? null : trigger,
    period: isCancelled || periods === 0 ? null : cycles / periods,
  };
}

/** Consecutive samples with the same levels. */
export interface LevelRun {
  readonly samples: number;
  readonly levels: number;
}

export function readRuns({ data }: ProbeFrame): LevelRun[] {
  const view = viewOf(data);
  return Array.from({ length: data.length >> 2 }, (_, index) => ({
    samples: view.getUint16(index * 4, true),
    levels: view.getUint16(index * 4 + 2, true),
  }));
}
