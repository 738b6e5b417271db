/** Turns every error into the contract's error answer, without a stack and without a library's own message. */
import { type Clock, systemClock } from '@wirebench/clock';
import { type ErrorAnswer, type ErrorCode, errorStatus, errorText, type FieldIssue } from '@wirebench/contract';
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { ApiError } from '../api-error.ts';
import { IdentityUnavailableError } from '../identity/token-verifier.ts';
import { BlobStoreUnavailableError } from '../storage/blobs/blob-store.ts';
import { DatabaseUnavailableError } from '../storage/database/database-failure.ts';
import { reasonOf } from '../storage/failure-reason.ts';
import { SharedStoreUnavailableError } from '../storage/shared-store.ts';
import { headersWithoutRoute } from './security-headers.ts';

/** Seconds that a client waits before it retries while a dependency is unavailable. */
const RETRY_AFTER = 5;

/**
 * Refusals of Fastify and its plugins by status: a body that is invalid, too large or of another type; a path of a file
 * that cannot be one.
 */
const codeOfStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid-request',
  403: 'not-found',
  404: 'not-found',
  413: 'body-too-large',
  415: 'unsupported-media-type',
};

export interface ErrorsOptions {
  /** Called when the database has no space left. */
  readonly onFullDisk?: () => void;
  readonly clock?: Clock;
}

const OUTAGES = [
  DatabaseUnavailableError,
  BlobStoreUnavailableError,
  SharedStoreUnavailableError,
  IdentityUnavailableError,
] as const;

/** Milliseconds in which a cause is logged once. */
const INTERVAL = 1_000;

/**
 * Maximum number of distinct causes in that time. All others count together: removing one instead would log it again at
 * once.
 */
const MAX_CAUSES = 20;

/** Characters of a reason, which may be a library's whole message. */
const LONGEST_REASON = 200;

interface Line {
  readonly code: ErrorCode;
  readonly reason: string;
  readonly message: string;
  /** Calls since the last line. */
  calls: number;
}

/** Returns true if the error means that a dependency of the server is unavailable. */
function isOutage(error: unknown): error is Error {
  return OUTAGES.some((type) => error instanceof type);
}

/**
 * Limits the log while a dependency of the server is unavailable: one line per cause and second, however many calls
 * are refused. These lines carry no stack, since the code is not at fault.
 */
class OutageLog implements Disposable {
  readonly #log: FastifyBaseLogger;
  readonly #clock: Clock;
  readonly #lines = new Map<string, Line>();
  #cancel: (() => void) | null = null;

  constructor(log: FastifyBaseLogger, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** Logs the first call of a cause at once, and later ones together at the end of its second. */
  note(code: ErrorCode, message: string, error: Error): void {
    const reason = (error.cause === undefined ? error.message : reasonOf(error.cause)).slice(0, LONGEST_REASON);
    const key = this.#lines.size < MAX_CAUSES ? `${code} ${reason}` : code;
    const known = this.#lines.get(key);
    if (known !== undefined) {
      known.calls++;
      return;
    }
    const line = { code, reason, message, calls: 1 };
    this.#lines.set(key, line);
    this.#write(line);
    this.#cancel ??= this.#clock.schedule(INTERVAL, () => this.#endInterval());
  }

  [Symbol.dispose](): void {
    this.#cancel?.();
  }

  /** Logs the causes that continue, and forgets the others. */
  #endInterval(): void {
    this.#cancel = null;
    for (const [key, line] of this.#lines) {
      if (line.calls === 0) {
        this.#lines.delete(key);
      } else {
        this.#write(line);
      }
    }
    if (this.#lines.size > 0) {
      this.#cancel = this.#clock.schedule(INTERVAL, () => this.#endInterval());
    }
  }

  #write(line: Line): void {
    const { code, reason, message, calls } = line;
    line.calls = 0;
    this.#log.error({ code, reason, calls }, message);
  }
}

