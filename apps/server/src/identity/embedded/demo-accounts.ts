/** The people whom the embedded provider brings along. Everyone who reaches the login page may be any of them. */
import type { Account } from './account.ts';

export interface DemoAccount extends Account {
  readonly name: string;
  /** What the login page says about the account. */
  readonly purpose: string;
}

/** `adminRole` is the realm role that this deployment asks of an administrator. */
export function demoAccounts(adminRole: string): readonly DemoAccount[] {
  return [
    demoAccount({
      username: 'maker',
      name: 'Mina Maker',
      roles: ['user'],
      purpose: 'Has their own JKits and firmware releases',
    }),
    demoAccount({
      username: 'tinkerer',
      name: 'Theo Tinkerer',
      roles: ['user'],
      purpose: 'A second user to share with',
    }),
    demoAccount({
      username: 'admin',
      name: 'Ada Admin',
      roles: ['user', adminRole],
      purpose: 'Reads everyone’s feedback',
    }),
  ];
}

function demoAccount(account: Pick<DemoAccount, 'username' | 'name' | 'roles' | 'purpose'>): DemoAccount {
  const { username } = account;
  return { ...account, subject: username, email: `${username}@wirebench.example` };
}
