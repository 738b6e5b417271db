/** A generated request in the form that is sent. */
import type { ApiOperation } from '../api-document.ts';
import type { FuzzBody } from './bodies.ts';
import type { KnownIds } from './known-ids.ts';
import { type MultipartPart, multipartBody } from './multipart.ts';
import type { FuzzRequest } from './requests.ts';
import { withKnownIds } from './values.ts';

export interface WrittenRequest {
  readonly method: ApiOperation['method'];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string | Buffer;
}

/** Encodes `request`, with placeholders replaced by ids of earlier answers. */
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
