/**
 * Before the server's tests: the data of a server that has started once, for apps to start with. Making the tables, the product's own JKits
 * and its releases takes longer than most tests.
 */
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { VirtualClock } from '@wirebench/clock';
import { allChips } from '@wirebench/contract/chip-library';
import type { TestProject } from 'vitest/node';
import { buildApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { allJkits } from '../features/jkits/library/all-jkits.ts';
import { libraryRepository } from '../features/jkits/library.repository.ts';
import { stockLibrary } from '../features/jkits/library.service.ts';
import { mergeSearchIndex } from '../features/jkits/search-upkeep.repository.ts';
import { openDatabase } from '../storage/database/database.ts';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts';
import { testStart } from './test-app.ts';
import { startTokenIssuer } from './token-issuer.ts';
import { writeWebApp } from './web-app.ts';

let folder: TemporaryFolder | null = null;

export async function setup({ provide }: TestProject): Promise<void> {
  folder = await temporaryFolder();
  const library = join(folder.path, 'library.sqlite');
  const dataDir = join(folder.path, 'data');
  const webRoot = join(folder.path, 'web');
  const clock = new VirtualClock(testStart);
  const database = await openDatabase({ path: library });
  await stockLibrary(libraryRepository(database.queries), { uart: allJkits, chip: allChips }, clock);
  await mergeSearchIndex(database.queries);
  await database.close();
  await writeWebApp(webRoot);

  await using issuer = await startTokenIssuer();
  await mkdir(dataDir, { mode: 0o700 });
  await copyFile(library, join(dataDir, 'wirebench.sqlite'));
  const config = readConfig({ DATA_DIR: dataDir, ...issuer.environment });
  const logDestination = { write: () => undefined };
  const app = await buildApp({ config, publicUrl: 'http://localhost:4173', webRoot, clock, logDestination });
  await app.close();
  provide('appTemplate', { library, dataDir, files: await filesIn(dataDir), webRoot });
}

export async function teardown(): Promise<void> {
  await folder?.[Symbol.asyncDispose]();
}

async function filesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(path, join(entry.parentPath, entry.name)));
}
