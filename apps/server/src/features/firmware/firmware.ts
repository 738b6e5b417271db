/** Puts the firmware feature together: its repositories, services and routes, the demo release and the sweep. */
import type { Clock } from '@wirebench/clock';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { repeatWork } from '../../repeat-work.ts';
import type { Blobs } from '../../storage/blobs/open-blobs.ts';
import type { Queries } from '../../storage/database/database.ts';
import { bytesRepository } from './bytes.repository.ts';
import { bytesService } from './bytes.service.ts';
import { demoRepository } from './demo.repository.ts';
import { ensureDemoRelease } from './demo-release.ts';
import { historyRepository } from './history.repository.ts';
import { projectRepository } from './projects.repository.ts';
import { projectRoutes } from './projects.routes.ts';
import { projectService } from './projects.service.ts';
import { releasePage } from './release-page.routes.ts';
import { sharedRepository } from './shared.repository.ts';
import { sharedRoutes } from './shared.routes.ts';
import { sharedService } from './shared.service.ts';
import { versionUploadRoutes } from './version-upload.routes.ts';
import { versionRepository } from './versions.repository.ts';
import { versionRoutes } from './versions.routes.ts';
import { versionService } from './versions.service.ts';

export interface FirmwareOptions {
  readonly queries: Queries;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly limits: { readonly projects: number; readonly versions: number };
  /** Lets users and their publishing tokens through. */
  readonly requirePublisher: onRequestAsyncHookHandler;
  readonly limitWrites: onRequestAsyncHookHandler;
  readonly limitReports: onRequestAsyncHookHandler;
  readonly publicUrl: string;
  /** Folder of the built web app. */
  readonly webRoot: string;
  /** Whether the demo release belongs to this deployment. */
  readonly hasDemo: boolean;
}

/** Milliseconds between two sweeps of what interrupted uploads left behind. */
const SWEEP_INTERVAL = 1_800_000;

/** Adds the routes. The disposal ends the sweep, and has to come before the database is closed. */
export async function addFirmware(app: FastifyInstance, options: FirmwareOptions): Promise<AsyncDisposable> {
  const { queries, blobs, clock, limits, publicUrl, webRoot, hasDemo } = options;
  const { requirePublisher, limitWrites, limitReports } = options;
  const { store, spool } = blobs;
  const repository = sharedRepository(queries);
  const shared = sharedService(repository);
  const bytes = bytesService({ repository: bytesRepository(queries), store, spool, clock });
  const projects = projectService({
    projects: projectRepository(queries),
    history: historyRepository(queries),
    bytes,
    clock,
    limit: limits.projects,
  });
  const versions = versionService({
    versions: versionRepository(queries),
    shared: repository,
    bytes,
    clock,
    limit: limits.versions,
  });

  const guards = { requirePublisher, limitWrites };
  await app.register(projectRoutes, { projects, ...guards });
  await app.register(versionRoutes, { versions, store, ...guards });
  await app.register(versionUploadRoutes, { versions, spool, ...guards });
  await app.register(sharedRoutes, { shared, store, limitReports });
  await app.register(releasePage, { shared, publicUrl, webRoot });

  const demo = { repository: demoRepository(queries), bytes, spool, clock };
  return repeatWork({
    work: async () => {
      if (hasDemo) {
        await ensureDemoRelease(demo);
      }
      await bytes.sweep();
    },
    clock,
    interval: SWEEP_INTERVAL,
    onFailure: (error) => app.log.warn({ err: error }, 'sweeping the file store failed and will be retried'),
  });
}
