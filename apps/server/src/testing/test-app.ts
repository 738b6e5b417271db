/** The app without a socket, on a clock that a test moves, with users of an issuer that the test plays. */
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { VirtualClock } from '@wirebench/clock';
import type { FastifyInstance } from 'fastify';
import { inject } from 'vitest';
import { buildApp } from '../app.ts';
import { type Environment, readConfig } from '../config.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { type Claims, startTokenIssuer, type TokenIssuer } from './token-issuer.ts';
import { writeWebApp } from './web-app.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of a migrated SQLite file with the product's own JKits, to be copied; missing where nothing has made one. */
    sqliteTemplate: string | undefined;
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

/** Noon of a winter day, UTC. */
export const testStart = Date.UTC(2026, 10, 20, 12);

/** @param pages of the web app, by file name, besides those that all tests have. */
export async function buildTestApp(
  environment: Environment = {},
  pages: Readonly<Record<string, string>> = {},
): Promise<TestApp> {
  const folder = await temporaryFolder();
  const issuer = await startTokenIssuer();
  const dataDir = join(folder.path, 'data');
  await writeWebApp(join(folder.path, 'web'), pages);
  const clock = new VirtualClock(testStart);
  const log: string[] = [];
  const config = readConfig({ DATA_DIR: dataDir, ...issuer.environment, ...environment });
  const template = inject('sqliteTemplate');
  if (template !== undefined && config.databaseUrl === null && config.dataDir === dataDir) {
    await mkdir(dataDir, { mode: 0o700 });
    await copyFile(template, join(dataDir, 'wirebench.sqlite'));
  }
  const app = await buildApp({
    config,
    publicUrl: config.publicUrl ?? 'http://localhost:4173',
    webRoot: join(folder.path, 'web'),
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
    dataDir,
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
