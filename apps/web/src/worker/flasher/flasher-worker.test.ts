import { VirtualClock } from '@wirebench/clock';
import { type BoardChange, md5, type WriteEvent } from '@wirebench/flasher/core';
import { encodePartitionTable } from '@wirebench/flasher/esp';
import type { FamilyTypes } from '@wirebench/flasher/family';
import { buildApp, buildBootloader, buildTable, chipIds } from '@wirebench/flasher/testing';
import { defaultPortSettings } from '@wirebench/port';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CallClient } from '../../protocol/calls/call-client.ts';
import { askOn } from '../../protocol/calls/testing/ask-on.ts';
import { PortLines } from '../../protocol/calls/testing/port-lines.ts';
import { type EspSettings, type EspTypes, espSettings } from '../../protocol/esp-types.ts';
import type {
  BoardFacts,
  ConnectRequest,
  FlasherApi,
  FlasherTick,
  FlashLine,
  PlanRequest,
} from '../../protocol/flash-protocol.ts';
import { BenchClient } from '../../workbench/bench-client.ts';
import { BenchWorker } from '../bench/bench-worker.ts';
import { FlasherWorker } from './flasher-worker.ts';
import { startFlasherWorker } from './start-worker.ts';
import { noise } from './testing/noise.ts';
import type { WorkerFamily } from './worker-family.ts';

const demo = { kind: 'demo', model: 'esp32' } as const;
const same = { kind: 'same' } as const;

const usual: ConnectRequest<EspSettings> = { baudRate: 921_600, settings: espSettings };
const nothing: PlanRequest<EspSettings> = { files: [], settings: espSettings, guard: null, overrides: [] };

