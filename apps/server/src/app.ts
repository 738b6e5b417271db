/** Builds the server from its configuration: opens storage and identity, puts plugins and features together. Never listens. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Clock, systemClock } from '@wirebench/clock';
import { demoReleaseId, releasePath } from '@wirebench/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { type Config, isLoopback } from './config.ts';
import { feedbackRepository } from './features/feedback/feedback.repository.ts';
import { feedbackRoutes } from './features/feedback/feedback.routes.ts';
import { feedbackService } from './features/feedback/feedback.service.ts';
import { type Identity, openIdentity } from './identity/identity.ts';
import { guardRoutes } from './plugins/auth.ts';
import { redirectToPublicHost } from './plugins/canonical-host.ts';
import { answerErrors, answerFrameworkError } from './plugins/errors.ts';
import { operationRoutes } from './plugins/operations.ts';
import { limitWrites } from './plugins/rate-limit.ts';
import { type LogDestination, loggingOptions, tellRequestIds } from './plugins/request-log.ts';
import { addSecurityHeaders } from './plugins/security-headers.ts';
import { serveWebApp } from './plugins/static-files.ts';
import { openDataFile, openDataFolder } from './storage/data-folder.ts';
import { type Database, openDatabase } from './storage/database/database.ts';

export interface AppOptions {
  readonly config: Config;
  /** Origin that people open: in share links, in the issuer of the embedded provider. */
  readonly publicUrl: string;
  /** Folder of the built web app; that of this repository without it. */
  readonly webRoot?: string;
  readonly clock?: Clock;
  /** Milliseconds that a write waits for another process on the same database; 5 s without it. */
  readonly busyTimeout?: number;
  /** Takes log lines in place of the standard output. */
  readonly logDestination?: LogDestination;
}

const BUILT_WEB_APP = fileURLToPath(new URL('../../web/dist', import.meta.url));

/** The server, ready for requests; closing it closes what it opened. Throws a `StartError` when `DATA_DIR` is unusable. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, publicUrl, clock = systemClock, busyTimeout, logDestination } = options;
  const resources = new AsyncDisposableStack();
  try {
    const dataDir = await openDataFolder(config.dataDir);
    const database = resources.use(
      await openDataFile(join(dataDir, 'wirebench.sqlite'), (path) =>
        openDatabase({ path, ...(busyTimeout === undefined ? {} : { busyTimeout }) }),
      ),
    );
    const identity = resources.use(await openIdentity({ config: { ...config, dataDir }, publicUrl, clock }));

    const app = Fastify({
      ...loggingOptions(config.logLevel, logDestination),
      trustProxy: typeof config.trustProxy === 'boolean' ? config.trustProxy : [...config.trustProxy],
      routerOptions: { ignoreTrailingSlash: true },
      frameworkErrors: answerFrameworkError,
    });
    app.addHook('onClose', () => resources.disposeAsync());
    await assemble(app, { ...options, clock, database, identity });
    await app.ready();
    return app;
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

interface Parts extends AppOptions {
  readonly clock: Clock;
  readonly database: Database;
  readonly identity: Identity;
}

async function assemble(app: FastifyInstance, parts: Parts): Promise<void> {
  const { config, publicUrl, webRoot = BUILT_WEB_APP, clock, database, identity } = parts;
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  // The API speaks JSON; anything else is answered 415.
  app.removeContentTypeParser('text/plain');

  tellRequestIds(app);
  answerErrors(app);
  addSecurityHeaders(app, {
    publicUrl,
    issuerOrigin: new URL(identity.publicConfig.issuer).origin,
    embedded: identity.embeddedPaths,
  });
  if (config.publicUrl !== null || isLoopback(config.listen.host)) {
    redirectToPublicHost(app, { publicUrl, trustsProxy: config.trustProxy !== false });
  }
  const guards = guardRoutes(app, identity.verifyToken);
  const writeLimit = await limitWrites(app, config.writesPerMinute);

  await app.register(operationRoutes, {
    publicConfig: {
      apiUrl: '',
      oidc: identity.publicConfig,
      latestReleaseUrl: config.latestReleaseUrl ?? `${publicUrl}${releasePath('version', demoReleaseId)}`,
      limits: config.limits,
    },
    checkDatabase: () => database.check(),
  });
  await app.register(feedbackRoutes, {
    feedback: feedbackService(feedbackRepository(database.queries), clock),
    guards,
    limitWrites: writeLimit,
    adminRole: config.adminRole,
  });
  identity.addRoutes(app);
  await serveWebApp(app, webRoot);
}
