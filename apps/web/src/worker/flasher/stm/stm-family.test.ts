import { VirtualClock } from '@wirebench/clock';
import { StmDevice, stmFirmware } from '@wirebench/devices';
import type { WriteEvent } from '@wirebench/flasher/core';
import { describe, expect, it } from 'vitest';
import type { DemoUsbModel } from '../../../hardware/demo-device.ts';
import { askOn } from '../../../protocol/calls/testing/ask-on.ts';
import type { ConnectRequest, GivenFile, PlanRequest } from '../../../protocol/flash-protocol.ts';
import { type StmSettings, stmSettings } from '../../../protocol/stm-types.ts';
import { PortDevices } from '../../bench/port-devices.ts';
import { type BasicContext, workerFamily } from '../worker-family.ts';
import { stmFamilyParts } from './stm-family.ts';

const request: ConnectRequest<StmSettings> = { baudRate: 115_200, settings: stmSettings };
const model: DemoUsbModel = 'stm32f407';
const place = { port: 1, isSame: false } as const;

/** Sets up the family with a demo board on a virtual clock. */
function bench() {
  const clock = new VirtualClock(1_000_000);
  const devices = new PortDevices(clock, () => undefined);
  const family = workerFamily(stmFamilyParts(), clock);
  const context: BasicContext = {
    signal: new AbortController().signal,
    onStep: () => undefined,
    say: () => undefined,
    onText: () => undefined,
  };
  const isDemo = true;

  const ask = <Answer>(call: Promise<Answer>) => askOn(clock, call, { stride: 20, pace: 'turn' });

  return {
    clock,
    devices,
    family,
    ask,
    async connect(part: 'stm32f407' | 'stm32f103-protected', settings = stmSettings) {
      const device = await ask(devices.take(1, { kind: 'demo', model: part }, 115_200));
      const returned = () => Promise.reject(new Error('It does not vanish.'));
      return ask(family.connect({ ...request, settings }, { ...context, ...place, device, returned, isDemo }));
    },
    async connectUsb(source: 'demo' | 'same') {
      const taken = await ask(devices.takeUsb(1, source === 'demo' ? { kind: 'demo-usb', model } : { kind: 'same' }));
      const { connectUsb } = family;
      if (connectUsb === undefined) {
        throw new Error('The family has no USB.');
      }
      return ask(connectUsb(request, { ...context, ...taken, port: 1, isSame: source === 'same', isDemo }));
    },
    async add(...given: GivenFile[]): Promise<PlanRequest<StmSettings>> {
      const { files } = await ask(family.files.add(given));
      const places = files.map(({ id, offset }) => ({ id, offset: offset ?? 0 }));
      return { files: places, settings: stmSettings, guard: null, overrides: [] };
    },
  };
}

const program = (size: number): GivenFile => ({
  name: 'boiler.bin',
  content: new Blob([stmFirmware({ text: 'Hello', size })]),
});
const quiet = { signal: new AbortController().signal, onProgress: () => undefined };
const carry = {
  signal: quiet.signal,
  unseen: <Result>(act: () => Promise<Result>) => act(),
  onStage: () => undefined,
  onEvent: () => undefined,
};

