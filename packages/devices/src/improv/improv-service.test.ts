/** The Improv service of a demo board, by packets that are written out by hand from the document. */
import { describe, expect, it } from 'vitest';
import type { EspDeviceOptions } from '../esp/options.ts';
import { EspHost } from '../esp/testing/esp-host.ts';
import type { ImprovFault, ImprovOptions } from './options.ts';

const letters = 'IMPROV';

/** Returns a packet of version 1 with its checksum, the sum of all bytes before it. */
function packet(type: number, data: readonly number[]): Uint8Array {
  const body = [...new TextEncoder().encode(letters), 1, type, data.length, ...data];
  return Uint8Array.from([...body, body.reduce((sum, byte) => sum + byte, 0) & 0xff]);
}

const command = (id: number, data: readonly number[] = []) => packet(3, [id, data.length, ...data]);
const sized = (text: string) => {
  const bytes = new TextEncoder().encode(text);
  return [bytes.length, ...bytes];
};
const provision = (ssid: string, password: string) => command(1, [...sized(ssid), ...sized(password)]);

interface Received {
  readonly type: number;
  readonly data: readonly number[];
  readonly valid: boolean;
}

/** Returns the packets in `bytes`, wherever the letters of the header stand. */
function packetsIn(bytes: Uint8Array): Received[] {
  const text = String.fromCharCode(...bytes);
  const packets: Received[] = [];
  for (let at = text.indexOf(letters); at !== -1; at = text.indexOf(letters, at + 1)) {
    const [type = 0, length = 0] = bytes.subarray(at + 7);
    const whole = bytes.subarray(at, at + 9 + length);
    const sum = whole.reduce((total, byte) => total + byte, 0) & 0xff;
    packets.push({ type, data: [...whole.subarray(9)], valid: bytes[at + 9 + length] === sum });
  }
  return packets;
}

const summary = ({ type, data }: Received) => `${type}: ${data.join(' ')}`;

/** Returns the texts of a result. */
function textsOf({ data }: Received): string[] {
  const texts: string[] = [];
  for (let at = 2; at < data.length; at += 1 + (data[at] ?? 0)) {
    texts.push(new TextDecoder().decode(Uint8Array.from(data.slice(at + 1, at + 1 + (data[at] ?? 0)))));
  }
  return texts;
}

class Client {
  readonly host: EspHost;

  constructor(options: Partial<EspDeviceOptions> = {}) {
    this.host = new EspHost({ chip: 'esp32', powerUp: 'first-open', ...options });
    this.host.open();
  }

  async start(): Promise<this> {
    await this.host.clock.advance(1_000);
    this.host.terminal.take();
    return this;
  }

  /** Sends bytes and returns everything received within `milliseconds`. */
  async raw(bytes: Uint8Array, milliseconds = 5_000): Promise<Uint8Array> {
    this.host.terminal.wired.send(bytes);
    await this.host.clock.advance(milliseconds);
    return this.host.terminal.take();
  }

  async ask(bytes: Uint8Array, milliseconds?: number): Promise<Received[]> {
    return packetsIn(await this.raw(bytes, milliseconds));
  }
}

const client = (improv: ImprovOptions | 'none' = {}, more: Partial<EspDeviceOptions> = {}) =>
  new Client({ improv, ...more }).start();
const withFault = (fault: ImprovFault) => client({ faults: [fault] });

