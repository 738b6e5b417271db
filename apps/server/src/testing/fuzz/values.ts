/**
 * Values for fuzzing: those that a JSON schema allows, and those that no careful client sends. Only the parts of JSON
 * Schema that the API's document uses are supported.
 */
import fc from 'fast-check';
import type { JsonSchema } from '../api-document.ts';
import type { KnownIds } from './known-ids.ts';

export type Schemas = Readonly<Record<string, JsonSchema>>;

/** Acceptable values by field name, for fields whose schema has a type but no further rules. */
export type Hints = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Text that has broken parsers, file systems, databases, headers and pages. */
export const nastyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '%',
    '%00',
    '_',
    '\\',
    "' or 1=1 --",
    '"; drop table feedback; --',
    '../../../etc/passwd',
    '..\\..\\windows',
    '%2e%2e%2f',
    'a\r\nset-cookie: b=c',
    '<script>alert(1)</script>',
    '{{7*7}}',
    '=1+1',
    '__proto__',
    'constructor',
    'null',
    'NaN',
    '-1',
    '1e309',
    '0x',
    '٣',
    'İ',
    'ﬀ',
    '👩‍🔧',
    'x'.repeat(300),
    'x'.repeat(70_000),
    '[',
    '{"a":',
    '*',
    'AND OR NOT NEAR(',
    '"unclosed',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);

/** Any JSON value, in place of the expected one. */
export const wrongValue: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  fc.constantFrom(null, true, false, 0, -1, 1.5, 1e21, 2 ** 53, [], {}, [[]], [null], { length: 1 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constant(nested(200)),
);

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) {
    value = [value];
  }
  return value;
}

/** Generates values that `schema` allows. Those of a field with a hint for its `name` mostly come from the hint. */
export function allowedValue(schema: JsonSchema, schemas: Schemas, hints: Hints, name = ''): fc.Arbitrary<unknown> {
  const hint = 'type' in schema ? hints[name] : undefined;
  const byType = valueOfType(schema, schemas, hints, name);
  return hint === undefined ? byType : fc.oneof({ weight: 20, arbitrary: hint }, { weight: 1, arbitrary: byType });
}

/** Returns the schema that `schema` refers to, or itself. */
export function resolved(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const { $ref } = schema as { $ref?: string };
  return $ref === undefined ? schema : resolved(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas);
}

function valueOfType(schema: JsonSchema, schemas: Schemas, hints: Hints, name: string): fc.Arbitrary<unknown> {
  const {
    $ref,
    enum: options,
    anyOf,
    oneOf,
    allOf,
  } = schema as {
    $ref?: string;
    enum?: unknown[];
    anyOf?: JsonSchema[];
    oneOf?: JsonSchema[];
    allOf?: JsonSchema[];
  };
  if ($ref !== undefined) {
    return allowedValue(resolved(schema, schemas), schemas, hints);
  }
  if ('const' in schema) {
    return fc.constant(schema['const']);
  }
  if (options !== undefined) {
    return fc.constantFrom(...options);
  }
  const branches = anyOf ?? oneOf;
  if (branches !== undefined) {
    // A field that may be null has its hint too.
    const nameOf = (branch: JsonSchema) => (branch['type'] === 'null' ? '' : name);
    return fc.oneof(...branches.map((branch) => allowedValue(branch, schemas, hints, nameOf(branch))));
  }
  if (allOf !== undefined) {
    return allowedValue(Object.assign({}, ...allOf), schemas, hints);
  }
  return ofType(schema, schemas, hints);
}

function ofType(schema: JsonSchema, schemas: Schemas, hints: Hints): fc.Arbitrary<unknown> {
  const { minimum, maximum, exclusiveMaximum, maxItems, items } = schema as Readonly<Record<string, number>> & {
    items?: JsonSchema;
  };
  switch ([schema['type']].flat()[0]) {
    case 'string':
      return textFor(schema);
    case 'integer':
      return fc.integer({ min: bound(minimum, 0), max: bound(maximum ?? exclusiveMaximum, 1_000) });
    case 'number':
      return fc.double({ min: minimum ?? 0, max: maximum ?? 1_000, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(allowedValue(items ?? {}, schemas, hints), { maxLength: Math.min(maxItems ?? 4, 4) });
    case 'object':
      return objectFor(schema, schemas, hints);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function bound(value: number | undefined, otherwise: number): number {
  return Math.max(-1_000_000, Math.min(1_000_000, value ?? otherwise));
}

function textFor(schema: JsonSchema): fc.Arbitrary<unknown> {
  const {
    format,
    minLength = 0,
    maxLength = 60,
  } = schema as { format?: string; minLength?: number; maxLength?: number };
  if (format === 'uuid') {
    return fc.uuid();
  }
  if (format === 'date-time') {
    return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  }
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) });
}

function objectFor(schema: JsonSchema, schemas: Schemas, hints: Hints): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema as { properties?: Schemas; required?: string[] };
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, allowedValue(property, schemas, hints, name)]),
  );
  return fc.record(model, { requiredKeys: required.filter((name) => name in model) });
}

/** Returns `value` with every placeholder replaced by an id of `ids`. */
export function withKnownIds(value: unknown, ids: KnownIds): unknown {
  if (Array.isArray(value)) {
    return value.map((entry) => withKnownIds(entry, ids));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if ('knownId' in value && typeof value.knownId === 'number' && 'kind' in value && typeof value.kind === 'string') {
    return ids.pick({ kind: value.kind, knownId: value.knownId });
  }
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, withKnownIds(entry, ids)]));
}
