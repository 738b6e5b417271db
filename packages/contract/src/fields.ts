/** Kinds of values that several schemas share. Every message is a sentence, since people get to read the first one. */
import * as z from 'zod/mini';

export const Uuid = z.uuid();

/** ISO 8601 in UTC, to the millisecond. */
export const Timestamp = z.iso.datetime();

export const Count = z.int().check(z.nonnegative());

/**
 * Text that every database can keep: no NUL, which PostgreSQL refuses, and halves of surrogate pairs replaced by U+FFFD, as
 * UTF-8 would. `message` answers anything that is not text.
 */
export function plainText(message: string) {
  return z.string(message).check(
    z.refine((text) => !text.includes('\u0000'), 'Text cannot contain a NUL character'),
    z.overwrite((text) => text.toWellFormed()),
  );
}

/** Text that people are shown in one line: trimmed, not empty, without control characters. `empty` answers a missing one. */
export function singleLine(name: string, empty: string, maxLength: number) {
  return plainText(empty).check(
    z.trim(),
    z.minLength(1, empty),
    z.maxLength(maxLength, `${name} cannot exceed ${maxLength} characters`),
    z.refine((text) => !/\p{Cc}/u.test(text), `${name} cannot contain control characters`),
  );
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

/** A chip as whoever reports something calls it. */
export const ChipLabel = z.string(chipText).check(z.regex(/^[A-Za-z\d][\w ./()+-]{0,39}$/, chipText));
