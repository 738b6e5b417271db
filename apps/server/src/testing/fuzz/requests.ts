/**
 * Requests for fuzzing, made from the operations of the API's document: mostly right, wrong in one place or in all of them.
 * Knows how to write a request, not what should come back.
 */
import fc from 'fast-check';
import type { ApiDocument, ApiOperation, ApiParameter } from '../api-document.ts';
import { type KnownIds, kindOfParameter, knownId } from './known-ids.ts';
import { anyParts, type MultipartPart, multipartBody, rightParts } from './multipart.ts';
import { allowedValue, type Hints, nastyText, withKnownIds, wrongValue } from './values.ts';

/** Whose token goes along. */
export type Caller = 'owner' | 'other' | 'admin' | 'token' | 'nobody' | 'forged' | 'expired' | 'garbage';

export interface FuzzRequest {
  /** Method and path of the operation, as `operationName` writes them. */
  readonly to: string;
  readonly caller: Caller;
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: readonly (readonly [name: string, value: unknown])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: FuzzBody;
}

type FuzzBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown; readonly type: string }
  | { readonly kind: 'text'; readonly text: string; readonly type: string }
  | { readonly kind: 'multipart'; readonly parts: readonly MultipartPart[]; readonly whole: boolean };

export interface WrittenRequest {
  readonly method: ApiOperation['method'];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string | Buffer;
}

export function operationName({ method, path }: ApiOperation): string {
  return `${method} ${path}`;
}

/** Requests to any operation of `document`. */
export function requests(document: ApiDocument, hints: Hints): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(
    ...document.operations.map((operation) => ({
      // Writes and reads of single records have more to go wrong.
      weight: operation.method === 'GET' && !operation.path.includes('{') ? 1 : 3,
      arbitrary: requestTo(operation, document, hints),
    })),
  );
}

/** Writes by the owner, each as it should be: what later requests then find. */
export function preparations(document: ApiDocument, hints: Hints): fc.Arbitrary<FuzzRequest> {
  const writes = document.operations.filter(({ method }) => method === 'POST');
  return fc.oneof(
    ...writes.map((operation) => ({
      // What makes things first, then what changes them.
      weight: operation.path.includes('{') ? 1 : 3,
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
    body: bodyOf(operation, document, hints),
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

function rightBody({ requestBody }: ApiOperation, document: ApiDocument, hints: Hints): fc.Arbitrary<FuzzBody> {
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

function bodyOf({ requestBody }: ApiOperation, document: ApiDocument, hints: Hints): fc.Arbitrary<FuzzBody> {
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

type Spoil = (body: unknown, at: number) => unknown;

/** Ways to make a body wrong in one place: a field gone, of another type, or of a name that nobody asked for. */
const spoil: fc.Arbitrary<Spoil> = fc.oneof(
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

/** `request` as it goes out, with ids that earlier answers gave in place of the placeholders. */
export function writeRequest(
  request: FuzzRequest,
  { method, path: pattern }: ApiOperation,
  ids: KnownIds,
  authorization: string | null,
): WrittenRequest {
  const { query } = request;
  const text = (value: unknown) => {
    const known = withKnownIds(value, ids);
    return (typeof known === 'string' ? known : JSON.stringify(known)).toWellFormed();
  };
  const path = pattern.replace(/\{([^}]+)\}/g, (_all, name: string) => encodeURIComponent(text(request.path[name])));
  const search = query
    .map(([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(text(value))}`)
    .join('&');
  const { payload, type } = writeBody(request.body, ids);
  return {
    method,
    url: search === '' ? path : `${path}?${search}`,
    headers: {
      ...request.headers,
      ...(authorization === null ? {} : { authorization }),
      ...(type === undefined ? {} : { 'content-type': type }),
    },
    ...(payload === undefined ? {} : { payload }),
  };
}

function writeBody(body: FuzzBody, ids: KnownIds): { payload: string | Buffer | undefined; type: string | undefined } {
  switch (body.kind) {
    case 'none':
      return { payload: undefined, type: undefined };
    case 'json':
      return { payload: JSON.stringify(withKnownIds(body.value, ids)), type: body.type };
    case 'text':
      return { payload: body.text, type: body.type };
    case 'multipart':
      return multipartBody(withKnownIds(body.parts, ids) as readonly MultipartPart[], body.whole);
  }
}