describe('a demo application with Wi-Fi', () => {
  it('reports its state when asked', async () => {
    const board = await client();
    expect((await board.ask(command(2))).map(summary)).toEqual(['1: 2']);
  });

  it('names its firmware, version, chip and device', async () => {
    const board = await client({ deviceName: 'Bench 7' }, { chip: 'esp32c3' });
    const [answer] = await board.ask(command(3));
    expect(answer && textsOf(answer)).toEqual(['esp32c3-factory', '1.0.0', 'ESP32-C3', 'Bench 7']);
  });

  it('lists the networks in reach and ends the list with an empty result', async () => {
    const networks = [
      { ssid: 'Café', rssi: -40, password: null },
      { ssid: 'lab', rssi: -80, password: 'x' },
    ];
    const board = await client({ networks });
    expect((await board.ask(command(4))).map(textsOf)).toEqual([['Café', '-40', 'NO'], ['lab', '-80', 'YES'], []]);
  });

  it('connects with the password of the network and returns the address of its page', async () => {
    const board = await client();
    const answers = await board.ask(provision('Workbench', 'solder-and-flux'));
    expect(answers.slice(0, 2).map(summary)).toEqual(['1: 3', '1: 4']);
    expect(answers.slice(2).map(({ type, data }) => [type, data[0]])).toEqual([[3 + 1, 1]]);
    expect(answers[2] && textsOf(answers[2])).toEqual(['http://192.0.2.23/']);
  });

  it.each([
    ['a wrong password', 'Workbench', 'solder'],
    ['an unknown network', 'Elsewhere', 'solder-and-flux'],
    ['a network that is too weak', 'Across the street', 'out-of-reach-9f2c'],
  ])('reports that it cannot connect with %s', async (_case, ssid, password) => {
    const board = await client();
    expect((await board.ask(provision(ssid, password))).map(summary)).toEqual(['1: 3', '2: 3', '1: 2']);
  });

  it('clears the error at the next attempt', async () => {
    const board = await client();
    await board.ask(provision('Workbench', 'wrong'));
    const answers = await board.ask(provision('Workbench', 'solder-and-flux'));
    expect(answers.slice(0, 3).map(summary)).toEqual(['2: 0', '1: 3', '1: 4']);
  });

  it('joins an open network with any password', async () => {
    const board = await client();
    expect((await board.ask(provision('Café Gäste', ''))).map(summary)).toContain('1: 4');
  });

  it('keeps its network over a restart until its NVS is erased', async () => {
    const board = await client({}, { flash: { content: 'demo' } });
    await board.ask(provision('Workbench', 'solder-and-flux'));
    await board.host.restart();
    expect((await board.ask(command(2))).map(({ type, data }) => [type, data[0]])).toEqual([
      [1, 4],
      [4, 2],
    ]);
    const erased = await client({}, { flash: { content: 'factory' } });
    await erased.ask(provision('Workbench', 'solder-and-flux'));
    await erased.host.restart();
    expect((await erased.ask(command(2))).map(summary)).toEqual(['1: 2']);
  });

  it('reports the address with its state once it is connected', async () => {
    const board = await client();
    await board.ask(provision('Workbench', 'solder-and-flux'));
    const answers = await board.ask(command(2));
    expect(answers.map(({ type }) => type)).toEqual([1, 4]);
    expect(answers[1]?.data[0]).toBe(2);
  });

  it.each([
    ['a wrong checksum', Uint8Array.from([...command(2).slice(0, -1), 0]), 1],
    ['a command whose length does not fit', packet(3, [2, 9]), 1],
    ['a packet without a command', packet(3, []), 1],
    ['credentials without a network', command(1, [0, 0]), 1],
    ['credentials that end early', command(1, [4, 65, 66]), 1],
    ['a packet of another type', packet(1, [2]), 1],
    ['an unknown command', command(77), 2],
  ])('answers %s with an error', async (_case, bytes, error) => {
    const board = await client();
    expect((await board.ask(bytes)).map(summary)).toEqual([`2: ${error}`]);
  });

  it('ignores text, other versions and unfinished headers', async () => {
    const board = await client();
    const other = command(2);
    other[6] = 2;
    expect(await board.raw(other)).toHaveLength(0);
    expect(await board.raw(new TextEncoder().encode('help\r\nIMPIM'))).toHaveLength(0);
    const prefixed = Uint8Array.from([...new TextEncoder().encode('IMPI'), ...command(2)]);
    expect((await board.ask(prefixed)).map(summary)).toEqual(['1: 2']);
  });

  it('reads a command that arrives byte by byte', async () => {
    const board = await client();
    const answers: Received[] = [];
    for (const byte of command(2)) {
      answers.push(...(await board.ask(Uint8Array.of(byte), 20)));
    }
    expect(answers.map(summary)).toEqual(['1: 2']);
  });

  it('is silent in the bootloader and forgets an attempt at a reset', async () => {
    const board = await client();
    board.host.terminal.wired.send(provision('Workbench', 'solder-and-flux'));
    await board.host.clock.advance(500);
    await board.host.enterDownload();
    expect(packetsIn(await board.raw(command(2)))).toEqual([]);
    await board.host.restart();
    expect((await board.ask(command(2))).map(summary)).toEqual(['1: 2']);
  });
});

describe('a board without Improv', () => {
  it.each([
    ['a chip without Wi-Fi', { chip: 'esp32h2' }],
    ['the option `none`', { improv: 'none' }],
    ['empty flash', { flash: { content: 'empty' } }],
  ] satisfies [string, Partial<EspDeviceOptions>][])('gives no answer: %s', async (_case, options) => {
    const board = await new Client(options).start();
    expect(packetsIn(await board.raw(command(2)))).toEqual([]);
  });
});

describe('faults of packets', () => {
  it('drops the n-th packet to the board', async () => {
    const board = await withFault({ to: 'board', nth: 2, kind: 'drop' });
    const counts = [];
    for (let round = 0; round < 3; round++) {
      counts.push((await board.ask(command(2))).length);
    }
    expect(counts).toEqual([1, 0, 1]);
  });

  it('drops the n-th packet to the host', async () => {
    const board = await withFault({ to: 'host', nth: 2, kind: 'drop' });
    expect((await board.ask(provision('Workbench', 'solder-and-flux'))).map(({ type }) => type)).toEqual([1, 4]);
  });

  it('sends a wrong checksum', async () => {
    const board = await withFault({ to: 'host', nth: 1, kind: 'bad-checksum' });
    expect((await board.ask(command(2))).map(({ valid }) => valid)).toEqual([false]);
    expect((await board.ask(command(2))).map(({ valid }) => valid)).toEqual([true]);
  });

  it('splits a packet and keeps the order of those behind it', async () => {
    const board = await withFault({ to: 'host', nth: 1, kind: 'split' });
    const first = await board.raw(command(3), 30);
    expect(first.length).toBeGreaterThan(0);
    expect(packetsIn(first)[0]?.valid).toBe(false);
    const rest = await board.raw(command(2));
    const packets = packetsIn(Uint8Array.from([...first, ...rest]));
    expect(packets.map(({ type, valid }) => [type, valid])).toEqual([
      [4, true],
      [1, true],
    ]);
  });

  it.each([
    ['text-before', /^I \(\d+\) .*\r\nIMPROV/, true],
    ['text-joined', /^I \(\d+\) .*[^\n]IMPROV/, true],
    ['text-inside', /^IMPR.*\r\n/s, false],
  ] as const)('mixes a log line with a packet: %s', async (kind, pattern, valid) => {
    const board = await withFault({ to: 'host', kind });
    const bytes = await board.raw(command(2));
    expect(String.fromCharCode(...bytes)).toMatch(pattern);
    expect(packetsIn(bytes).some((received) => received.valid)).toBe(valid);
  });
});
