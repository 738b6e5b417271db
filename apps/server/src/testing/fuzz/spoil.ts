/** Ways to make a valid body invalid. */
import fc from 'fast-check';
import { wrongValue } from './values.ts';

/** @param at Selects the field, if one is needed. */
export type Spoil = (body: unknown, at: number) => unknown;

/** Ways to spoil one place of a body: a field missing, of another type, or with an unknown name. */
export const spoil: fc.Arbitrary<Spoil> = fc.oneof(
  fc.constant<Spoil>((body, at) => changeField(body, at, () => [])),
  wrongValue.map(
    (value): Spoil =>
      (body, at) =>
        changeField(body, at, ([name]) => [[name, value]]),
  ),
  fc
    .tuple(
      fc.constantFrom('_id', 'publisher', 'rating', 'shareId', 'isPublic', 'createdAt', 'owner', 'id', 'extra'),
      wrongValue,
    )
    .map(
      ([name, value]): Spoil =>
        (body) =>
          isRecord(body) ? { ...body, [name]: value } : body,
    ),
);

function changeField(
  body: unknown,
  at: number,
  change: (field: [string, unknown]) => readonly (readonly [string, unknown])[],
): unknown {
  if (!isRecord(body)) {
    return body;
  }
  const fields = Object.entries(body);
  const chosen = fields[at % Math.max(1, fields.length)];
  return Object.fromEntries(fields.flatMap((field) => (field === chosen ? change(field) : [field])));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
