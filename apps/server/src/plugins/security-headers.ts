/**
 * Security headers of all answers, in one table by kind of answer: content policy, framing, and whether a popup keeps
 * its opener. Cache rules are set where the lifetime of an answer is known.
 */
import { apiPaths, sharedFirmwareRoot, staticPages } from '@wirebench/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pageContentPolicy } from '../identity/embedded/pages.ts';
import type { ProviderOrigins } from '../identity/provider-description.ts';
import { pathOf } from './navigation.ts';

/**
 * `app`: the product's documents and their files. `callback`: pages at the end of a popup's redirects, which need
 * their opener. `framed`: pages that the app frames. `api`: JSON. `shared`: answers that pages of any origin may
 * read. `embedded`: the flash button, which pages of any origin load. `loader`: the worker that loads manifests of any
 * host. `docs`: the API's documentation. `provider` and `status-frame`: the embedded provider's pages.
 */
type AnswerKind =
  | 'app'
  | 'callback'
  | 'framed'
  | 'api'
  | 'shared'
  | 'embedded'
  | 'loader'
  | 'docs'
  | 'provider'
  | 'status-frame';

export interface SecurityOptions {
  readonly publicUrl: string;
  /** Returns the origins of the identity provider. It returns a new object when they change. */
  readonly providerOrigins: () => ProviderOrigins;
  /** True: browsers have to use https for sub-domains as well. */
  readonly hstsSubdomains: boolean;
  /** Origin of the API that the web app calls. */
  readonly apiOrigin: string;
  /** Origin of the file store if browsers load files from it; otherwise null. */
  readonly storeOrigin: string | null;
  /** Path of the embedded provider's realm, and of its login-status frame; null with another provider. */
  readonly embedded: { readonly realm: string; readonly loginStatusFrame: string } | null;
}

/** For answers that are not pages: browsers must not interpret them as anything else. */
const inert = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

/** Headers of an answer to a request that reaches no route and no hook. */
export const headersWithoutRoute = { ...inert, 'referrer-policy': 'same-origin' };

/** Headers that let pages of any origin read an answer. */
export const crossOriginHeaders = {
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'accept-ranges, content-disposition, content-range, etag, retry-after',
};

/** Adds the headers to every answer. */
export function addSecurityHeaders(app: FastifyInstance, options: SecurityOptions): void {
  let origins = options.providerOrigins();
  let table = headerTable(options, origins);
  app.addHook('onRequest', (request, reply, done) => {
    if (options.providerOrigins() !== origins) {
      origins = options.providerOrigins();
      table = headerTable(options, origins);
    }
    const kind = kindOf(request, options);
    reply.headers(table[kind]);
    if (kind === 'shared' && request.method === 'OPTIONS') {
      reply.code(204).headers(preflight).send();
      return;
    }
    done();
  });
}

/** Script of the worker that loads a manifest and the files of a build. The build of the web app names it. */
const loaderScript = /^\/assets\/manifest-loader\.worker-[\w-]+\.js$/;

/** Hosts that browsers trust over http, also from a page over https (W3C Secure Contexts, section 3.1). */
const loopback = 'http://localhost:* http://127.0.0.1:* http://[::1]:*';

/**
 * Answer to a browser's preflight request, before a page of another origin sends JSON or requests a range of a file.
 */
const preflight = {
  'access-control-allow-methods': 'GET, HEAD, POST',
  'access-control-allow-headers': 'authorization, content-type, range, if-none-match, if-range',
  'access-control-max-age': '86400',
};

function kindOf(request: FastifyRequest, { embedded }: SecurityOptions): AnswerKind {
  const path = pathOf(request);
  switch (path) {
    case staticPages.signInCallback:
    case staticPages.signOutCallback:
      return 'callback';
    case staticPages.silentCheck:
    case staticPages.loginStatus:
      return 'framed';
    case embedded?.loginStatusFrame:
      return 'status-frame';
    default:
      if (embedded !== null && path.startsWith(`${embedded.realm}/`)) {
        return 'provider';
      }
      if (path === apiPaths.docs || path.startsWith(`${apiPaths.docs}/`)) {
        return 'docs';
      }
      if (path.startsWith(sharedFirmwareRoot)) {
        return 'shared';
      }
      if (loaderScript.test(path)) {
        return 'loader';
      }
      if (path.startsWith('/flash-button.js') || path.startsWith('/flash-button/')) {
        return 'embedded';
      }
      return path.startsWith('/api/') ? 'api' : 'app';
  }
}

function headerTable(
  options: SecurityOptions,
  origins: ProviderOrigins,
): Readonly<Record<AnswerKind, Readonly<Record<string, string>>>> {
  const secure = options.publicUrl.startsWith('https:');
  const everywhere = {
    'x-content-type-options': 'nosniff',
    // Addresses of share links contain their id, which must not reach other sites.
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(secure
      ? { 'strict-transport-security': `max-age=31536000${options.hstsSubdomains ? '; includeSubDomains' : ''}` }
      : {}),
  };
  const page = (frameAncestors: string) => ({
    ...everywhere,
    'content-security-policy': appContentPolicy(options, origins, { frameAncestors, secure }),
    'permissions-policy': 'serial=(self), usb=(self)',
  });
  const providerPage = (framed: boolean) => ({
    ...everywhere,
    'content-security-policy': pageContentPolicy({ framed }),
    'cache-control': 'no-store',
  });
  const api = { ...everywhere, ...inert };
  return {
    app: { ...page("'none'"), 'cross-origin-opener-policy': 'same-origin-allow-popups' },
    callback: page("'none'"),
    framed: page("'self'"),
    api,
    shared: {
      ...api,
      ...crossOriginHeaders,
    },
    // A worker has the policy of its own script. This one may connect anywhere, so that no page has to.
    loader: {
      ...everywhere,
      'content-security-policy': `default-src 'none'; script-src 'self'; connect-src 'self' ${secure ? `https: ${loopback}` : 'https: http:'}`,
    },
    embedded: {
      ...everywhere,
      ...crossOriginHeaders,
      'content-security-policy': inert['content-security-policy'],
    },
    docs: {
      ...everywhere,
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-cache',
    },
    provider: providerPage(false),
    'status-frame': providerPage(true),
  };
}

function appContentPolicy(
  { publicUrl, apiOrigin, storeOrigin }: SecurityOptions,
  { called, framed }: ProviderOrigins,
  { frameAncestors, secure }: { readonly frameAncestors: string; readonly secure: boolean },
): string {
  const selfAnd = (...origins: readonly string[]) =>
    ["'self'", ...new Set(origins.filter((origin) => origin !== publicUrl))].join(' ');
  // 'self' covers WebSockets too, but the name of an origin does not (CSP 3, section 6.7.2.8).
  const sockets = apiOrigin === publicUrl ? [] : [apiOrigin.replace(/^http/, 'ws')];
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${selfAnd(apiOrigin)} data: https:`,
    `connect-src ${selfAnd(...called, apiOrigin, ...sockets, ...(storeOrigin === null ? [] : [storeOrigin]))}`,
    "worker-src 'self'",
    `frame-src ${selfAnd(...framed)}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors}`,
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}
