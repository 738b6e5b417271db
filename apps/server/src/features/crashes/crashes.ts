/** Assembles the crashes feature: queries, write buffer, routes and the removal of old crashes. */
import type { Clock } from '@wirebench/clock';
import type { FastifyInstance } from 'fastify';
import { repeatWork } from '../../repeat-work.ts';
import type { Queries } from '../../storage/database/database.ts';
import { CrashInbox } from './crash-inbox.ts';
import { crashRepository } from './crashes.repository.ts';
import { type CrashRoutesOptions, crashRoutes } from './crashes.routes.ts';
import { type CrashServiceOptions, crashService } from './crashes.service.ts';

export interface CrashesOptions
  extends Omit<CrashRoutesOptions, 'crashes'>,
    Pick<CrashServiceOptions, 'publicVersion' | 'projectOf'> {
  readonly queries: Queries;
  readonly clock: Clock;
}

export interface Crashes extends AsyncDisposable {
  /** Writes all crashes received so far, so that an owner sees the complete count. */
  settle(): Promise<void>;
}

/** Milliseconds between two removals of old crashes. */
const SWEEP_INTERVAL = 3_600_000;

/** Adds the routes. The disposal writes the waiting crashes, so it has to precede the closing of the database. */
export async function addCrashes(app: FastifyInstance, options: CrashesOptions): Promise<Crashes> {
  const { queries, clock, publicVersion, projectOf, ...guards } = options;
  const background = new AsyncDisposableStack();
  const repository = crashRepository(queries);
  const inbox = background.use(
    new CrashInbox({
      repository,
      clock,
      onFailure: (error) => app.log.warn({ err: error }, 'saving crashes failed and will be retried'),
    }),
  );
  const crashes = crashService({ crashes: repository, inbox, clock, publicVersion, projectOf });
  await app.register(crashRoutes, { crashes, ...guards });
  background.use(
    await repeatWork({
      work: () => crashes.forgetOld(),
      clock,
      interval: SWEEP_INTERVAL,
      timeout: 0,
      onFailure: (error) => app.log.warn({ err: error }, 'removing old crashes failed and will be retried'),
    }),
  );
  return { settle: () => inbox.settle(), [Symbol.asyncDispose]: () => background.disposeAsync() };
}
