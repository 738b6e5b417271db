/**
 * Adds `Promise.withResolvers`, which Node 20 lacks (it came with Node 22). Must be imported before everything else.
 */
if (Promise.withResolvers === undefined) {
  Promise.withResolvers = <Value>() => {
    let resolve: PromiseWithResolvers<Value>['resolve'] = () => undefined;
    let reject: PromiseWithResolvers<Value>['reject'] = () => undefined;
    const promise = new Promise<Value>((...settle) => {
      [resolve, reject] = settle;
    });
    return { promise, resolve, reject };
  };
}
