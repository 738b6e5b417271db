/** Paths of an identity provider that follows Keycloak's layout, as the embedded provider does. */

/** Defaults of a deployment that configures no provider. */
export const identitySettings = { realm: 'wirebench', clientId: 'wirebench-web' } as const;

/** Returns the paths of `realm` relative to the provider's address. The issuer is that address followed by `realm`. */
export function identityPaths(realm: string) {
  const root = `/realms/${encodeURIComponent(realm)}`;
  const protocol = `${root}/protocol/openid-connect`;
  return {
    realm: root,
    discovery: `${root}/.well-known/openid-configuration`,
    authorization: `${protocol}/auth`,
    token: `${protocol}/token`,
    userinfo: `${protocol}/userinfo`,
    logout: `${protocol}/logout`,
    certs: `${protocol}/certs`,
    /** The frame that Keycloak's client loads to notice a sign-out, and the request that initialises it. */
    loginStatusFrame: `${protocol}/login-status-iframe.html`,
    loginStatusInit: `${protocol}/login-status-iframe.html/init`,
  } as const;
}
