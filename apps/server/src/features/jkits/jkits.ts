/**
 * Assembles the jkit feature: repositories, service, routes, the jkits that come with the product, and the
 * maintenance of the search index.
 */
import type { Clock } from '@wirebench/clock';
import { allChips } from '@wirebench/contract/chip-library';
import { allDecoders } from '@wirebench/contract/decoder-library';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import type { Guards } from '../../plugins/auth.ts';
import { repeatWork } from '../../repeat-work.ts';
import type { Queries } from '../../storage/database/database.ts';
import { type DialectName, dialectOf } from '../../storage/database/dialect.ts';
import { jkitRepository } from './jkits.repository.ts';
import { jkitRoutes } from './jkits.routes.ts';
import { jkitService } from './jkits.service.ts';
import { allJkits } from './library/all-jkits.ts';
import { libraryRepository } from './library.repository.ts';
import { stockLibrary } from './library.service.ts';
import { ratingRepository } from './ratings.repository.ts';
import { searchRepository } from './search.repository.ts';
import { SearchQueue, type SearchQueueLimits } from './search-queue.ts';
import { mergeSearchIndex } from './search-upkeep.repository.ts';
import { starRepository } from './stars.repository.ts';

export interface JkitOptions {
  readonly queries: Queries;
  readonly clock: Clock;
  /** Maximum number of jkits of a user, for each type. */
  readonly limit: number;
  readonly guards: Guards;
  readonly limitWrites: onRequestAsyncHookHandler;
  /** Limits how often one address searches. */
  readonly limitReads: onRequestAsyncHookHandler;
}

/** Milliseconds between two checks of the search index. */
const UPKEEP_INTERVAL = 1_800_000;

/** PostgreSQL runs several searches at once. A process has ten connections to it, and other calls need some of them. */
const searchLimits = {
  sqlite: { runningPerUser: 1, running: 4, waitingPerUser: 16, waiting: 256 },
  postgres: { runningPerUser: 4, running: 6, waitingPerUser: 16, waiting: 256 },
} satisfies Record<DialectName, SearchQueueLimits>;

/** Adds the routes. The disposal ends the maintenance, so it has to precede the closing of the database. */
export async function addJkits(app: FastifyInstance, options: JkitOptions): Promise<AsyncDisposable> {
  const { queries, clock, limit, guards, limitWrites, limitReads } = options;
  const jkits = jkitService({
    jkits: jkitRepository(queries),
    stars: starRepository(queries),
    ratings: ratingRepository(queries),
    search: searchRepository(queries),
    clock,
    limit,
  });
  const searches = new SearchQueue(searchLimits[dialectOf(queries)]);
  await app.register(jkitRoutes, { jkits, searches, guards, limitWrites, limitReads });

  // Once per start: two versions of the product that run side by side must not keep replacing each other's library.
  let isStocked = false;
  const stock = async () => {
    if (!isStocked) {
      await stockLibrary(libraryRepository(queries), { uart: allJkits, chip: allChips, decoder: allDecoders }, clock);
      isStocked = true;
    }
  };
  const onFailure = (error: unknown) => app.log.warn({ err: error }, 'maintaining JKits failed and will be retried');
  await stock().catch(onFailure);
  const closing = new AbortController();
  // The first merge may take long. Neither the start nor the stop waits for it to finish.
  const upkeep = repeatWork({
    work: async () => {
      await stock();
      await mergeSearchIndex(queries, closing.signal);
    },
    clock,
    interval: UPKEEP_INTERVAL,
    onFailure,
  });
  return {
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await (await upkeep)[Symbol.asyncDispose]();
    },
  };
}
