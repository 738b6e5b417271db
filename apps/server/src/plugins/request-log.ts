/**
 * One line for each request, as JSON: id, method, route, status, milliseconds. Routes stand for addresses, because addresses
 * carry share ids, login ids and e-mails.
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

/** Where log lines go in place of the standard output. */
export interface LogDestination {
  write(line: string): void;
}

export function loggingOptions(level: Config['logLevel'], destination?: LogDestination) {
  return {
    logger: {
      level,
      // A request or a reply never goes into a line as a whole.
      serializers: { req: () => ({}), res: () => ({}), err: errorLine },
      ...(destination === undefined ? {} : { stream: destination }),
    },
    logController: new OneLineEach(),
    genReqId: () => randomUUID(),
  } satisfies FastifyServerOptions;
}

type ErrorLine = { type: string; message: string; stack: string; code?: string; cause?: ErrorLine };

/** What an error is, and not what it carries: a database's errors quote the values that they complain about. */
function errorLine({ name, message, stack = '', cause, ...more }: Error): ErrorLine {
  return {
    type: name,
    message,
    stack,
    ...('code' in more && typeof more.code === 'string' ? { code: more.code } : {}),
    ...(cause instanceof Error ? { cause: errorLine(cause) } : {}),
  };
}

/** Lets people name the request that they ask about. */
export function tellRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
}

class OneLineEach extends LogController {
  readonly #logs = new Map<string, FastifyBaseLogger>();

  override incomingRequest(): void {
    // The line comes with the answer.
  }

  override routeNotFound(): void {
    // The line says 404.
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

  /** Has written down already what is the same in every such line. */
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
