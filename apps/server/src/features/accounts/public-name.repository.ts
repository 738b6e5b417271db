/** The public name of an account as an SQL expression, for statements that publish an item. */
import { type RawBuilder, sql } from 'kysely';

/** @param otherwise Name for a subject without an account. */
export function publicNameOf(subject: string, otherwise: string): RawBuilder<string> {
  const { publicName, accounts, key } = names;
  return sql<string>`coalesce((select ${publicName} from ${accounts} where ${key} = ${subject}), ${otherwise})`;
}

const names = {
  publicName: sql.ref('accounts.public_name'),
  accounts: sql.table('accounts'),
  key: sql.ref('accounts.subject'),
};
