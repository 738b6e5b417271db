/** Wi-Fi setup by Improv on a bench that is shared and recorded. */
import type { FakeSerialPort } from '@wirebench/port/testing';
import { ImprovBoard, type ImprovBoardOptions, packetBytes } from '@wirebench/serial/improv/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BenchTick } from '../../../protocol/bench/bench-tick.ts';
import type { ImprovAnswer, ImprovJob } from '../../../protocol/bench/improv-part.ts';
import { ShareRig } from '../../sharing/testing/share-rig.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const password = 'correct horse';
const address = 'http://192.168.1.40/';
const connect: ImprovJob = { kind: 'connect', name: utf8('bench-lab'), password: utf8(password) };

describe('setup of Wi-Fi on a bench', () => {
  let rig: ShareRig;
  const files = new Map<string, number[]>();
  const ticks: BenchTick[] = [];
  let tickets = 0;

  beforeEach(() => {
    files.clear();
    ticks.length = 0;
    rig = new ShareRig(async (name) => {
      const bytes: number[] = [];
      files.set(name, bytes);
      return {
        name,
        durable: true,
        write: (more) => void bytes.push(...more),
        flush: () => undefined,
        close: async () => undefined,
        discard: async () => void files.delete(name),
      };
    });
  });
  afterEach(() => rig.dispose());

  /** Connects a board to port 1. Its output comes in pieces of seven bytes. */
  const plugIn = async (options: Partial<ImprovBoardOptions> = {}) => {
    const device: FakeSerialPort = await rig.plugIn(1);
    const board = new ImprovBoard({
      clock: rig.clock,
      networks: [['bench-lab', '-48', 'YES']],
      passwords: { 'bench-lab': password },
      address,
      ...options,
      print: (bytes) => {
        for (let at = 0; device.isOpen && at < bytes.length; at += 7) {
          device.receive(bytes.slice(at, at + 7));
        }
      },
    });
    device.onWrite = (bytes) => board.receive(bytes);
    return { board, device };
  };
  const run = (job: ImprovJob): Promise<ImprovAnswer> => rig.ask(rig.bench.call('improvJob', 1, job, ++tickets));
  const lines = async () => (await rig.rows()).map(({ text }) => text);

  it('asks, looks for networks, and connects, with a line of the log for each step', async () => {
    await plugIn();
    const { information, state } = await run({ kind: 'ask' });
    expect([information?.name, state]).toEqual(['Kitchen', 'ready']);
    const { networks } = await run({ kind: 'scan' });
    expect(networks.map(({ name, signal, isLocked }) => [name, signal, isLocked])).toEqual([['bench-lab', -48, true]]);
    expect(await run(connect)).toMatchObject({ address, state: 'connected', failure: null });
    await rig.settle();
    expect(rig.benchTick.improv[1]).toMatchObject({ isHeard: true, state: 'connected', address, job: null });
    expect((await lines()).filter((line) => line.startsWith('Improv'))).toEqual([
      'Improv: device information requested',
      'Improv: Demo, 1.0, ESP32, Kitchen',
      'Improv: list of networks requested',
      'Improv: the board sees 1 network',
      'Improv: network settings sent (SSID bench-lab)',
      `Improv: the board is on bench-lab, ${address}`,
    ]);
    expect((await rig.rows()).filter(({ direction }) => direction !== 'notice')).toEqual([]);
  });

  it('shows the password in no log, recording, export, copy, tick and to no guest, not even of a board that prints it', async () => {
    const { board, device } = await plugIn({ echoes: true });
    await rig.share();
    const guest = await rig.join('Ann K.');
    const portNames = { 1: 'Port 1', 2: 'Port 2', 3: 'Port 3', 4: 'Port 4' };
    const request = { kind: 'both', ports: [1], portNames, splitBytes: null, folder: null } as const;
    const recording = await rig.ask(rig.bench.call('startRecording', request));
    const connecting = rig.bench.call('improvJob', 1, connect, ++tickets);
    await rig.settle(1_000);
    const panic = `Guru Meditation Error: Core  0 panic'ed (LoadProhibited) ${password}\r\nBacktrace: 0x400d1234:0x3ffb1234 ${password}\r\n`;
    device.receive(`I (900) wifi: password "${password}"\r\n`);
    device.receive(panic);
    await rig.settle(50);
    await rig.ask(connecting);
    board.log(`I (7000) nvs: stored ${password}`);
    device.receive(`\r> ${password.slice(0, 9)}`);
    await rig.settle(500);
    device.receive(`${password.slice(9)}\r\n`);
    await rig.settle(500);
    ticks.push(rig.benchTick);
    await rig.ask(rig.bench.call('stopRecording', recording));

    const everything: string[] = [guest.lane(1, 'received'), guest.lane(1, 'sent'), ...guest.earlier, ...guest.authors];
    for (const layout of ['text', 'hex'] as const) {
      const query = { layout, anchor: { position: 0 }, count: 1_000 } as const;
      everything.push(JSON.stringify(await rig.ask(rig.bench.call('rows', query))));
    }
    for (const kind of ['text', 'csv'] as const) {
      const file = await rig.ask(rig.bench.call('exportFile', { kind, portNames }));
      everything.push(await file.text());
    }
    everything.push(await (await rig.ask(rig.bench.call('exportFile', { kind: 'raw', port: 1 }))).text());
    const range = { layout: 'text', from: { sequence: 0, part: 0 }, to: { sequence: 10_000, part: 0 } } as const;
    everything.push(await (await rig.ask(rig.bench.call('copyRows', range))).text.text());
    everything.push(JSON.stringify(await rig.ask(rig.bench.call('incidents'))), JSON.stringify(ticks));
    expect(files.size).toBeGreaterThanOrEqual(3);
    for (const bytes of files.values()) {
      everything.push(new TextDecoder('latin1').decode(Uint8Array.from(bytes)));
    }
    expect(everything.filter((text) => text.includes('wifi: password'))).not.toHaveLength(0);
    expect(guest.lane(1, 'received')).toContain('wifi: password "*************"');
    for (const text of everything) {
      expect(text).not.toContain(password);
      expect(text).not.toContain(password.slice(0, 9));
      expect(text).not.toContain('636f727265637420');
      expect(text).not.toContain('IMPROV');
    }
    expect(device.written).toEqual(expect.arrayContaining([...utf8(password)]));
  });

  it('reports a wrong password as the board does', async () => {
    await plugIn();
    const answer = await run({ ...connect, password: utf8('wrong horse') } as ImprovJob);
    expect(answer.failure?.code).toBe('unable-to-connect');
    expect((await lines()).at(-1)).toMatch(/^Improv: The board could not connect/);
  });

  it('leaves a board that does not know Improv without a failure after a probe, and passes its text on', async () => {
    const device = await rig.plugIn(1);
    const probing = rig.bench.call('improvJob', 1, { kind: 'probe' }, ++tickets);
    await rig.settle(100);
    device.receive('demo> IMPRO');
    await rig.settle(1_000);
    device.receive('VISED\r\n');
    await rig.ask(rig.bench.call('send', 1, utf8('help\n')));
    expect((await rig.ask(probing)).failure?.code).toBe('no-answer');
    expect(device.writes).toHaveLength(2);
    expect(rig.benchTick.improv[1]).toMatchObject({ isHeard: false, job: null });
    expect(await lines()).toEqual(expect.arrayContaining(['demo> IMPROVISED', 'Improv: device information requested']));
    expect((await lines()).filter((line) => line.startsWith('Improv'))).toHaveLength(1);
  });

  it('notices a board that reports its state by itself, until the port is closed', async () => {
    const { device } = await plugIn();
    device.receive(Uint8Array.from(packetBytes(1, [2])));
    await rig.settle();
    expect(rig.benchTick.improv[1]).toMatchObject({ isHeard: true, state: 'ready' });
    await rig.ask(rig.bench.call('disconnect', 1));
    await rig.settle();
    expect(rig.benchTick.improv[1]).toMatchObject({ isHeard: false, state: null });
  });

  it('stops by its ticket, and when the port is closed', async () => {
    await plugIn();
    const scanning = rig.bench.call('improvJob', 1, { kind: 'scan' }, 77);
    await rig.settle(500);
    expect(rig.benchTick.improv[1].job).toBe('scan');
    await rig.ask(rig.bench.call('endWait', 77));
    expect((await rig.ask(scanning)).failure?.code).toBe('cancelled');
    const again = rig.bench.call('improvJob', 1, { kind: 'scan' }, 78);
    await rig.settle(500);
    await rig.ask(rig.bench.call('disconnect', 1));
    expect((await rig.ask(again)).failure?.code).toBe('cancelled');
  });

  it('is refused while a transfer has the port', async () => {
    await plugIn();
    rig.worker.bench.jobs.holdForTransfer(1, () => undefined).admitsOthers = false;
    await expect(run({ kind: 'ask' })).rejects.toMatchObject({ code: 'send-while-transferring' });
  });
});
