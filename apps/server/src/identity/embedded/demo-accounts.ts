/** The demo accounts of the embedded provider. Every visitor of the login page may use any of them. */
import type { Account } from './account.ts';

export interface DemoAccount extends Account {
  readonly name: string;
  /** Description of the account on the login page. */
  readonly purpose: string;
}

/**
 * Returns the demo accounts.
 *
 * @param adminRole The realm role that this deployment requires of administrators.
 */
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
