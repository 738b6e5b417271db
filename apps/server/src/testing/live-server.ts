/** A server on a loopback port with a clock that the test controls, so that long timeouts pass at once. */
import { openGate } from '../admission/gate.ts';
import type { Environment } from '../config.ts';
import { openListeners } from '../listeners.ts';
import { buildTestApp, type TestApp } from './test-app.ts';

export interface LiveServer extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  readonly test: TestApp;
  /** Advances the clock in steps in which connected clients can answer their pings. */
  pass(milliseconds: number): Promise<void>;
}

/** Milliseconds. Shorter than the interval of pings. */
const STEP = 15_000;

export async function startLiveServer(environment: Environment = {}): Promise<LiveServer> {
  await using stack = new AsyncDisposableStack();
  const listeners = await openListeners({ host: '127.0.0.1', port: 0 });
  const address = `http://localhost:${listeners.port}`;
  const test = stack.use(await buildTestApp({ PUBLIC_URL: address, RATE_LIMIT_READS: '0', ...environment }));
  const gate = stack.use(openGate({ overloadDelay: 0 }));
  listeners.serve(
    gate.inFrontOf(test.app.routing),
    gate.inFrontOfUpgrades((...upgrade) => test.app.server.emit('upgrade', ...upgrade)),
  );
  stack.defer(async () => {
    await Promise.all([listeners.drain(1_000), test.app.closeLiveConnections()]);
  });
  const resources = stack.move();
  return {
    address,
    port: listeners.port,
    test,
    async pass(milliseconds) {
      for (let left = milliseconds; left > 0; left -= STEP) {
        await test.clock.advance(Math.min(STEP, left));
        // A complete answer takes longer than a ping.
        await fetch(`${address}/api/health`);
      }
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
