/**
 * Decides which requests may still write while the disk of the database is full: deletions and withdrawals. All
 * others are refused before their data is accepted, so that they cannot use the space that deleting needs.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.ts';
import type { DiskSpace } from '../storage/disk-space.ts';
import { pathOf } from './navigation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * True: the route writes almost nothing and must work on a full disk, for example to make a public item private.
     */
    worksOnFullDisk?: boolean;
  }
}

/** Seconds that a client waits before it retries. */
const RETRY_AFTER = 5;

export function guardDisk(app: FastifyInstance, space: DiskSpace): void {
  space.onChange((isFull) => {
    if (isFull) {
      app.log.error('the disk of the database is full: the server refuses new data, and deleting still works');
    } else {
      app.log.info('the disk of the database has space again');
    }
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isWrite(request) || makesRoom(request)) {
      done();
      return;
    }
    expectRoom(space).then(() => done(), done);
  });
  // After the route's guards have identified the caller: unknown callers do not get the reserve.
  app.addHook('preValidation', async (request) => {
    if (isWrite(request) && makesRoom(request) && !request.is404) {
      await space.makeRoomForDeleting();
    }
  });
}

/** Rejects while the disk is full. */
export async function expectRoom(space: DiskSpace): Promise<void> {
  if (await space.isFull()) {
    throw new ApiError('disk-full', { retryAfter: RETRY_AFTER });
  }
}

function isWrite(request: FastifyRequest): boolean {
  return !['GET', 'HEAD', 'OPTIONS'].includes(request.method) && pathOf(request).startsWith('/api/');
}

function makesRoom({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'DELETE' || routeOptions.config.worksOnFullDisk === true;
}
