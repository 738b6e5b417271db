/**
 * Facts of the bench: parts of its tick, each with its idle value and its counters. A part (`BenchPart`) lists the facts of
 * a subject, and `bench-tick.ts` joins the parts.
 */
import { type ByPort, byPort } from '@wirebench/serial';

/** A fact that components show. Every difference between two ticks is shown at once, except in counters. */
export interface Fact<Value> {
  /** Value without a bench, and after its loss. */
  readonly idle: Value;
  /** Fields that change while work goes on. Only their beginnings and ends are shown at once: a change from or to 0 or null. */
  readonly counters: readonly string[];
}

/** A fact for `onTick` alone. Components cannot read it. */
export interface TickFact<Value> {
  readonly idle: Value;
  readonly counters: null;
}

/** One subject of the bench. */
export interface BenchPart<Calls> {
  /** Calls that the screen makes by itself. Their failure after the loss of the bench is not reported. */
  readonly quiet: readonly (keyof Calls)[];
  readonly facts: Readonly<Record<string, Fact<unknown> | TickFact<unknown>>>;
}

/** Names of fields at any depth. */
type FieldName<Value> = Value extends readonly (infer Item)[]
  ? FieldName<Item>
  : Value extends object
    ? { readonly [Name in keyof Value]-?: (Name & string) | FieldName<Value[Name]> }[keyof Value]
    : never;

export const fact = <Value>(idle: Value, counters: readonly FieldName<Value>[] = []): Fact<Value> => ({
  idle,
  counters,
});

/** A fact about each port. */
export const portFact = <Value>(idle: Value, counters: readonly FieldName<Value>[] = []): Fact<ByPort<Value>> => ({
  idle: byPort(() => idle),
  counters,
});

/** A number that changes when something must be fetched again. It is kept after the loss of the bench. */
export const revision: TickFact<number> = { idle: 0, counters: null };

/** A fact that is reported once, in one tick. */
export const news = <Value>(idle: Value): TickFact<Value> => ({ idle, counters: null });

/** Returns true if the two values of a field are equal by their contents, except in counters. */
export function sameField(name: string, before: unknown, after: unknown, counters: readonly string[]): boolean {
  if (Object.is(before, after) || (before && after && counters.includes(name))) {
    return true;
  }
  if (!isObject(before) || !isObject(after)) {
    return false;
  }
  const names = Object.keys(before);
  return (
    names.length === Object.keys(after).length &&
    names.every((inner) => sameField(inner, before[inner], after[inner], counters))
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
