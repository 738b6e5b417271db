/** Valid and invalid request bodies for fuzzing. */
import fc from 'fast-check';
import type { ApiDocument, ApiOperation } from '../api-document.ts';
import { anyParts, type MultipartPart, rightParts } from './multipart.ts';
import { spoil } from './spoil.ts';
import { allowedValue, type Hints, nastyText, wrongValue } from './values.ts';

export type FuzzBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown; readonly type: string }
  | { readonly kind: 'text'; readonly text: string; readonly type: string }
  | { readonly kind: 'multipart'; readonly parts: readonly MultipartPart[]; readonly whole: boolean };

/** Generates a body that the operation accepts. */
export function rightBody({ requestBody }: ApiOperation, document: ApiDocument, hints: Hints): fc.Arbitrary<FuzzBody> {
  const { schemas } = document.components;
  const form = requestBody['multipart/form-data']?.schema;
  const json = requestBody['application/json']?.schema;
  if (form === undefined && json === undefined) {
    return fc.constant({ kind: 'none' as const });
  }
  return form === undefined
    ? fc.record({
        kind: fc.constant('json' as const),
        value: allowedValue(json ?? {}, schemas, hints),
        type: fc.constant('application/json'),
      })
    : fc.record({
        kind: fc.constant('multipart' as const),
        parts: rightParts(form, schemas, hints),
        whole: fc.constant(true),
      });
}

/** Generates a body that is valid, invalid in some place, or of a wrong kind. */
export function anyBody({ requestBody }: ApiOperation, document: ApiDocument, hints: Hints): fc.Arbitrary<FuzzBody> {
  const { schemas } = document.components;
  const none = fc.constant({ kind: 'none' as const });
  const json = requestBody['application/json']?.schema;
  const form = requestBody['multipart/form-data']?.schema;
  const strange = fc.oneof(
    none,
    fc.record({ kind: fc.constant('json' as const), value: wrongValue, type: contentType }),
    fc.record({ kind: fc.constant('text' as const), text: nastyText, type: contentType }),
  );
  if (form !== undefined) {
    const parts = anyParts(form, schemas, hints);
    const multipart = fc.record({ kind: fc.constant('multipart' as const), parts, whole: mostlyTrue });
    return fc.oneof({ weight: 8, arbitrary: multipart }, { weight: 1, arbitrary: strange });
  }
  if (json === undefined) {
    return fc.oneof({ weight: 8, arbitrary: none }, { weight: 1, arbitrary: strange });
  }
  const right = allowedValue(json, schemas, hints);
  const wrongSomewhere = fc.tuple(right, fc.array(fc.tuple(fc.nat(20), spoil), { minLength: 1, maxLength: 2 }));
  const value = fc.oneof(
    { weight: 6, arbitrary: right },
    {
      weight: 4,
      arbitrary: wrongSomewhere.map(([body, spoils]) => spoils.reduce((one, [at, how]) => how(one, at), body)),
    },
  );
  const jsonType = fc.constant('application/json');
  return fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('json' as const), value, type: jsonType }) },
    { weight: 1, arbitrary: strange },
  );
}

const mostlyTrue = fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) });

const contentType = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-16',
  'application/json;charset="',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  '',
);
