/** Tests the forbidden behaviour of a shared bench: one test for each rule that host and guest enforce. */
import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { numbersOf } from './testing/hostile-relay.ts';
import { RemoteRig, type RemoteRigOptions } from './testing/remote-rig.ts';

const text = (value: string) => new TextEncoder().encode(value);
const read = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const at115200 = { baudRate: 115_200 };

function shared(options: Partial<RemoteRigOptions> = {}) {
  const clock = new VirtualClock(1_000_000);
  const device = new FakeSerialPort();
  const rig = new RemoteRig({ clock, device: () => device, delay: () => 20, ...options });
  rig.share();
  return { clock, device, rig };
}

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Error || error instanceof DOMException ? error.name : String(error)),
  );

describe('a shared bench', () => {
  it('shows a guest the traffic, each byte once, with its time', async () => {
    const { rig, clock } = shared();
    const guest = await rig.joined();
    const sentAt = clock.now();
    rig.host.tapped(1, 'received', text('hello '), sentAt);
    rig.host.tapped(1, 'sent', text('AT'), sentAt + 1);
    rig.host.tapped(1, 'received', text('world'), sentAt + 2);
    await clock.advance(100);
    expect(read(guest.lane(1, 'received'))).toBe('hello world');
    const pieces = guest.pieces.map(({ lane, time }) => `${lane} ${time - sentAt}`);
    expect(pieces).toEqual(['received 0', 'sent 1', 'received 2']);
  });

  it('sends one frame in 20 ms at most, however much passes', async () => {
    const { rig, clock } = shared();
    const guest = await rig.joined();
    const before = rig.relay.seen.length;
    for (let turn = 0; turn < 1_000; turn++) {
      rig.host.tapped(1, 'received', text('x'), clock.now());
      await clock.advance(1);
    }
    await clock.advance(200);
    expect(guest.lane(1, 'received').length).toBe(1_000);
    expect(rig.relay.seen.length - before).toBeLessThanOrEqual(1_000 / 20 + 5);
  });

  it('does not let a guest type without the right', async () => {
    const { rig } = shared();
    const { guest } = await rig.joined();
    expect(await rig.run(outcome(guest.type(1, text('reset'))))).toBe('NotAllowedError');
    expect(rig.calls).toEqual([]);
    rig.host.setRight(rig.idOf('Grace'), 1, 'type');
    expect(await rig.run(outcome(guest.type(1, text('help'))))).toBe('done');
    rig.host.setRight(rig.idOf('Grace'), 1, 'watch');
    expect(await rig.run(outcome(guest.type(1, text('reset'))))).toBe('NotAllowedError');
    expect(rig.calls).toEqual(['type 1 help']);
  });

  it('does not let a guest with the right to one port do anything with another', async () => {
    const { rig } = shared();
    rig.share({}, 2);
    const { guest } = await rig.using();
    expect(await rig.run(outcome(guest.type(2, text('x'))))).toBe('NotAllowedError');
    expect(guest.serial.portAt(2)).toBeNull();
  });

  it('shows the host a guest’s requests, and grants nothing by itself', async () => {
    const { rig, clock } = shared();
    const { guest } = await rig.joined();
    guest.ask(1, 'use');
    await clock.advance(100);
    expect(rig.host.status.guests[0]?.ports[0]).toMatchObject({ right: 'watch', asked: 'use' });
    rig.host.refuse(rig.idOf('Grace'), 1);
    expect(rig.host.status.guests[0]?.ports[0]).toMatchObject({ right: 'watch', asked: null });
  });

  it('lets no guest in without the key, and reports the wrong key', async () => {
    const { rig, clock } = shared();
    const other = new RemoteRig({ clock, seed: 77 });
    const { guest } = rig.join('Eve', other.secret);
    rig.host.tapped(1, 'received', text('secret'), clock.now());
    await clock.advance(30_000);
    expect(guest.status).toMatchObject({ state: 'ended', why: 'wrong-key' });
    expect(rig.host.status.guests).toEqual([]);
  });

  it('does not let a guest of one room reach another', async () => {
    const { rig, clock } = shared();
    const other = new RemoteRig({ clock, seed: 99, delay: () => 20 });
    other.share();
    const mine = await rig.joined();
    await other.joined('Heidi');
    rig.host.setRight(rig.idOf('Grace'), 1, 'type');
    const before = rig.relay.seen.length;
    expect(await rig.run(outcome(mine.guest.type(1, text('x'))))).toBe('done');
    // A relay that confuses rooms: frames of one room are delivered to the host of the other.
    for (const frame of rig.relay.seen.slice(before)) {
      other.relay.inject(1, frame.subarray(5));
    }
    await clock.advance(5_000);
    expect(other.calls).toEqual([]);
    expect(other.host.status.guests.map(({ name }) => name)).toEqual(['Heidi']);
  });

  it('stops all traffic after Stop', async () => {
    const { rig, clock } = shared();
    const { guest } = await rig.using();
    const before = rig.relay.seen.length;
    rig.host.stop();
    rig.host.tapped(1, 'received', text('secret'), clock.now());
    await clock.advance(1_000);
    expect(guest.status).toMatchObject({ state: 'ended', why: 'ended' });
    expect(guest.serial.portAt(1)).toBeNull();
    expect(rig.relay.seen.length - before).toBeLessThanOrEqual(1);
    const late = rig.join('Late');
    await clock.advance(5_000);
    expect(late.guest.status).toMatchObject({ state: 'ended', why: 'no-such-room' });
    expect(clock.pending).toBe(0);
  });

  it('passes no byte to or from a guest that was expelled, also when the relay does not let it go', async () => {
    const { rig, clock } = shared({ tamper: (message) => [{ message }] });
    const eve = await rig.joined('Eve');
    const bob = await rig.joined('Bob');
    rig.host.setRight(rig.idOf('Eve'), 1, 'type');
    await clock.advance(200);
    const typing = outcome(eve.guest.type(1, text('late')));
    rig.host.expel(rig.idOf('Eve'), 'Thanks');
    const expelledAt = clock.now();
    rig.host.tapped(1, 'received', text('after'), clock.now());
    await clock.advance(1_000);
    expect(clock.now() - expelledAt).toBe(1_000);
    expect(await rig.run(typing)).toBe('NetworkError');
    expect(rig.calls).toEqual([]);
    expect(read(eve.lane(1, 'received'))).toBe('');
    expect(read(bob.lane(1, 'received'))).toBe('after');
    expect(eve.guest.status).toMatchObject({ state: 'ended', why: 'expelled' });
  });

  it('lets one guest at a time use a port, and the host takes it back at any time', async () => {
    const { rig, clock, device } = shared();
    const grace = await rig.using('Grace');
    const bob = await rig.using('Bob');
    await rig.run(grace.port.open(at115200));
    expect(await rig.run(outcome(bob.port.open(at115200)))).toBe('NetworkError');
    expect(bob.guest.status.ports[0]?.user).toBe('Grace');
    rig.host.takeBack(1);
    await clock.advance(3_000);
    expect(device.isOpen).toBe(false);
    expect(grace.guest.serial.portAt(1)).toBeNull();
    expect(grace.port.lostBy).toBe('taken-back');
    expect(rig.calls).toEqual(['acquire 1', 'release 1']);
    expect(await rig.run(outcome(bob.port.open(at115200)))).toBe('done');
  });

  it('shows the host and its watchers the traffic of a guest with a port', async () => {
    const { rig, clock, device } = shared();
    const { port } = await rig.using();
    const watcher = await rig.joined('Bob');
    await rig.run(port.open(at115200));
    const writer = port.writable?.getWriter();
    await rig.run(writer?.write(text('AT\r')) ?? Promise.resolve());
    await clock.advance(100);
    device.receive('OK');
    await clock.advance(200);
    expect(rig.passed.map(({ lane, bytes }) => `${lane} ${read(bytes)}`)).toEqual(['sent AT\r', 'received OK']);
    expect([read(watcher.lane(1, 'sent')), read(watcher.lane(1, 'received'))]).toEqual(['AT\r', 'OK']);
  });

  it('limits the memory for a guest that does not read, and reports where it lost how much', async () => {
    const { rig, clock, device } = shared({ limits: { held: 50_000, window: 10_000 } });
    const { port } = await rig.using();
    const watcher = await rig.joined('Bob');
    await rig.run(port.open({ ...at115200, bufferSize: 255 }));
    const sent = Uint8Array.from({ length: 100_000 }, (_, at) => (at * 31 + (at >> 8)) & 0xff);
    for (let at = 0; at < sent.length; at += 1_000) {
      device.receive(sent.subarray(at, at + 1_000));
      await clock.advance(5);
    }
    await clock.advance(2_000);
    expect(watcher.lane(1, 'received')).toEqual(sent);
    const got: number[] = [];
    const errors: string[] = [];
    const reading = async () => {
      while (errors.length === 0) {
        const reader = port.readable?.getReader();
        try {
          got.push(...((await reader?.read())?.value ?? []));
        } catch (error) {
          errors.push(String(error));
        } finally {
          reader?.releaseLock();
        }
      }
    };
    await rig.run(reading());
    expect(got).toEqual([...sent.subarray(0, got.length)]);
    const lost = sent.length - got.length;
    expect(errors).toEqual([`BufferOverrunError: ${lost} bytes were lost because nobody read them.`]);
  });

  it('reports to a slow guest how many bytes of which port it missed, and where', async () => {
    const { rig, clock } = shared({ limits: { tapKept: 20_000 } });
    const guest = await rig.joined();
    rig.host.tapped(1, 'received', text('before'), clock.now());
    await clock.advance(100);
    rig.relay.isDown = true;
    rig.relay.cutGuests();
    for (let turn = 0; turn < 100; turn++) {
      rig.host.tapped(1, 'received', new Uint8Array(1_000), clock.now());
      await clock.advance(50);
    }
    rig.relay.isDown = false;
    await clock.advance(20_000);
    rig.host.tapped(1, 'received', text('after'), clock.now());
    await clock.advance(100);
    const missing = guest.missing.reduce((sum, { count }) => sum + count, 0);
    expect(guest.missing).toHaveLength(1);
    expect(guest.missing[0]).toMatchObject({ port: 1, lane: 'received', at: 6 });
    expect(guest.lane(1, 'received').length + missing).toBe(6 + 100_000 + 5);
    expect(missing).toBeGreaterThan(50_000);
  });

  it('continues for a guest that was away, without a byte missing or twice', async () => {
    const { rig, clock } = shared();
    const guest = await rig.joined();
    const next = numbersOf(3);
    const sent: number[] = [];
    for (let turn = 0; turn < 200; turn++) {
      const bytes = Uint8Array.from({ length: 50 }, () => Math.floor(next() * 256));
      sent.push(...bytes);
      rig.host.tapped(1, 'received', bytes, clock.now());
      await clock.advance(20);
      if (turn % 50 === 25) {
        rig.relay.cutGuests();
      }
      if (turn === 120) {
        rig.relay.cutHost();
      }
    }
    await clock.advance(20_000);
    expect([...guest.lane(1, 'received')]).toEqual(sent);
    expect(guest.missing).toEqual([]);
    expect(guest.guest.status.state).toBe('joined');
  });

  it('keeps waiting guests when the tab of the host was frozen', async () => {
    const { rig, clock } = shared({ admission: 5_000 });
    const known = await rig.joined();
    rig.relay.freezeHost();
    const late = rig.join('Heidi');
    await clock.advance(45_000);
    expect([known.guest.status.state, late.guest.status.state]).toEqual(['away', 'joining']);
    expect(Math.max(...rig.relay.guestNumbers)).toBeGreaterThan(2);
    rig.relay.thawHost();
    await clock.advance(30_000);
    expect([known.guest.status.state, late.guest.status.state]).toEqual(['joined', 'joined']);
    rig.host.tapped(1, 'received', text('again'), clock.now());
    await clock.advance(100);
    expect([read(known.lane(1, 'received')), read(late.lane(1, 'received'))]).toEqual(['again', 'again']);
    expect(rig.host.status.guests.map(({ name, isConnected }) => [name, isConnected])).toEqual([
      ['Grace', true],
      ['Heidi', true],
    ]);
  });

  it('plays a reset at the board, with its pauses, although the network jitters', async () => {
    const next = numbersOf(4);
    const { rig, clock, device } = shared({ delay: () => 20 + next() * 200 });
    const { port } = await rig.using();
    await rig.run(port.open(at115200));
    device.calls.length = 0;
    const times: number[] = [];
    const setSignals = device.setSignals.bind(device);
    device.setSignals = (signals) => {
      times.push(clock.now());
      return setSignals(signals);
    };
    const steps = [[false, true, 100] as const, [true, false, 50] as const, [false, false, 0] as const];
    await rig.run(port.playSteps(steps, new AbortController().signal));
    expect(device.calls).toEqual(['lines - RTS', 'lines DTR -', 'lines - -']);
    expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 100, 150]);
  });

  it('does not leave a board in its bootloader when the network ends in the middle of a reset', async () => {
    const { rig, clock, device } = shared();
    const { port } = await rig.using();
    await rig.run(port.open(at115200));
    device.calls.length = 0;
    const boot = [[false, true, 100] as const, [true, false, 50] as const, [false, false, 0] as const];
    const run = [[false, true, 100] as const, [false, false, 0] as const];
    const playing = outcome(port.playSteps(boot, new AbortController().signal, run));
    await clock.advance(60);
    rig.relay.isDown = true;
    rig.relay.cutGuests();
    await clock.advance(rig.limits.away + 1_000);
    expect(device.calls).toEqual(['lines - RTS', 'lines DTR -', 'lines - -', 'lines - RTS', 'lines - -', 'close']);
    expect(await rig.run(playing)).toBe('NetworkError');
    expect(port.connected).toBe(false);
    expect(port.lostBy).toBe('connection');
    expect(rig.calls).toEqual(['acquire 1', 'release 1']);
  });

  it('releases a board that was held in reset line by line when the network ended', async () => {
    const { rig, clock, device } = shared();
    const { port } = await rig.using();
    await rig.run(port.open(at115200));
    await rig.run(port.setSignals({ dataTerminalReady: false, requestToSend: true }));
    device.calls.length = 0;
    rig.relay.isDown = true;
    rig.relay.cutGuests();
    await clock.advance(rig.limits.release + 100);
    expect(device.calls).toEqual(['lines - -']);
  });

  it('has no plain text in anything that the relay sees', async () => {
    const { rig, clock, device } = shared();
    const { guest, port } = await rig.using('Grace the guest');
    const words = [
      'Ada',
      'Grace the guest',
      'Board',
      'wifi password',
      'typed words',
      'written words',
      'answered words',
    ];
    rig.host.tapped(1, 'received', text('wifi password'), clock.now());
    await rig.run(guest.type(1, text('typed words')));
    await rig.run(port.open(at115200));
    await rig.run(port.writable?.getWriter().write(text('written words')) ?? Promise.resolve());
    device.receive('answered words');
    await clock.advance(1_000);
    expect(rig.passed.length).toBe(2);
    const all = rig.relay.seen.map((frame) => Buffer.from(frame).toString('latin1')).join('\n');
    for (const word of [...words, rig.secret]) {
      expect(all).not.toContain(word);
    }
    expect(all.length).toBeGreaterThan(500);
  });

  it('never seals two frames with one nonce under one key, also after the connection was made again', async () => {
    const seen = new Set<string>();
    let sealed = 0;
    const onSeal = (key: Uint8Array, nonce: Uint8Array) => {
      sealed++;
      seen.add(`${key.join()} ${nonce.join()}`);
    };
    const { rig, clock } = shared({ onSeal });
    const { guest } = await rig.using();
    for (let turn = 0; turn < 20; turn++) {
      rig.relay.cutGuests();
      await clock.advance(2_000);
      void guest.type(1, text('x')).catch(() => undefined);
      rig.host.tapped(1, 'received', text('y'), clock.now());
      await clock.advance(200);
    }
    expect(sealed).toBeGreaterThan(100);
    expect(seen.size).toBe(sealed);
  });

  it('gives no answer of a lost board to a guest whose connection has ended', async () => {
    const { rig, clock, device } = shared();
    const { port } = await rig.using();
    await rig.run(port.open(at115200));
    const reader = port.readable?.getReader();
    const answer = outcome(reader?.read() ?? Promise.resolve());
    rig.relay.isDown = true;
    rig.relay.cutGuests();
    await clock.advance(500);
    device.receive('verified');
    await clock.advance(rig.limits.away + 1_000);
    expect(await rig.run(answer)).toBe('NetworkError');
  });
});
