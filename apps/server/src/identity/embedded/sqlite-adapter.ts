/// <reference path="./oidc-provider-class.d.ts" />
/**
 * Where the embedded provider keeps sessions, codes, grants and refresh tokens: one row each, gone when expired. Knows the
 * provider's storage interface, none of its protocols.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@wirebench/clock';
import { errorText } from '@wirebench/contract';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { InvalidRequest } from 'oidc-provider/lib/helpers/errors.js';
import { DatabaseUnavailableError, onSqlite } from '../../storage/database/database-failure.ts';
import { createEntryTable, fromEntryWithUid, type PersonsSession } from './entry-table.ts';

/** Writes between two sweeps of expired rows. */
const SWEEP_EVERY = 100;

/**
 * Rows of a kind that anybody can make without signing in: sign-ins that have begun, sessions in which nobody is signed in. The oldest go
 * first; sessions of people are not among them.
 */
const MOST_ANONYMOUS = 1_000;

/** Characters of such a row: a request of the web app has 700. */
const LONGEST_ANONYMOUS = 8_192;

const anonymousModels: ReadonlySet<string> = new Set(['Interaction', 'Session']);

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

/**
 * Makes the table in `database` where it is missing, sweeps it, and returns what the provider asks for: an adapter for each model. A session
 * that `hasEnded` is not found, and with it none of its refresh tokens is good.
 */
export function sqliteAdapters(
  database: DatabaseSync,
  clock: Clock,
  hasEnded: (session: PersonsSession) => boolean = () => false,
): (model: string) => Adapter {
  onSessions(() => createEntryTable(database));
  const now = () => Math.floor(clock.now() / 1_000);
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
  const sweepNowAndThen = () => {
    if (writes++ % SWEEP_EVERY === 0) {
      onSessions(() => sweep.run(now()));
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
          dropOldest.run(model, MOST_ANONYMOUS);
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
