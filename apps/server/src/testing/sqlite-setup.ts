/**
 * Before the server's tests: a migrated SQLite file with the product's own JKits in it, for apps to start with. Making one takes longer
 * than most tests.
 */
import { join } from 'node:path';
import { VirtualClock } from '@wirebench/clock';
import { allChips } from '@wirebench/contract/chip-library';
import type { TestProject } from 'vitest/node';
import { allJkits } from '../features/jkits/library/all-jkits.ts';
import { libraryRepository } from '../features/jkits/library.repository.ts';
import { stockLibrary } from '../features/jkits/library.service.ts';
import { openDatabase } from '../storage/database/database.ts';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts';
import { testStart } from './test-app.ts';

let folder: TemporaryFolder | null = null;

export async function setup({ provide }: TestProject): Promise<void> {
  folder = await temporaryFolder();
  const path = join(folder.path, 'template.sqlite');
  const database = await openDatabase({ path });
  const clock = new VirtualClock(testStart);
  await stockLibrary(libraryRepository(database.queries), { uart: allJkits, chip: allChips }, clock);
  await database.close();
  provide('sqliteTemplate', path);
}

export async function teardown(): Promise<void> {
  await folder?.[Symbol.asyncDispose]();
}
