/**
 * Requests to the embedded provider: its own routes are handed over with the realm's prefix cut off; the login page, the user
 * info and the login-status frame are answered here. HTTP only.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bearerToken } from '../../plugins/auth.ts';
import { InvalidTokenError, type VerifyToken } from '../token-verifier.ts';
import { claimsOf } from './demo-accounts.ts';
import type { EmbeddedIdentity } from './embedded-identity.ts';
import { errorPage, loginPage, statusFramePage } from './pages.ts';

export interface EmbeddedRoutesOptions {
  readonly identity: EmbeddedIdentity;
  readonly verifyToken: VerifyToken;
}

/** Bytes of a posted choice on the login page. */
const CHOICE_LIMIT = 1_024;

export function embeddedIdentityRoutes(app: FastifyInstance, options: EmbeddedRoutesOptions): void {
  app.register(async (scope) => statusRoutes(scope, options));
  app.register(async (scope) => userInfoRoutes(scope, options));
  app.register(async (scope) => loginRoutes(scope, options));
  app.register(async (scope) => protocolRoutes(scope, options));
}

function statusRoutes(app: FastifyInstance, { identity: { paths } }: EmbeddedRoutesOptions): void {
  app.get(paths.loginStatusFrame, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(statusFramePage()),
  );
  app.get(paths.loginStatusInit, async (_request, reply) => reply.code(204).send());
}

function userInfoRoutes(app: FastifyInstance, { identity, verifyToken }: EmbeddedRoutesOptions): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const token = bearerToken(request);
    const user = token === null ? null : await verifyToken(token).catch(refusal);
    const account = identity.accounts.find(({ username }) => username === user?.subject);
    if (account === undefined) {
      return reply.code(401).header('www-authenticate', 'Bearer').send({ error: 'invalid_token' });
    }
    return reply.send({ sub: account.username, ...claimsOf(account) });
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
    { parseAs: 'string', bodyLimit: CHOICE_LIMIT },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  const path = identity.loginPath(':interaction');

  app.get<{ Params: { interaction: string } }>(path, async (request, reply) => {
    if (!(await isPending(identity, request, reply))) {
      return expired(reply);
    }
    const action = identity.loginPath(request.params.interaction);
    return reply.type('text/html; charset=utf-8').send(loginPage(identity.accounts, action));
  });

  app.post<{ Body: unknown }>(path, async (request, reply) => {
    if (!(await isPending(identity, request, reply))) {
      return expired(reply);
    }
    const choice = request.body instanceof URLSearchParams ? request.body.get('account') : null;
    const account = identity.accounts.find(({ username }) => username === choice);
    const result =
      account === undefined
        ? { error: 'access_denied', error_description: 'The sign-in was cancelled.' }
        : { login: { accountId: account.username } };
    const provider = await identity.provider();
    const next = await provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: false });
    return reply.redirect(next, 303);
  });
}

/** Whether the browser is in the middle of a sign-in; its cookie says which. */
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
  return reply.code(400).type('text/html; charset=utf-8').send(page);
}

function protocolRoutes(app: FastifyInstance, { identity }: EmbeddedRoutesOptions): void {
  // The provider reads request bodies itself.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));

  let loading: Promise<NodeHandler> | null = null;
  const load = async () => {
    const provider = await identity.provider();
    provider.on('server_error', (_context, error) => app.log.error({ err: error }, 'the embedded provider failed'));
    return provider.callback();
  };
  app.all(`${identity.paths.realm}/*`, async (request, reply) => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    const handler = await loading;
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      reply.raw.setHeader(name, value ?? '');
    }
    speakOfPublicUrl(request.raw, identity);
    void handler(request.raw, reply.raw);
  });
}

type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * The provider builds every address from the request's host, scheme and path. It is told the public ones, whatever name the
 * request came by, and finds the realm's prefix in `originalUrl`.
 */
function speakOfPublicUrl(request: IncomingMessage, { publicUrl, paths }: EmbeddedIdentity): void {
  const { host, protocol } = new URL(publicUrl);
  const { url = '' } = request;
  request.headers.host = host;
  request.headers['x-forwarded-host'] = host;
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  Object.assign(request, { originalUrl: url, url: url.slice(paths.realm.length) });
}