describe('STM32 behind the host', () => {
  it('reports which part this is, its sectors, and how its program is listened to', async () => {
    const { connect } = bench();
    const { facts } = await connect('stm32f407');
    expect(facts).toMatchObject({
      family: 'stm',
      flash: { start: 0x0800_0000, size: 2 ** 20 },
      console: { lines: { dtr: false, rts: false }, reset: { dtr: true, rts: false } },
      info: { productId: 0x413, protection: 'none' },
    });
    expect(facts.areas.map(({ name }) => name)).toEqual(['4 × 16 KB', '1 × 64 KB', '7 × 128 KB']);
    expect(facts.id).toMatch(/^[\dA-F]{24}$/);
  });

  it('plans, writes and proves, and keeps what shares the sector', async () => {
    const { add, ask, connect } = bench();
    const plan = await add(program(2_048));
    const board = await connect('stm32f407');
    const facts = await board.plan(plan, quiet.signal);
    expect(facts).toMatchObject({ refusals: [], toWrite: 2_048, same: 0 });
    expect(facts.map).toContainEqual(expect.objectContaining({ offset: 0x0800_0800, fate: 'restored' }));
    const report = await ask(board.write(carry));
    expect(report).toMatchObject({ state: 'complete', written: 2_048 });
    await board.plan(plan, quiet.signal);
    expect(await ask(board.write(carry))).toMatchObject({ written: 0, same: 2_048 });
    await expect(ask(board.write(carry))).rejects.toMatchObject({ code: 'write-failed' });
  });

  it('refuses a program for another series, as a release names it', async () => {
    const { add, connect } = bench();
    const plan = await add(program(512));
    const board = await connect('stm32f407');
    const { refusals } = await board.plan({ ...plan, guard: { model: 'stm32l', demo: false } }, quiet.signal);
    expect(refusals.map(({ code }) => code)).toEqual(['guard-model']);
    const overridden = { ...plan, guard: { model: 'stm32l', demo: false }, overrides: ['guard-model'] };
    expect((await board.plan(overridden, quiet.signal)).refusals).toEqual([]);
  });

  it('has to be connected again once read protection is removed', async () => {
    const { ask, connect } = bench();
    const board = await connect('stm32f103-protected');
    expect(board.facts.info.protection).toBe('read-protected');
    expect(await ask(board.perform('remove-read-protection', quiet))).toBe(false);
  });

  it('is the same over USB, also when it comes back as another device', async () => {
    const { add, ask, connectUsb, devices } = bench();
    const plan = await add(program(4_096));
    const board = await connectUsb('demo');
    expect(board.facts).toMatchObject({ console: null, baudRate: null, info: { link: 'usb' } });
    await board.plan(plan, quiet.signal);
    expect(await ask(board.write(carry))).toMatchObject({ state: 'complete', written: 4_096 });
    await ask(board.close());
    devices.plugDemo(1, false);
    expect(devices.facts(1)).toEqual({ kind: 'demo', plugged: false });
    devices.plugDemo(1, true);
    const again = await connectUsb('same');
    await again.plan(plan, quiet.signal);
    expect(await ask(again.write(carry))).toMatchObject({ written: 0, same: 4_096 });
  });

  it('is gone when its plug is pulled in mid-write over USB, and goes on afterwards', async () => {
    const { add, ask, connectUsb, devices } = bench();
    const plan = await add(program(40_000));
    const board = await connectUsb('demo');
    await board.plan(plan, quiet.signal);
    const pull = { ...carry, onEvent: () => devices.plugDemo(1, false) };
    await expect(ask(board.write(pull))).rejects.toMatchObject({ code: 'unplugged' });
    expect(board.over.aborted).toBe(true);
    await ask(board.close());
    devices.plugDemo(1, true);
    const again = await connectUsb('same');
    await again.plan(plan, quiet.signal);
    expect(await ask(again.write(carry))).toMatchObject({ state: 'complete' });
  });

  it.each([
    ['gets back over USB what shared a sector with a write that was cut off', 'same', [0x0800_0000, 0x0800_0800]],
    ['gets nothing over USB that another board without a unique id has lost', 'demo', [0x0800_0000]],
  ] as const)('%s', async (_, source, offsets) => {
    const { add, ask, connectUsb, devices } = bench();
    const plan = await add(program(2_048));
    const board = await connectUsb('demo');
    await board.plan(plan, quiet.signal);
    const onEvent = (event: WriteEvent) => {
      if (event.type === 'progress' && event.phase === 'writing' && event.done > 0) {
        devices.plugDemo(1, false);
      }
    };
    await expect(ask(board.write({ ...carry, onEvent }))).rejects.toMatchObject({ code: 'unplugged' });
    await ask(board.close());
    devices.plugDemo(1, true);
    const next = await connectUsb(source);
    await next.plan(plan, quiet.signal);
    const { regions } = await ask(next.write(carry));
    expect(regions.map(({ offset }) => offset)).toEqual(offsets);
  });

  it('has no reset line if the user has set BOOT0', async () => {
    const { ask, clock, family } = bench();
    const { createStmPort } = await import('@wirebench/devices');
    const device = new StmDevice({ part: 'stm32g071', wiring: 'by-hand', powerUp: 'bootloader' });
    const { port } = createStmPort(device, { clock });
    if (port === null) {
      throw new Error('It is plugged in.');
    }
    const context = {
      signal: quiet.signal,
      onStep: () => undefined,
      say: () => undefined,
      onText: () => undefined,
      returned: () => Promise.reject(new Error('It does not vanish.')),
      ...place,
      isDemo: true,
    };
    const board = await ask(family.connect({ ...request, byHand: true }, { ...context, device: port }));
    expect(board.facts).toMatchObject({ console: { reset: null }, afterwards: expect.stringContaining('BOOT0 low') });
  });
});
