/**
 * Kinds of values that several schemas share. Every message is a sentence, because the first one is shown to people.
 */
import * as z from 'zod/mini';
import { type SingleLineFault, singleLineFault, singleLineText } from './single-line.ts';

export const Uuid = z.uuid();

/** ISO 8601 in UTC, with milliseconds. */
export const Timestamp = z.iso.datetime();

export const Count = z.int().check(z.nonnegative());

/**
 * Text that every database can store. NUL is refused, because PostgreSQL refuses it. Lone surrogates are replaced by
 * U+FFFD, as in UTF-8.
 *
 * @param message Answer to a value that is not text.
 */
export function plainText(message: string) {
  return z.string(message).check(
    z.refine((text) => !text.includes('\u0000'), 'Text cannot contain a NUL character'),
    z.overwrite((text) => text.toWellFormed()),
  );
}

/**
 * Text that is shown in one line (`single-line.ts`), and may be empty.
 *
 * @param message Answer to a value that is not text.
 */
export function emptyOrSingleLine(name: string, message: string, maxLength: number) {
  const sentence = (fault: SingleLineFault) => singleLineText(name, fault, maxLength);
  const isWithout = (fault: SingleLineFault) => (text: string) => singleLineFault(text, maxLength) !== fault;
  return plainText(message).check(
    z.trim(),
    z.maxLength(maxLength, sentence('long')),
    z.refine(isWithout('control'), sentence('control')),
    z.refine(isWithout('invisible'), sentence('invisible')),
    z.refine((text) => text.length > maxLength || isWithout('long')(text), sentence('long')),
  );
}

/**
 * Text that is shown in one line, and not empty.
 *
 * @param empty Answer to a missing or empty text.
 */
export function singleLine(name: string, empty: string, maxLength: number) {
  return emptyOrSingleLine(name, empty, maxLength).check(z.minLength(1, empty));
}

/** A whole number in a query string, where everything is text. Both bounds are included. */
export function wholeNumber(name: string, minimum: number, maximum: number) {
  const message = `${name} must be a whole number from ${minimum} to ${maximum}`;
  return z.coerce.number(message).check(z.int(message), z.minimum(minimum, message), z.maximum(maximum, message));
}

/** A time zone that this runtime knows, by its IANA name. */
export const timeZone = z
  .string('timeZone must be an IANA time zone name')
  .check(z.refine(isTimeZone, 'timeZone must be an IANA time zone name'));

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) {
      return false;
    }
    throw error;
  }
}

const chipText = 'chip must be the name of a chip, such as ESP32-C3';

/** Name of a chip as the reporting client writes it. */
export const ChipLabel = z.string(chipText).check(z.regex(/^[A-Za-z\d][\w ./()+-]{0,39}$/, chipText));
