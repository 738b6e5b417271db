/** The backup and restore commands of operators, with the server's own configuration. */
import { type Environment, readConfig } from '../config.ts';
import { StartError } from '../start-error.ts';
import { type BackupSummary, createBackup } from './create-backup.ts';
import { restoreBackup } from './restore-backup.ts';

/** Writes a backup. Like the functions below, it throws a `StartError` with the remedy. */
export async function backUp(environment: Environment, file: string): Promise<BackupSummary> {
  return createBackup({ dataDir: embeddedData(environment), file });
}

export async function restore(environment: Environment, file: string): Promise<BackupSummary> {
  return restoreBackup({ dataDir: embeddedData(environment), file });
}

/** Returns the data folder of a server that keeps all its data there. */
function embeddedData(environment: Environment): string {
  const { dataDir, databaseUrl, s3 } = readConfig(environment);
  if (databaseUrl !== null) {
    throw new StartError([
      'DATABASE_URL is set, so the data is not in DATA_DIR: back up PostgreSQL with its own tools, see docs/operating.md.',
    ]);
  }
  if (s3 !== null) {
    throw new StartError([
      'S3_BUCKET is set, so the files are not in DATA_DIR: back up the bucket with its own tools, see docs/operating.md.',
    ]);
  }
  return dataDir;
}
