/** A frequency or a time with its unit, and how well it is known: no digit is written that the measurement does not carry. */

export interface Quantity {
  /** `1.00000`. */
  readonly value: string;
  /** `0.00001`, in the same unit. */
  readonly uncertainty: string;
  readonly unit: string;
}

type Scale = readonly (readonly [unit: string, size: number])[];

/** From the largest on. */
const times: Scale = [
  ['s', 1e9],
  ['ms', 1e6],
  ['µs', 1e3],
  ['ns', 1],
];
const frequencies: Scale = [
  ['MHz', 1e6],
  ['kHz', 1e3],
  ['Hz', 1],
];
/** Digits behind the point that anybody reads. */
const mostDecimals = 9;

/** @param nanoseconds and their uncertainty, above 0 */
export function timeOf(nanoseconds: number, uncertainty: number): Quantity {
  return quantityOf(nanoseconds, uncertainty, times);
}

/** Of a period in nanoseconds. @param uncertainty of the period, above 0 */
export function frequencyOf(period: number, uncertainty: number): Quantity {
  const hertz = 1e9 / period;
  return quantityOf(hertz, (hertz * uncertainty) / period, frequencies);
}

function quantityOf(value: number, uncertainty: number, scale: Scale): Quantity {
  const [unit, size] = scale.find(([, least]) => value >= least) ?? scale.at(-1) ?? ['', 1];
  const scaled = uncertainty / size;
  // One digit of the uncertainty, rounded up: what is said is never better than what is known.
  const decimals = Math.min(mostDecimals, Math.max(0, Math.ceil(-Math.log10(scaled))));
  const step = 10 ** -decimals;
  return {
    value: (value / size).toFixed(decimals),
    uncertainty: (Math.ceil(scaled / step - 1e-9) * step).toFixed(decimals),
    unit,
  };
}
