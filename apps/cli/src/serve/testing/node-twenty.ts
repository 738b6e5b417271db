/**
 * Flags that delete globals and methods newer than Node 20 (Node's table of globals; V8 11.3 compared with later
 * versions).
 */
const newer = `
delete globalThis.WebSocket; delete globalThis.CloseEvent; delete globalThis.navigator; delete globalThis.Iterator;
delete globalThis.EventSource; delete globalThis.Storage; delete globalThis.localStorage; delete globalThis.sessionStorage;
delete globalThis.DisposableStack; delete globalThis.AsyncDisposableStack; delete globalThis.SuppressedError;
delete Promise.withResolvers; delete Promise.try; delete URL.parse; delete Array.fromAsync; delete Object.groupBy; delete Map.groupBy;
delete Error.isError; delete RegExp.escape; delete Math.f16round; delete Math.sumPrecise;
for (const name of ['union', 'intersection', 'difference', 'symmetricDifference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom'])
  delete Set.prototype[name];
for (const name of ['fromBase64', 'fromHex']) delete Uint8Array[name];
for (const name of ['toBase64', 'toHex', 'setFromBase64', 'setFromHex']) delete Uint8Array.prototype[name];
for (const name of ['resize', 'transfer', 'transferToFixedLength']) delete ArrayBuffer.prototype[name];
for (const name of ['getOrInsert', 'getOrInsertComputed']) delete Map.prototype[name];
for (const name of ['map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray', 'forEach', 'some', 'every', 'find'])
  delete Object.getPrototypeOf(Object.getPrototypeOf([].values()))[name];
`;

export const nodeTwenty: readonly string[] = ['--import', `data:text/javascript,${encodeURIComponent(newer)}`];
