/**
 * Latency from a key press at the guest to the byte at the board, and from a byte of the board to the guest. In real
 * time, encrypted with WebCrypto.
 */
import { systemClock } from '@wirebench/clock';
import { type BenchAccess, makeSecret, RemoteGuest, RemoteHost, webCrypto } from '@wirebench/remote';
import { TestRelay } from '@wirebench/remote/testing';
import { orShortest } from '../shortest.ts';

const HALF_TRIP = 20;
const PRESSES = orShortest(200, 5);
/** Milliseconds between key presses. */
const PAUSE = 30;
const TARGET = 150;

export async function keyRows(): Promise<string[][]> {
  const relay = new TestRelay({ clock: systemClock, delay: () => HALF_TRIP });
  const secret = makeSecret(webCrypto);
  let onTyped: () => void = () => undefined;
  const bench: BenchAccess = {
    acquire: () => Promise.reject(new Error('Nobody uses the port here.')),
    release: () => undefined,
    type: async () => onTyped(),
    passed: () => undefined,
  };
  const options = { clock: systemClock, secret, onChange: () => undefined };
  const host = new RemoteHost({ ...options, dial: relay.dialHost, name: 'host', bench });
  host.setPort(1, { name: 'Board', info: {}, present: true, settings: null });
  let onPiece: () => void = () => undefined;
  const guest = new RemoteGuest({
    ...options,
    dial: relay.dialGuest,
    name: 'guest',
    onPiece: () => onPiece(),
    onMissing: () => undefined,
  });
  while (guest.status.ports.length === 0) {
    await systemClock.sleep(10);
  }
  host.setRight(host.status.guests[0]?.id ?? '', 1, 'type');
  await systemClock.sleep(200);

  const typed = await measure((done) => {
    onTyped = done;
    void guest.type(1, Uint8Array.of(97));
  });
  const seen = await measure((done) => {
    onPiece = done;
    host.tapped(1, 'received', Uint8Array.of(98), systemClock.now());
  });
  host.stop();
  return [
    row('key press of a guest to byte at the board, p95', typed),
    row('byte of the board to the guest, p95', seen),
  ];
}

async function measure(start: (done: () => void) => void): Promise<number> {
  const times: number[] = [];
  for (let press = 0; press < PRESSES; press++) {
    const begun = performance.now();
    await new Promise<void>((resolve) => start(resolve));
    times.push(performance.now() - begun);
    await systemClock.sleep(PAUSE);
  }
  return times.toSorted((one, other) => one - other)[Math.floor(PRESSES * 0.95)] ?? Number.NaN;
}

function row(what: string, milliseconds: number): string[] {
  const isReached = milliseconds <= TARGET;
  return [what, `${milliseconds.toFixed(1)} ms`, `≤ ${TARGET} ms`, isReached ? 'reached' : 'MISSED'];
}
