/**
 * HTTP routes of the embedded provider. The provider's own routes are passed to it without the realm's prefix. The
 * login page, the user info and the login-status frame are answered here.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { InteractionResults } from 'oidc-provider';
import { bearerToken } from '../../plugins/auth.ts';
import { meterAddresses } from '../../plugins/rate-limit.ts';
import { InvalidTokenError, type VerifyToken } from '../token-verifier.ts';
import { claimsOf } from './account.ts';
import type { EmbeddedIdentity } from './embedded-identity.ts';
import { demoLoginPage, errorPage, passwordPage, statusFramePage } from './pages.ts';
import { noteAddress } from './request-address.ts';

export interface EmbeddedRoutesOptions {
  readonly identity: EmbeddedIdentity;
  readonly verifyToken: VerifyToken;
  /** Sign-ins that one address may begin per minute; 0 disables the limit. */
  readonly signInsPerMinute: number;
}

/** Bytes of a form posted on the login page: a name and a password in any script. */
const FORM_LIMIT = 4_096;

export function embeddedIdentityRoutes(app: FastifyInstance, options: EmbeddedRoutesOptions): void {
  app.register(async (scope) => statusRoutes(scope, options));
  app.register(async (scope) => userInfoRoutes(scope, options));
  app.register(async (scope) => loginRoutes(scope, options));
  app.register((scope) => protocolRoutes(scope, options));
}

function statusRoutes(app: FastifyInstance, { identity: { paths } }: EmbeddedRoutesOptions): void {
  app.get(paths.loginStatusFrame, async (_request, reply) => sendPage(reply, statusFramePage()));
  app.get(paths.loginStatusInit, async (_request, reply) => reply.code(204).send());
}

function userInfoRoutes(app: FastifyInstance, { identity, verifyToken }: EmbeddedRoutesOptions): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const token = bearerToken(request);
    const user = token === null ? null : await verifyToken(token).catch(refusal);
    const account = user === null ? null : identity.accounts.find(user.subject);
    if (account === null) {
      return reply.code(401).header('www-authenticate', 'Bearer').send({ error: 'invalid_token' });
    }
    return reply.send({ sub: account.subject, ...claimsOf(account) });
  };
  app.get(identity.paths.userinfo, answer);
}

function refusal(error: unknown): null {
  if (error instanceof InvalidTokenError) {
    return null;
  }
  throw error;
}

function loginRoutes(app: FastifyInstance, { identity }: EmbeddedRoutesOptions): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_LIMIT },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  const path = identity.loginPath(':interaction');

  app.get<{ Params: LoginParams }>(path, async (request, reply) => {
    if (!(await isPending(identity, request, reply))) {
      return expired(reply);
    }
    const action = identity.loginPath(request.params.interaction);
    const demos = identity.accounts.demo();
    return sendPage(reply, demos === null ? passwordPage({ action }) : demoLoginPage(demos, action));
  });

  app.post<{ Body: unknown; Params: LoginParams }>(path, async (request, reply) => {
    // Only the browser that began the sign-in knows the form's address. This also refuses other sites that guess it.
    if (request.headers.origin !== undefined && request.headers.origin !== identity.publicUrl) {
      return sendPage(reply.code(403), errorPage('access_denied', 'The form was sent from another site.'));
    }
    if (!(await isPending(identity, request, reply))) {
      return expired(reply);
    }
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const finish = async (result: InteractionResults) => {
      const provider = await identity.provider();
      const next = await provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: false });
      return reply.redirect(next, 303);
    };
    const demos = identity.accounts.demo();
    const demo = demos?.find(({ username }) => username === form.get('account'));
    if (demo !== undefined) {
      return finish({ login: { accountId: demo.subject } });
    }
    if (demos !== null || form.has('cancel')) {
      return finish({ error: 'access_denied', error_description: 'The sign-in was cancelled.' });
    }
    const username = form.get('username') ?? '';
    const outcome = await identity.signIn({ username, password: form.get('password') ?? '', address: request.ip });
    if (outcome.kind === 'signed-in') {
      return finish({ login: { accountId: outcome.subject } });
    }
    request.log.info({ outcome: outcome.kind }, 'sign-in refused');
    const action = identity.loginPath(request.params.interaction);
    if (outcome.kind === 'limited') {
      reply.code(429).header('retry-after', outcome.retryAfter);
    } else {
      reply.code(401);
    }
    return sendPage(reply, passwordPage({ action, username, failure: outcome.kind }));
  });
}

interface LoginParams {
  interaction: string;
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(page);
}

/** Returns true if the browser's sign-in, named by its cookie, is in progress. */
async function isPending(identity: EmbeddedIdentity, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const provider = await identity.provider();
  try {
    const { prompt } = await provider.interactionDetails(request.raw, reply.raw);
    return prompt.name === 'login';
  } catch (error) {
    if (error instanceof Error && error.name === 'SessionNotFound') {
      return false;
    }
    throw error;
  }
}

function expired(reply: FastifyReply): FastifyReply {
  const page = errorPage('expired', 'This sign-in took too long or was finished in another window.');
  return sendPage(reply.code(400), page);
}

async function protocolRoutes(
  app: FastifyInstance,
  { identity, signInsPerMinute }: EmbeddedRoutesOptions,
): Promise<void> {
  // The provider reads request bodies itself.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));

  let loading: Promise<NodeHandler> | null = null;
  const load = async () => {
    const provider = await identity.provider();
    provider.on('server_error', (_context, error) => app.log.error({ err: error }, 'the embedded provider failed'));
    return provider.callback();
  };
  const meterSignIns = await meterAddresses(app, 'sign-ins', signInsPerMinute);
  app.all(`${identity.paths.realm}/*`, async (request, reply) => {
    if (beginsSignIn(request, identity)) {
      const retryAfter = await meterSignIns(request);
      if (retryAfter !== null) {
        const page = errorPage('too_many_requests', 'Too many sign-ins were started from this address.');
        return sendPage(reply.code(429).header('retry-after', retryAfter), page);
      }
    }
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    const handler = await loading;
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      reply.raw.setHeader(name, value ?? '');
    }
    noteAddress(request.raw, request.ip);
    speakOfPublicUrl(request.raw, identity);
    void handler(request.raw, reply.raw);
    return reply;
  });
}

/** Returns true if the request begins a sign-in. Any client may begin one, and each is written to the disk. */
function beginsSignIn({ url }: FastifyRequest, { paths }: EmbeddedIdentity): boolean {
  const [path = ''] = url.split(/[?#]/, 1);
  // The provider ignores case and a trailing slash in paths, and accepts backslashes before a fragment.
  return path.replaceAll('\\', '/').replace(/\/$/, '').toLowerCase() === paths.authorization.toLowerCase();
}

type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Sets the request's host, scheme and path to the public ones, whatever name the request used, because the provider
 * builds every address from them. The provider finds the realm's prefix in `originalUrl`.
 */
function speakOfPublicUrl(request: IncomingMessage, { publicUrl, paths }: EmbeddedIdentity): void {
  const { host, protocol } = new URL(publicUrl);
  const { url = '' } = request;
  request.headers.host = host;
  request.headers['x-forwarded-host'] = host;
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  Object.assign(request, { originalUrl: url, url: url.slice(paths.realm.length) });
}
