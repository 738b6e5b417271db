/** A port on a fake adapter, on a virtual clock, for the tests of the port. */
import { VirtualClock } from '@wirebench/clock';
import { portsOf } from '../usb-serial.ts';
import { type AdapterName, type FakeAdapter, fakeAdapter } from './adapters.ts';
import { FakeUsbBus } from './fake-usb-bus.ts';

/** @param name Adapter, or a function that makes one. */
export function portOn(name: AdapterName | ((clock: VirtualClock) => FakeAdapter), latency?: () => number) {
  const clock = new VirtualClock();
  const usb = new FakeUsbBus();
  const adapter = typeof name === 'string' ? fakeAdapter(name, clock, latency) : name(clock);
  usb.plugIn(adapter.device);
  const ports = portsOf(adapter.device, { clock, usb });
  const port = ports[adapter.uart];
  if (port === undefined) {
    throw new Error(`the adapter has no UART ${adapter.uart}`);
  }
  /** Lets time pass until the work is done, at most for ten seconds, and returns its result. */
  const run = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const end = () => {
      isDone = true;
    };
    work.then(end, end);
    for (let waited = 0; !isDone && waited < 10_000; waited++) {
      await clock.advance(1);
    }
    if (!isDone) {
      throw new Error('the work did not end in ten seconds');
    }
    return work;
  };
  /** Returns the error of the work in the form `NetworkError: text`. */
  const failure = (work: Promise<unknown>): Promise<string> =>
    run(
      work.then(
        () => 'no error',
        (error: unknown) =>
          error instanceof Error || error instanceof DOMException ? `${error.name}: ${error.message}` : String(error),
      ),
    );
  return { ...adapter, clock, usb, port, ports, run, failure, requests: () => requestsOf(adapter) };
}

/** Returns the control requests that reached the device, in order. */
function requestsOf({ device }: FakeAdapter) {
  return device.calls.flatMap(({ setup, at }) => (setup === undefined ? [] : { ...setup, at }));
}

/** Reads on over line errors until the port has no stream. Chunks and names of errors fill up later. */
export function readOn(port: SerialPort) {
  const chunks: number[][] = [];
  const errors: string[] = [];
  const run = async () => {
    for (let stream = port.readable; stream !== null; stream = port.readable) {
      const reader = stream.getReader();
      try {
        for (let got = await reader.read(); !got.done; got = await reader.read()) {
          chunks.push([...got.value]);
        }
        return;
      } catch (error) {
        errors.push(error instanceof DOMException ? error.name : String(error));
      } finally {
        reader.releaseLock();
      }
    }
  };
  return { chunks, errors, bytes: () => chunks.flat(), ended: run() };
}
