import { VirtualClock } from '@wirebench/clock';
import { nrfFirmware } from '@wirebench/devices';
import { describe, expect, it } from 'vitest';
import type { DemoModel } from '../../../hardware/demo-device.ts';
import { askOn } from '../../../protocol/calls/testing/ask-on.ts';
import type { ConnectRequest, PlanRequest } from '../../../protocol/flash-protocol.ts';
import { type NrfSettings, nrfSettings } from '../../../protocol/nrf-types.ts';
import { PortDevices } from '../../bench/port-devices.ts';
import { workerFamily } from '../worker-family.ts';
import { nrfFamilyParts } from './nrf-family.ts';

type Firmware = Parameters<typeof nrfFirmware>[0];

const request: ConnectRequest<NrfSettings> = { baudRate: 115_200, settings: nrfSettings };
const signal = new AbortController().signal;
const carry = {
  signal,
  unseen: <Result>(act: () => Promise<Result>) => act(),
  onStage: () => undefined,
  onEvent: () => undefined,
};

/** Sets up the family with a demo board on a virtual clock. */
function bench() {
  const clock = new VirtualClock(1_000_000);
  const devices = new PortDevices(clock, () => undefined);
  const family = workerFamily(nrfFamilyParts(), clock);

  const ask = <Answer>(call: Promise<Answer>) => askOn(clock, call, { stride: 20, pace: 'turn' });

  return {
    ask,
    family,
    async connect(model: DemoModel) {
      const device = await ask(devices.take(1, { kind: 'demo', model }, 115_200));
      return ask(
        family.connect(request, {
          device,
          port: 1,
          isSame: false,
          isDemo: true,
          signal,
          returned: (wanted) => devices.returned(1, wanted, family.returnsAs),
          onStep: () => undefined,
          say: () => undefined,
          onText: () => undefined,
        }),
      );
    },
    async add(options: Firmware): Promise<PlanRequest<NrfSettings>> {
      const { name, bytes } = nrfFirmware({ size: 8_192, ...options });
      const { files } = await ask(family.files.add([{ name, content: new Blob([bytes]) }]));
      const places = files.map(({ id, offset }) => ({ id, offset: offset ?? 0 }));
      return { files: places, settings: nrfSettings, guard: null, overrides: [] };
    },
  };
}

describe('Nordic boards behind the host', () => {
  it.each([
    ['nrf52840-secure', 'secure-dfu', 'crc32'],
    ['feather-nrf52840', 'adafruit-dfu', 'crc16'],
    ['nrf52840-mcuboot', 'mcuboot', 'sha256'],
  ] as const)('%s is known by its %s, planned, written, and proven by %s', async (model, bootloader, kind) => {
    const { ask, connect, add } = bench();
    const board = await connect(model);
    expect(board.facts).toMatchObject({ family: 'nrf', demo: true, info: { bootloader } });
    const plan = await ask(board.plan(await add({ board: model }), signal));
    expect(plan.refusals).toEqual([]);
    const report = await ask(board.write(carry));
    expect(report.regions).toMatchObject([{ offset: 0, outcome: 'verified', proof: { kind } }]);
    expect(board.placeName?.(0)).toMatch(/\.bin$/);
    await ask(board.restart());
    await ask(board.close());
  });

  it('list their images again after a write where the bootloader can', async () => {
    const { ask, connect, add } = bench();
    const board = await connect('nrf52840-mcuboot');
    const images = () => board.facts.info.slots.map(({ hash }) => hash);
    const before = images();
    await ask(board.plan(await add({ board: 'nrf52840-mcuboot' }), signal));
    await ask(board.write(carry));
    await ask(board.look?.(signal) ?? Promise.reject(new Error('It lists no images.')));
    expect(images()).not.toEqual(before);
    await ask(board.close());
    const other = await connect('nrf52840-secure');
    expect(other.look).toBeUndefined();
    await ask(other.close());
  });

  it('have no plan to carry out for a package that is for another bootloader', async () => {
    const { ask, connect, add } = bench();
    const board = await connect('nrf52840-mcuboot');
    const plan = await ask(board.plan(await add({ board: 'feather-nrf52840' }), signal));
    expect(plan.refusals.map(({ code }) => code)).toEqual(['wrong-bootloader']);
    await expect(ask(board.write(carry))).rejects.toMatchObject({ code: 'write-failed', state: 'unchanged' });
    await ask(board.close());
  });

  it('refuse a release for another chip, unless a person overrides that', async () => {
    const { ask, connect, add } = bench();
    const board = await connect('nrf52840-secure');
    const request = { ...(await add({ board: 'nrf52840-secure' })), guard: { model: 'nrf52832', demo: false } };
    const { refusals } = await ask(board.plan(request, signal));
    expect(refusals).toMatchObject([{ code: 'guard-model', overridable: true }]);
    await expect(ask(board.write(carry))).rejects.toMatchObject({ code: 'write-failed', state: 'unchanged' });
    const overridden = { ...request, overrides: ['guard-model'] };
    expect((await ask(board.plan(overridden, signal))).refusals).toEqual([]);
    await ask(board.close());
  });

  it.each([
    ['nrf52840-secure', true],
    ['nrf52840-mcuboot', true],
    ['feather-nrf52840', false],
  ] as const)('a %s needs a hand before it is flashed again: %s', async (model, byHand) => {
    const { ask, connect } = bench();
    const board = await connect(model);
    expect(board.facts.afterwards?.includes('hold its button') ?? false).toBe(byHand);
    await ask(board.close());
  });

  it('are known again as another product of their maker alone', () => {
    const { returnsAs } = bench().family;
    const bootloader = { usbVendorId: 0x239a, usbProductId: 0x0029 };
    expect(returnsAs?.({ usbVendorId: 0x239a, usbProductId: 0x8029 }, bootloader)).toBe(true);
    expect(returnsAs?.({ usbVendorId: 0x1915, usbProductId: 0x521f }, bootloader)).toBe(false);
    expect(returnsAs?.({}, {})).toBe(false);
  });

  it('have no port to wait for where the start of the program was the proof', async () => {
    const { ask, connect, add } = bench();
    const board = await connect('feather-nrf52840');
    expect(board.vanishes).toBe(true);
    await ask(board.plan(await add({ board: 'feather-nrf52840' }), signal));
    await ask(board.write(carry));
    expect(board.vanishes).toBe(false);
    await ask(board.close());
  });
});
