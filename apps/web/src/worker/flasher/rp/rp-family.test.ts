/** The Raspberry Pi family behind the host: demo boards that change between their port, USB and their drive. */
import { VirtualClock } from '@wirebench/clock';
import { SimulatedSerial } from '@wirebench/devices';
import { RpBoard, rpFirmware, rpFirmwareUf2, SimulatedUsb } from '@wirebench/devices/rp';
import { md5 } from '@wirebench/flasher/core';
import { applyEdits, openFileSystem, planFiles } from '@wirebench/flasher/file-systems';
import { fileSystemPlaces } from '@wirebench/flasher/rp';
import { defaultPortSettings } from '@wirebench/port';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DemoModel } from '../../../hardware/demo-device.ts';
import { CallClient } from '../../../protocol/calls/call-client.ts';
import { askOn } from '../../../protocol/calls/testing/ask-on.ts';
import { PortLines } from '../../../protocol/calls/testing/port-lines.ts';
import type { FlasherApi, FlasherTick, PlanRequest } from '../../../protocol/flash-protocol.ts';
import { type RpTypes, rpSettings } from '../../../protocol/rp-types.ts';
import { BenchClient } from '../../../workbench/bench-client.ts';
import { BenchWorker } from '../../bench/bench-worker.ts';
import { startFlasherWorker } from '../start-worker.ts';

const same = { kind: 'same' } as const;
const usual = { baudRate: 115_200, settings: rpSettings };
const greeting = 'Hello from the new program\r\n';
const flashStart = 0x1000_0000;

