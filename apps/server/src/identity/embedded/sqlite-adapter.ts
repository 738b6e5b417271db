/**
 * Where the embedded provider keeps sessions, codes, grants and refresh tokens: one table, one row each, gone when
 * expired. Knows the provider's storage interface, none of its protocols.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@wirebench/clock';
import { errorText } from '@wirebench/contract';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { DatabaseUnavailableError, onSqlite } from '../../storage/database/database-failure.ts';

/** Writes between two sweeps of expired rows. */
const SWEEP_EVERY = 100;

const SCHEMA = `
  create table if not exists entry (
    model text not null,
    id text not null,
    payload text not null,
    grant_id text,
    uid text,
    expires_at integer,
    primary key (model, id)
  ) strict, without rowid;
  create index if not exists entry_grant on entry (grant_id) where grant_id is not null;
  create index if not exists entry_uid on entry (model, uid) where uid is not null;
  create index if not exists entry_expiry on entry (expires_at) where expires_at is not null;
`;

/** Sessions cannot be read or written at the moment, in the shape that the provider's library answers with a status of its own. */
class SessionsUnavailableError extends DatabaseUnavailableError {
  readonly statusCode = 503;
  readonly expose = true;
  readonly error_description: string;

  constructor({ cause, reason }: DatabaseUnavailableError) {
    super({ cause }, reason);
    this.name = 'SessionsUnavailableError';
    // What OAuth calls it (RFC 6749, section 4.1.2.1).
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

/** Makes the table in `database` where it is missing, sweeps it, and returns what the provider asks for: an adapter for each model. */
export function sqliteAdapters(database: DatabaseSync, clock: Clock): (model: string) => Adapter {
  onSessions(() => database.exec(SCHEMA));
  const now = () => Math.floor(clock.now() / 1_000);
  const upsert = database.prepare(
    `insert into entry (model, id, payload, grant_id, uid, expires_at) values (?, ?, ?, ?, ?, ?)
     on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id,
       uid = excluded.uid, expires_at = excluded.expires_at`,
  );
  const find = database.prepare(
    'select payload from entry where model = ? and id = ? and (expires_at is null or expires_at > ?)',
  );
  const findByUid = database.prepare(
    'select payload from entry where model = ? and uid = ? and (expires_at is null or expires_at > ?)',
  );
  const consume = database.prepare(
    `update entry set payload = json_set(payload, '$.consumed', ?) where model = ? and id = ?`,
  );
  const destroy = database.prepare('delete from entry where model = ? and id = ?');
  const revoke = database.prepare('delete from entry where model = ? and grant_id = ?');
  const sweep = database.prepare('delete from entry where expires_at <= ?');

  let writes = 0;
  const sweepNowAndThen = () => {
    if (writes++ % SWEEP_EVERY === 0) {
      onSessions(() => sweep.run(now()));
    }
  };
  const payloadOf = (row: { payload?: unknown } | undefined): AdapterPayload | undefined =>
    typeof row?.payload === 'string' ? JSON.parse(row.payload) : undefined;

  sweepNowAndThen();
  return (model) => ({
    async upsert(id, payload, expiresIn) {
      sweepNowAndThen();
      const expiresAt = expiresIn === undefined ? null : now() + expiresIn;
      const { grantId = null, uid = null } = payload;
      onSessions(() => upsert.run(model, id, JSON.stringify(payload), grantId, uid, expiresAt));
    },
    find: async (id) => payloadOf(onSessions(() => find.get(model, id, now()))),
    findByUid: async (uid) => payloadOf(onSessions(() => findByUid.get(model, uid, now()))),
    // For the device flow, which is switched off.
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
