/**
 * Builds the server from its configuration: opens storage and identity, registers plugins and features. It never
 * listens.
 */
import { maxHeaderSize } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { releasePath } from '@wirebench/boards';
import { type Clock, systemClock } from '@wirebench/clock';
import { demoReleaseId, probeReleaseIds } from '@wirebench/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { Gate } from './admission/gate.ts';
import { UploadAdmission } from './admission/upload-admission.ts';
import { productDatabase } from './backup/data-files.ts';
import { commandText } from './command-line/command-name.ts';
import { type Config, isLoopback } from './config.ts';
import { accountRepository } from './features/accounts/accounts.repository.ts';
import { accountRoutes } from './features/accounts/accounts.routes.ts';
import { accountService } from './features/accounts/accounts.service.ts';
import { feedbackRepository } from './features/feedback/feedback.repository.ts';
import { feedbackRoutes } from './features/feedback/feedback.routes.ts';
import { feedbackService } from './features/feedback/feedback.service.ts';
import { jkitPublishers } from './features/jkits/jkit-publishers.repository.ts';
import { addJkits } from './features/jkits/jkits.ts';
import { addLive } from './features/live/live.ts';
import { LiveTraffic } from './features/live/live-traffic.ts';
import { moderationRepository } from './features/moderation/moderation.repository.ts';
import { moderationRoutes } from './features/moderation/moderation.routes.ts';
import { moderationService } from './features/moderation/moderation.service.ts';
import { reportRepository } from './features/moderation/reports.repository.ts';
import { hasProbeImages } from './features/releases/probe-release.ts';
import { projectPublishers } from './features/releases/project-publishers.repository.ts';
import { addReleases } from './features/releases/releases.ts';
import { stateRoutes } from './features/state/state.routes.ts';
import { stateService } from './features/state/state.service.ts';
import { guardPublishing } from './features/tokens/publishing-guard.ts';
import { tokenRepository } from './features/tokens/tokens.repository.ts';
import { tokenRoutes } from './features/tokens/tokens.routes.ts';
import { tokenService } from './features/tokens/tokens.service.ts';
import { type Identity, openIdentity } from './identity/identity.ts';
import { StoredBytesMetrics } from './metrics/stored-bytes-metrics.ts';
import { uploadMetrics } from './metrics/upload-metrics.ts';
import { documentApi } from './plugins/api-docs.ts';
import { allowAppOrigins } from './plugins/app-origins.ts';
import { guardRoutes } from './plugins/auth.ts';
import { redirectToPublicHost } from './plugins/canonical-host.ts';
import { openEarlierAssets } from './plugins/earlier-assets.ts';
import { dropTypeOfEmptyBody } from './plugins/empty-bodies.ts';
import { answerErrors, answerFrameworkError } from './plugins/errors.ts';
import { trustOf } from './plugins/forwarded.ts';
import { readForwardedAddresses } from './plugins/forwarded-addresses.ts';
import { expectRoom, guardDisk } from './plugins/full-disk.ts';
import { serveMetrics } from './plugins/metrics.ts';
import { operationRoutes } from './plugins/operations.ts';
import { countCalls, limitBy, limitReports, limitWrites, meterAddresses, meterByKey } from './plugins/rate-limit.ts';
import { addRequestIdHeader, type LogDestination, loggingOptions } from './plugins/request-log.ts';
import { addSecurityHeaders } from './plugins/security-headers.ts';
import { serveWebApp } from './plugins/static-files.ts';
import { repeatWork } from './repeat-work.ts';
import { type Blobs, checkBlobs, openBlobs } from './storage/blobs/open-blobs.ts';
import type { S3Times } from './storage/blobs/s3-store.ts';
import { lockDataFolder, openDataFile, openDataFolder } from './storage/data-folder.ts';
import { type Database, openDatabase, type SqliteDatabaseOptions } from './storage/database/database.ts';
import { openDatabaseServer } from './storage/database-server.ts';
import { type DiskSpace, freeBytesOf, openDiskSpace } from './storage/disk-space.ts';
import { SharedStore } from './storage/shared-store.ts';

