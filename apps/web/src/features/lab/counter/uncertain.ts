/** Formats a frequency or a time with its unit and its uncertainty. Digits beyond the uncertainty are not written. */

export interface Quantity {
  /** Number as text: `1.00000`. */
  readonly value: string;
  /** In the same unit: `0.00001`. */
  readonly uncertainty: string;
  readonly unit: string;
}

type Scale = readonly (readonly [unit: string, size: number])[];

/** Sorted from the largest unit. */
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
/** Maximum number of decimals. */
const maxDecimals = 9;

/** @param uncertainty In nanoseconds, above 0. */
export function timeOf(nanoseconds: number, uncertainty: number): Quantity {
  return quantityOf(nanoseconds, uncertainty, times);
}

/**
 * Formats the frequency of a period, which is in nanoseconds.
 * @param uncertainty Uncertainty of the period in nanoseconds, above 0.
 */
export function frequencyOf(period: number, uncertainty: number): Quantity {
  const hertz = 1e9 / period;
  return quantityOf(hertz, (hertz * uncertainty) / period, frequencies);
}

function quantityOf(value: number, uncertainty: number, scale: Scale): Quantity {
  const [unit, size] = scale.find(([, least]) => value >= least) ?? scale.at(-1) ?? ['', 1];
  const scaled = uncertainty / size;
  // The uncertainty has one digit and is rounded up, so that it is never understated.
  const decimals = Math.min(maxDecimals, Math.max(0, Math.ceil(-Math.log10(scaled))));
  const step = 10 ** -decimals;
  return {
    value: (value / size).toFixed(decimals),
    uncertainty: (Math.ceil(scaled / step - 1e-9) * step).toFixed(decimals),
    unit,
  };
}
