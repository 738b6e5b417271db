/** The app without a socket, with a clock and an issuer that the test controls. */
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { VirtualClock } from '@wirebench/clock';
import type { FastifyInstance } from 'fastify';
import { expect, inject } from 'vitest';
import { buildApp } from '../app.ts';
import { type Config, type Environment, readConfig } from '../config.ts';
import { runOnThread } from '../storage/database/sqlite-thread.ts';
import { runInThread } from './sqlite-in-thread.ts';
import { copyStarted, type StartedData, testStart } from './started-data.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { type Claims, startTokenIssuer, type TokenIssuer } from './token-issuer.ts';
import { writeWebApp } from './web-app.ts';

/** Initial data of the tests' apps. */
interface AppTemplate {
  /** Path of a migrated SQLite file with the product's JKits, for apps with other releases or another file store. */
  readonly library: string;
  /** Data that also contains the product's releases. */
  readonly started: StartedData;
  /** Folder of the web app of all tests. */
  readonly webRoot: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined if no setup has provided it. */
    appTemplate: AppTemplate | undefined;
  }
}

export interface TestApp extends AsyncDisposable {
  readonly app: FastifyInstance;
  readonly clock: VirtualClock;
  readonly issuer: TokenIssuer;
  readonly dataDir: string;
  readonly log: readonly string[];
  /** Returns an access token like Keycloak's, valid for five minutes. `claims` override the default ones. */
  token(claims?: Claims): Promise<string>;
  /** Returns the headers of a call with such a token. */
  bearer(claims?: Claims): Promise<{ authorization: string }>;
}

export { testStart } from './started-data.ts';

/** @param pages Pages of the web app by file name, in addition to those of all tests. */
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
    sqlite: { busyTimeout: 0, startRunner: needsThreads() ? runOnThread : runInThread },
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

/** Returns true in test files about load and lost data, which need the product's threads of SQLite. */
function needsThreads(): boolean {
  return /\/(?:security\/hostile|durability)\//.test(expect.getState().testPath ?? '');
}

/**
 * Copies the initial data, including the product's releases if a server with this configuration publishes all of
 * them.
 */
async function copyData({ library, started }: AppTemplate, config: Config): Promise<void> {
  const { dataDir, s3, probeRelease, latestReleaseUrl } = config;
  if (s3 === null && probeRelease && latestReleaseUrl === null) {
    await copyStarted(started, dataDir);
  } else {
    await mkdir(dataDir, { mode: 0o700 });
    await copyFile(library, join(dataDir, 'wirebench.sqlite'));
  }
}