export interface AppOptions {
  readonly config: Config;
  /** Origin that people open. It appears in share links and is part of the embedded provider's issuer. */
  readonly publicUrl: string;
  /** Folder of the built web app. Default: the one of this repository. */
  readonly webRoot?: string;
  readonly clock?: Clock;
  /** Options of the SQLite file, if they differ from the defaults. */
  readonly sqlite?: Omit<SqliteDatabaseOptions, 'path'>;
  /** Waits for an S3 store, if they differ from the defaults. */
  readonly s3Times?: S3Times;
  /** Receives log lines instead of the standard output. */
  readonly logDestination?: LogDestination;
  /** The gate in front of the app, if there is one. */
  readonly gate?: Gate;
}

/** Reports of public items per address and minute: people read before they report. */
const MAX_REPORTS = 5;
/**
 * Crashes per minute, from one address and for one version. A board that crashes in a loop needs only a few reports.
 */
const MAX_CRASHES = { ofAddress: 10, ofVersion: 120 };

/** Milliseconds after which a bench of a disabled or signed-out account ends at the latest. */
const END_SHARED = 2_000;

const BUILT_WEB_APP = fileURLToPath(new URL('../../web/dist', import.meta.url));

/**
 * Builds the server, ready for requests. Closing it closes everything that it opened.
 *
 * @throws StartError if `DATA_DIR` is unusable or another server uses it.
 */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, publicUrl, clock = systemClock, sqlite, s3Times, logDestination } = options;
  const resources = new AsyncDisposableStack();
  try {
    const dataDir = await openDataFolder(config.dataDir);
    if (config.databaseUrl === null) {
      resources.use(await lockDataFolder(dataDir));
    }
    // Before the database, which may need the reserve to open on a full disk. A database server watches its own
    // disk.
    const diskSpace = config.databaseUrl === null ? await openDiskSpace({ folder: dataDir, clock }) : null;
    const database = resources.use(
      config.databaseUrl === null
        ? await openDataFile(join(dataDir, productDatabase), (path) => openDatabase({ path, ...sqlite }))
        : await openDatabaseServer(config.databaseUrl),
    );
    const shared =
      config.redisUrl === null
        ? null
        : resources.use(await SharedStore.open({ url: config.redisUrl, commandTimeout: config.redisTimeout }));
    const s3 = config.s3 === null ? null : { ...config.s3, ...s3Times };
    const blobs = await openBlobs({ dataDir, s3, clock });
    const identity = resources.use(await openIdentity({ config: { ...config, dataDir }, publicUrl, clock }));

    const app = Fastify({
      ...loggingOptions(config.logLevel, logDestination),
      trustProxy: trustOf(config.trustProxy),
      // The route itself checks the length of an id, so that its answer has the proper headers.
      routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxHeaderSize },
      frameworkErrors: answerFrameworkError,
    });
    app.addHook('onClose', () => resources.disposeAsync());
    await assemble(app, { ...options, clock, dataDir, database, shared, diskSpace, blobs, identity, resources });
    await app.ready();
    return app;
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

interface Parts extends AppOptions {
  readonly clock: Clock;
  /** Absolute path. */
  readonly dataDir: string;
  readonly database: Database;
  /** Null for a single process. */
  readonly shared: SharedStore | null;
  /** Null if the database is on another server. */
  readonly diskSpace: DiskSpace | null;
  readonly identity: Identity;
  readonly blobs: Blobs;
  /** Closed in reverse order of opening when the app closes. */
  readonly resources: AsyncDisposableStack;
}

