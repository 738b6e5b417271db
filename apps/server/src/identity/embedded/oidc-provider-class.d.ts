/** Modules of `oidc-provider` with its class and its errors. The package's types cover only its index. */
declare module 'oidc-provider/lib/provider.js' {
  export { Provider } from 'oidc-provider';
}

declare module 'oidc-provider/lib/helpers/errors.js' {
  export const InvalidRequest: typeof import('oidc-provider').errors.InvalidRequest;
  export const InvalidTarget: typeof import('oidc-provider').errors.InvalidTarget;
}
