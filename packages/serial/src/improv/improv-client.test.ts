import { VirtualClock } from '@wirebench/clock';
import { beforeEach, describe, expect, it } from 'vitest';
import { ImprovClient } from './improv-client.ts';
import type { ImprovState } from './messages.ts';
import { ImprovBoard, type ImprovBoardOptions, packetBytes } from './testing/improv-board.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const home = { name: utf8('bench-lab'), password: utf8('correct horse') };
const networks = [
  ['bench-lab', '-48', 'YES'],
  ['guests', '-71', 'NO'],
  ['bench-lab', '-80', 'YES'],
  ['Café', '-60', 'WPA2'],
] as const;
const address = 'http://192.168.1.40/';

interface Rig {
  readonly clock: VirtualClock;
  readonly client: ImprovClient;
  readonly board: ImprovBoard;
  readonly states: ImprovState[];
  readonly stop: AbortController;
  /** Text that belongs to no packet. */
  text: string;
  /** Number of packets that have passed, in both directions. */
  passed: number;
}

/** @param dropped Index of the packet that gets lost. @param cut Bytes of a piece in which the board's output comes. */
function rig(options: Partial<ImprovBoardOptions> = {}, { dropped = -1, cut = 500 } = {}): Rig {
  const clock = new VirtualClock(1_000_000);
  const states: ImprovState[] = [];
  const stop = new AbortController();
  const isLost = () => made.passed++ === dropped;
  const client = new ImprovClient({
    clock,
    signal: stop.signal,
    send: async (bytes) => {
      if (!isLost()) {
        board.receive(bytes);
      }
    },
    onState: (state) => states.push(state),
  });
  const board: ImprovBoard = new ImprovBoard({
    clock,
    networks,
    passwords: { 'bench-lab': 'correct horse' },
    address,
    ...options,
    print: (bytes) => {
      if (bytes[0] === 0x49 && isLost()) {
        return;
      }
      for (let at = 0; at < bytes.length; at += cut) {
        made.text += new TextDecoder().decode(client.received(bytes.slice(at, at + cut)));
      }
    },
  });
  const made: Rig = { clock, client, board, states, stop, text: '', passed: 0 };
  return made;
}

/** Moves the clock until the work has ended. */
async function ended<Value>(clock: VirtualClock, work: Promise<Value>): Promise<Value> {
  let isOver = false;
  const settled = work.finally(() => {
    isOver = true;
  });
  settled.catch(() => undefined);
  for (let times = 0; times < 5_000 && !isOver; times++) {
    await clock.advance(100);
  }
  return settled;
}

