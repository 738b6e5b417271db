/**
 * The worker side of a shared bench on virtual time: a demo board and other boards behind the bench, and guests on
 * the other side of a relay.
 */
import { parseShareLink } from '@wirebench/remote';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ShareRig } from './testing/share-rig.ts';

const text = (value: string) => new TextEncoder().encode(value);
const at115200 = { baudRate: 115_200 };

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Error || error instanceof DOMException ? error.name : String(error)),
  );

describe('a bench that is shared', () => {
  let rig: ShareRig;
  beforeEach(() => {
    rig = new ShareRig();
  });
  afterEach(() => rig.dispose());

  it('gives a link with the room in it and the key behind it', async () => {
    const link = await rig.share();
    const { origin, room, secret } = parseShareLink(link);
    expect({ origin, room }).toEqual({ origin: 'https://bench.example', room: rig.room });
    expect(link.endsWith(`#${secret}`)).toBe(true);
    const seen = rig.relay.seen.map((message) => new TextDecoder('latin1').decode(message));
    expect(seen.filter((message) => message.includes(secret))).toEqual([]);
  });

  it('is shared once at a time', async () => {
    await rig.share();
    await expect(rig.share()).rejects.toThrow('shared already');
  });

  it('shows guests what a port receives and sends, as it was, and not what came before', async () => {
    const device = await rig.plugIn(1);
    device.receive('before');
    await rig.settle();
    await rig.share();
    const { guest, lane } = await rig.join('Jonas W.');
    expect(guest.status.ports).toMatchObject([{ port: 1, present: true, right: 'watch', settings: at115200 }]);
    device.receive('hello');
    await rig.ask(rig.bench.call('send', 1, text('AT\r\n')));
    device.receive(' world');
    await rig.settle();
    expect(lane(1, 'received')).toBe('hello world');
    expect(lane(1, 'sent')).toBe('AT\r\n');
  });

  it('shows guests the newest lines from before they came while it is wanted, and none that were cleared', async () => {
    const device = await rig.plugIn(1);
    device.receive('cleared\n');
    await rig.settle();
    await rig.ask(rig.bench.call('clear'));
    device.receive('before\n');
    await rig.settle();
    await rig.share(undefined, true);
    const ann = await rig.join('Ann');
    expect(ann.earlier).toEqual(['1 received "before\\n"']);
    await rig.setRight('Ann', 1, 'type');
    await rig.ask(ann.guest.type(1, text('help')));
    device.receive('> ');
    await rig.settle();
    const bob = await rig.join('Bob');
    device.receive('live\n');
    await rig.settle();
    expect(bob.earlier).toEqual(['1 received "before\\n"', '1 sent "help" typed by Ann', '1 received "> "']);
    expect(bob.lane(1, 'received')).toBe('live\n');
    await rig.ask(rig.sharing.call('showEarlier', false));
    expect((await rig.join('Cem')).earlier).toEqual([]);
    expect(ann.earlier).toHaveLength(1);
  });

  it('says which boards are simulated', async () => {
    await rig.plugIn(1);
    await rig.ask(rig.bench.call('connect', 2, { kind: 'demo' }, rig.settings));
    await rig.share();
    const { guest } = await rig.join('Jonas W.');
    await rig.settle();
    expect(guest.status.ports.map(({ port, isSimulated }) => [port, isSimulated])).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  it('tells guests of names, of ports that are opened and closed, and of boards that go and come back', async () => {
    await rig.share({ 1: 'Gateway', 2: 'Port 2', 3: 'Port 3', 4: 'Port 4' });
    const { guest } = await rig.join('Jonas W.');
    expect(guest.status.ports).toEqual([]);
    const device = await rig.plugIn(1);
    await rig.settle();
    expect(guest.status.ports).toMatchObject([{ name: 'Gateway', present: true, settings: at115200 }]);
    await rig.ask(rig.sharing.call('setPortNames', { 1: 'S3', 2: 'Port 2', 3: 'Port 3', 4: 'Port 4' }));
    await device.unplug();
    await rig.settle();
    expect(guest.status.ports).toMatchObject([{ name: 'S3', present: false, settings: null }]);
    await rig.comeBack(device);
    await rig.settle();
    expect(guest.status.ports).toMatchObject([{ present: true, settings: at115200 }]);
    await rig.ask(rig.bench.call('disconnect', 1));
    await rig.settle();
    expect(guest.status.ports).toMatchObject([{ present: true, settings: null }]);
  });

  it('takes keys of a guest with the right one by one, names the guest while it types, and adds no row for them', async () => {
    const device = await rig.plugIn(1);
    await rig.share();
    const { guest } = await rig.join('Ann K.');
    expect(await rig.ask(outcome(guest.typeKeys(1, text('x'))))).toBe('NotAllowedError');
    await rig.setRight('Ann K.', 1, 'type');
    for (const key of ['l', 's', '\r']) {
      expect(await rig.ask(outcome(guest.typeKeys(1, text(key))))).toBe('done');
    }
    await rig.settle();
    expect(device.writes.map((bytes) => new TextDecoder().decode(bytes))).toEqual(['l', 's', '\r']);
    expect(rig.benchTick.typists).toMatchObject({ 1: 'Ann K.', 2: null });
    const rows = await rig.rows();
    expect(rows.filter(({ direction }) => direction === 'sent')).toEqual([]);
    expect(rows.filter(({ text: shown }) => shown === 'Ann K. types on port 1')).toHaveLength(1);
    await rig.settle(4_000);
    expect(rig.benchTick.typists).toMatchObject({ 1: null });
  });

  it('hides what a guest hides: in its own log, in the guests’, and in what it exports', async () => {
    const device = await rig.plugIn(1);
    await rig.share();
    const watching = await rig.join('Priya S.');
    const { guest } = await rig.join('Jonas W.');
    await rig.setRight('Jonas W.', 1, 'type');
    expect(await rig.ask(outcome(guest.typeHidden(1, text('hunter2\n'))))).toBe('done');
    await rig.settle();
    expect(device.writes.map((bytes) => new TextDecoder().decode(bytes))).toEqual(['hunter2\n']);
    const sent = (await rig.rows()).filter(({ direction }) => direction === 'sent');
    expect(sent).toMatchObject([{ text: 'hidden, 8 bytes', author: 'typed by Jonas W.' }]);
    const exported = await rig.ask(
      rig.bench.call('exportFile', { kind: 'text', portNames: { 1: 'A', 2: 'B', 3: 'C', 4: 'D' } }),
    );
    expect(await exported.text()).not.toContain('hunter2');
    expect(watching.lane(1, 'sent')).toBe('hidden, 8 bytes\n');
  });

  it('shows guests no answer of the host to a prompt for a password, by message, run, paste and rule', async () => {
    const device = await rig.plugIn(1);
    await rig.share();
    const watching = await rig.join('Priya S.');
    const prompt = async () => {
      device.receive('\r\nPassword: ');
      await rig.settle();
    };
    await prompt();
    await rig.ask(rig.bench.call('send', 1, text('hunter1\n')));
    await rig.ask(rig.bench.call('openConversation', 1, 1));
    await prompt();
    await rig.ask(rig.bench.call('exchange', 1, { bytes: text('hunter2\n'), answers: [], fresh: true, timeout: 0 }, 1));
    await prompt();
    await rig.ask(rig.bench.call('paste', 1, { kind: 'lines', lines: [text('hunter3\n')], pause: 0 }, 2));
    const when = { id: 'ask', name: 'Ask', condition: { kind: 'line', find: 'login:', matchCase: false } } as const;
    const look = { ports: null, colour: null, colours: 'line', mark: false, isReported: false } as const;
    await rig.ask(rig.bench.call('setRules', [{ ...when, ...look, answer: text('hunter4\n'), answerName: null }]));
    device.receive('login:\r\nPassword: ');
    await rig.settle(1_000);
    await rig.ask(rig.bench.call('send', 1, text('ls\n')));
    await rig.settle();
    const written = device.writes.map((bytes) => new TextDecoder().decode(bytes)).join('');
    expect(written).toBe('hunter1\nhunter2\nhunter3\nhunter4\nls\n');
    const hidden = 'hidden, 8 bytes\n';
    expect(watching.lane(1, 'sent')).toBe(`${hidden.repeat(4)}ls\n`);
    const transcript = await rig.ask(rig.bench.call('closeConversation', 1));
    const log = await rig.ask(
      rig.bench.call('exportFile', { kind: 'csv', portNames: { 1: 'A', 2: 'B', 3: 'C', 4: 'D' } }),
    );
    expect([await log.text(), JSON.stringify(transcript)].join()).not.toContain('hunter');
  });

  it('shows guests the name alone of what the host hides, in messages, runs and answers of rules', async () => {
    const device = await rig.plugIn(1);
    await rig.share();
    const watching = await rig.join('Priya S.');
    const when = { id: 'login', name: 'Login', condition: { kind: 'line', find: 'login:', matchCase: false } } as const;
    const look = { ports: null, colour: null, colours: 'line', mark: false, isReported: false } as const;
    await rig.ask(rig.bench.call('send', 1, text('hunter1\n'), 'Wi-Fi password'));
    await rig.ask(rig.bench.call('openConversation', 1, 1));
    const exchange = { bytes: text('hunter2\n'), hidden: 'PIN', answers: [], fresh: true, timeout: 0 };
    await rig.ask(rig.bench.call('exchange', 1, exchange, 1));
    await rig.ask(
      rig.bench.call('setRules', [{ ...when, ...look, answer: text('hunter3\n'), answerName: 'root password' }]),
    );
    device.receive('login:\n');
    await rig.settle(1_000);
    const written = device.writes.map((bytes) => new TextDecoder().decode(bytes)).join('');
    expect(written).toBe('hunter1\nhunter2\nhunter3\n');
    expect(watching.lane(1, 'sent')).toBe('[Wi-Fi password, hidden]\n[PIN, hidden]\n[root password, hidden]\n');
    const transcript = await rig.ask(rig.bench.call('closeConversation', 1));
    const log = await rig.ask(
      rig.bench.call('exportFile', { kind: 'csv', portNames: { 1: 'A', 2: 'B', 3: 'C', 4: 'D' } }),
    );
    const all = [await log.text(), JSON.stringify(transcript), watching.lane(1, 'sent'), watching.lane(1, 'received')];
    expect(all.join('\n')).toContain('[PIN, hidden]');
    expect(all.join('\n')).not.toContain('hunter');
  });

  it('tells all guests who types on which port, until a few seconds after the last key', async () => {
    await rig.plugIn(1);
    await rig.share();
    const { guest: jonas } = await rig.join('Jonas W.');
    const { guest: ann } = await rig.join('Ann K.');
    await rig.setRight('Ann K.', 1, 'type');
    await rig.ask(ann.typeKeys(1, text('l')));
    await rig.settle(500);
    expect(jonas.status.typists).toEqual([{ port: 1, name: 'Ann K.', isYou: false }]);
    expect(ann.status.typists).toEqual([{ port: 1, name: 'Ann K.', isYou: true }]);
    await rig.settle(4_000);
    expect(jonas.status.typists).toEqual([]);
  });

  it('counts the keys of a guest that uses a port, and adds no row for them here or at other guests', async () => {
    const device = await rig.plugIn(1);
    await rig.share();
    const { lane } = await rig.join('Jonas W.');
    const { guest } = await rig.join('Ann K.');
    await rig.setRight('Ann K.', 1, 'use');
    const port = guest.serial.portAt(1);
    await rig.ask(Promise.resolve(port?.open({ baudRate: 115_200 })));
    const writer = port?.writable?.getWriter();
    for (const key of ['l', 's', '\r']) {
      const bytes = text(key);
      port?.writeKeys(bytes);
      await rig.ask(Promise.resolve(writer?.write(bytes)));
    }
    await rig.settle();
    expect(device.writes.map((bytes) => new TextDecoder().decode(bytes))).toEqual(['l', 's', '\r']);
    expect((await rig.rows()).filter(({ direction }) => direction === 'sent')).toEqual([]);
    expect(lane(1, 'sent')).toBe('');
    expect(rig.benchTick.users).toMatchObject({ 1: 'Ann K.' });
    expect(rig.benchTick.status.ports[1].sent).toBe(3);
  });

  it('does not let a guest type without the right, and says in the log and to guests who typed', async () => {
    const device = await rig.plugIn(1);
    await rig.share();
    const { authors } = await rig.join('Priya S.');
    const { guest } = await rig.join('Jonas W.');
    expect(await rig.ask(outcome(guest.type(1, text('reset\n'))))).toBe('NotAllowedError');
    expect(device.writes).toEqual([]);
    guest.ask(1, 'type');
    await rig.settle();
    expect(rig.status.guests).toMatchObject([
      { name: 'Priya S.' },
      { name: 'Jonas W.', ports: [{ port: 1, right: 'watch', asked: 'type' }] },
    ]);
    await rig.setRight('Jonas W.', 1, 'type');
    expect(await rig.ask(outcome(guest.type(1, text('help\n'))))).toBe('done');
    await rig.ask(rig.bench.call('send', 1, text('own\n')));
    expect(device.writes.map((bytes) => new TextDecoder().decode(bytes))).toEqual(['help\n', 'own\n']);
    const sent = (await rig.rows()).filter(({ direction }) => direction === 'sent');
    expect(sent).toMatchObject([
      { text: 'help', author: 'typed by Jonas W.' },
      { text: 'own', author: null },
    ]);
    await rig.settle();
    expect(authors).toEqual(['1 typed by Jonas W.']);
  });

  it('does not fill the log with what a guest types to a port that is closed', async () => {
    await rig.plugIn(1);
    await rig.share();
    const { guest } = await rig.join('Jonas W.');
    await rig.setRight('Jonas W.', 1, 'type');
    await rig.ask(rig.bench.call('disconnect', 1));
    const before = (await rig.rows()).length;
    expect(await rig.ask(outcome(guest.type(1, text('help\n'))))).toBe('NetworkError');
    expect((await rig.rows()).length).toBe(before);
  });

  it('gives a port to a guest, shows what passes with its name, and takes the port back with its settings', async () => {
    const device = await rig.plugIn(1);
    await rig.share();
    const { guest, lane, authors } = await rig.join('Aylin K.');
    await rig.setRight('Aylin K.', 1, 'use');
    const port = guest.serial.portAt(1);
    await rig.ask(port?.open({ baudRate: 460_800 }) ?? Promise.reject());
    expect(device.openedWith.map(({ baudRate }) => baudRate)).toEqual([115_200, 460_800]);
    expect(rig.benchTick.users).toMatchObject({ 1: 'Aylin K.', 2: null });
    expect(await rig.notices()).toContain('Aylin K. uses port 1 from now on. You see what passes.');
    const writer = port?.writable?.getWriter();
    await rig.ask(writer?.write(text('flash')) ?? Promise.reject());
    device.receive('done\n');
    await rig.until('the guest has the answer and the author', () => authors.length > 0 && lane(1, 'received') !== '');
    await rig.settle();
    expect(await rig.rows()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ direction: 'sent', text: 'flash', author: 'Aylin K.' }),
        expect.objectContaining({ direction: 'received', text: 'done' }),
      ]),
    );
    expect(lane(1, 'received')).toBe('done\n');
    expect(authors).toEqual(['1 Aylin K.']);
    // The host sees the guest's traffic in its counters, too.
    expect(rig.benchTick.status.ports[1]).toMatchObject({ received: 5, sent: 5 });
    await rig.ask(rig.sharing.call('takeBack', 1));
    await rig.settle(4_000);
    expect(rig.benchTick.users[1]).toBeNull();
    expect(rig.benchTick.status.ports[1]).toMatchObject({ state: 'connected', settings: at115200 });
    expect(rig.status.guests).toMatchObject([{ ports: [{ right: 'type', isUsing: false }] }]);
    expect(guest.serial.portAt(1)).toBeNull();
  });

  it('refuses a port that a guest uses to others, also while the guest reopens it', async () => {
    await rig.plugIn(1);
    await rig.share();
    const aylin = await rig.join('Aylin K.');
    const jonas = await rig.join('Jonas W.');
    await rig.setRight('Aylin K.', 1, 'use');
    await rig.setRight('Jonas W.', 1, 'use');
    await rig.ask(aylin.guest.serial.portAt(1)?.open(at115200) ?? Promise.reject());
    expect(await rig.ask(outcome(jonas.guest.serial.portAt(1)?.open(at115200) ?? Promise.reject()))).toBe(
      'NetworkError',
    );
    await rig.ask(aylin.guest.serial.portAt(1)?.close() ?? Promise.reject());
    const connecting = rig.bench.call('connect', 1, { kind: 'same' }, rig.settings);
    await expect(rig.ask(connecting)).rejects.toThrow('Aylin K. uses port 1. Take it back first.');
    expect(await rig.ask(outcome(aylin.guest.serial.portAt(1)?.open(at115200) ?? Promise.reject()))).toBe('done');
    expect(rig.benchTick.users[1]).toBe('Aylin K.');
  });

  it('leaves a port closed that was closed before a guest used it', async () => {
    await rig.plugIn(1);
    await rig.ask(rig.bench.call('disconnect', 1));
    await rig.share();
    const { guest } = await rig.join('Aylin K.');
    await rig.setRight('Aylin K.', 1, 'use');
    await rig.ask(guest.serial.portAt(1)?.open(at115200) ?? Promise.reject());
    await rig.ask(guest.serial.portAt(1)?.close() ?? Promise.reject());
    await rig.settle(4_000);
    expect(rig.benchTick.status.ports[1].state).toBe('disconnected');
    expect(rig.benchTick.users[1]).toBeNull();
  });

  it('leaves a board that restarts on its own USB to the guest that uses it', async () => {
    const device = await rig.plugIn(1);
    await rig.share();
    const { guest } = await rig.join('Aylin K.');
    await rig.setRight('Aylin K.', 1, 'use');
    await rig.ask(guest.serial.portAt(1)?.open(at115200) ?? Promise.reject());
    await device.unplug();
    await rig.settle(500);
    expect(guest.serial.portAt(1)).toBeNull();
    expect(guest.status.ports).toMatchObject([{ present: false }]);
    const again = await rig.comeBack(device);
    await rig.settle(500);
    expect(again.calls).toEqual([]);
    await rig.ask(guest.serial.portAt(1)?.open(at115200) ?? Promise.reject());
    expect(again.openedWith.length).toBe(1);
    await rig.ask(guest.serial.portAt(1)?.close() ?? Promise.reject());
    await rig.settle(4_000);
    expect(rig.benchTick.status.ports[1]).toMatchObject({ state: 'connected', settings: at115200 });
  });

  it('connects a board again that came back, when no guest wants it', async () => {
    const device = await rig.plugIn(1);
    await rig.share();
    const { guest } = await rig.join('Aylin K.');
    await rig.setRight('Aylin K.', 1, 'use');
    await rig.ask(guest.serial.portAt(1)?.open(at115200) ?? Promise.reject());
    await device.unplug();
    await rig.settle(500);
    await rig.comeBack(device);
    await rig.settle(5_000);
    expect(rig.benchTick.status.ports[1]).toMatchObject({ state: 'connected', settings: at115200 });
  });

  it('does not leave a board in its bootloader when the guest vanishes in the middle of a reset', async () => {
    const device = await rig.plugIn(1);
    await rig.share();
    const { guest } = await rig.join('Aylin K.');
    await rig.setRight('Aylin K.', 1, 'use');
    const port = guest.serial.portAt(1);
    await rig.ask(port?.open(at115200) ?? Promise.reject());
    device.calls.length = 0;
    await rig.ask(port?.setSignals({ dataTerminalReady: false, requestToSend: true }) ?? Promise.reject());
    rig.relay.isDown = true;
    rig.relay.cutGuests();
    await rig.settle(70_000);
    const last = device.calls.filter((call) => call.startsWith('lines')).slice(0, 2);
    expect(last).toEqual(['lines - RTS', 'lines - -']);
    expect(rig.benchTick.users[1]).toBeNull();
    expect(rig.benchTick.status.ports[1].state).toBe('connected');
  });

  it('does not stand still for a guest that does not read', async () => {
    const device = await rig.plugIn(1);
    await rig.share();
    const { guest } = await rig.join('Aylin K.');
    await rig.setRight('Aylin K.', 1, 'use');
    const port = guest.serial.portAt(1);
    await rig.ask(port?.open({ baudRate: 3_000_000 }) ?? Promise.reject());
    const chunk = new Uint8Array(64 * 1_024).fill(0x2e);
    for (let turn = 0; turn < 64; turn++) {
      device.receive(chunk);
      await rig.settle(10);
    }
    await rig.settle();
    const held = await rig.ask(rig.bench.call('exportFile', { kind: 'raw', port: 1 }));
    expect(held.size).toBe(64 * chunk.length);
  });

  it('expels a guest, whose port is the own again', async () => {
    await rig.plugIn(1);
    await rig.share();
    const { guest } = await rig.join('Aylin K.');
    await rig.setRight('Aylin K.', 1, 'use');
    await rig.ask(guest.serial.portAt(1)?.open(at115200) ?? Promise.reject());
    await rig.ask(rig.sharing.call('remove', rig.idOf('Aylin K.')));
    await rig.settle(4_000);
    expect(guest.status).toMatchObject({ state: 'ended', why: 'expelled' });
    expect(rig.status.guests).toEqual([]);
    expect(rig.benchTick.status.ports[1].state).toBe('connected');
  });

  it('is not shared any more after Stop: no guest, no link, and ports that were used are the own again', async () => {
    const device = await rig.plugIn(1);
    await rig.share();
    const { guest, lane } = await rig.join('Aylin K.');
    await rig.setRight('Aylin K.', 1, 'use');
    await rig.ask(guest.serial.portAt(1)?.open(at115200) ?? Promise.reject());
    await rig.ask(rig.sharing.call('stop'));
    await rig.settle(4_000);
    expect(rig.status).toMatchObject({ state: 'ended', why: null, guests: [] });
    expect(guest.status).toMatchObject({ state: 'ended', why: 'ended' });
    expect(rig.benchTick.users[1]).toBeNull();
    expect(rig.benchTick.status.ports[1].state).toBe('connected');
    expect(rig.worker.tap).toBeNull();
    device.receive('after');
    await rig.settle();
    expect(lane(1, 'received')).toBe('');
    const late = rig.newGuest('Priya S.');
    await rig.settle(2_000);
    expect(late.guest.status).toMatchObject({ state: 'ended', why: 'no-such-room' });
  });

  it('has a board again that came back after Stop', async () => {
    const device = await rig.plugIn(1);
    await rig.share();
    const { guest } = await rig.join('Aylin K.');
    await rig.setRight('Aylin K.', 1, 'use');
    await rig.ask(guest.serial.portAt(1)?.open(at115200) ?? Promise.reject());
    await device.unplug();
    await rig.settle(500);
    await rig.ask(rig.sharing.call('stop'));
    await rig.comeBack(device);
    await rig.settle(5_000);
    expect(rig.benchTick.status.ports[1]).toMatchObject({ state: 'connected', settings: at115200 });
  });

  it('can be shared again after Stop, by another link', async () => {
    const first = await rig.share();
    await rig.ask(rig.sharing.call('stop'));
    await rig.settle();
    rig.newRoom();
    const second = await rig.share();
    expect(second).not.toBe(first);
    expect((await rig.join('Jonas W.')).guest.status.state).toBe('joined');
  });

  it('ends after the time that was chosen, also when that is chosen later', async () => {
    await rig.share();
    const began = rig.clock.now();
    await rig.ask(rig.sharing.call('endAfter', 1));
    await rig.settle();
    expect(Math.abs(rig.status.endsAt - began - 3_600_000)).toBeLessThan(1_000);
    await rig.clock.advance(3_600_000);
    await rig.settle();
    expect(rig.status).toMatchObject({ state: 'ended', why: 'expired' });
  });

  it('ends half an hour after the last guest has left', async () => {
    await rig.share();
    const { guest } = await rig.join('Jonas W.');
    guest.leave();
    // A guest that leaves without a message is kept for a minute.
    await rig.settle(61_000);
    expect(rig.status).toMatchObject({ state: 'sharing', guests: [] });
    await rig.clock.advance(31 * 60_000);
    await rig.settle();
    expect(rig.status).toMatchObject({ state: 'ended', why: 'empty' });
  });

  it('lowers everybody at once, ends what they do, and refuses all that is asked for', async () => {
    await rig.plugIn(1);
    await rig.share();
    const guests = [];
    for (const name of ['Aylin K.', 'Jonas W.', 'Priya S.']) {
      guests.push((await rig.join(name)).guest);
    }
    const [aylin, , priya] = guests;
    await rig.setRight('Aylin K.', 1, 'use');
    await rig.setRight('Jonas W.', 1, 'type');
    await rig.ask(aylin?.serial.portAt(1)?.open(at115200) ?? Promise.reject());
    priya?.ask(1, 'type');
    await rig.settle();
    await rig.ask(rig.sharing.call('lowerAll'));
    await rig.settle(4_000);
    expect(guests.map(({ status }) => status.ports[0]?.right)).toEqual(['watch', 'watch', 'watch']);
    expect(rig.benchTick.users[1]).toBeNull();
    expect(rig.benchTick.status.ports[1].state).toBe('connected');
    expect(rig.status.guests[2]?.ports).toMatchObject([{ asked: 'type' }]);
    await rig.ask(rig.sharing.call('refuseAll'));
    await rig.settle();
    expect(rig.status.guests[2]?.ports).toMatchObject([{ asked: null }]);
  });

  it('shows names that cannot pretend: one line, nothing unseen, no two alike', async () => {
    await rig.share();
    await rig.join('Ada');
    await rig.join('A\u202Eda\n');
    await rig.join(' \u0007 ');
    await rig.join('\u3164\u2800');
    await rig.join('ＡＤＡ');
    await rig.join('<b>Zo\u0308\u0301\u0302\u0303\u0304</b>');
    await rig.join('\u0639\u0645\u0631\u200F 👩‍💻');
    // Two Cyrillic letters, and one Greek letter.
    await rig.join('\u0410d\u0430');
    await rig.join('Ad\u03B1');
    expect(rig.status.guests.map(({ name }) => name)).toEqual([
      'Ada',
      'Ada (2)',
      'Guest',
      'Guest (2)',
      'ＡＤＡ (3)',
      '<b>Zo\u0308\u0301\u0302</b>',
      '\u0639\u0645\u0631 👩💻',
      '\u0410d\u0430 (4)',
      'Ad\u03B1 (5)',
    ]);
  });
});
