/**
 * Assembles the releases feature: repositories, services, routes, flash counts, the product's own releases and the
 * sweep.
 */

import { createHash } from 'node:crypto';
import type { Clock } from '@wirebench/clock';
import { demoReleaseId } from '@wirebench/contract';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import type { Actor } from '../../access/actor.ts';
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
import { elfRoutes } from './elf.routes.ts';
import { elfRepository } from './elfs.repository.ts';
import { appDescription, buildEspImage, DRAM_ADDRESS, DROM_ADDRESS, IRAM_ADDRESS } from './esp-image.ts';
import { fileReplies } from './file-reply.ts';
import { flashCountRepository } from './flash-counts.repository.ts';
import { FlashCounts } from './flash-counts.ts';
import { historyRepository } from './history.repository.ts';
import { pictureRepository } from './pictures.repository.ts';
import { pictureRoutes } from './pictures.routes.ts';
import { pictureService } from './pictures.service.ts';
import { probeReleases } from './probe-release.ts';
import { ensureProductRelease, type ProductFile, type ProductRelease } from './product-release.ts';
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
  /** Rejects if the author of a long upload may no longer publish. */
  readonly stillMay: (actor: Actor) => Promise<void>;
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

/**
 * The files of the demo release: everything that an empty ESP32 needs to start. A real chip would loop forever. The
 * application's output is in its read-only data, where a simulated ESP32 finds and prints it.
 */

/** Offset of the application with the usual partition table. */
const APP_OFFSET = 0x10000;

/** Returns the files ordered by address. Their bytes are always the same. */
export function demoFiles(): readonly ProductFile[] {
  return [
    { fileName: 'bootloader.bin', offset: 0x1000, bytes: demoBootloader() },
    { fileName: 'partition-table.bin', offset: 0x8000, bytes: demoPartitionTable() },
    { fileName: 'wirebench-demo.bin', offset: APP_OFFSET, bytes: demoImage() },
  ];
}

/** Precedes the boot text, which ends with a NUL. It also tells flashers that a file is for demo devices only. */
export const BOOT_TEXT_MARK = 'wirebench-boot-text:';

/** Lines that a serial monitor shows. */
export const demoBootText = [
  'I (142) demo: Wirebench demo 1.0.0',
  'I (146) demo: You have flashed this from a release link.',
  '',
].join('\r\n');

/** `j .`: a jump to itself (Xtensa Instruction Set Architecture, "J", offset -4). */
const LOOP_FOREVER = Uint8Array.of(0x06, 0xff, 0xff);

export function demoImage(): Uint8Array {
  const description = appDescription({
    version: '1.0.0',
    projectName: 'wirebench-demo',
    idfVersion: 'none',
    time: '12:00:00',
    date: 'Nov 20 2026',
  });
  const readOnly = Buffer.concat([description, Buffer.from(`${BOOT_TEXT_MARK}${demoBootText}\0`)]);
  return buildEspImage({
    entry: IRAM_ADDRESS,
    segments: [
      { address: DROM_ADDRESS, data: readOnly },
      { address: IRAM_ADDRESS, data: LOOP_FOREVER },
    ],
  });
}

/** Builds the bootloader: `esp_bootloader_desc_t` (ESP-IDF, `esp_bootloader_desc.h`), the mark, and an endless loop. */
function demoBootloader(): Uint8Array {
  const description = Buffer.alloc(80);
  description[0] = 80;
  description.writeUInt32LE(1, 4);
  description.write('none', 8);
  description.write('Nov 20 2026 12:00:00', 40);
  return buildEspImage({
    entry: IRAM_ADDRESS,
    segments: [
      { address: DRAM_ADDRESS, data: Buffer.concat([description, Buffer.from(`${BOOT_TEXT_MARK}\0`)]) },
      { address: IRAM_ADDRESS, data: LOOP_FOREVER },
    ],
  });
}

/**
 * Builds the partition table (ESP-IDF, "Partition Tables"): entries of 32 bytes, their MD5, and erased flash up to
 * the end. It is the table of the demo boards, so that the release keeps their settings and files.
 */
function demoPartitionTable(): Uint8Array {
  const entries = [
    ['nvs', 1, 0x02, 0x9000, 0x4000],
    ['otadata', 1, 0x00, 0xd000, 0x2000],
    ['phy_init', 1, 0x01, 0xf000, 0x1000],
    ['ota_0', 0, 0x10, APP_OFFSET, 0x100000],
    ['storage', 1, 0x83, 0x110000, 0x20000],
    ['coredump', 1, 0x03, 0x130000, 0x10000],
    ['ota_1', 0, 0x11, 0x140000, 0x100000],
  ] as const;
  const rows = entries.map(([label, type, subtype, offset, size]) => {
    const row = Buffer.alloc(32);
    row.writeUInt16LE(0x50aa);
    row.set([type, subtype], 2);
    row.writeUInt32LE(offset, 4);
    row.writeUInt32LE(size, 8);
    row.write(label, 12);
    return row;
  });
  const hash = Buffer.alloc(32, 0xff);
  hash.writeUInt16LE(0xebeb);
  createHash('md5').update(Buffer.concat(rows)).digest().copy(hash, 16);
  const table = Buffer.alloc(0xc00, 0xff);
  Buffer.concat([...rows, hash]).copy(table);
  return table;
}

/** The release for trying the flasher. It is marked as a demo, so that flashers refuse to write it to a real chip. */
export function demoRelease(): ProductRelease {
  return {
    projectId: '01939c00-0000-7000-8000-00000000de50',
    versionId: '01939c00-0000-7000-8000-00000000de51',
    shareId: demoReleaseId,
    isDemo: true,
    name: 'Wirebench demo',
    publisher: 'wirebench',
    projectDescription: 'A release to try the flasher with. It runs on the demo board only.',
    deviceModel: 'esp32',
    version: '1.0.0',
    versionDescription:
      'Open this release in the flasher, choose the **demo board** and flash. Then the monitor opens and the board says hello.',
    files: demoFiles(),
    baudRate: 115_200,
  };
}

/** Adds the routes. The disposal ends the background work, so it has to precede the closing of the database. */
export async function addReleases(app: FastifyInstance, options: ReleasesOptions): Promise<AsyncDisposable> {
  const { queries, blobs, clock, limits, publicUrl, webRoot, hasDemo, hasProbe } = options;
  const { requirePublisher, requireOwner, stillMay, limitWrites, limitReports, meterReads, uploads, metrics } = options;
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
  const pictureRows = pictureRepository(queries);
  const { contentVersion } = options;
  const shared = sharedService({ repository, pictures: pictureRows, counts, clock, contentVersion });
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
    stillMay,
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
  await app.register(pictureRoutes, {
    pictures: pictureService({ pictures: pictureRows, bytes, clock }),
    shared,
    files,
    spool,
    uploads,
    requireOwner,
    limitWrites,
  });
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
