/**
 * Scaling by decimal factors as they are written in a file. `3841 × 0.1` in binary floating point is 384.1 only by
 * luck, so numbers are scaled as whole numbers and divided once by a power of ten.
 */

/** A scale `(raw × factor + offset) / 10^places`, with whole numbers. */
export interface DecimalScale {
  readonly factor: bigint;
  readonly offset: bigint;
  /** The same as doubles. */
  readonly factorNumber: number;
  readonly offsetNumber: number;
  /** Digits behind the decimal point, 0 to 60. */
  readonly places: number;
  /** Steps from the raw number to the value, in words; null if the raw number is the value. */
  readonly how: string | null;
}

/** Most digits behind the point, and most zeros before it. More are no scale of a sensor. */
const MAX_PLACES = 60;

interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

/** Parses `-12.50e3`. Returns null for text that is no number, and for more than 60 digits on either side. */
function parseDecimal(text: string): Decimal | null {
  const match = /^([+-]?)(\d{0,60})(?:\.(\d{0,60}))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text.trim());
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match ?? [];
  if (match === null || whole.length + fraction.length === 0) {
    return null;
  }
  const trimmed = fraction.replace(/0+$/, '');
  const places = trimmed.length - Number(exponent);
  if (places > MAX_PLACES || places < -MAX_PLACES) {
    return null;
  }
  const digits = BigInt(`${whole}${trimmed}`) * (sign === '-' ? -1n : 1n);
  return places >= 0 ? { digits, places } : { digits: digits * 10n ** BigInt(-places), places: 0 };
}

/** @returns null if one of the texts is no decimal number, or is beyond 60 digits. */
export function parseScale(factorText: string, offsetText: string): DecimalScale | null {
  const factor = parseDecimal(factorText);
  const offset = parseDecimal(offsetText);
  if (factor === null || offset === null) {
    return null;
  }
  const places = Math.max(factor.places, offset.places);
  const widen = ({ digits, places: own }: Decimal) => digits * 10n ** BigInt(places - own);
  const whole = { factor: widen(factor), offset: widen(offset) };
  const numbers = { factorNumber: Number(whole.factor), offsetNumber: Number(whole.offset) };
  return { ...whole, ...numbers, places, how: describe(factor, offset) };
}

function describe(factor: Decimal, offset: Decimal): string | null {
  const parts: string[] = [];
  if (factor.digits === 1n && factor.places > 0) {
    parts.push(`divided by ${10n ** BigInt(factor.places)}`);
  } else if (factor.digits !== 1n) {
    parts.push(`times ${decimalText(factor)}`);
  }
  if (offset.digits !== 0n) {
    const size = { digits: offset.digits < 0n ? -offset.digits : offset.digits, places: offset.places };
    parts.push(`${offset.digits < 0n ? 'minus' : 'plus'} ${decimalText(size)}`);
  }
  return parts.length === 0 ? null : parts.join(', ');
}

function decimalText({ digits, places }: Decimal): string {
  const sign = digits < 0n ? '-' : '';
  const text = String(digits < 0n ? -digits : digits).padStart(places + 1, '0');
  return places === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -places)}.${text.slice(-places)}`;
}

/** Powers of ten that a double represents exactly. */
const exactPowers = Array.from({ length: 23 }, (_, power) => 10 ** power);

/** @returns the double nearest to the exact decimal result. */
export function scaleToNumber(scale: DecimalScale, raw: number | bigint): number {
  const power = exactPowers[scale.places];
  if (typeof raw === 'number' && power !== undefined) {
    // Below 2^53, product and sum of whole numbers are exact, and a single division rounds correctly.
    const product = raw * scale.factorNumber;
    const sum = product + scale.offsetNumber;
    if (Math.abs(product) < 2 ** 53 && Math.abs(sum) < 2 ** 53 && Math.abs(scale.offsetNumber) < 2 ** 53) {
      return sum / power;
    }
  }
  return Number(`${BigInt(raw) * scale.factor + scale.offset}e-${scale.places}`);
}

/** @returns the exact result of a scale without digits behind the point. */
export function scaleToWhole(scale: DecimalScale, raw: bigint): bigint {
  return raw * scale.factor + scale.offset;
}

/** @returns `raw × factor + offset` in doubles, for numbers that were no whole ones before. */
export function scaleFloat(scale: DecimalScale, raw: number): number {
  return scale.how === null
    ? raw
    : raw * Number(`${scale.factor}e-${scale.places}`) + Number(`${scale.offset}e-${scale.places}`);
}