export function answerErrors(
  app: FastifyInstance,
  { onFullDisk = () => undefined, clock = systemClock }: ErrorsOptions = {},
): void {
  const outages = new OutageLog(app.log, clock);
  app.addHook('onClose', async () => outages[Symbol.dispose]());
  app.setErrorHandler((error: unknown, request, reply) => {
    if (error instanceof DatabaseUnavailableError && error.reason === 'full') {
      onFullDisk();
    }
    const refusal = refusalFor(error);
    if (errorStatus[refusal.code] >= 500 && !hasGone(request)) {
      if (isOutage(error)) {
        outages.note(refusal.code, refusal.message, error);
      } else {
        request.log.error({ err: error }, refusal.message);
      }
    }
    return sendRefusal(reply, refusal);
  });
}

/** Returns true if the client disconnected before its request was complete. Any failure is then the client's own. */
function hasGone({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

/** Answers requests that reach no route, for example because their address cannot be decoded. */
export function answerFrameworkError(_error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  sendRefusal(reply.headers(headersWithoutRoute), new ApiError('invalid-request'));
}

export function sendRefusal(
  reply: FastifyReply,
  { code, message, issues, retryAfter, current }: ApiError,
): FastifyReply {
  const status = errorStatus[code];
  if (status === 401) {
    reply.header('www-authenticate', 'Bearer');
  }
  if (retryAfter !== null) {
    reply.header('retry-after', String(retryAfter));
  }
  if (code === 'body-too-large') {
    // Fastify would close the connection while the client is still sending. A proxy then reports a broken server
    // instead of the answer.
    reply.removeHeader('connection');
  }
  const answer: ErrorAnswer = {
    error: message,
    message,
    code,
    ...(issues === null ? {} : { issues: [...issues] }),
    ...(current === null ? {} : { current }),
  };
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(answer));
}

function refusalFor(error: unknown): ApiError {
  if (error instanceof ApiError) {
    return error;
  }
  if (error instanceof DatabaseUnavailableError) {
    const code = error.reason === 'full' ? 'disk-full' : 'database-unavailable';
    return new ApiError(code, { retryAfter: RETRY_AFTER, cause: error });
  }
  if (error instanceof BlobStoreUnavailableError) {
    return storeRefusal(error);
  }
  if (error instanceof SharedStoreUnavailableError) {
    return new ApiError('live-unavailable', { retryAfter: RETRY_AFTER, cause: error });
  }
  if (error instanceof IdentityUnavailableError) {
    return new ApiError('identity-unavailable', { retryAfter: RETRY_AFTER, cause: error });
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    return invalidRequest(error.validation.map(issueOf));
  }
  if (!(error instanceof Error) || !('statusCode' in error) || !('code' in error)) {
    return new ApiError('internal-error', { cause: error });
  }
  const code = codeOfStatus[Number(error.statusCode)] ?? 'internal-error';
  const isBroken = code === 'invalid-request' && String(error.code).startsWith('FST_ERR_CTP_');
  return new ApiError(code, { cause: error, ...(isBroken ? { message: 'The body must be a JSON object' } : {}) });
}

/** Returns a sentence for each cause. A retry helps only against the usual one. */
function storeRefusal(error: BlobStoreUnavailableError): ApiError {
  const details = { retryAfter: RETRY_AFTER, cause: error };
  return error.fault === null
    ? new ApiError(error.reason === 'full' ? 'store-full' : 'store-unavailable', details)
    : new ApiError('store-unavailable', {
        ...details,
        message: `${error.message}. Please tell whoever runs this server.`,
      });
}

interface Complaint {
  readonly instancePath: string;
  readonly message?: string | undefined;
}

function invalidRequest(issues: readonly FieldIssue[]): ApiError {
  const first = issues[0]?.message;
  return new ApiError('invalid-request', { issues, ...(first === undefined ? {} : { message: first }) });
}

function issueOf({ instancePath, message = errorText['invalid-request'] }: Complaint): FieldIssue {
  return { path: instancePath.split('/').filter(Boolean).join('.'), message };
}
