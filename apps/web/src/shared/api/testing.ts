/** A server for component tests: records every call, and fails on request. Subclasses define the answers. */

/** Replaces the usual answer to a call: a refusal, no answer at all, or an answer that never arrives. */
type Fault = { readonly status: number; readonly message: string } | 'offline' | 'silent';

export abstract class FaultyServer {
  /** Every call as `GET /api/…`, in order. */
  readonly calls: string[] = [];
  /** JSON body of each call; null for calls without one. */
  readonly bodies: unknown[] = [];
  /** Calls that were aborted before their answer. */
  readonly aborted: string[] = [];
  readonly #faults = new Map<string, Fault>();

  /**
   * @param call `POST /api/…`, or its beginning.
   * @param fault Null: calls succeed again.
   */
  failAt(call: string, fault: Fault | null): void {
    if (fault === null) {
      this.#faults.delete(call);
    } else {
      this.#faults.set(call, fault);
    }
  }

  /** Replacement for the browser's `fetch`. */
  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', signal = null } = init;
    const call = `${method} ${String(input)}`;
    this.calls.push(call);
    signal?.addEventListener('abort', () => this.aborted.push(call));
    const body = typeof init.body === 'string' && init.body.startsWith('{') ? JSON.parse(init.body) : null;
    this.bodies.push(body);
    for (const [begin, fault] of this.#faults) {
      if (call.startsWith(begin)) {
        return fail(fault, signal);
      }
    }
    return this.answer(call, body ?? {});
  };

  /** @param body Empty if the call sent none. */
  protected abstract answer(call: string, body: Record<string, unknown>): Response;
}

function fail(fault: Fault, signal: AbortSignal | null): Promise<Response> {
  if (fault === 'offline') {
    return Promise.reject(new TypeError('Failed to fetch'));
  }
  if (fault === 'silent') {
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  }
  const { status, message } = fault;
  return Promise.resolve(Response.json({ error: message, message, code: 'x' }, { status }));
}
