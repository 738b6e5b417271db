/// <reference path="./oidc-provider-class.d.ts" />
/**
 * Storage of the embedded provider for sessions, codes, grants and refresh tokens: one row each, deleted after its
 * expiry. It implements the provider's storage interface.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@wirebench/clock';
import { errorText } from '@wirebench/contract';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { InvalidRequest } from 'oidc-provider/lib/helpers/errors.js';
import { DatabaseUnavailableError, onSqlite } from '../../storage/database/database-failure.ts';
import { createEntryTable, fromEntryWithUid, type PersonsSession } from './entry-table.ts';

/** Writes between two deletions of expired rows, and two looks at the room on a full disk. */
const SWEEP_EVERY = 25;

/**
 * Maximum number of rows, per kind, that a client can create without signing in: sign-ins in progress, and sessions
 * without an account. The oldest are deleted first. Sessions of users do not count.
 */
const MAX_ANONYMOUS = 1_000;
/** The same while the disk is full: what strangers begin must leave room for the sign-ins of users. */
const MAX_ANONYMOUS_ON_FULL_DISK = 50;

/** Maximum length of such a row in characters. A request of the web app has 700. */
const LONGEST_ANONYMOUS = 8_192;

const anonymousModels: ReadonlySet<string> = new Set(['Interaction', 'Session']);

/**
 * Sessions cannot be read or written at the moment. The fields are those that the provider's library uses for its
 * answer.
 */
class SessionsUnavailableError extends DatabaseUnavailableError {
  readonly statusCode = 503;
  readonly expose = true;
  readonly error_description: string;

  constructor({ cause, reason }: DatabaseUnavailableError) {
    super({ cause }, reason);
    this.name = 'SessionsUnavailableError';
    // OAuth's error code (RFC 6749, section 4.1.2.1).
    this.message = 'temporarily_unavailable';
    this.error_description = errorText[reason === 'full' ? 'disk-full' : 'database-unavailable'];
  }
}

function onSessions<Result>(action: () => Result): Result {
  try {
    return onSqlite(action);
  } catch (error) {
    throw error instanceof DatabaseUnavailableError ? new SessionsUnavailableError(error) : error;
  }
}

/**
 * Creates the table in `database` if it is missing, deletes expired rows, and returns the provider's adapter for each
 * model. A session that `hasEnded` is not found, which invalidates its refresh tokens.
 *
 * @param hasRoom Restores the room for sign-ins on a full disk; false: the disk is full.
 */
export function sqliteAdapters(
  database: DatabaseSync,
  clock: Clock,
  hasEnded: (session: PersonsSession) => boolean = () => false,
  hasRoom: () => boolean = () => true,
): (model: string) => Adapter {
  onSessions(() => createEntryTable(database));
  const now = () => Math.floor(clock.wallTime() / 1_000);
  const upsert = database.prepare(
    `insert into entry (model, id, payload, grant_id, uid, expires_at) values (?, ?, ?, ?, ?, ?)
     on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id,
       uid = excluded.uid, expires_at = excluded.expires_at`,
  );
  const find = database.prepare(
    'select payload from entry where model = ? and id = ? and (expires_at is null or expires_at > ?)',
  );
  const findByUid = database.prepare(`select payload ${fromEntryWithUid} and (expires_at is null or expires_at > ?)`);
  const consume = database.prepare(
    `update entry set payload = json_set(payload, '$.consumed', ?) where model = ? and id = ?`,
  );
  const destroy = database.prepare('delete from entry where model = ? and id = ?');
  const revoke = database.prepare('delete from entry where model = ? and grant_id = ?');
  const sweep = database.prepare('delete from entry where expires_at <= ?');
  const dropOldest = database.prepare(
    `delete from entry where model = ?1 and account_id is null and id in (
       select id from entry where model = ?1 and account_id is null order by expires_at desc limit -1 offset ?2)`,
  );

  let writes = 0;
  let maxAnonymous = MAX_ANONYMOUS;
  const sweepNowAndThen = () => {
    if (writes++ % SWEEP_EVERY === 0) {
      onSessions(() => {
        sweep.run(now());
        maxAnonymous = hasRoom() ? MAX_ANONYMOUS : MAX_ANONYMOUS_ON_FULL_DISK;
      });
    }
  };
  const payloadOf = (model: string, row: { payload?: unknown } | undefined): AdapterPayload | undefined => {
    const payload: AdapterPayload | undefined = typeof row?.payload === 'string' ? JSON.parse(row.payload) : undefined;
    const { accountId: subject, loginTs: signedInAt = 0 } = payload ?? {};
    return model === 'Session' && subject !== undefined && hasEnded({ subject, signedInAt }) ? undefined : payload;
  };

  sweepNowAndThen();
  return (model) => ({
    async upsert(id, payload, expiresIn) {
      sweepNowAndThen();
      const expiresAt = expiresIn === undefined ? null : now() + expiresIn;
      const text = JSON.stringify(payload);
      const isAnonymous = anonymousModels.has(model) && payload.accountId === undefined;
      if (isAnonymous && text.length > LONGEST_ANONYMOUS) {
        throw new InvalidRequest('the request is too long');
      }
      onSessions(() => {
        upsert.run(model, id, text, payload.grantId ?? null, payload.uid ?? null, expiresAt);
        if (isAnonymous) {
          dropOldest.run(model, maxAnonymous);
        }
      });
    },
    find: async (id) =>
      payloadOf(
        model,
        onSessions(() => find.get(model, id, now())),
      ),
    findByUid: async (uid) =>
      payloadOf(
        model,
        onSessions(() => findByUid.get(model, uid, now())),
      ),
    // Only for the device flow, which is disabled.
    findByUserCode: async () => undefined,
    async consume(id) {
      onSessions(() => consume.run(now(), model, id));
    },
    async destroy(id) {
      onSessions(() => destroy.run(model, id));
    },
    async revokeByGrantId(grantId) {
      onSessions(() => revoke.run(model, grantId));
    },
  });
}
