/**
 * `AbortSignal` as in Chromium 116: reasons, `throwIfAborted`, `timeout` and `any`. core-js does not cover it,
 * because it belongs to the web platform.
 */

/** Reasons of signals in browsers that do not store them. */
const reasons = new WeakMap<AbortSignal, unknown>();

export function provideAbortSignal(): void {
  const { prototype } = AbortSignal;
  if (!('reason' in prototype)) {
    provideReasons();
  }
  define(prototype, 'throwIfAborted', function throwIfAborted(this: AbortSignal) {
    if (this.aborted) {
      throw this.reason;
    }
  });
  define(AbortSignal, 'abort', (reason?: unknown) => {
    const controller = new AbortController();
    controller.abort(reason);
    return controller.signal;
  });
  define(AbortSignal, 'timeout', (milliseconds: number) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('signal timed out', 'TimeoutError')), milliseconds);
    return controller.signal;
  });
  define(AbortSignal, 'any', anyOf);
}

function provideReasons(): void {
  const { abort } = AbortController.prototype;
  AbortController.prototype.abort = function abortFor(reason: unknown = aborted()) {
    if (!this.signal.aborted) {
      reasons.set(this.signal, reason);
    }
    abort.call(this);
  };
  Object.defineProperty(AbortSignal.prototype, 'reason', {
    configurable: true,
    get(this: AbortSignal) {
      if (this.aborted && !reasons.has(this)) {
        reasons.set(this, aborted());
      }
      return reasons.get(this);
    },
  });
}

const aborted = () => new DOMException('signal is aborted without reason', 'AbortError');

/** Returns a signal that aborts with the first of `signals`, and then stops listening to the others. */
function anyOf(signals: Iterable<AbortSignal>): AbortSignal {
  const all = [...signals];
  const controller = new AbortController();
  const over = all.find((signal) => signal.aborted);
  if (over !== undefined) {
    controller.abort(over.reason);
    return controller.signal;
  }
  const end = ({ target }: Event) => {
    for (const signal of all) {
      signal.removeEventListener('abort', end);
    }
    controller.abort((target as AbortSignal).reason);
  };
  for (const signal of all) {
    signal.addEventListener('abort', end);
  }
  return controller.signal;
}

/** Defines a missing property with the attributes that a browser would give it. */
function define(target: object, name: string, value: unknown): void {
  if (!(name in target)) {
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
  }
}
