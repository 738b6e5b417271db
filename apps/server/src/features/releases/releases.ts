/**
 * Assembles the releases feature: repositories, services, routes, flash counts, the product's own releases and the
 * sweep.
 */
import type { Clock } from '@wirebench/clock';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import type { UploadAdmission } from '../../admission/upload-admission.ts';
import type { StoredBytesMetrics } from '../../metrics/stored-bytes-metrics.ts';
import type { Meter } from '../../plugins/rate-limit.ts';
import { publicFetch } from '../../public-web/public-fetch.ts';
import { repeatWork } from '../../repeat-work.ts';
import type { Blobs } from '../../storage/blobs/open-blobs.ts';
import type { Queries } from '../../storage/database/database.ts';
import { addCrashes, type CrashesOptions } from '../crashes/crashes.ts';
import { bytesRepository } from './bytes.repository.ts';
import { bytesService } from './bytes.service.ts';
import { demoRelease } from './demo-release.ts';
import { elfRoutes } from './elf.routes.ts';
import { elfRepository } from './elfs.repository.ts';
import { fileReplies } from './file-reply.ts';
import { flashCountRepository } from './flash-counts.repository.ts';
import { FlashCounts } from './flash-counts.ts';
import { historyRepository } from './history.repository.ts';
import { probeReleases } from './probe-release.ts';
import { ensureProductRelease, type ProductRelease } from './product-release.ts';
import { productReleaseRepository } from './product-releases.repository.ts';
import { projectRepository } from './projects.repository.ts';
import { projectRoutes } from './projects.routes.ts';
import { projectService } from './projects.service.ts';
import { pulledFileRepository } from './pulled-files.repository.ts';
import { pullRoutes } from './pulls.routes.ts';
import { pullService } from './pulls.service.ts';
import { releasePage } from './release-page.routes.ts';
import { shareLinkRepository } from './share-links.repository.ts';
import { shareLinkRoutes } from './share-links.routes.ts';
import { shareLinkService } from './share-links.service.ts';
import { sharedRepository } from './shared.repository.ts';
import { sharedRoutes } from './shared.routes.ts';
import { sharedService } from './shared.service.ts';
import { versionUploadRoutes } from './version-upload.routes.ts';
import { versionRepository } from './versions.repository.ts';
import { versionRoutes } from './versions.routes.ts';
import { versionService } from './versions.service.ts';

export interface ReleasesOptions {
  readonly queries: Queries;
  /** See `Database.contentVersion`. */
  readonly contentVersion: () => number | null;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly limits: {
    readonly projects: number;
    readonly versions: number;
    readonly elfSize: number;
    readonly builds: number;
  };
  /** Lets users and their publishing tokens through. */
  readonly requirePublisher: onRequestAsyncHookHandler;
  /** Does the same, but refuses tokens that may only publish. */
  readonly requireOwner: onRequestAsyncHookHandler;
  readonly limitWrites: onRequestAsyncHookHandler;
  readonly limitReports: onRequestAsyncHookHandler;
  readonly crashLimits: Pick<CrashesOptions, 'limitSenders' | 'meterVersion'>;
  /** Counts costly reads by address. */
  readonly meterReads: Meter;
  readonly uploads: UploadAdmission;
  /** Hosts of the operator's network from which versions may be taken. */
  readonly pullHosts: readonly string[];
  readonly publicUrl: string;
  /** Folder of the built web app. */
  readonly webRoot: string;
  /** True: this deployment publishes the demo release. */
  readonly hasDemo: boolean;
  /** True: this deployment publishes the product's firmware. */
  readonly hasProbe: boolean;
  readonly metrics: StoredBytesMetrics;
}

/** Milliseconds between two sweeps of the remains of interrupted uploads. */
const SWEEP_INTERVAL = 1_800_000;
/** Milliseconds between two checks of the product's releases. */
const PRODUCT_INTERVAL = 60_000;
/** Milliseconds that a slow store may delay the start. */
const PRODUCT_TIMEOUT = 5_000;

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Writes the flashes and crashes that wait in memory. Resolves even if the database is unavailable; then they
     * stay in memory.
     */
    saveCounts(): Promise<void>;
  }
}

