/**
 * Registry of the framings. Settings, forms and the documentation page take the rest from each definition. The recipe
 * for a new framing is in CONTRIBUTING.md.
 */
import { cobsFraming } from './cobs.ts';
import { delimiterFraming } from './delimiter.ts';
import { fixedLengthFraming } from './fixed-length.ts';
import { type AnyFraming, type FramingOptions, optionFailure } from './framing-definition.ts';
import { gapFraming } from './gap.ts';
import { hdlcFraming } from './hdlc.ts';
import { lengthPrefixFraming } from './length-prefix.ts';
import { newlineFraming } from './newline.ts';
import { newlineOrGapFraming } from './newline-or-gap.ts';
import { slipFraming } from './slip.ts';
import type { Splitter } from './splitter.ts';

const definitions = {
  newline: newlineFraming,
  gap: gapFraming,
  'newline-or-gap': newlineOrGapFraming,
  delimiter: delimiterFraming,
  'fixed-length': fixedLengthFraming,
  cobs: cobsFraming,
  slip: slipFraming,
  hdlc: hdlcFraming,
  'length-prefix': lengthPrefixFraming,
};

export type FramingName = keyof typeof definitions;

/** A framing and its options: plain data that can be stored and sent to a worker. */
export type Framing = {
  [Name in FramingName]: { readonly name: Name; readonly options: (typeof definitions)[Name]['defaults'] };
}[FramingName];

export const framings: Readonly<Record<FramingName, AnyFraming>> = definitions;
export const framingNames = Object.keys(definitions) as readonly FramingName[];
export const defaultFraming: Framing = { name: 'newline', options: {} };

/**
 * Creates the splitter of a framing.
 *
 * @throws RangeError for options that the framing does not take.
 */
export function splitterOf({ name, options }: Framing): Splitter {
  const given: FramingOptions = options;
  for (const [option, field] of Object.entries(framings[name].fields)) {
    const failure = optionFailure(field, given[option]);
    if (failure !== null) {
      throw new RangeError(failure);
    }
  }
  return framings[name].splitter(given);
}

/**
 * Returns the framing `name` with those of `options` that it takes, and its defaults for the others.
 *
 * @param options Any stored or chosen options.
 */
export function framingWith(name: FramingName, options: Readonly<Record<string, unknown>> = {}): Framing {
  const { fields, defaults } = framings[name];
  const taken = Object.entries(fields).map(([option, field]) => [
    option,
    optionFailure(field, options[option]) === null ? options[option] : defaults[option],
  ]);
  return { name, options: Object.fromEntries(taken) } as Framing;
}

/** Returns true if rows show the decoded content of this framing's frames. */
export function showsDecoded(name: FramingName): boolean {
  return splitterOf(framingWith(name)).decode !== null;
}

/** Returns the framing's name; null if `value` names no framing. */
export function framingNamed(value: unknown): FramingName | null {
  return framingNames.find((name) => name === value) ?? null;
}
