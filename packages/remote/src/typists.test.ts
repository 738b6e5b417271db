/** Tests keys of guests: guests who watch see no line for them, and learn who types. */
import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MessageChannel } from './frames/message-channel.ts';
import { hostAbilities, type Message } from './frames/messages.ts';
import { RemoteRig } from './testing/remote-rig.ts';

const text = (value: string) => new TextEncoder().encode(value);

async function using() {
  const clock = new VirtualClock(1_000_000);
  const device = new FakeSerialPort();
  const rig = new RemoteRig({ clock, device: () => device, delay: () => 20 });
  rig.share();
  const watching = await rig.joined('Jonas');
  const { port } = await rig.using('Ann');
  await rig.run(port.open({ baudRate: 115_200 }));
  const writer = port.writable?.getWriter();
  const write = async (value: string, areKeys: boolean) => {
    const bytes = text(value);
    if (areKeys) {
      port.writeKeys(bytes);
    }
    await writer?.write(bytes);
    await clock.advance(200);
  };
  const written = () => new TextDecoder().decode(Uint8Array.from(device.written));
  const shown = () => new TextDecoder().decode(watching.lane(1, 'sent'));
  const passed = () =>
    rig.passed.filter(({ lane }) => lane === 'sent').map(({ bytes }) => new TextDecoder().decode(bytes));
  return { rig, clock, write, written, shown, passed };
}

/** Makes both sides of an older version: the host tells no such ability. */
function withoutTypists(): void {
  const send = MessageChannel.prototype.send;
  vi.spyOn(MessageChannel.prototype, 'send').mockImplementation(function (this: MessageChannel, message: Message) {
    const older =
      message.kind === 'abilities' ? { ...message, bits: message.bits & (hostAbilities.typists - 1) } : message;
    send.call(this, older);
  });
}

afterEach(() => vi.restoreAllMocks());

describe('a guest that uses a port', () => {
  it('sends its keys to the board, counted, and without a line for the host or its watchers', async () => {
    const { rig, write, written, shown, passed } = await using();
    await write('l', true);
    await write('s', true);
    await write('reboot\n', false);
    await write('y', true);
    expect(written()).toBe('lsreboot\ny');
    expect(passed()).toEqual(['reboot\n']);
    expect(shown()).toBe('reboot\n');
    expect(rig.calls.filter((call) => call.startsWith('keys'))).toEqual(['keys 1 1', 'keys 1 1', 'keys 1 1']);
  });

  it('sends more keys than one message holds, all as keys', async () => {
    const { write, written, passed } = await using();
    await write('x'.repeat(20_000), true);
    await write('end', false);
    expect(written()).toHaveLength(20_003);
    expect(passed()).toEqual(['end']);
  });

  it('shows its keys as lines at a host of an older version', async () => {
    withoutTypists();
    const { write, written, passed } = await using();
    await write('l', true);
    expect(written()).toBe('l');
    expect(passed()).toEqual(['l']);
  });
});

describe('guests that type', () => {
  async function typing() {
    const clock = new VirtualClock(1_000_000);
    const rig = new RemoteRig({ clock, delay: () => 20 });
    rig.share();
    const { guest: ann } = await rig.joined('Ann');
    const { guest: jonas } = await rig.joined('Jonas');
    return { clock, rig, ann, jonas };
  }

  it('are named to all guests, and to those who join while they type', async () => {
    const { clock, rig, ann, jonas } = await typing();
    rig.host.setTypists([{ port: 1, guest: rig.idOf('Ann') }]);
    await clock.advance(500);
    expect(jonas.status.typists).toEqual([{ port: 1, name: 'Ann', isYou: false }]);
    expect(ann.status.typists).toEqual([{ port: 1, name: 'Ann', isYou: true }]);
    const { guest: cem } = await rig.joined('Cem');
    expect(cem.status.typists).toEqual([{ port: 1, name: 'Ann', isYou: false }]);
    rig.host.setTypists([]);
    await clock.advance(500);
    expect(jonas.status.typists).toEqual([]);
    expect(cem.status.typists).toEqual([]);
  });

  it('cause few messages when they change often', async () => {
    const { clock, rig } = await typing();
    const [ann, jonas] = [rig.idOf('Ann'), rig.idOf('Jonas')];
    await clock.advance(2_000);
    const before = rig.relay.seen.length;
    for (let turn = 0; turn < 1_000; turn++) {
      rig.host.setTypists([{ port: 1, guest: turn % 2 === 0 ? ann : jonas }]);
      await clock.advance(1);
    }
    // At most one message a guest in 120 ms, with its receipt.
    expect(rig.relay.seen.length - before).toBeLessThan(60);
  });

  it('are forgotten by a guest that is away, and named again when it is back', async () => {
    const { clock, rig, jonas } = await typing();
    rig.host.setTypists([{ port: 1, guest: rig.idOf('Ann') }]);
    await clock.advance(500);
    rig.relay.isDown = true;
    rig.relay.cutGuests();
    await clock.advance(500);
    expect(jonas.status).toMatchObject({ state: 'away', typists: [] });
    rig.relay.isDown = false;
    await rig.until('back', () => jonas.status.state === 'joined');
    await clock.advance(500);
    expect(jonas.status.typists).toEqual([{ port: 1, name: 'Ann', isYou: false }]);
  });

  it('are not named by a host of an older version, which is not asked', async () => {
    withoutTypists();
    const { clock, rig, jonas } = await typing();
    rig.host.setTypists([{ port: 1, guest: rig.idOf('Ann') }]);
    await clock.advance(500);
    expect(jonas.status).toMatchObject({ state: 'joined', typists: [] });
  });
});
