/**
 * One JSON log line for each request: id, method, route, status, milliseconds. The route replaces the address,
 * because addresses contain share ids, login ids and e-mails.
 */
import { randomUUID } from 'node:crypto';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import type { Config } from '../config.ts';

/** Receives log lines instead of the standard output. */
export interface LogDestination {
  write(line: string): void;
}

export function loggingOptions(level: Config['logLevel'], destination?: LogDestination) {
  return {
    logger: {
      level,
      // A whole request or reply is never logged.
      serializers: { req: () => ({}), res: () => ({}), err: errorLine },
      ...(destination === undefined ? {} : { stream: destination }),
    },
    logController: new OneLineEach(),
    genReqId: () => randomUUID(),
  } satisfies FastifyServerOptions;
}

type ErrorLine = { type: string; message: string; stack: string; code?: string; cause?: ErrorLine };

/**
 * Logs the type, message and stack of an error but not its other properties: a database's errors quote the values
 * that they refuse.
 */
function errorLine({ name, message, stack = '', cause, ...more }: Error): ErrorLine {
  return {
    type: name,
    message,
    stack,
    ...('code' in more && typeof more.code === 'string' ? { code: more.code } : {}),
    ...(cause instanceof Error ? { cause: errorLine(cause) } : {}),
  };
}

/** Adds the request id to each answer, so that users can name the request that they ask about. */
export function addRequestIdHeader(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
}

class OneLineEach extends LogController {
  readonly #logs = new Map<string, FastifyBaseLogger>();

  override incomingRequest(): void {
    // Only the answer is logged.
  }

  override routeNotFound(): void {
    // The request's line contains the 404.
  }

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const { method, id: reqId } = request;
    const { url: route = 'unknown' } = request.routeOptions;
    const log = this.#logOf(request.server.log, method, route, reply.statusCode);
    const ms = Math.round(reply.elapsedTime);
    if (error) {
      log.error({ reqId, ms, err: error }, 'request failed');
    } else if (!route.startsWith('/api/') || route === '/api/health' || route === '/api/ready') {
      log.debug({ reqId, ms }, 'request');
    } else {
      log.info({ reqId, ms }, 'request');
    }
  }

  /** Returns a logger with the fields that all lines of this route and status share. They are serialized once. */
  #logOf(log: FastifyBaseLogger, method: string, route: string, status: number): FastifyBaseLogger {
    const kind = `${method} ${status} ${route}`;
    let known = this.#logs.get(kind);
    if (known === undefined) {
      known = log.child({ method, route, status });
      this.#logs.set(kind, known);
    }
    return known;
  }
}
