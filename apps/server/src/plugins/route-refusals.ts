/**
 * The refusals that a route may answer with. Guards register theirs, routes list those of their rules
 * (`config.refusals`), and the others follow from the route's input. The API's documentation and the tests read them
 * here.
 */
import { type ErrorCode, errorStatus } from '@wirebench/contract';
import type { onRequestAsyncHookHandler, RouteOptions } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Refusals of the route's own rules, beside those of its guards and of its schemas. */
    refusals?: readonly ErrorCode[];
    /** True: callers without a token are answered too. A caller with an invalid token is refused. */
    open?: boolean;
  }
}

/** The properties of a route that the documentation reads. */
export type DescribedRoute = Pick<RouteOptions, 'method' | 'url' | 'schema' | 'config' | 'onRequest'>;

const ofHook = new WeakMap<object, readonly ErrorCode[]>();

/** Registers the codes with which `hook` may refuse a request, and returns the hook. */
export function refusing(hook: onRequestAsyncHookHandler, ...codes: readonly ErrorCode[]): onRequestAsyncHookHandler {
  ofHook.set(hook, codes);
  return hook;
}

/** Returns every code that `route` may answer with, without duplicates, ordered by status. */
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
    // A route with input or guards reads the database.
    ...(takesInput || hooks.length > 0 ? (['database-unavailable', 'disk-full'] as const) : []),
    'internal-error',
  ]);
  return [...codes].sort((one, other) => errorStatus[one] - errorStatus[other]);
}
