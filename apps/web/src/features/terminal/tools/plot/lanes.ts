/** Lanes of the plot: which curves share a scale, and where a scale ends. */
import { curveBreak, type PlotSeries, type PlotWindow } from '@wirebench/serial';

/** `auto`: one axis while every curve shows on it, else a lane for each. */
export type LaneMode = 'auto' | 'lanes' | 'one';

/** Curves that share a scale, from the top. */
export interface Lane {
  /** Ids of the curves. The first names the lane. */
  readonly ids: readonly number[];
  /** `steps`: one or two named values. `bands`: texts or more named values. Such a lane has one curve, which joins no other. */
  readonly kind: 'numbers' | 'steps' | 'bands';
}

type Ranged = Pick<PlotSeries, 'id' | 'low' | 'high' | 'valueNames'>;

/** Most named values that a scale names beside steps. */
const maxSteps = 2;

/** Part of a common axis below which a curve is flat. */
const flat = 1 / 20;

/**
 * Divides the drawn curves into lanes. Curves of texts always have lanes of their own.
 *
 * @param shown Drawn curves, in their order.
 * @param groups Curves that the user has joined, by id.
 */
export function lanesOf(
  shown: readonly Ranged[],
  mode: LaneMode,
  groups: readonly (readonly number[])[],
): readonly Lane[] {
  const numbers = shown.filter(({ valueNames }) => valueNames.size === 0);
  const isOne = mode === 'one' || (mode === 'auto' && groups.length === 0 && fitOneAxis(numbers));
  const lanes: (Lane & { ids: number[] })[] = [];
  for (const { id, valueNames } of shown) {
    const kind = valueNames.size === 0 ? 'numbers' : valueNames.size <= maxSteps ? 'steps' : 'bands';
    const group = groups.find((ids) => ids.includes(id));
    const lane =
      kind === 'numbers'
        ? lanes.find((one) => one.kind === kind && (isOne || group?.includes(one.ids[0] ?? -1) === true))
        : undefined;
    if (lane === undefined) {
      lanes.push({ ids: [id], kind });
    } else {
      lane.ids.push(id);
    }
  }
  return lanes;
}

/** Returns true if no curve would be flat on one axis: each takes at least a twentieth of it. */
export function fitOneAxis(curves: readonly Ranged[]): boolean {
  const span = Math.max(...curves.map(({ high }) => high)) - Math.min(...curves.map(({ low }) => low));
  return curves.every(({ low, high }) => low === high || (high - low) / span >= flat);
}

/** Joins a curve to the lane of another one. Returns the new groups. */
export function joined(groups: readonly (readonly number[])[], lane: Lane, id: number): readonly (readonly number[])[] {
  const others = parted(groups, id).filter((group) => !group.some((member) => lane.ids.includes(member)));
  return [...others, [...lane.ids.filter((member) => member !== id), id]];
}

/** Gives a curve a lane of its own. Returns the new groups. */
export function parted(groups: readonly (readonly number[])[], id: number): readonly (readonly number[])[] {
  return groups.map((group) => group.filter((member) => member !== id)).filter((group) => group.length > 1);
}

/** Lower and upper end of a scale. */
export interface Scale {
  readonly low: number;
  readonly high: number;
}

/** Returns the lowest and the highest of the values that a window shows. Without any, `low` is above `high`. */
export function extentOf(all: PlotWindow['series']): Scale {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  const take = (value: number) => {
    low = value < low && value > Number.NEGATIVE_INFINITY ? value : low;
    high = value > high && value !== curveBreak ? value : high;
  };
  for (const { values, points, before, after } of all) {
    for (let slot = 0; slot < values.length; slot++) {
      take(values[slot] as number);
    }
    if (points === 0 && before !== null && after !== null) {
      take(before.value);
      take(after.value);
    }
  }
  return { low, high };
}

/** Part of a scale that is left free above and below its curves. */
const margin = 0.08;

/** Returns the scale for values between two bounds. A constant value is in its middle. */
export function scaleFor(low: number, high: number): Scale {
  if (!(high >= low)) {
    return { low: 0, high: 1 };
  }
  const room = high > low ? (high - low) * margin : Math.abs(high) * 0.1 || 1;
  return { low: low - room, high: high + room };
}

/**
 * Returns the value at or before a slot of a window. Null: a break between that value and the next. Undefined: there is none before.
 */
export function valueAt(column: ArrayLike<number>, slot: number): number | null | undefined {
  const isEmpty = (at: number) => Number.isNaN(column[at]);
  for (let at = slot + 1; at < column.length && isEmpty(slot); at++) {
    if (!isEmpty(at)) {
      if (column[at] === curveBreak) {
        return null;
      }
      break;
    }
  }
  for (let at = slot; at >= 0; at--) {
    if (!isEmpty(at)) {
      return column[at] === curveBreak ? null : column[at];
    }
  }
  return undefined;
}
