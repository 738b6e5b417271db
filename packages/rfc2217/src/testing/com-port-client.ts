/** A client of RFC 2217 for tests. Its numbers come from the document, independently of the code under test. */
import { VirtualClock } from '@wirebench/clock';
import { defaultPortSettings } from '@wirebench/port';
import { type ComPortEnd, ComPortSession } from '../com-port-session.ts';

/** Encodes IAC SB COM-PORT-OPTION … IAC SE. */
export const comPort = (...bytes: number[]): number[] => [
  255,
  250,
  44,
  ...bytes.flatMap((byte) => (byte === 255 ? [255, 255] : [byte])),
  255,
  240,
];

/** IAC WILL COM-PORT-OPTION, IAC WILL BINARY. */
export const agreed = [255, 251, 44, 255, 251, 0];

/** Encodes SET-BAUDRATE. */
export const baudRate = (rate: number) =>
  comPort(1, (rate >>> 24) & 255, (rate >>> 16) & 255, (rate >>> 8) & 255, rate & 255);

export interface ClientRig {
  readonly clock: VirtualClock;
  readonly session: ComPortSession;
  /** All bytes that the session sent. */
  readonly got: number[];
  readonly ends: ComPortEnd[];
  readonly ready: boolean[];
  /** Sends bytes, then runs the work that is due. */
  send(...bytes: readonly number[]): Promise<void>;
  /** Returns the subnegotiations since the last call, without the option's number. */
  answers(): number[][];
  /** Advances the clock until the work is done, for at most 100 s. */
  run(work: Promise<unknown>): Promise<void>;
}

/** Creates a session for the device, with a client that records what it receives. */
export function clientOf(device: SerialPort, clock = new VirtualClock(1_000)): ClientRig {
  let asked = 0;
  const got: number[] = [];
  const ends: ComPortEnd[] = [];
  const ready: boolean[] = [];
  const session = new ComPortSession({
    clock,
    device,
    settings: defaultPortSettings,
    send: (bytes) => got.push(...bytes),
    room: () => null,
    ready: (isReady) => ready.push(isReady),
    ended: (end) => ends.push(end),
  });
  return {
    clock,
    session,
    got,
    ends,
    ready,
    send: async (...bytes) => {
      session.receive(Uint8Array.from(bytes));
      await clock.settle();
    },
    answers: () => {
      const all = subsOf(got);
      const fresh = all.slice(asked);
      asked = all.length;
      return fresh;
    },
    run: async (work) => {
      let isOver = false;
      void work.finally(() => {
        isOver = true;
      });
      for (let left = 10_000; !isOver && left > 0; left--) {
        await clock.advance(10);
      }
      await work;
    },
  };
}

/**
 * Creates a client that has agreed to the option and opened the port at 115,200 baud. Answers up to then are dropped.
 */
export async function openedClient<Port extends SerialPort>(port: Port) {
  const client = clientOf(port);
  await client.send(...agreed, ...baudRate(115_200));
  client.answers();
  return { ...client, client, port };
}

/** Encodes SET-CONTROL. */
export const control = (value: number): number[] => comPort(5, value);

function subsOf(stream: readonly number[]): number[][] {
  const subs: number[][] = [];
  for (let at = 0; at < stream.length; at++) {
    if (stream[at] === 255 && stream[at + 1] === 250) {
      const sub: number[] = [];
      for (at += 3; !(stream[at] === 255 && stream[at + 1] === 240); at++) {
        sub.push(stream[at] ?? 0);
        at += stream[at] === 255 ? 1 : 0;
      }
      subs.push(sub);
      at++;
    } else if (stream[at] === 255) {
      at += 1;
    }
  }
  return subs;
}
