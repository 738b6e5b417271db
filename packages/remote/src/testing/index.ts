export { nodeCrypto } from './node-crypto.ts';
export { TestRelay } from './test-relay.ts';
