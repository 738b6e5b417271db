/** Puts the jkit feature together: its repositories, service and routes, the jkits that come with the product, the upkeep. */
import type { Clock } from '@wirebench/clock';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import type { Guards } from '../../plugins/auth.ts';
import { repeatWork } from '../../repeat-work.ts';
import type { Queries } from '../../storage/database/database.ts';
import { jkitRepository } from './jkits.repository.ts';
import { jkitRoutes } from './jkits.routes.ts';
import { jkitService } from './jkits.service.ts';
import { allJkits } from './library/all-jkits.ts';
import { libraryRepository } from './library.repository.ts';
import { stockLibrary } from './library.service.ts';
import { ratingRepository } from './ratings.repository.ts';
import { searchRepository } from './search.repository.ts';
import { mergeSearchIndex } from './search-upkeep.repository.ts';
import { starRepository } from './stars.repository.ts';

export interface JkitOptions {
  readonly queries: Queries;
  readonly clock: Clock;
  /** Jkits that a user may have. */
  readonly limit: number;
  readonly guards: Guards;
  readonly limitWrites: onRequestAsyncHookHandler;
}

/** Milliseconds between two looks at the index of the search. */
const UPKEEP_INTERVAL = 1_800_000;

/** Adds the routes. The disposal ends the upkeep, and has to come before the database is closed. */
export async function addJkits(app: FastifyInstance, options: JkitOptions): Promise<AsyncDisposable> {
  const { queries, clock, limit, guards, limitWrites } = options;
  const jkits = jkitService({
    jkits: jkitRepository(queries),
    stars: starRepository(queries),
    ratings: ratingRepository(queries),
    search: searchRepository(queries),
    clock,
    limit,
  });
  await app.register(jkitRoutes, { jkits, guards, limitWrites });

  // Once for each start: two versions of the product that run side by side must not undo each other's library again and again.
  let isStocked = false;
  return repeatWork({
    work: async () => {
      if (!isStocked) {
        await stockLibrary(libraryRepository(queries), allJkits, clock);
        isStocked = true;
      }
      await mergeSearchIndex(queries);
    },
    clock,
    interval: UPKEEP_INTERVAL,
    onFailure: (error) => app.log.warn({ err: error }, 'maintaining JKits failed and will be retried'),
  });
}
