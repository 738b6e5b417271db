/**
 * A number that a person chooses for `{value}` in a text message. It is `flow.value` of a JKit, so that readers that do
 * not know it send nothing.
 */
import { jkitLimits } from '@wirebench/contract';
import { isRecord } from '@wirebench/contract/json';
import { reference, referencesIn } from './captures.ts';
import type { UnknownKeys } from './stored-fields.ts';

/** Numbers that may be chosen: `from`, and every `step` from there on up to `to`. */
export interface MessageValue {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  /** Shown behind the number. It is not sent. */
  readonly unit: string;
  /** Most sendings by a slider, a second. */
  readonly perSecond: number;
  /** True: a slider also sends while it is dragged. False: when it is let go. */
  readonly whileDragging: boolean;
}

/** Range of a text in which a person has just written `{value}`. */
export const usualValue: MessageValue = { from: 0, to: 100, step: 1, unit: '', perSecond: 10, whileDragging: false };

export const longestUnit = jkitLimits.unitMaxLength;
export const sendingsLimits = { least: 1, most: jkitLimits.valuesPerSecond } as const;
/** Most decimals of a step and of the start of a range. */
const maxDecimals = 6;

/** Returns the sentence about what is wrong with a range, or null if numbers can be chosen from it. */
export function valueFault({ from, to, step }: Pick<MessageValue, 'from' | 'to' | 'step'>): string | null {
  if (![from, to].every((end) => Math.abs(end) <= jkitLimits.valueMax)) {
    return 'Enter numbers from −1 000 000 000 to 1 000 000 000.';
  }
  if (!(from < to)) {
    return 'The range ends above its start.';
  }
  if (!(step > 0 && step <= to - from)) {
    return 'The step is above 0, and not wider than the range.';
  }
  return [from, step].every((one) => Number(one.toFixed(maxDecimals)) === one)
    ? null
    : `Numbers have at most ${maxDecimals} decimals.`;
}

/** Serializes a range. Fields with their usual value are omitted. */
export function writeValue({ from, to, step, unit, perSecond, whileDragging }: MessageValue): UnknownKeys {
  return {
    from,
    to,
    ...(step !== usualValue.step && { step }),
    ...(unit !== '' && { unit }),
    ...(perSecond !== usualValue.perSecond && { perSecond }),
    ...(whileDragging && { whileDragging }),
  };
}

/** Reads a range. Returns null for one that this version cannot use whole. */
export function readValue(value: unknown): MessageValue | null {
  if (!isRecord(value)) {
    return null;
  }
  const { from, to, step, unit, perSecond, whileDragging, ...unknown } = { ...usualValue, ...value };
  const isRead =
    typeof value['from'] === 'number' &&
    typeof value['to'] === 'number' &&
    typeof step === 'number' &&
    typeof unit === 'string' &&
    unit.length <= longestUnit &&
    Number.isInteger(perSecond) &&
    perSecond >= sendingsLimits.least &&
    perSecond <= sendingsLimits.most &&
    typeof whileDragging === 'boolean' &&
    Object.keys(unknown).length === 0 &&
    valueFault({ from, to, step }) === null;
  return isRead ? { from, to, step, unit, perSecond, whileDragging } : null;
}

/** Returns true if a text has a place for a number. */
export const hasValuePlace = (content: string): boolean => referencesIn(content).includes('value');

/** Replaces each `{value}` of a text. Other references, and `{{`, stay as they are. */
export const withValue = (content: string, value: string): string =>
  content.replaceAll(reference, (whole, name?: string) => (name === 'value' ? value : whole));

/** Returns the number of a range that is nearest to `wanted`. */
export function nearestValue({ from, to, step }: MessageValue, wanted: number): number {
  const most = Math.floor((to - from) / step + 1e-9);
  const steps = Math.min(most, Math.max(0, Math.round((wanted - from) / step)));
  // Zero without a sign.
  return Number((from + steps * step).toFixed(decimalsOf(from, step))) + 0;
}

/** Returns a number as it is sent: with as many decimals as the range has. */
export const sentNumber = ({ from, step }: MessageValue, value: number): string =>
  value.toFixed(decimalsOf(from, step));

function decimalsOf(...numbers: readonly number[]): number {
  return Math.max(
    ...numbers.map(
      (one) =>
        one
          .toFixed(maxDecimals)
          .replace(/\.?0+$/, '')
          .split('.')[1]?.length ?? 0,
    ),
  );
}