describe('worker of the flasher', () => {
  let clock: VirtualClock;
  let worker: BenchWorker;
  let bench: BenchClient;
  let flasher: CallClient<FlasherApi<EspTypes>, FlasherTick>;
  let events: WriteEvent[];

  let lines: FlashLine[];
  let looked: BoardFacts[];
  const channels = new PortLines();

  beforeEach(async () => {
    clock = new VirtualClock(1_000_000);
    events = [];
    lines = [];
    looked = [];
    const [benchLine, flasherLine] = [channels.open(), channels.open()];
    worker = new BenchWorker(benchLine.worker, {
      clock,
      openRecordingFile: () => Promise.reject(new Error('not here')),
    });
    await startFlasherWorker('esp', flasherLine.worker, {
      clock,
      devices: worker.devices,
      toolPorts: worker.toolPorts,
    });
    bench = new BenchClient(() => undefined);
    bench.attach(benchLine.page);
    flasher = new CallClient((tick) => {
      looked.push(...tick.events.flatMap(({ event }) => (event.type === 'looked' ? event.board : [])));
      events.push(...tick.events.flatMap(({ event }) => (event.type === 'write' ? event.event : [])));
      lines.push(...tick.lines);
    });
    flasher.attach(flasherLine.page);
  });
  afterEach(() => {
    channels.close();
    worker.bench.dispose();
  });

  /** Waits for a call in virtual time, and calls back every 10 ms of it. */
  const ask = <Answer>(call: Promise<Answer>, meanwhile?: () => void) =>
    askOn(clock, call, { stride: 10, pace: 'turn', meanwhile });

  const nvs = { offset: 0x9000, length: 0x4000 };

  const standing = async () => (await ask(flasher.call('read', 1, nvs))).bytes();

  /** Connects a board, writes settings to its flash, and returns their bytes. */
  async function connectWithSettings(): Promise<Uint8Array> {
    await ask(flasher.call('connect', 1, demo, usual));
    const settings = { ...espSettings, keepNvs: false };
    const content = new Blob([noise(nvs.length)]);
    const { files } = await ask(flasher.call('addFiles', [{ name: 'nvs.bin', content, offset: nvs.offset }]));
    const ids = files.map(({ id }) => id);
    await ask(flasher.call('plan', 1, { ...nothing, settings, files: ids.map((id) => ({ id, offset: nvs.offset })) }));
    await ask(flasher.call('write', 1));
    await ask(flasher.call('removeFiles', ids));
    events = [];
    return standing();
  }

  async function addNoise(length: number): Promise<PlanRequest<EspSettings>> {
    const file = { name: 'storage.bin', content: new Blob([noise(length)]), offset: 0x200000 };
    const { files } = await ask(flasher.call('addFiles', [file]));
    return { ...nothing, files: files.map(({ id }) => ({ id, offset: 0x200000 })) };
  }

  it('reports which board this is, and what is in its flash', async () => {
    const board = await ask(flasher.call('connect', 1, demo, usual));
    expect(board).toMatchObject({ demo: true, runsStub: true, info: { chip: 'esp32', flash: { size: 4 * 2 ** 20 } } });
    expect(board.table?.partitions.map(({ name }) => name)).toContain('nvs');
    expect(lines.map(({ text }) => text)).toContain('Opening the port');
    expect(lines.filter(({ level }) => level === 'board').map(({ text }) => text)).toContain('waiting for download');
  });

  it('sees at once that a board holds a crash, until its partition is erased', async () => {
    const board = await ask(flasher.call('connect', 1, { kind: 'demo', model: 'esp32-crashed' }, usual));
    const place = board.table?.partitions.find(({ name }) => name === 'coredump');
    expect(board.crash).toEqual({ name: 'coredump', offset: place?.offset, length: place?.size });
    const erased = await ask(flasher.call('erase', 1, { offset: place?.offset ?? 0, length: place?.size ?? 0 }));
    expect(erased.crash).toBeNull();
  });

  it('plans, writes, proves, and hands the board over to the console', async () => {
    const request = await addNoise(0x9000);
    await ask(flasher.call('connect', 1, demo, usual));
    const plan = await ask(flasher.call('plan', 1, request));
    expect(plan).toMatchObject({ refusals: [], toWrite: 0x9000, same: 0 });
    const report = await ask(flasher.call('write', 1));
    expect(report).toMatchObject({ state: 'complete', written: 0x9000, same: 0 });
    await ask(flasher.call('restart', 1));
    await ask(bench.call('connect', 1, same, defaultPortSettings));
    expect(worker.bench.status().ports[1].state).toBe('connected');
    await ask(bench.call('disconnect', 1));
    await ask(flasher.call('connect', 1, same, usual));
    expect(await ask(flasher.call('plan', 1, request))).toMatchObject({ toWrite: 0, same: 0x9000 });
  });

  it('answers for a merged file that its app does not start from the partition of files', async () => {
    const own = { chipId: chipIds.esp32s3 };
    const layout = [
      { name: 'nvs', type: 1, subtype: 2, offset: 0x9000, size: 0x5000 },
      { name: 'spiffs', type: 1, subtype: 0x82, offset: 0x10000, size: 0x100000 },
      { name: 'app0', type: 0, subtype: 0x10, offset: 0x120000, size: 0x100000 },
    ];
    const app = buildApp({ ...own, size: 300_000 });
    const content = new Uint8Array(0x10000 + app.length).fill(0xff);
    content.set(buildBootloader(own));
    content.set(buildTable(layout), 0x8000);
    content.set(app, 0x10000);
    await ask(flasher.call('connect', 1, { kind: 'demo', model: 'esp32s3' }, usual));
    const { files } = await ask(flasher.call('addFiles', [{ name: 'merged.bin', content: new Blob([content]) }]));
    const places = files.map(({ id, offset }) => ({ id, offset: offset ?? 0 }));
    const { warnings, start } = await ask(flasher.call('plan', 1, { ...nothing, files: places }));
    expect(warnings.map(({ code }) => code)).toContain('not-at-a-partition');
    expect(start).toMatchObject({ result: 'no', why: expect.stringContaining('Set the offset of an app partition') });
  });

  it('reports the partitions of a table that was written, before the board restarts', async () => {
    const board = await ask(flasher.call('connect', 1, demo, usual));
    const names = board.table?.partitions.map(({ name }) => name);
    const plain = { encrypted: false, readOnly: false };
    const table = encodePartitionTable([
      { ...plain, name: 'nvs', type: 1, subtype: 2, offset: 0x9000, size: 0x4000 },
      { ...plain, name: 'new_app', type: 0, subtype: 0, offset: 0x10000, size: 0x100000 },
    ]);
    const content = new Blob([Uint8Array.from(table)]);
    const { files } = await ask(flasher.call('addFiles', [{ name: 'table.bin', content, offset: 0x8000 }]));
    const ids = files.map(({ id }) => ({ id, offset: 0x8000 }));
    await ask(flasher.call('plan', 1, { ...nothing, files: ids }));
    const report = await ask(flasher.call('write', 1));
    expect(report.state).toBe('complete');
    expect(names).not.toContain('new_app');
    expect(looked.at(-1)?.areas.map(({ name }) => name)).toEqual(['nvs', 'new_app']);
  });

  it('goes on where a pulled plug has ended it', async () => {
    const request = await addNoise(0x60000);
    const { id } = await ask(flasher.call('connect', 1, demo, usual));
    await ask(flasher.call('plan', 1, request));
    const half = () =>
      events.some((event) => event.type === 'progress' && event.phase === 'writing' && event.done >= 0x30000);
    let pulled = false;
    const writing = ask(flasher.call('write', 1), () => {
      if (!pulled && half()) {
        pulled = true;
        worker.devices.plugDemo(1, false);
      }
    });
    await expect(writing).rejects.toMatchObject({ code: 'unplugged', detail: { state: 'incomplete' } });
    worker.devices.plugDemo(1, true);
    await ask(flasher.call('connect', 1, same, { ...usual, ...(id !== null && { expectedId: id }) }));
    const rest = await ask(flasher.call('plan', 1, request));
    expect(rest.same).toBeGreaterThan(0);
    const report = await ask(flasher.call('write', 1));
    // Half of the region that was under way is there already.
    expect(report.state).toBe('complete');
    expect(report.written).toBeLessThan(rest.toWrite);
    expect(report.written + report.same).toBe(rest.toWrite + rest.same);
  });

  it('hears a cancel that comes while the connection before is still being closed', async () => {
    await ask(flasher.call('connect', 1, demo, usual));
    const connecting = flasher.call('connect', 1, same, usual);
    void flasher.call('cancel', 1);
    await expect(ask(connecting)).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('stops when it is cancelled, and keeps the board', async () => {
    const request = await addNoise(0x40000);
    await ask(flasher.call('connect', 1, demo, usual));
    await ask(flasher.call('plan', 1, request));
    const begun = () => events.length > 0;
    const writing = ask(flasher.call('write', 1), () => {
      if (begun()) {
        void flasher.call('cancel', 1);
      }
    });
    await expect(writing).rejects.toMatchObject({ code: 'cancelled' });
    expect(await ask(flasher.call('connect', 1, same, usual))).toMatchObject({ info: { chip: 'esp32' } });
  });

  it('does not say that nothing was changed when a write is stopped, or unplugged, while it erases', async () => {
    for (const end of ['cancelled', 'unplugged']) {
      const settings = { ...espSettings, erase: 'all', keepNvs: false } as const;
      const request = { ...(await addNoise(0x1000)), settings };
      await ask(flasher.call('connect', 1, demo, usual));
      await ask(flasher.call('plan', 1, request));
      lines = [];
      const writing = ask(flasher.call('write', 1), () => {
        if (lines.some(({ text }) => text === 'Erasing')) {
          lines = [];
          if (end === 'cancelled') {
            void flasher.call('cancel', 1);
          } else {
            worker.devices.plugDemo(1, false);
          }
        }
      });
      await expect(writing).rejects.toMatchObject({ code: end, detail: { state: 'erased' } });
    }
  });

  it('writes nothing without a plan', async () => {
    await ask(flasher.call('connect', 1, demo, usual));
    await expect(ask(flasher.call('write', 1))).rejects.toMatchObject({ code: 'write-failed' });
    await expect(ask(flasher.call('plan', 2, nothing))).rejects.toMatchObject({ code: 'port-gone' });
  });

  it('keeps stored settings when all is erased', async () => {
    const before = await connectWithSettings();
    const request = { ...(await addNoise(0x1000)), settings: { ...espSettings, erase: 'all', keepNvs: true } as const };
    const plan = await ask(flasher.call('plan', 1, request));
    expect(plan.map).toContainEqual(expect.objectContaining({ ...nvs, fate: 'restored' }));
    await ask(flasher.call('write', 1));
    expect(before).toEqual(noise(nvs.length));
    expect(await standing()).toEqual(before);
    expect(await (await ask(flasher.call('read', 1, { offset: 0x10000, length: 16 }))).bytes()).toEqual(
      new Uint8Array(16).fill(0xff),
    );
  });

  it('writes stored settings back that it had read before an erase which a pulled plug has ended', async () => {
    const before = await connectWithSettings();
    const settings = { ...espSettings, erase: 'all', keepNvs: true } as const;
    const request = { ...(await addNoise(0x20000)), settings };
    await ask(flasher.call('plan', 1, request));
    let pulled = false;
    const writing = ask(flasher.call('write', 1), () => {
      if (!pulled && events.some((event) => event.type === 'progress' && event.done > 0)) {
        pulled = true;
        worker.devices.plugDemo(1, false);
      }
    });
    await expect(writing).rejects.toMatchObject({ code: 'unplugged' });
    worker.devices.plugDemo(1, true);
    await ask(flasher.call('connect', 1, same, usual));
    expect(await standing()).not.toEqual(before);
    await ask(flasher.call('plan', 1, request));
    expect(await ask(flasher.call('write', 1))).toMatchObject({ state: 'complete' });
    expect(await standing()).toEqual(before);
  });

  /** Returns a change of the settings: one page erased, another one written twice. */
  function changeOf(before: Uint8Array): BoardChange {
    const page = (index: number, bytes: Uint8Array) => ({ offset: nvs.offset + index * 0x1000, bytes });
    return {
      name: 'nvs',
      range: nvs,
      basis: md5(before),
      erases: [{ offset: nvs.offset + 0x2000, length: 0x1000 }],
      writes: [page(0, noise(0x1000)), page(1, noise(0x1000).reverse()), page(0, new Uint8Array(0x1000).fill(5))],
    };
  }

  /** Returns the settings after the change. */
  function changed(before: Uint8Array): Uint8Array {
    const after = before.slice();
    after.fill(5, 0, 0x1000);
    after.set(noise(0x1000).reverse(), 0x1000);
    return after.fill(0xff, 0x2000, 0x3000);
  }

  it('carries out changes after the files, in one write with one progress, and reports them under their names', async () => {
    const before = await connectWithSettings();
    const request = { ...(await addNoise(0x3000)), changes: [changeOf(before)] };
    const plan = await ask(flasher.call('plan', 1, request));
    expect(plan.refusals).toEqual([]);
    expect(plan.regions.map(({ file, offset, length, same: there }) => [file, offset, length, there])).toEqual([
      ['storage.bin', 0x200000, 0x3000, false],
      ['nvs', 0x9000, 0x2000, false],
      ['nvs', 0xb000, 0x1000, false],
    ]);
    expect(plan.toWrite).toBe(0x6000);
    const report = await ask(flasher.call('write', 1));
    expect(report).toMatchObject({ state: 'complete', same: 0 });
    expect(report.regions.map(({ offset, outcome }) => [offset, outcome])).toEqual([
      [0x200000, 'verified'],
      [0x9000, 'verified'],
      [0xb000, 'verified'],
    ]);
    const progress = events.flatMap((event) => (event.type === 'progress' ? [event] : []));
    expect(new Set(progress.map(({ total }) => total))).toEqual(new Set([0x3000 + 0x4000]));
    expect(progress.map(({ done }) => done)).toEqual(progress.map(({ done }) => done).toSorted((a, b) => a - b));
    expect(await standing()).toEqual(changed(before));
  });

  it('carries out changes without a file, and refuses them if the board holds something else by then', async () => {
    const before = await connectWithSettings();
    const request = { ...nothing, changes: [changeOf(before)] };
    expect(await ask(flasher.call('plan', 1, request))).toMatchObject({ refusals: [], toWrite: 0x3000 });
    await ask(flasher.call('write', 1));
    expect(await standing()).toEqual(changed(before));
    const again = await ask(flasher.call('plan', 1, request));
    expect(again.refusals).toMatchObject([{ code: 'change-outdated', overridable: false }]);
    await expect(ask(flasher.call('write', 1))).rejects.toMatchObject({ code: 'write-failed' });
  });

  it('erases a partition as a change, and finds it empty afterwards', async () => {
    const before = await connectWithSettings();
    const change = { name: 'nvs', range: nvs, basis: md5(before), erases: [nvs], writes: [] };
    const plan = await ask(flasher.call('plan', 1, { ...nothing, changes: [change] }));
    expect(plan.map).toContainEqual(expect.objectContaining({ ...nvs, fate: 'erased' }));
    await ask(flasher.call('write', 1));
    expect(await standing()).toEqual(new Uint8Array(nvs.length).fill(0xff));
  });

  it('goes on with the rest of a change where a pulled plug has ended it', async () => {
    const before = await connectWithSettings();
    const request = { ...nothing, changes: [changeOf(before)] };
    await ask(flasher.call('plan', 1, request));
    let pulled = false;
    const writing = ask(flasher.call('write', 1), () => {
      if (!pulled && events.some((event) => event.type === 'progress' && event.done >= 0x1000)) {
        pulled = true;
        worker.devices.plugDemo(1, false);
      }
    });
    await expect(writing).rejects.toMatchObject({ code: 'unplugged', detail: { state: 'incomplete' } });
    worker.devices.plugDemo(1, true);
    await ask(flasher.call('connect', 1, same, usual));
    expect(await standing()).not.toEqual(changed(before));
    expect(await ask(flasher.call('plan', 1, request))).toMatchObject({ refusals: [] });
    expect(await ask(flasher.call('write', 1))).toMatchObject({ state: 'complete' });
    expect(await standing()).toEqual(changed(before));
  });

  it('shows guests of a shared bench no contents of flash and no planned change, but the rest of a write', async () => {
    const before = await connectWithSettings();
    const seen = { received: new Uint8Array(), sent: new Uint8Array() };
    worker.tap = {
      bytes: (_port, lane, bytes) => {
        seen[lane] = Uint8Array.of(...seen[lane], ...bytes);
      },
      signed: () => undefined,
      changed: () => undefined,
    };
    await standing();
    expect([seen.received.length, seen.sent.length]).toEqual([0, 0]);
    const request = { ...nothing, changes: [changeOf(before)] };
    await ask(flasher.call('plan', 1, request));
    const planned = seen.sent.length;
    expect(planned).toBeGreaterThan(0);
    await ask(flasher.call('write', 1));
    expect(seen.sent.length).toBe(planned);
    await ask(flasher.call('plan', 1, await addNoise(0x3000)));
    await ask(flasher.call('write', 1));
    expect(seen.sent.length).toBeGreaterThan(planned + 0x3000);
    // Settings that are read before everything is erased, and written back afterwards.
    const erasing = { ...(await addNoise(0x1000)), settings: { ...espSettings, erase: 'all' as const } };
    await ask(flasher.call('plan', 1, erasing));
    seen.received = new Uint8Array();
    await ask(flasher.call('write', 1));
    const kept = await standing();
    expect(kept).toEqual(changed(before));
    const piece = Buffer.from(kept.subarray(0x1000, 0x1010));
    expect(Buffer.from(seen.received).includes(piece)).toBe(false);
  });

  it('lets guests have a port again also when its board does not close', async () => {
    const board = { facts: {}, over: new AbortController().signal, close: () => Promise.reject(new Error('stuck')) };
    const family = { connect: async () => board } as unknown as WorkerFamily<FamilyTypes>;
    const other = channels.open();
    new FlasherWorker(other.worker, { clock, devices: worker.devices, toolPorts: worker.toolPorts, family });
    const stuck = new CallClient<FlasherApi<EspTypes>, FlasherTick>(() => undefined);
    stuck.attach(other.page);
    await ask(stuck.call('connect', 1, demo, usual));
    expect(worker.toolPorts.isHeld(1)).toBe(true);
    await expect(ask(stuck.call('close', 1))).rejects.toThrow('stuck');
    expect(worker.toolPorts.isHeld(1)).toBe(false);
  });
});