describe('a client of Improv', () => {
  let test: Rig;
  beforeEach(() => {
    test = rig();
  });

  it('reads the information of a board, with the system below its firmware', async () => {
    expect(await ended(test.clock, test.client.deviceInformation())).toEqual({
      firmware: 'Demo',
      version: '1.0',
      chip: 'ESP32',
      name: 'Kitchen',
      system: '',
    });
    const information = ['Bluetooth Proxy', 'v1.0.0', 'denky_d4/esp32', 'My Proxy', 'ESPHome', '2025.12.2'];
    const other = rig({ information });
    expect((await ended(other.clock, other.client.deviceInformation())).system).toBe('ESPHome 2025.12.2');
  });

  it('merges networks of one name, strongest first', async () => {
    const found: number[] = [];
    const list = await ended(
      test.clock,
      test.client.networks((some) => found.push(some.length)),
    );
    expect(list.isWhole).toBe(true);
    expect(list.networks.map(({ name, signal, isLocked, protection }) => [name, signal, isLocked, protection])).toEqual(
      [
        ['bench-lab', -48, true, ''],
        ['Café', -60, true, 'WPA2'],
        ['guests', -71, false, ''],
      ],
    );
    expect(found).toEqual([1, 2, 2, 3]);
  });

  it('connects, and returns the address of the board', async () => {
    expect(await ended(test.clock, test.client.connect(home))).toBe(address);
    expect(test.board.attempts).toEqual([['bench-lab', 'correct horse']]);
    expect(test.states).toEqual(['ready', 'connecting', 'connecting', 'connected']);
    expect(test.clock.pending).toBe(0);
  });

  it('connects a board that is connected to another network', async () => {
    test.board.state = 4;
    expect(await ended(test.clock, test.client.connect(home))).toBe(address);
    expect(test.board.attempts).toHaveLength(1);
  });

  it('reports the state with the address of a connected board', async () => {
    test.board.state = 4;
    expect(await ended(test.clock, test.client.currentState())).toEqual({ state: 'connected', address });
  });

  it.each([1, 2, 5])('understands a board that echoes everything, in pieces of %i', async (cut) => {
    const other = rig({ echoes: true }, { cut });
    await ended(other.clock, other.client.networks());
    other.board.log('I (900) wifi: connecting');
    expect(await ended(other.clock, other.client.connect(home))).toBe(address);
    expect(other.text).toBe('I (900) wifi: connecting\r\n');
  });

  it('sets names and reads them', async () => {
    expect(await ended(test.clock, test.client.setHostname('lamp'))).toBe('lamp');
    expect(await ended(test.clock, test.client.hostname())).toBe('lamp');
    expect(await ended(test.clock, test.client.setDeviceName('Lamp'))).toBe('Lamp');
    expect(await ended(test.clock, test.client.deviceName())).toBe('Lamp');
    await expect(ended(test.clock, test.client.setHostname('my lamp'))).rejects.toMatchObject({ code: 'bad-hostname' });
  });

  it.each([
    ['unable-to-connect', {}, { ...home, password: utf8('wrong horse') }],
    ['not-authorized', { needsButton: true }, home],
    ['unknown-command', { unknown: [1] }, home],
  ] as const)('reports %s', async (code, options, settings) => {
    const other = rig(options);
    await expect(ended(other.clock, other.client.connect(settings))).rejects.toMatchObject({ code });
    expect(other.clock.pending).toBe(0);
  });

  it('reports an unknown error of the board', async () => {
    const asking = test.client.networks();
    await test.clock.advance(10);
    test.client.received(Uint8Array.from(packetBytes(2, [0xff])));
    await expect(ended(test.clock, asking)).rejects.toMatchObject({ code: 'board-error' });
  });

  it('reports that a board does not know how to scan', async () => {
    const other = rig({ unknown: [4] });
    await expect(ended(other.clock, other.client.networks())).rejects.toMatchObject({ code: 'unknown-command' });
  });

  it('gives up a board that says nothing', async () => {
    const clock = new VirtualClock();
    const sent: number[] = [];
    const send = async () => void sent.push(clock.now());
    const client = new ImprovClient({ clock, send, signal: new AbortController().signal });
    await expect(ended(clock, client.deviceInformation(1))).rejects.toMatchObject({ code: 'no-answer' });
    expect(sent).toHaveLength(1);
    await expect(ended(clock, client.connect(home))).rejects.toMatchObject({ code: 'no-answer' });
    expect(clock.pending).toBe(0);
  });

  it('repeats a command that the board did not understand', async () => {
    const asking = test.client.deviceInformation();
    test.client.received(Uint8Array.from(packetBytes(2, [1])));
    expect((await ended(test.clock, asking)).name).toBe('Kitchen');
  });

  it('waits for a board that restarts while it connects', async () => {
    const clock = new VirtualClock();
    let isAway = false;
    const client: ImprovClient = new ImprovClient({
      clock,
      signal: new AbortController().signal,
      send: async (bytes) => {
        if (isAway) {
          return;
        }
        if (bytes[9] === 2) {
          client.received(Uint8Array.from(packetBytes(1, [2])));
        } else {
          client.received(Uint8Array.from(packetBytes(1, [3])));
          isAway = true;
          clock.schedule(15_000, () => {
            client.received(utf8('rst:0x3 (SW_RESET)\r\n'));
            client.received(Uint8Array.from(packetBytes(1, [4])));
            client.received(Uint8Array.from(packetBytes(4, [1, 0])));
          });
        }
      },
    });
    expect(await ended(clock, client.connect(home))).toBe('');
  });

  it('ends a board that connects for ever after 90 seconds', async () => {
    const clock = new VirtualClock();
    let state = 2;
    const client: ImprovClient = new ImprovClient({
      clock,
      signal: new AbortController().signal,
      send: async (bytes) => {
        state = bytes[9] === 1 ? 3 : state;
        client.received(Uint8Array.from(packetBytes(1, [state])));
      },
    });
    await expect(ended(clock, client.connect(home))).rejects.toMatchObject({ code: 'too-slow' });
    expect(clock.now()).toBeLessThanOrEqual(91_000);
  });

  it('ends when it is cancelled and when the port is closed', async () => {
    const connecting = test.client.connect(home);
    await test.clock.advance(1_000);
    test.stop.abort();
    await expect(connecting).rejects.toMatchObject({ code: 'cancelled' });
    const other = rig();
    const scanning = other.client.networks();
    other.client.closed();
    await expect(scanning).rejects.toMatchObject({ code: 'closed' });
    expect(other.clock.pending).toBe(1 + networks.length);
  });

  it('refuses names and passwords of a length that no network has', async () => {
    await expect(test.client.connect({ name: utf8(''), password: utf8('') })).rejects.toThrow(RangeError);
    await expect(test.client.connect({ name: utf8('a'.repeat(33)), password: utf8('') })).rejects.toThrow(RangeError);
    await expect(test.client.connect({ name: utf8('a'), password: utf8('b'.repeat(65)) })).rejects.toThrow(RangeError);
    expect(test.passed).toBe(0);
  });
});

describe('any packet that gets lost', () => {
  /** Everything that a person does: information, networks, a wrong password, the right one. */
  const session = async (test: Rig) => {
    const { client, clock } = test;
    const { name } = await ended(clock, client.deviceInformation());
    const list = await ended(clock, client.networks());
    const wrong = await ended(clock, client.connect({ ...home, password: utf8('wrong horse') })).catch(
      ({ code }) => code,
    );
    const connected = await ended(clock, client.connect(home));
    return { name, list, wrong, connected };
  };

  it('changes nothing but the completeness of a list', async () => {
    const whole = rig();
    await session(whole);
    const packets = whole.passed;
    expect(packets).toBeGreaterThan(20);
    for (let dropped = 0; dropped < packets; dropped++) {
      const test = rig({}, { dropped });
      const { name, list, wrong, connected } = await session(test);
      expect([dropped, name, wrong, connected]).toEqual([dropped, 'Kitchen', 'unable-to-connect', address]);
      expect(list.networks.length).toBeGreaterThanOrEqual(2);
      expect(test.board.state).toBe(4);
      expect(test.clock.pending).toBe(0);
    }
  });

  it.each([false, true])(
    'is no matter when the board was connected before, which it returns to: %s',
    async (returns) => {
      const whole = rig({ returns });
      whole.board.state = 4;
      await session(whole);
      for (let dropped = 0; dropped < whole.passed; dropped++) {
        const test = rig({ returns }, { dropped });
        test.board.state = 4;
        const { wrong, connected } = await session(test);
        expect([dropped, wrong, connected]).toEqual([dropped, 'unable-to-connect', address]);
        expect(test.board.attempts.at(-1)).toEqual(['bench-lab', 'correct horse']);
      }
    },
  );
});