describe('Raspberry Pi boards behind the host', () => {
  let clock: VirtualClock;
  let worker: BenchWorker;
  let bench: BenchClient;
  let flasher: CallClient<FlasherApi<RpTypes>, FlasherTick>;
  let steps: string[];
  let said: string[];
  const lines = new PortLines();

  beforeEach(async () => {
    clock = new VirtualClock(1_000_000);
    steps = [];
    said = [];
    const [benchLine, flasherLine] = [lines.open(), lines.open()];
    const openRecordingFile = () => Promise.reject(new Error('not here'));
    worker = new BenchWorker(benchLine.worker, { clock, openRecordingFile });
    const { devices, toolPorts } = worker;
    await startFlasherWorker('rp', flasherLine.worker, { clock, devices, toolPorts });
    bench = new BenchClient(() => undefined);
    bench.attach(benchLine.page);
    flasher = new CallClient((tick) => {
      steps.push(...tick.events.flatMap(({ event }) => (event.type === 'step' ? event.step : [])));
      said.push(...tick.lines.map(({ text }) => text));
    });
    flasher.attach(flasherLine.page);
  });
  afterEach(() => {
    lines.close();
    worker.bench.dispose();
    vi.unstubAllGlobals();
  });

  const ask = <Answer>(call: Promise<Answer>) => askOn(clock, call, { stride: 10, pace: 'turn' });
  const connect = (model: DemoModel) => ask(flasher.call('connect', 1, { kind: 'demo', model }, usual));

  async function given(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<PlanRequest<typeof rpSettings>> {
    const { files } = await ask(flasher.call('addFiles', [{ name, content: new Blob([bytes]) }]));
    const places = files.map(({ id, offset }) => ({ id, offset: offset ?? 0 }));
    return { files: places, settings: rpSettings, guard: null, overrides: [] };
  }
  const uf2 = (chip: 'rp2040' | 'rp2350', size = 8_192) => rpFirmwareUf2({ chip, text: greeting, size, seed: 3 });

  it.each([
    ['pico', 'RP2040', 2, 'rp2040'],
    ['pico2', 'RP2350', 4, 'rp2350'],
  ] as const)(
    '%s leaves its program, is written, read back, started, and heard on its port',
    async (model, name, size, chip) => {
      const board = await connect(model);
      expect(steps).toContain('resetting');
      expect(board).toMatchObject({
        family: 'rp',
        name,
        demo: true,
        flash: { start: flashStart, size: size * 2 ** 20 },
      });
      expect(worker.devices.facts(1)).toEqual({ kind: 'demo', plugged: true });
      const plan = await ask(flasher.call('plan', 1, await given('new.uf2', uf2(chip))));
      expect(plan).toMatchObject({ refusals: [], warnings: [], toWrite: 8_192, start: { result: 'yes' } });
      const report = await ask(flasher.call('write', 1));
      expect(report).toMatchObject({ state: 'complete', written: 8_192 });
      expect(report.regions).toMatchObject([{ outcome: 'verified', proof: { kind: 'read-back' } }]);
      await ask(flasher.call('restart', 1));
      await ask(bench.call('connect', 1, same, defaultPortSettings));
      await ask(bench.call('setSignals', 1, { dtr: true, rts: true }));
      await ask(clock.sleep(500));
      const { state, received } = worker.bench.status().ports[1];
      expect([state, received]).toEqual(['connected', greeting.length]);
      await ask(bench.call('disconnect', 1));
    },
  );

  it('refuses a program for the other chip before the write', async () => {
    await connect('pico');
    const plan = await ask(flasher.call('plan', 1, await given('pico2.uf2', uf2('rp2350'))));
    expect(plan.refusals).toMatchObject([{ code: 'other-chip', files: ['pico2.uf2'] }]);
    await expect(ask(flasher.call('write', 1))).rejects.toMatchObject({ code: 'write-failed' });
  });

  it('warns of a program that does not start, and refuses a web page', async () => {
    await connect('pico');
    const broken = rpFirmware({ text: greeting, size: 4_096 });
    broken[8] = 0x55;
    const request = await given('broken.bin', broken);
    const plan = await ask(flasher.call('plan', 1, request));
    expect(plan.warnings.map(({ code }) => code)).toEqual(['does-not-start']);
    expect(plan.start).toMatchObject({ result: 'no', why: expect.stringContaining('second stage') });
    await ask(
      flasher.call(
        'removeFiles',
        request.files.map(({ id }) => id),
      ),
    );
    const page = new TextEncoder().encode('<!doctype html><html><body>404</body></html>');
    expect(await ask(flasher.call('plan', 1, await given('page.bin', page)))).toMatchObject({
      refusals: [{ code: 'not-firmware', overridable: false }],
    });
  });

  it('writes a changed file of MicroPython beside firmware, and reads it back', async () => {
    const board = await connect('pico');
    const [place] = fileSystemPlaces(board.info.users);
    if (place === undefined) {
      throw new Error('The demo Pico has no file system.');
    }
    expect(place).toMatchObject({ name: 'MicroPython’s files', offset: flashStart + 0xa_0000, kind: 'littlefs' });
    const range = { offset: place.offset, length: place.size };
    const readAll = async () => new Uint8Array(await (await ask(flasher.call('read', 1, range))).arrayBuffer());
    const image = await readAll();
    const edited = applyEdits(image, [{ kind: 'write', path: '/main.py', bytes: new TextEncoder().encode('# new\n') }]);
    const planned = planFiles(place, md5(image), { ...edited, kind: 'littlefs' }, String);
    const changes = planned === null ? [] : [planned.change];
    const plan = await ask(flasher.call('plan', 1, { ...(await given('new.uf2', uf2('rp2040'))), changes }));
    expect(plan.refusals).toEqual([]);
    const report = await ask(flasher.call('write', 1));
    const written = changes[0]?.writes.reduce((sum, { bytes }) => sum + bytes.length, 0) ?? 0;
    expect(report).toMatchObject({ state: 'complete', written: 8_192 + written });
    expect(report.regions.every(({ proof }) => proof?.kind === 'read-back')).toBe(true);
    expect(new TextDecoder().decode(openFileSystem(await readAll()).read('/main.py'))).toBe('# new\n');
  });

  it('connects a board again that is still in BOOTSEL, without its program', async () => {
    await connect('pico');
    await ask(flasher.call('close', 1));
    steps = [];
    const board = await ask(flasher.call('connect', 1, same, usual));
    expect(board.name).toBe('RP2040');
    expect(steps).not.toContain('resetting');
  });

  it('copies to the drive where the system has no driver, and reports that nothing was verified', async () => {
    await expect(connect('pico-drive')).rejects.toMatchObject({ code: 'usb-driver' });
    const board = await ask(flasher.call('connect', 1, { kind: 'drive', folder: null }, usual));
    expect(board.info).toMatchObject({ link: 'drive', chip: 'RP2040' });
    const plan = await ask(flasher.call('plan', 1, await given('new.uf2', uf2('rp2040'))));
    expect([plan.refusals, plan.warnings.map(({ code }) => code)]).toEqual([[], ['by-drive']]);
    expect(await ask(flasher.call('write', 1))).toMatchObject({ state: 'unverified' });
    await ask(flasher.call('restart', 1));
    expect(worker.devices.isPlugged(1)).toBe(true);
  });

  /**
   * Plugs boards in BOOTSEL into the browser's own lists.
   *
   * @param isAllowed True: the person has allowed the ports of the programs before.
   */
  function plugged(count: 1 | 2, isAllowed: boolean): readonly RpBoard[] {
    const [serial, usb] = [new SimulatedSerial(), new SimulatedUsb()];
    if (isAllowed) {
      serial.addEventListener('connect', ({ target }) => worker.devices.appeared(target as SerialPort));
    }
    vi.stubGlobal('navigator', { serial, usb });
    return Array.from({ length: count }, () => new RpBoard({ clock, serial, usb, bootsel: true }));
  }

  /** Connects the first board over USB, writes a program, and restarts it. */
  async function writeOverUsb(boards: readonly RpBoard[]): Promise<void> {
    await ask(clock.sleep(1_000));
    for (const board of boards) {
      board.holdBootsel(false);
    }
    const place = { index: 0, count: boards.length, vendorId: 0x2e8a, productId: 0x0003 };
    await ask(flasher.call('connect', 1, { kind: 'usb', place }, usual));
    await ask(flasher.call('plan', 1, await given('new.uf2', uf2('rp2040'))));
    expect(await ask(flasher.call('write', 1))).toMatchObject({ state: 'complete' });
    await ask(flasher.call('restart', 1));
  }

  it('over USB alone, knows the port that appears after the restart as that of the board', async () => {
    await writeOverUsb(plugged(1, true));
    await ask(bench.call('connect', 1, same, defaultPortSettings));
    await ask(clock.sleep(500));
    expect(worker.bench.status().ports[1]).toMatchObject({ state: 'connected', received: greeting.length });
    await ask(bench.call('disconnect', 1));
    expect((await ask(flasher.call('connect', 1, same, usual))).name).toBe('RP2040');
  });

  it('never takes another RP2040 in BOOTSEL for the one that was written, although their serial numbers are equal', async () => {
    const boards = plugged(2, false);
    const [, second] = boards;
    await writeOverUsb(boards);
    expect(second?.state).toBe('bootsel');
    await expect(ask(bench.call('connect', 1, same, defaultPortSettings))).rejects.toThrow('may not use the port');
    await expect(ask(flasher.call('connect', 1, same, usual))).rejects.toMatchObject({ code: 'port-gone' });
    expect(second?.state).toBe('bootsel');
  });

  it('says what the files state, as picotool does', async () => {
    const { files } = await ask(flasher.call('addFiles', [{ name: 'pico2.uf2', content: new Blob([uf2('rp2350')]) }]));
    expect(files[0]).toMatchObject({ what: 'UF2, program for RP2350', chip: 'RP2350' });
    expect(files[0]?.about?.map(({ title }) => title)).toContain('Program Information');
  });
});
