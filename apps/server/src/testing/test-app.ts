/** The app without a socket, on a clock that a test moves, with users of an issuer that the test plays. */
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { VirtualClock } from '@wirebench/clock';
import type { FastifyInstance } from 'fastify';
import { inject } from 'vitest';
import { buildApp } from '../app.ts';
import { type Config, type Environment, readConfig } from '../config.ts';
import { copyStarted, type StartedData, testStart } from './started-data.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { type Claims, startTokenIssuer, type TokenIssuer } from './token-issuer.ts';
import { writeWebApp } from './web-app.ts';

/** What the apps of all tests start with. */
interface AppTemplate {
  /** Path of a migrated SQLite file with the product's JKits, for apps whose releases or files are elsewhere. */
  readonly library: string;
  /** With the product's releases too. */
  readonly started: StartedData;
  /** Folder of the web app that all tests have. */
  readonly webRoot: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** To be copied; missing where nothing has made one. */
    appTemplate: AppTemplate | undefined;
  }
}

export interface TestApp extends AsyncDisposable {
  readonly app: FastifyInstance;
  readonly clock: VirtualClock;
  readonly issuer: TokenIssuer;
  readonly dataDir: string;
  readonly log: readonly string[];
  /** An access token as Keycloak would give it, good for five minutes; `claims` go over the usual ones. */
  token(claims?: Claims): Promise<string>;
  /** The headers of a call with such a token. */
  bearer(claims?: Claims): Promise<{ authorization: string }>;
}

export { testStart } from './started-data.ts';

/** @param pages of the web app, by file name, besides those that all tests have. */
export async function buildTestApp(
  environment: Environment = {},
  pages: Readonly<Record<string, string>> = {},
): Promise<TestApp> {
  const folder = await temporaryFolder();
  const issuer = await startTokenIssuer();
  const dataDir = join(folder.path, 'data');
  const clock = new VirtualClock(testStart);
  const log: string[] = [];
  const config = readConfig({ DATA_DIR: dataDir, ...issuer.environment, ...environment });
  const template = inject('appTemplate');
  if (template !== undefined && config.databaseUrl === null && config.dataDir === dataDir) {
    await copyData(template, config);
  }
  let webRoot = template?.webRoot;
  if (webRoot === undefined || Object.keys(pages).length > 0) {
    webRoot = join(folder.path, 'web');
    await writeWebApp(webRoot, pages);
  }
  const app = await buildApp({
    config,
    publicUrl: config.publicUrl ?? 'http://localhost:4173',
    webRoot,
    clock,
    busyTimeout: 0,
    logDestination: { write: (line) => log.push(line) },
  });
  const token = (claims: Claims = {}) => {
    const now = Math.floor(clock.now() / 1_000);
    return issuer.sign({
      iss: issuer.issuer,
      sub: 'subject-of-maker',
      aud: 'account',
      azp: 'wirebench-web',
      iat: now,
      exp: now + 300,
      preferred_username: 'maker',
      ...claims,
    });
  };
  return {
    app,
    clock,
    issuer,
    dataDir: config.dataDir,
    log,
    token,
    bearer: async (claims) => ({ authorization: `Bearer ${await token(claims)}` }),
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await issuer[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** With the product's releases where a server that is configured like this would publish all of them. */
async function copyData({ library, started }: AppTemplate, config: Config): Promise<void> {
  const { dataDir, s3, probeRelease, latestReleaseUrl } = config;
  if (s3 === null && probeRelease && latestReleaseUrl === null) {
    await copyStarted(started, dataDir);
  } else {
    await mkdir(dataDir, { mode: 0o700 });
    await copyFile(library, join(dataDir, 'wirebench.sqlite'));
  }
}
