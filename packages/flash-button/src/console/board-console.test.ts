import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { ImprovBoard } from '@wirebench/serial/improv/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { BoardConsole } from './board-console.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

describe('the console of a board', () => {
  let clock: VirtualClock;
  let port: FakeSerialPort;
  let lines: string[];
  let ends: number;
  let console: BoardConsole;

  beforeEach(async () => {
    clock = new VirtualClock(1_000_000);
    port = new FakeSerialPort();
    lines = [];
    ends = 0;
    console = await BoardConsole.open({
      clock,
      port: port as unknown as SerialPort,
      lines: {
        atOpen: { dtr: false, rts: false },
        reset: [
          [false, true, 100],
          [false, false, 0],
        ],
      },
      onLines: (more) => lines.push(...more),
      onEnd: () => {
        ends += 1;
      },
    });
  });

  it('shows lines, and sends lines and Control-C', async () => {
    port.receive('boot: hello\r\nready');
    await clock.advance(10);
    expect(lines).toEqual(['boot: hello']);
    await console.send('help');
    await console.interrupt();
    expect(port.written).toEqual([...utf8('help\r\n'), 3]);
  });

  it('shows text that looks like the beginning of a packet after a pause', async () => {
    port.receive('IMPROV');
    await clock.advance(1_000);
    port.receive('ED\r\n');
    await clock.advance(10);
    expect(lines).toEqual(['IMPROVED']);
  });

  it('sets up Wi-Fi, and shows no packet', async () => {
    const board = new ImprovBoard({
      clock,
      networks: [['bench-lab', '-48', 'YES']],
      passwords: { 'bench-lab': 'correct horse' },
      address: 'http://192.168.1.40/',
      print: (bytes) => port.receive(bytes),
    });
    port.onWrite = (bytes) => board.receive(bytes);
    let address: string | null = null;
    const connecting = console.improv.connect({ name: utf8('bench-lab'), password: utf8('correct horse') });
    void connecting.then((found) => {
      address = found;
    });
    for (let times = 0; times < 600 && address === null; times++) {
      await clock.advance(100);
    }
    expect(address).toBe('http://192.168.1.40/');
    expect(lines.filter((line) => line.includes('IMPROV'))).toEqual([]);
  });

  it('says once that the board is gone', async () => {
    port.receive('last words');
    await clock.advance(10);
    port.unplug();
    for (let times = 0; times < 20; times++) {
      await clock.advance(100);
    }
    expect(ends).toBe(1);
    expect(lines).toEqual(['last words']);
  });
});
