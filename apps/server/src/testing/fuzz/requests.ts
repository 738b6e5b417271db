/**
 * Requests for fuzzing, generated from the operations of the API's document: mostly valid, invalid in one place, or
 * in all. `write-request.ts` encodes them. The test checks the answers.
 */
import fc from 'fast-check';
import { type ApiDocument, type ApiOperation, type ApiParameter, refusalCodes } from '../api-document.ts';
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
  const writes = document.operations.filter((operation) => operation.method === 'POST' && !needsRole(operation));
  const isCreating = ({ path }: ApiOperation) => !path.includes('{');
  const writeTo = (operations: readonly ApiOperation[]) =>
    fc.oneof(
      ...operations.map((operation) => ({
        // Forms are the most frequent, since a third of all calls need their results.
        weight: 'multipart/form-data' in operation.requestBody ? 3 : 1,
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
  // Creating calls stay the more frequent ones, however many changing ones the document has.
  return fc.oneof(
    { weight: 3, arbitrary: writeTo(writes.filter(isCreating)) },
    { weight: 2, arbitrary: writeTo(writes.filter((operation) => !isCreating(operation))) },
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

function callerOf(operation: ApiOperation): fc.Arbitrary<Caller> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant('owner' as const) },
    { weight: 4, arbitrary: fc.constant('other' as const) },
    { weight: needsRole(operation) ? 16 : 1, arbitrary: fc.constant('admin' as const) },
    { weight: 2, arbitrary: fc.constantFrom<Caller[]>('token', 'nobody', 'forged', 'expired', 'garbage') },
  );
}

/** Returns true for operations of administrators. Other refusals with 403 depend on the item or the token. */
function needsRole(operation: ApiOperation): boolean {
  return refusalCodes(operation, 403).some((code) => code.endsWith('-access-denied'));
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
