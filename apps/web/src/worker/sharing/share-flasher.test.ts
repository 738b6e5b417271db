/**
 * A bench that a flasher shares: guests watch the flasher's traffic, and receive the board after the flasher releases
 * it.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CallClient } from '../../protocol/calls/call-client.ts';
import { type EspSettings, type EspTypes, espSettings } from '../../protocol/esp-types.ts';
import type { ConnectRequest, FlasherApi, FlasherTick } from '../../protocol/flash-protocol.ts';
import { startFlasherWorker } from '../flasher/start-worker.ts';
import { ShareRig } from './testing/share-rig.ts';

const demo = { kind: 'demo', model: 'esp32' } as const;
const same = { kind: 'same' } as const;
const usual: ConnectRequest<EspSettings> = { baudRate: 460_800, settings: espSettings };
const at115200 = { baudRate: 115_200 };

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Error || error instanceof DOMException ? error.name : String(error)),
  );

describe('a bench that is shared from a flasher', () => {
  let rig: ShareRig;
  let flasher: CallClient<FlasherApi<EspTypes>, FlasherTick>;
  beforeEach(async () => {
    rig = new ShareRig();
    const { clock, worker } = rig;
    const line = rig.lines.open();
    await startFlasherWorker('esp', line.worker, { clock, devices: worker.devices, toolPorts: worker.toolPorts });
    flasher = new CallClient(() => undefined);
    flasher.attach(line.page);
  });
  afterEach(() => rig.dispose());

  const open = (guest: Awaited<ReturnType<ShareRig['join']>>['guest']) =>
    guest.serial.portAt(1)?.open(at115200) ?? Promise.reject();

  it('shows guests what the flasher and the board say to each other, on a port that is closed for typing', async () => {
    await rig.share();
    const { guest, lane } = await rig.join('Jonas W.');
    await rig.ask(flasher.call('connect', 1, demo, usual));
    await rig.settle();
    expect(guest.status.ports).toMatchObject([{ port: 1, present: true, settings: null }]);
    // A SYNC of the serial protocol, and the answer of the ROM.
    expect(lane(1, 'sent')).toContain('\x07\x07\x12 UUUU');
    expect(lane(1, 'received').length).toBeGreaterThan(0);
    const before = lane(1, 'received').length;
    await rig.ask(flasher.call('erase', 1, { offset: 0x9000, length: 0x1000 }));
    await rig.settle(1_000);
    expect(lane(1, 'received').length).toBeGreaterThan(before);
    // Contents of flash may contain passwords.
    const erased = lane(1, 'received').length;
    await rig.ask(flasher.call('read', 1, { offset: 0x9000, length: 0x1000 }));
    await rig.settle(1_000);
    expect(lane(1, 'received').length).toBe(erased);
    await rig.setRight('Jonas W.', 1, 'type');
    expect(await rig.ask(outcome(guest.type(1, new TextEncoder().encode('reset\n'))))).toBe('NetworkError');
  });

  it('keeps a board that the flasher has from guests, and gives it when the flasher has released it', async () => {
    await rig.ask(flasher.call('connect', 1, demo, usual));
    await rig.share();
    const { guest } = await rig.join('Aylin K.');
    await rig.setRight('Aylin K.', 1, 'use');
    expect(await rig.ask(outcome(open(guest)))).toBe('NetworkError');
    expect(rig.benchTick.users[1]).toBeNull();
    // The guest's bytes did not reach the board.
    expect((await rig.ask(flasher.call('read', 1, { offset: 0x9000, length: 0x1000 }))).size).toBe(0x1000);
    await rig.ask(flasher.call('close', 1));
    expect(await rig.ask(outcome(open(guest)))).toBe('done');
    expect(rig.benchTick.users[1]).toBe('Aylin K.');
  });

  it('does not flash a board that a guest uses, says who, and flashes it once it was taken back', async () => {
    await rig.ask(flasher.call('connect', 1, demo, usual));
    await rig.ask(flasher.call('close', 1));
    await rig.share();
    const { guest } = await rig.join('Aylin K.');
    await rig.setRight('Aylin K.', 1, 'use');
    await rig.ask(open(guest));
    await expect(rig.ask(flasher.call('connect', 1, same, usual))).rejects.toMatchObject({
      code: 'port-busy',
      detail: { detail: 'Aylin K. uses port 1. Take it back first.', state: 'unchanged' },
    });
    expect(rig.benchTick.users[1]).toBe('Aylin K.');
    await rig.ask(rig.sharing.call('takeBack', 1));
    await rig.settle(4_000);
    expect(await rig.ask(outcome(flasher.call('connect', 1, same, usual)))).toBe('done');
  });

  it('gives a board to a guest again after a connect that has failed', async () => {
    await rig.share();
    await rig.ask(flasher.call('connect', 1, demo, usual));
    await rig.ask(rig.bench.call('plugDemo', 1, false));
    await rig.settle();
    expect(await rig.ask(outcome(flasher.call('connect', 1, same, usual)))).not.toBe('done');
    await rig.ask(rig.bench.call('plugDemo', 1, true));
    const { guest } = await rig.join('Aylin K.');
    await rig.setRight('Aylin K.', 1, 'use');
    expect(await rig.ask(outcome(open(guest)))).toBe('done');
  });

  it('does not share a port that it borrows from another bench', async () => {
    const device = await rig.plugIn(2);
    rig.worker.devices.remoteAt = () => device;
    await rig.share();
    const { guest } = await rig.join('Jonas W.');
    await rig.ask(outcome(flasher.call('connect', 1, { kind: 'remote', port: 1 }, usual)));
    await rig.settle();
    expect(guest.status.ports.map(({ port }) => port)).toEqual([2]);
  });
});
