/**
 * Requests for fuzzing, generated from the operations of the API's document: mostly valid, invalid in one place, or
 * in all. `write-request.ts` encodes them. The test checks the answers.
 */
import fc from 'fast-check';
import type { ApiDocument, ApiOperation, ApiParameter } from '../api-document.ts';
import { anyBody, type FuzzBody, rightBody } from './bodies.ts';
import { kindOfParameter, knownId } from './known-ids.ts';
import { allowedValue, type Hints, nastyText, wrongValue } from './values.ts';

/** The owner of the request's token. */
export type Caller = 'owner' | 'other' | 'admin' | 'token' | 'nobody' | 'forged' | 'expired' | 'garbage';

export interface FuzzRequest {
  /** Method and path of the operation, as in `operationName`. */
  readonly to: string;
  readonly caller: Caller;
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: readonly (readonly [name: string, value: unknown])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: FuzzBody;
}

export function operationName({ method, path }: ApiOperation): string {
  return `${method} ${path}`;
}

/** Generates requests to any operation of `document`. */
export function requests(document: ApiDocument, hints: Hints): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(
    ...document.operations.map((operation) => ({
      // Writes and reads of single records have more possible faults.
      weight: operation.method === 'GET' && !operation.path.includes('{') ? 1 : 3,
      arbitrary: requestTo(operation, document, hints),
    })),
  );
}

/** Generates valid writes of the owner, which create items for later requests. */
export function preparations(document: ApiDocument, hints: Hints): fc.Arbitrary<FuzzRequest> {
  const writes = document.operations.filter(({ method }) => method === 'POST');
  return fc.oneof(
    ...writes.map((operation) => ({
      // Creating calls are more frequent than changing ones. Forms are the most frequent, since a third of all calls
      // need their results.
      weight: operation.path.includes('{') ? 1 : 'multipart/form-data' in operation.requestBody ? 8 : 3,
      arbitrary: fc.record({
        to: fc.constant(operationName(operation)),
        caller: fc.constant('owner' as const),
        path: pathOf(operation, (name) => knownId(kindOfParameter(operation.path, name))),
        query: fc.constant([]),
        headers: fc.constant({}),
        body: rightBody(operation, document, hints),
      }),
    })),
  );
}

type PathValues = Readonly<Record<string, unknown>>;

function pathOf(
  { parameters }: ApiOperation,
  value: (name: string) => fc.Arbitrary<unknown>,
): fc.Arbitrary<PathValues> {
  const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  return fc.record(Object.fromEntries(names.map((name) => [name, value(name)])));
}

function requestTo(operation: ApiOperation, document: ApiDocument, hints: Hints): fc.Arbitrary<FuzzRequest> {
  const { schemas } = document.components;
  const value = ({ schema, name }: ApiParameter) =>
    fc.oneof(
      { weight: 5, arbitrary: allowedValue(schema, schemas, hints, name) },
      { weight: 1, arbitrary: wrongValue },
    );
  const pathParameter = (name: string) =>
    fc.oneof(
      { weight: 9, arbitrary: knownId(kindOfParameter(operation.path, name)) },
      { weight: 1, arbitrary: nastyText },
    );
  const named = (place: ApiParameter['in']) => operation.parameters.filter((parameter) => parameter.in === place);
  const query = named('query').map((parameter) =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 4, arbitrary: value(parameter).map((one) => [[parameter.name, one] as const]) },
      {
        weight: 1,
        arbitrary: fc
          .array(wrongValue, { maxLength: 3 })
          .map((all) => all.map((one) => [parameter.name, one] as const)),
      },
    ),
  );
  return fc.record({
    to: fc.constant(operationName(operation)),
    caller: callerOf(operation),
    path: pathOf(operation, pathParameter),
    query: fc.tuple(...query, strangeQuery).map((parts) => parts.flat()),
    headers: strangeHeaders,
    body: anyBody(operation, document, hints),
  });
}

function callerOf({ responses }: ApiOperation): fc.Arbitrary<Caller> {
  const mayNeedRole = responses[403] !== undefined;
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant('owner' as const) },
    { weight: 4, arbitrary: fc.constant('other' as const) },
    { weight: mayNeedRole ? 16 : 1, arbitrary: fc.constant('admin' as const) },
    { weight: 2, arbitrary: fc.constantFrom<Caller[]>('token', 'nobody', 'forged', 'expired', 'garbage') },
  );
}

const strangeQuery: fc.Arbitrary<readonly (readonly [string, unknown])[]> = fc.oneof(
  { weight: 8, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(fc.tuple(nastyText, nastyText), { maxLength: 3 }) },
);

const strangeHeaders: fc.Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Readonly<Record<string, string>>>(
      { range: 'bytes=0-0' },
      { range: 'bytes=5-2' },
      { range: 'bytes=-1,0-,x' },
      { 'if-none-match': '*' },
      { 'if-none-match': '"nothing"' },
      { 'if-modified-since': 'never' },
      { accept: 'image/*;q=x' },
      { accept: 'text/html' },
      { 'accept-encoding': 'br;q=1, *;q=0' },
      { origin: 'https://elsewhere.example' },
      { 'x-forwarded-for': '::1, nonsense' },
      { cookie: 'a=b; =; c' },
      { 'content-encoding': 'gzip' },
      { expect: '200-ok' },
    ),
  },
);
