/**
 * Copies of the data of a server that has started once. Creating the product's JKits and releases takes longer than
 * most tests.
 */
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { VirtualClock } from '@wirebench/clock';
import { buildApp } from '../app.ts';
import { type Environment, readConfig } from '../config.ts';
import { startTokenIssuer } from './token-issuer.ts';

/** Start time of the tests' apps: noon of a winter day, UTC. */
export const testStart = Date.UTC(2026, 10, 20, 12);

export interface StartedData {
  /** The `DATA_DIR`. */
  readonly folder: string;
  /** Paths of the files in the folder, relative to it. */
  readonly files: readonly string[];
}

/** Starts a server and stops it when it is ready. */
export async function startOnce(folder: string, environment: Environment = {}): Promise<StartedData> {
  await using issuer = await startTokenIssuer();
  const app = await buildApp({
    config: readConfig({ DATA_DIR: folder, ...issuer.environment, ...environment }),
    publicUrl: 'http://localhost:4173',
    webRoot: folder,
    clock: new VirtualClock(testStart),
    logDestination: { write: () => undefined },
  });
  await app.close();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return { folder, files: files.map((file) => relative(folder, file)) };
}

/** @param to A `DATA_DIR` that does not exist yet. */
export async function copyStarted({ folder, files }: StartedData, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  const folders = new Set(files.map((file) => join(to, dirname(file))));
  await Promise.all([...folders].map((path) => mkdir(path, { recursive: true })));
  await Promise.all(files.map((file) => copyFile(join(folder, file), join(to, file))));
}