/** Adds the routes. The disposal ends the background work, so it has to precede the closing of the database. */
export async function addReleases(app: FastifyInstance, options: ReleasesOptions): Promise<AsyncDisposable> {
  const { queries, blobs, clock, limits, publicUrl, webRoot, hasDemo, hasProbe } = options;
  const { requirePublisher, requireOwner, limitWrites, limitReports, meterReads, uploads, metrics } = options;
  const { store, spool } = blobs;
  const repository = sharedRepository(queries);
  const background = new AsyncDisposableStack();
  const flashes = flashCountRepository(queries);
  const counts = background.use(
    new FlashCounts({
      repository: flashes,
      clock,
      onFailure: (error) => app.log.warn({ err: error }, 'saving flash counts failed and will be retried'),
    }),
  );
  const shared = sharedService({ repository, counts, clock, contentVersion: options.contentVersion });
  const onGarbageLeft = (error: unknown, keys: number) =>
    app.log.warn({ err: error, keys }, 'removing unused files failed and will be retried');
  const bytes = bytesService({ repository: bytesRepository(queries), store, spool, clock, onGarbageLeft });
  const files = fileReplies({ store, clock, onFault: (fault) => metrics.countFault(fault) });
  const projects = projectService({
    projects: projectRepository(queries),
    history: historyRepository(queries),
    bytes,
    clock,
    limit: limits.projects,
  });
  const versionRows = versionRepository(queries);
  const versions = versionService({
    versions: versionRows,
    shared: repository,
    elfs: elfRepository(queries),
    flashes,
    bytes,
    clock,
    limit: limits.versions,
    maxBuilds: limits.builds,
  });

  const crashes = background.use(
    await addCrashes(app, {
      queries,
      clock,
      publicVersion: (shareId) => shared.publicVersion(shareId),
      projectOf: (versionId) => versionRows.projectOf(versionId),
      requireOwner,
      limitWrites,
      ...options.crashLimits,
    }),
  );
  app.decorate('saveCounts', async () => {
    await Promise.all([counts.settle(), crashes.settle()]);
  });

  const guards = { requirePublisher, limitWrites };
  await app.register(async (owners) => {
    // Owners see every flash and crash reported to this process so far.
    owners.addHook('preHandler', () => Promise.all([counts.settle(), crashes.settle()]));
    await owners.register(projectRoutes, { projects, requireOwner, ...guards });
    await owners.register(versionRoutes, { versions, files, requireOwner, ...guards });
  });
  await app.register(elfRoutes, { versions, files, requireOwner, limitWrites });
  await app.register(shareLinkRoutes, {
    links: shareLinkService(shareLinkRepository(queries), clock),
    requireOwner,
    limitWrites,
  });
  await app.register(versionUploadRoutes, { versions, spool, uploads, limits, ...guards });
  const pulls = pullService({
    versions,
    pins: pulledFileRepository(queries),
    fetch: publicFetch({ privateHosts: options.pullHosts }),
    spool,
    uploads,
    clock,
    maxBuilds: limits.builds,
  });
  await app.register(pullRoutes, { pulls, requireOwner, limitWrites });
  await app.register(sharedRoutes, { shared, files, limitReports });
  await app.register(releasePage, { shared, meterReads, publicUrl, webRoot });

  // Runs in the background: a wrong setting of the store does not affect files that go through the server.
  void store.downloads
    ?.checkAccessFrom(publicUrl)
    .catch((error: unknown) => app.log.warn({ err: error }, 'browsers cannot read files from the store'));
  background.use(bytes);
  background.use(
    await repeatWork({
      work: () => bytes.sweep(),
      clock,
      interval: SWEEP_INTERVAL,
      timeout: 0,
      onFailure: (error) => app.log.warn({ err: error }, 'sweeping the file store failed and will be retried'),
    }),
  );
  const releases = [...(hasDemo ? [demoRelease()] : []), ...(hasProbe ? readProbes(app) : [])];
  if (releases.length > 0) {
    const parts = { repository: productReleaseRepository(queries), bytes, spool, clock };
    background.use(
      await repeatWork({
        work: async () => {
          for (const release of releases) {
            await ensureProductRelease(release, parts);
          }
        },
        clock,
        interval: PRODUCT_INTERVAL,
        timeout: PRODUCT_TIMEOUT,
        onFailure: (error) =>
          app.log.warn({ err: error }, "publishing the product's releases failed and will be retried"),
      }),
    );
  }
  return background;
}

/** Reads the releases of the probe. If it fails, they are not published, but the server starts. */
function readProbes(app: FastifyInstance): readonly ProductRelease[] {
  try {
    return probeReleases();
  } catch (error) {
    app.log.error({ err: error }, 'the images of the probe cannot be read: they are not published');
    return [];
  }
}
