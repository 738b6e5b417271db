/**
 * The interface that the serial-port contract requires of an implementation, and helpers for its cases. A case is a
 * function that rejects, without a test runner, so that the same cases run under Vitest and inside a page.
 */
import type { LineError } from '../wire/device.ts';

/** One port with a device behind it that the case controls. Each case gets a new rig. */
export interface ContractRig {
  /** Plugged in, permitted and closed at the start. */
  readonly port: SerialPort;
  /** Registry that fires the port's `connect` and `disconnect` events. */
  readonly serial: Serial;
  /** Sends bytes from the device. Called only while the port is open. */
  deviceSends(bytes: Uint8Array): void;
  /** Returns all bytes that the device has received. */
  deviceGot(): Uint8Array;
  /** Returns the host's control lines as the device sees them. */
  lines(): { readonly dtr: boolean; readonly rts: boolean };
  unplug(): void;
  /** Plugs the device in again, with the same identity. */
  replug(): void;
  /** The line errors that this platform can report and the rig can cause. */
  readonly lineErrors: readonly LineError[];
  /** Causes a line error after the bytes that the device has sent. */
  inject(error: LineError): void;
  /** Waits this many milliseconds, of a virtual clock or of real time. */
  elapse(milliseconds: number): Promise<void>;
}

export interface ContractCase {
  /** Continues the sentence "every serial port …". */
  readonly name: string;
  run(rig: ContractRig): Promise<void>;
}

/** Milliseconds of the rig after which a wait fails. */
const timeout = 20_000;

export function ensure(condition: boolean, what: string): asserts condition {
  if (!condition) {
    throw new Error(`contract: ${what}`);
  }
}

export async function until(rig: ContractRig, what: string, condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition(); waited++) {
    ensure(waited < timeout, `waited without result: ${what}`);
    await rig.elapse(1);
  }
}

/** Lets time pass until `promise` settles, and returns or throws its result. */
export async function settled<T>(rig: ContractRig, what: string, promise: Promise<T>): Promise<T> {
  let pending = true;
  const settle = () => {
    pending = false;
  };
  promise.then(settle, settle);
  await until(rig, what, () => !pending);
  return promise;
}

/** Waits for `promise` to reject with an error of this name. */
export async function rejects(rig: ContractRig, what: string, promise: Promise<unknown>, name: string) {
  const outcome = await settled(
    rig,
    what,
    promise.then(
      () => 'no error at all',
      (error: unknown) => (error instanceof Error || error instanceof DOMException ? error.name : String(error)),
    ),
  );
  ensure(outcome === name, `${what}: expected ${name}, got ${outcome}`);
}

/** Reads until `count` bytes have come; leaves the stream unlocked. */
export async function readBytes(rig: ContractRig, port: SerialPort, count: number): Promise<Uint8Array> {
  const { readable } = port;
  ensure(readable !== null, 'there is a stream to read');
  const reader = readable.getReader();
  const bytes = new Uint8Array(count);
  try {
    for (let got = 0; got < count; ) {
      const { value, done } = await settled(rig, `byte ${got} of ${count}`, reader.read());
      ensure(!done, 'the stream goes on');
      ensure(value.length > 0 && got + value.length <= count, `no byte more than ${count} was sent`);
      bytes.set(value, got);
      got += value.length;
    }
  } finally {
    reader.releaseLock();
  }
  return bytes;
}

export function ensureEqual(actual: Uint8Array, expected: Uint8Array, what: string): void {
  ensure(actual.length === expected.length, `${what}: ${actual.length} bytes instead of ${expected.length}`);
  const wrong = actual.findIndex((byte, at) => byte !== expected[at]);
  ensure(wrong === -1, `${what}: byte ${wrong} is wrong`);
}

/** Returns bytes without repeated stretches, so that a lost, doubled or moved piece shows. */
export function pattern(count: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: count }, (_, at) => (at * 31 + (at >>> 8) * 7 + (at >>> 16)) & 0xff);
}
