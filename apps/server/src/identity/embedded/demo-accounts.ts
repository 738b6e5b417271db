/** The people of the embedded provider. Everyone who reaches the login page may be any of them. */

export interface DemoAccount {
  /** User name, and the token's `sub`. */
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly roles: readonly string[];
  /** What the login page says about the account. */
  readonly purpose: string;
}

/** `adminRole` is the realm role that this deployment asks of an administrator. */
export function demoAccounts(adminRole: string): readonly DemoAccount[] {
  return [
    {
      username: 'maker',
      name: 'Mina Maker',
      email: 'maker@wirebench.example',
      roles: ['user'],
      purpose: 'Has their own JKits and firmware releases',
    },
    {
      username: 'tinkerer',
      name: 'Theo Tinkerer',
      email: 'tinkerer@wirebench.example',
      roles: ['user'],
      purpose: 'A second user to share with',
    },
    {
      username: 'admin',
      name: 'Ada Admin',
      email: 'admin@wirebench.example',
      roles: ['user', adminRole],
      purpose: 'Reads everyone’s feedback',
    },
  ];
}

/** Claims of ID and access tokens and of the userinfo answer, named as Keycloak names them. */
export function claimsOf({ username, name, email, roles }: DemoAccount) {
  return {
    preferred_username: username,
    name,
    email,
    email_verified: true,
    realm_access: { roles },
  };
}
