/** The command `npm run verify`, with the server's own configuration. Servers may run at the same time. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemClock } from '@wirebench/clock';
import { type Environment, readConfig } from '../config.ts';
import { bytesRepository } from '../features/releases/bytes.repository.ts';
import { StartError } from '../start-error.ts';
import { BlobStoreUnavailableError } from '../storage/blobs/blob-store.ts';
import { openBlobs } from '../storage/blobs/open-blobs.ts';
import { openDataFile } from '../storage/data-folder.ts';
import { openDatabaseForReading } from '../storage/database/database.ts';
import { DatabaseUnavailableError } from '../storage/database/database-failure.ts';
import { openDatabaseServer } from '../storage/database-server.ts';
import { reasonOf } from '../storage/failure-reason.ts';
import { type Verification, verifyFiles } from './verify-files.ts';

export interface VerifyResult extends Verification {
  /** Reason why browsers cannot read files from the store itself; null if they can or should not. */
  readonly accessFault: string | null;
}

/**
 * Verifies the stored files.
 *
 * @throws StartError with the remedy, if there is nothing to verify, or the database or store is unavailable.
 */
export async function verify(
  environment: Environment,
  { repair }: { readonly repair: boolean },
): Promise<VerifyResult> {
  const config = readConfig(environment);
  const dataDir = resolve(config.dataDir);
  const file = join(dataDir, 'wirebench.sqlite');
  if (config.databaseUrl === null && !existsSync(file)) {
    throw new StartError([`There is nothing to verify in ${dataDir}: set DATA_DIR to the folder of the server.`]);
  }
  await using database =
    config.databaseUrl === null
      ? await openDataFile(file, (path) => openDatabaseForReading({ path }))
      : await openDatabaseServer(config.databaseUrl, openDatabaseForReading);
  const { store } = await openBlobs({ dataDir, s3: config.s3, clock: systemClock });
  try {
    const repository = bytesRepository(database.queries);
    const verification = await verifyFiles({ repository, store, now: systemClock.wallTime(), repair });
    const origin = config.publicUrl ?? `http://localhost:${config.listen.port}`;
    const accessFault = (await store.downloads?.checkAccessFrom(origin).then(() => null, reasonOf)) ?? null;
    return { ...verification, accessFault };
  } catch (error) {
    if (error instanceof BlobStoreUnavailableError || error instanceof DatabaseUnavailableError) {
      throw new StartError([`${error.message} (${reasonOf(error.cause)}): the files could not be verified.`], {
        cause: error,
      });
    }
    throw error;
  }
}

/** Returns the findings as a table, and a summary line. */
export function verifyReport({ findings, kept, bytes, leftBecause, accessFault }: VerifyResult): string {
  const rows = findings.map(({ fault, key, size, files, isRemoved }) => [
    isRemoved ? `${fault}, removed` : fault,
    String(size),
    key,
    files.join('; '),
  ]);
  const table = rows.length === 0 ? [] : aligned([['what', 'bytes', 'key', 'files'], ...rows]);
  const count = (fault: string) => findings.filter((finding) => finding.fault === fault).length;
  return [
    ...table,
    ...[leftBecause, accessFault].filter((line) => line !== null),
    `${kept} files of versions, ${(bytes / 1_000_000).toFixed(1)} MB: ${count('missing')} missing, ${count('damaged')} damaged; ${count('orphaned')} orphaned`,
  ].join('\n');
}

/** Returns true if no fault is left. */
export function isSound({ findings, accessFault }: VerifyResult): boolean {
  return findings.every(({ isRemoved }) => isRemoved) && accessFault === null;
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
