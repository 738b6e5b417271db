/** The state of the server, for its operators: facts that it reads at each call, and what is misconfigured. */
import type { Clock } from '@wirebench/clock';
import type { ServerState, StateWarning } from '@wirebench/contract';
import manifest from '../../../package.json' with { type: 'json' };
import { lastBackup } from '../../backup/last-backup.ts';
import { commandText } from '../../command-line/command-name.ts';
import { type Config, isLoopback } from '../../config.ts';
import type { Queries } from '../../storage/database/database.ts';
import { databaseFacts } from '../../storage/database/database-facts.ts';
import { newestStep } from '../../storage/database/migrations/index.ts';
import { measureDisk } from '../../storage/disk-space.ts';

export interface StateServiceOptions {
  readonly config: Config;
  readonly publicUrl: string;
  readonly dataDir: string;
  readonly queries: Queries;
  /** Rejects if files cannot be received or read. */
  readonly checkStore: () => Promise<void>;
  /** Returns true while anyone at this machine may sign in as a demo account. */
  readonly usesDemoAccounts: () => boolean;
  /** True: the release of the ESP32 bench's program is wanted, and its images are missing. */
  readonly lacksProbe: boolean;
  readonly clock: Clock;
}

export type StateService = ReturnType<typeof stateService>;

const DAY = 24 * 3_600_000;
/** Milliseconds after which a backup is old. */
const BACKUP_AGE = 7 * DAY;
/** A disk with less than this share or this many bytes free is almost full. */
const FREE_SHARE = 0.1;
const FREE_BYTES = 2 ** 30;

export function stateService(options: StateServiceOptions) {
  const { config, dataDir, queries, checkStore, clock } = options;
  const startedAt = new Date(clock.wallTime()).toISOString();
  // A backup is of DATA_DIR alone.
  const isOwn = config.databaseUrl === null && config.s3 === null;
  return {
    async read(): Promise<ServerState> {
      const [facts, disk, answers, last] = await Promise.all([
        databaseFacts(queries),
        measureDisk(dataDir),
        checkStore().then(
          () => true,
          () => false,
        ),
        isOwn ? lastBackup(dataDir) : null,
      ]);
      const state = {
        version: manifest.version,
        node: process.versions.node,
        startedAt,
        database: {
          kind: config.databaseUrl === null ? ('sqlite' as const) : ('postgres' as const),
          schema: newestStep,
          ...facts,
        },
        files: {
          kind: config.s3 === null ? ('folder' as const) : ('s3' as const),
          place: config.s3 === null ? dataDir : `${new URL(config.s3.endpoint).host}/${config.s3.bucket}`,
          answers,
        },
        disk: { folder: dataDir, ...disk },
        backup: { isOwn, command: commandText('backup', '<file>'), last },
      };
      return { ...state, warnings: warningsOf(state, options) };
    },
  };
}

/** Returns what an operator has to look at, the most urgent first. */
function warningsOf(state: Omit<ServerState, 'warnings'>, options: StateServiceOptions): StateWarning[] {
  const { config, publicUrl, usesDemoAccounts, lacksProbe, clock } = options;
  const { database, files, disk, backup } = state;
  const { protocol, hostname } = new URL(publicUrl);
  const age = backup.last === null ? null : clock.wallTime() - Date.parse(backup.last.at);
  const found: readonly (false | readonly [text: string, remedy: string])[] = [
    database.version === null && ['The database does not answer.', 'Read the log of the server and of the database.'],
    !files.answers && ['The store of files does not answer.', 'Read the log: it names the reason.'],
    disk.free < Math.min(FREE_BYTES, disk.size * FREE_SHARE) && [
      'The disk of DATA_DIR is almost full.',
      'Delete versions, or move DATA_DIR to a larger disk.',
    ],
    backup.isOwn &&
      age === null && [
        'There is no backup of this server.',
        `Make one with “${backup.command}”, and repeat it by a timer.`,
      ],
    backup.isOwn &&
      age !== null &&
      age > BACKUP_AGE && [
        `The last backup is ${Math.floor(age / DAY)} days old.`,
        `Make one with “${backup.command}”, and repeat it by a timer.`,
      ],
    usesDemoAccounts() && [
      'Anyone at this machine can sign in as an administrator: the demo accounts have no passwords.',
      `Make an account with “${commandText('accounts', 'add <name> --admin')}”, which removes them.`,
    ],
    protocol === 'http:' &&
      !isLoopback(hostname) && [
        `PUBLIC_URL is ${publicUrl}: browsers hide serial ports from pages without https.`,
        'Set TLS_CERT and TLS_KEY, or put a proxy with https in front and set PUBLIC_URL to its address.',
      ],
    protocol === 'https:' &&
      config.tls === null &&
      config.trustProxy === false && [
        'All visitors count as one address, so they share its limits: the proxy in front is not trusted.',
        'Set TRUST_PROXY to the address of the proxy.',
      ],
    config.databaseUrl !== null &&
      config.redisUrl === null && [
        'Shared benches work only while this is the only process on the database.',
        'Set REDIS_URL if several processes serve it.',
      ],
    config.writesPerMinute === 0 && [
      'Nothing limits how much a user writes: RATE_LIMIT_WRITES is 0.',
      'Remove the setting for the usual limit.',
    ],
    config.metrics === 'all' && [
      'Anyone can read /metrics: METRICS is all.',
      'Remove the setting if no proxy keeps others away from it.',
    ],
    lacksProbe && [
      'The program of the ESP32 bench is not published: its images are missing.',
      'Build them, or set PROBE_RELEASE to off.',
    ],
  ];
  return found.flatMap((warning) => (warning === false ? [] : [{ text: warning[0], remedy: warning[1] }]));
}
