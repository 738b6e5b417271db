/**
 * Which refusals a route may end in. Guards note theirs where they are made, routes name what their rules add
 * (`config.refusals`), and the rest follows from what the route takes; the API's documentation and the tests read it here.
 */
import { type ErrorCode, errorStatus } from '@wirebench/contract';
import type { onRequestAsyncHookHandler, RouteOptions } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Refusals of the route's own rules, beside those of its guards and of its schemas. */
    refusals?: readonly ErrorCode[];
    /** Answers callers without a token too; one with a token that is no good is refused. */
    open?: boolean;
  }
}

/** What the documentation looks at. */
export type DescribedRoute = Pick<RouteOptions, 'method' | 'url' | 'schema' | 'config' | 'onRequest'>;

const ofHook = new WeakMap<object, readonly ErrorCode[]>();

/** Notes that `hook` may refuse a request with these codes, and returns it. */
export function refusing(hook: onRequestAsyncHookHandler, ...codes: readonly ErrorCode[]): onRequestAsyncHookHandler {
  ofHook.set(hook, codes);
  return hook;
}

/** Every code that `route` may answer with, each once, ordered by status. */
export function refusalsOf(route: DescribedRoute): readonly ErrorCode[] {
  const { schema, config } = route;
  const hooks = [route.onRequest ?? []].flat();
  const takesBody = schema?.body !== undefined || schema?.consumes !== undefined;
  const takesInput = takesBody || schema?.querystring !== undefined || schema?.params !== undefined;
  const codes = new Set<ErrorCode>([
    ...(takesInput ? (['invalid-request'] as const) : []),
    ...hooks.flatMap((hook) => ofHook.get(hook) ?? []),
    ...(config?.refusals ?? []),
    ...(takesBody ? (['body-too-large', 'unsupported-media-type'] as const) : []),
    // Whatever asks who calls or what for has to look it up.
    ...(takesInput || hooks.length > 0 ? (['database-unavailable', 'disk-full'] as const) : []),
    'internal-error',
  ]);
  return [...codes].sort((one, other) => errorStatus[one] - errorStatus[other]);
}
