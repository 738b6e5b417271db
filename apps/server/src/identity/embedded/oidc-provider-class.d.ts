/** Modules of `oidc-provider` that hold its class and its errors; the types of the package know its index only. */
declare module 'oidc-provider/lib/provider.js' {
  export { Provider } from 'oidc-provider';
}

declare module 'oidc-provider/lib/helpers/errors.js' {
  export const InvalidRequest: typeof import('oidc-provider').errors.InvalidRequest;
  export const InvalidTarget: typeof import('oidc-provider').errors.InvalidTarget;
}
