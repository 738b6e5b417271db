/** Creates the data of a server with SQLite that has started once, for the apps of the server's tests. */
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { VirtualClock } from '@wirebench/clock';
import { allChips } from '@wirebench/contract/chip-library';
import { allDecoders } from '@wirebench/contract/decoder-library';
import type { TestProject } from 'vitest/node';
import { allJkits } from '../features/jkits/library/all-jkits.ts';
import { libraryRepository } from '../features/jkits/library.repository.ts';
import { stockLibrary } from '../features/jkits/library.service.ts';
import { mergeSearchIndex } from '../features/jkits/search-upkeep.repository.ts';
import { openDatabase } from '../storage/database/database.ts';
import { startOnce, testStart } from './started-data.ts';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts';
import { writeWebApp } from './web-app.ts';

let folder: TemporaryFolder | null = null;

export async function setup({ provide }: TestProject): Promise<void> {
  folder = await temporaryFolder();
  const library = join(folder.path, 'library.sqlite');
  const dataDir = join(folder.path, 'data');
  const webRoot = join(folder.path, 'web');
  const clock = new VirtualClock(testStart);
  const database = await openDatabase({ path: library });
  await stockLibrary(
    libraryRepository(database.queries),
    { uart: allJkits, chip: allChips, decoder: allDecoders },
    clock,
  );
  await mergeSearchIndex(database.queries);
  await database.close();
  await writeWebApp(webRoot);

  await mkdir(dataDir, { mode: 0o700 });
  await copyFile(library, join(dataDir, 'wirebench.sqlite'));
  provide('appTemplate', { library, started: await startOnce(dataDir), webRoot });
}

export async function teardown(): Promise<void> {
  await folder?.[Symbol.asyncDispose]();
}
