/** Where an identity provider answers when it keeps Keycloak's paths, as the embedded one does. */

/** What a deployment uses when it names no provider of its own. */
export const identitySettings = { realm: 'wirebench', clientId: 'wirebench-web' } as const;

/** Paths of `realm` below the provider's address. The issuer is that address followed by `realm`. */
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
    /** The frame that Keycloak's own client loads to notice a sign-out, and the request that starts it. */
    loginStatusFrame: `${protocol}/login-status-iframe.html`,
    loginStatusInit: `${protocol}/login-status-iframe.html/init`,
  } as const;
}
