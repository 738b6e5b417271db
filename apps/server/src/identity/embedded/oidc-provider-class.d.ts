/** The module of `oidc-provider` that holds its class; the types of the package know its index only. */
declare module 'oidc-provider/lib/provider.js' {
  export { Provider } from 'oidc-provider';
}
