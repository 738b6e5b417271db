/** Puts the feature of crashes together: queries, what waits to be written, routes, and the sweep of what is old. */
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
  /** Writes what has come until now, for an owner who is to see how much that is. */
  settle(): Promise<void>;
}

/** Milliseconds between two looks for crashes that are old. */
const SWEEP_INTERVAL = 3_600_000;

/** Adds the routes. The disposal writes what waits, and has to come before the database is closed. */
export async function addCrashes(app: FastifyInstance, options: CrashesOptions): Promise<Crashes> {
  const { queries, clock, publicVersion, projectOf, ...guards } = options;
  const background = new AsyncDisposableStack();
  const repository = crashRepository(queries);
  const inbox = background.use(
    new CrashInbox({
      repository,
      clock,
      onFailure: (error) => app.log.warn({ err: error }, 'crashes could not be written and will be retried'),
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
      onFailure: (error) => app.log.warn({ err: error }, 'old crashes could not be removed and will be retried'),
    }),
  );
  return { settle: () => inbox.settle(), [Symbol.asyncDispose]: () => background.disposeAsync() };
}