async function assemble(app: FastifyInstance, parts: Parts): Promise<void> {
  const {
    config,
    publicUrl,
    webRoot = BUILT_WEB_APP,
    clock,
    dataDir,
    database,
    shared,
    diskSpace,
    blobs,
    identity,
    resources,
    gate,
  } = parts;
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  // The API accepts JSON. Any other type is answered with 415.
  app.removeContentTypeParser('text/plain');
  dropTypeOfEmptyBody(app);

  addRequestIdHeader(app);
  readForwardedAddresses(app, config.trustProxy);
  answerErrors(app, { onFullDisk: () => diskSpace?.noticeFull(), clock });
  addSecurityHeaders(app, {
    publicUrl,
    providerOrigins: identity.origins,
    hstsSubdomains: config.hstsSubdomains,
    apiOrigin: config.apiUrl ?? publicUrl,
    storeOrigin: storeOriginOf(config),
    embedded: identity.embeddedPaths,
  });
  await allowAppOrigins(app, config.appOrigins);
  if (config.publicUrl !== null || isLoopback(config.listen.host)) {
    redirectToPublicHost(app, {
      publicUrl,
      trustsProxy: config.trustProxy !== false,
      servesTls: config.tls !== null,
    });
  }
  if (diskSpace !== null) {
    guardDisk(app, diskSpace);
  }
  const checkStore = () => checkBlobs(blobs);
  const freeBytes = () => freeBytesOf(dataDir);
  const uploads = new UploadAdmission({ limits: config.uploads, freeBytes });
  gate?.load.onChange((isShedding) =>
    app.log.warn(
      isShedding
        ? 'the server is overloaded and refuses a share of the requests'
        : 'the server is no longer overloaded',
    ),
  );
  logRedisState(app, shared, config.databaseUrl !== null);
  const storedBytes = new StoredBytesMetrics();
  const traffic = new LiveTraffic();
  serveMetrics(app, {
    access: config.metrics,
    checks: {
      database: () => database.check(),
      store: checkStore,
      ...(shared === null ? {} : { redis: () => shared.check() }),
    },
    clock,
    more: [...uploadMetrics(uploads, freeBytes), ...(gate?.metrics ?? []), ...storedBytes.metrics, ...traffic.metrics],
  });
  documentApi(app);
  const accounts = resources.use(
    accountService({
      accounts: accountRepository(database.queries, [projectPublishers, jkitPublishers]),
      clock,
      adminRole: config.adminRole,
      subjectsAreNames: config.identity.kind === 'embedded',
      onFailure: (error) => app.log.warn({ err: error }, 'the last-seen time of an account could not be saved'),
    }),
  );
  const guards = guardRoutes(app, async (token) => accounts.receive(await identity.verifyToken(token)));
  await countCalls(app, shared, clock);
  const writeLimit = await limitWrites(app, config.writesPerMinute);
  // Searches and previews share one meter: calls to one reduce what is left for the other.
  const meterReads = await meterAddresses(app, 'reads', config.readsPerMinute);
  const reportLimit = await limitReports(app, 'reports', config.writesPerMinute);

  const hasProbe = config.probeRelease && hasProbeImages();
  if (config.probeRelease && !hasProbe) {
    app.log.warn('the images of the probe are missing: its release is not published');
  }
  await app.register(operationRoutes, {
    publicConfig: {
      apiUrl: config.apiUrl === null || config.apiUrl === publicUrl ? '' : config.apiUrl,
      oidc: identity.publicConfig,
      adminRole: config.adminRole,
      latestReleaseUrl:
        config.latestReleaseUrl ??
        `${publicUrl}${releasePath('version', hasProbe ? probeReleaseIds.esp32 : demoReleaseId)}`,
      limits: config.limits,
      ...(config.issuesUrl === null ? {} : { issuesUrl: config.issuesUrl }),
    },
    checkDatabase: async () => {
      if (diskSpace !== null) {
        await expectRoom(diskSpace);
      }
      await database.check();
    },
    checkStore,
    checkShared: () => shared?.check() ?? Promise.resolve(),
    limitProbes: limitBy(await meterAddresses(app, 'probes', config.readsPerMinute)),
    isOverloaded: () => (gate?.load.share ?? 0) > 0,
    clock,
  });
  const feedbacks = feedbackRepository(database.queries);
  await app.register(feedbackRoutes, {
    feedback: feedbackService(feedbacks, clock),
    guards,
    limitWrites: writeLimit,
    adminRole: config.adminRole,
  });
  resources.use(
    await addJkits(app, {
      queries: database.queries,
      clock,
      limit: config.limits.jkits,
      guards,
      limitWrites: writeLimit,
      limitReads: limitBy(meterReads),
    }),
  );
  await app.register(accountRoutes, { accounts, guards, limitWrites: writeLimit });
  const tokens = tokenService({
    tokens: tokenRepository(database.queries),
    clock,
    ownerActiveDays: config.tokenOwnerActiveDays,
    isDisabled: identity.isDisabled,
  });
  await app.register(tokenRoutes, { tokens, guards, limitWrites: writeLimit });
  resources.use(
    await addReleases(app, {
      queries: database.queries,
      contentVersion: () => database.contentVersion(),
      blobs,
      clock,
      limits: config.limits,
      ...guardPublishing(app, guards, tokens),
      stillMay: tokens.stillMay,
      limitWrites: writeLimit,
      limitReports: reportLimit,
      crashLimits: {
        limitSenders: await limitReports(app, 'crashes', Math.min(config.writesPerMinute, MAX_CRASHES.ofAddress)),
        meterVersion: await meterByKey(app, 'crashes-of-versions', config.writesPerMinute && MAX_CRASHES.ofVersion),
      },
      meterReads,
      uploads,
      pullHosts: config.pullHosts,
      publicUrl,
      webRoot,
      hasDemo: config.latestReleaseUrl === null || config.identity.kind === 'embedded',
      hasProbe,
      metrics: storedBytes,
    }),
  );
  const meterLive = await meterAddresses(app, 'live', config.readsPerMinute);
  const live = resources.use(
    await addLive(app, {
      queries: database.queries,
      clock,
      shared,
      limits: config.live,
      guards,
      limitWrites: writeLimit,
      limitReads: limitBy(meterLive),
      meterJoins: meterLive,
      origins: new Set([publicUrl, ...config.appOrigins, ...config.live.origins]),
      traffic,
    }),
  );
  const { signedOut, ownAccounts } = identity;
  if (signedOut !== null) {
    // The command that changes accounts is another process.
    const endShared = async () => {
      for (const { subject, before } of signedOut()) {
        await live.service.endAllOf(subject, before);
      }
    };
    const onFailure = (err: unknown) => app.log.warn({ err }, 'benches of signed-out accounts could not be ended');
    resources.use(await repeatWork({ work: endShared, clock, interval: END_SHARED, onFailure }));
  }
  const moderation = moderationService({
    queries: database.queries,
    moderation: moderationRepository(
      database.queries,
      (subject) => ownAccounts?.().find((account) => account.subject === subject) ?? null,
    ),
    reports: reportRepository(database.queries),
    clock,
    onBlocked: (subject) => live.service.endAllOf(subject),
    ownAccounts:
      ownAccounts === null ? null : { list: () => accounts.list(ownAccounts()), command: commandText('accounts') },
  });
  await app.register(moderationRoutes, {
    moderation,
    guards,
    limitWrites: writeLimit,
    limitReports: await limitReports(app, 'moderation-reports', Math.min(config.writesPerMinute, MAX_REPORTS)),
    adminRole: config.adminRole,
  });
  await app.register(stateRoutes, {
    state: stateService({
      config,
      publicUrl,
      dataDir,
      queries: database.queries,
      checkStore,
      usesDemoAccounts: () => ownAccounts?.().some(({ isDemo }) => isDemo) ?? false,
      lacksProbe: config.probeRelease && !hasProbe,
      clock,
    }),
    counts: async () => ({ ...(await moderation.counts()), feedback: await feedbacks.count(null) }),
    guards,
    adminRole: config.adminRole,
  });
  identity.serve(app);
  const onFailure = (err: unknown) =>
    app.log.warn(
      { err },
      'the assets of this version could not be kept for tabs that stay open beyond the next update',
    );
  const earlier = resources.use(openEarlierAssets({ webRoot, dataDir, clock, onFailure }));
  await serveWebApp(app, webRoot, earlier);
}

function logRedisState(app: FastifyInstance, shared: SharedStore | null, mayBeSeveral: boolean): void {
  if (shared === null && mayBeSeveral) {
    app.log.info('this process alone serves shared benches: several processes need REDIS_URL');
  }
  if (shared?.isUp === false) {
    app.log.error('Redis does not answer: benches cannot be shared until it does');
  }
  shared?.onChange((isUp) => {
    if (isUp) {
      app.log.info('Redis answers again');
    } else {
      app.log.error('Redis does not answer any more: benches cannot be shared, and each process counts its own limits');
    }
  });
}

function storeOriginOf({ s3 }: Config): string | null {
  return s3 === null || s3.publicUrl === null ? null : new URL(s3.publicUrl).origin;
}
