import { defaultPortSettings } from '@wirebench/port';
import { RemoteGuest } from '@wirebench/remote';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askOn } from '../../protocol/calls/testing/ask-on.ts';
import { GuestVisit } from './testing/guest-visit.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const settings = defaultPortSettings;
const everything = {
  kind: 'both',
  ports: [1, 2, 3, 4],
  portNames: { 1: 'Board', 2: 'Port 2', 3: 'Port 3', 4: 'Port 4' },
  splitBytes: null,
  folder: null,
} as const;

describe('a guest in the worker of its page', () => {
  let visit: GuestVisit;
  beforeEach(() => {
    visit = new GuestVisit();
    visit.share();
  });
  afterEach(async () => {
    visit.host.stop();
    await visit.wait();
    await visit.bench.bench.dispose();
  });

  it('has the ports as they are there, and in its log what passes, with its times', async () => {
    await visit.joined();
    expect(visit.port).toMatchObject({ state: 'connected', settings });
    expect(visit.benchTick?.devices).toMatchObject({
      1: { kind: 'remote', plugged: true, right: 'watch' },
      2: { kind: 'remote', plugged: false, right: null },
    });
    const at = visit.clock.now();
    visit.receive('one\ntwo\n');
    visit.host.tapped(1, 'sent', encode('three'), visit.clock.now());
    await visit.wait();
    const { rows } = visit.bench.bench.rows({ layout: 'text', anchor: { position: 0 }, count: 100 });
    const lines = rows.filter(({ port, level }) => port === 1 && level === null);
    expect(lines.map(({ direction, at: time }) => [direction, time])).toEqual([
      ['received', at],
      ['received', at],
      ['sent', at],
    ]);
    expect(visit.port).toMatchObject({ received: 8, sent: 5 });
    expect(await visit.exported()).toBe('one\ntwo\n');
    expect(visit.tick).toMatchObject({ host: 'Ada', missing: 0 });
    expect(visit.tick?.roundTrip).toBeGreaterThanOrEqual(40);
    expect(visit.tick?.delay).toBeGreaterThanOrEqual(0);
  });

  it.each([2, -2])('has its own times for what passes before the clocks were compared, %i h apart', async (hours) => {
    await visit.wait();
    const link = { origin: 'http://localhost', room: 'room', secret: visit.secret };
    void visit.live.call('join', link, 'Grace', true, 'key');
    await visit.until('joined', () => visit.tick?.state === 'joined');
    visit.receive('first\n', { ahead: hours * 3_600_000 });
    const at = visit.clock.now();
    await visit.until('heard', () => visit.port?.received === 6);
    expect(visit.tick?.roundTrip).toBeNull();
    const asked = visit.page.call('rows', { layout: 'text', anchor: { position: 0 }, count: 100 });
    const { rows } = await askOn(visit.clock, asked, { stride: 5, pace: 'threads' });
    const first = rows.find(({ text }) => text === 'first');
    expect(Math.abs((first?.at ?? 0) - at)).toBeLessThan(1_000);
  });

  it.each([3, -3])(
    'has its own times, and as long until the end as the host, with a clock %i h ahead',
    async (hours) => {
      const ahead = hours * 3_600_000;
      const far = new GuestVisit({ ahead });
      far.share();
      await far.joined();
      const at = far.clock.now() + ahead;
      far.receive('hello\n');
      await far.until('heard', () => far.port?.received === 6);
      const { rows } = far.bench.bench.rows({ layout: 'text', anchor: { position: 0 }, count: 100 });
      const said = rows.find(({ direction }) => direction === 'received');
      expect(Math.abs((said?.at ?? 0) - at)).toBeLessThan(1_000);
      const left = (far.tick?.endsAt ?? 0) - (far.clock.now() + ahead);
      expect(Math.abs(left - (far.host.status.endsAt - far.clock.now()))).toBeLessThan(1_000);
      far.host.stop();
      await far.wait();
      await far.bench.bench.dispose();
    },
  );

  describe('with lines from before it came', () => {
    const line = (words: string, order: number, change = {}) =>
      ({
        lane: 'received',
        time: 990_000 + order,
        order,
        bytes: encode(words),
        isOpen: false,
        author: null,
        ...change,
      }) as const;
    const guru = "Guru Meditation Error: Core  0 panic'ed (LoadProhibited). Exception was unhandled.\n";
    const rows = async () => {
      const asked = visit.page.call('rows', { layout: 'text', anchor: { position: 0 }, count: 100 });
      return (await askOn(visit.clock, asked, { stride: 5, pace: 'threads' })).rows;
    };
    beforeEach(() => {
      visit.host.showEarlier(true);
      visit.earlier = [
        line('OK\n', 1),
        line(guru, 2),
        line('AT', 3, { lane: 'sent', author: 'typed by Jonas W.' }),
        line('demo> ', 4, { isOpen: true }),
      ];
    });

    it('shows them between two notices, with their times and authors, in front of what is live', async () => {
      await visit.joined();
      visit.receive('help\n');
      await visit.wait();
      const shown = (await rows()).filter(({ text }) => !/^(Port 1|Connected)/.test(text));
      const from = shown.findIndex(({ text }) =>
        text.startsWith('Earlier, sent by Ada: 3 lines from before you came.'),
      );
      expect(shown.slice(from + 1).map(({ text }) => text)).toEqual([
        'OK',
        guru.trim(),
        'AT',
        'From here on you see what passes now.',
        'demo> help',
      ]);
      expect(shown.slice(from + 1, from + 4).map(({ at }) => at)).toEqual([990_001, 990_002, 990_003]);
      expect(shown[from + 3]?.author).toBe('typed by Jonas W.');
    });

    it('takes them for no answer, no crash, no traffic and no recording', async () => {
      visit.host.showEarlier(false);
      await visit.joined();
      await visit.outcome(visit.live.call('leave'));
      visit.host.showEarlier(true);
      const recording = await visit.outcome(visit.page.call('startRecording', everything));
      await visit.joined();
      expect((await rows()).map(({ text }) => text)).toContain('OK');
      expect(await askOn(visit.clock, visit.page.call('incidents'), { stride: 5, pace: 'threads' })).toEqual([]);
      expect((await rows()).filter(({ crash }) => crash !== null)).toEqual([]);
      expect(visit.port).toMatchObject({ received: 0, sent: 0 });
      await visit.outcome(visit.page.call('stopRecording', recording));
      expect(visit.recorded).toEqual([]);
      expect(visit.recordedText).toContain('from before you came');
      expect(visit.recordedText).not.toMatch(/RX|TX/);
      // The same line counts as a crash if it arrives live.
      visit.receive(guru);
      await visit.wait();
      expect((await rows()).filter(({ crash }) => crash !== null)).toHaveLength(1);
    });

    it('does not show them again to a visit that goes on, or begins again after its end', async () => {
      await visit.joined();
      visit.relay.cutGuests();
      await visit.wait(2_000);
      await visit.outcome(visit.live.call('leave'));
      visit.earlier = [...visit.earlier.slice(0, 3), line('while away\n', 5)];
      await visit.joined();
      const texts = (await rows()).map(({ text }) => text);
      expect(texts.filter((text) => text === 'OK')).toHaveLength(1);
      expect(texts).toContain('Earlier, sent by Ada: 1 line from before you came.');
      expect(texts).toContain('while away');
    });
  });

  it('says beside a sent line whose it is', async () => {
    await visit.joined();
    visit.host.tapped(1, 'sent', encode('ls'), visit.clock.now());
    visit.host.signed(1, 'typed by Jonas W.', visit.clock.now());
    visit.host.tapped(1, 'sent', encode('own'), visit.clock.now());
    await visit.wait();
    const asked = visit.page.call('rows', { layout: 'text', anchor: { position: 0 }, count: 100 });
    const { rows } = await askOn(visit.clock, asked, { stride: 5, pace: 'threads' });
    expect(rows.filter(({ direction }) => direction === 'sent')).toMatchObject([
      { text: 'ls', author: 'typed by Jonas W.' },
      { text: 'own', author: null },
    ]);
  });

  it('records what passes, and finds an answer in it', async () => {
    await visit.joined();
    visit.setRight('type');
    await visit.wait();
    const recording = await visit.outcome(visit.page.call('startRecording', everything));
    await visit.outcome(visit.page.call('openConversation', 1, 1));
    const answers = [{ kind: 'bytes', bytes: encode('OK') }] as const;
    const exchange = { bytes: encode('AT'), answers, fresh: true, timeout: 5_000 };
    const asked = visit.page.call('exchange', 1, exchange, 1);
    await visit.wait();
    visit.receive('OK\n');
    await visit.wait();
    expect(await asked).toMatchObject({ kind: 'answered' });
    await visit.outcome(visit.page.call('stopRecording', recording));
    expect(visit.recorded).toEqual([...encode('OK\n')]);
    expect(visit.recordedText).toMatch(/Board {2}TX {2}AT\n.*Board {2}RX {2}OK\n/);
  });

  it('closes, loses and opens its ports as they are there, and says so in the words of a local port', async () => {
    await visit.joined();
    visit.share({ settings: null });
    await visit.wait();
    expect(visit.port?.state).toBe('disconnected');
    visit.share({ settings: { ...settings, baudRate: 9_600 } });
    await visit.wait();
    visit.share({ settings: null, present: false });
    await visit.wait();
    const text = await visit.text();
    expect(text).toContain('Port 1 disconnected');
    expect(text).toContain('Port 1 connected (9600 8N1)');
    expect(text).toContain('Device disconnected from Port 1');
    expect(visit.port?.state).toBe('disconnected');
    visit.share();
    await visit.wait();
    expect(visit.port).toMatchObject({ state: 'connected', settings });
  });

  it('keeps what comes after a port was closed there: it was on the way', async () => {
    await visit.joined();
    visit.share({ settings: null });
    visit.receive('the last words\n');
    await visit.wait();
    expect(await visit.exported()).toBe('the last words\n');
  });

  it('does not type without the right, says so, and stays', async () => {
    await visit.joined();
    expect(await visit.outcome(visit.page.call('send', 1, encode('rm')))).toBe(
      'Sending to Port 1 failed: The person who shares the bench has not allowed you to type.',
    );
    expect(visit.calls).toEqual([]);
    expect(visit.port).toMatchObject({ state: 'connected', sent: 0 });
    visit.setRight('type');
    await visit.wait();
    expect(await visit.outcome(visit.page.call('send', 1, encode('ls')))).toBe('done');
    expect(visit.calls).toEqual(['type 1 ls']);
    expect(visit.port).toMatchObject({ state: 'connected', sent: 2 });
    const { rows } = visit.bench.bench.rows({ layout: 'text', anchor: { position: 0 }, count: 100 });
    expect(rows.filter(({ direction }) => direction === 'sent')).toHaveLength(1);
  });

  it('hides what it types where the host hides it, in its log and in what it exports', async () => {
    await visit.joined();
    expect(visit.benchTick?.devices[1]).toMatchObject({ kind: 'remote', canHide: true });
    const send = () => visit.outcome(visit.page.call('send', 1, encode('hunter2\n'), true));
    expect(await send()).toBe('Sending to Port 1 failed: The person who shares the bench has not allowed you to type.');
    visit.setRight('type');
    await visit.wait();
    expect(await send()).toBe('done');
    expect(visit.calls).toEqual(['hidden 1 hunter2\n']);
    expect(visit.port?.state).toBe('connected');
    const sent = (await visit.text()).split('\n').filter((line) => line.startsWith('hidden'));
    expect(sent).toEqual(['hidden, 8 bytes']);
    expect(await visit.text()).not.toContain('hunter2');
  });

  it('hides the answer to a prompt for a password from the host and from its own log, for one line', async () => {
    await visit.joined();
    visit.setRight('type');
    visit.receive('login: \r\nPassword: ');
    await visit.wait();
    expect(visit.benchTick?.status.ports[1].asks?.secret).toBe('password');
    const send = (text: string) => visit.outcome(visit.page.call('send', 1, encode(text)));
    expect(await send('hunter2\n')).toBe('done');
    expect(await send('ls\n')).toBe('done');
    expect(visit.calls).toEqual(['hidden 1 hunter2\n', 'type 1 ls\n']);
    expect(await visit.text()).toContain('hidden, 8 bytes');
    expect(await visit.text()).not.toContain('hunter2');
  });

  it('goes as it was typed to the host when the guest wants to see it', async () => {
    await visit.joined();
    visit.setRight('type');
    visit.receive('Password: ');
    await visit.wait();
    expect(await visit.outcome(visit.page.call('send', 1, encode('hunter2\n'), false))).toBe('done');
    expect(visit.calls).toEqual(['type 1 hunter2\n']);
  });

  it('hides what it sends to a port that it uses', async () => {
    await visit.joined();
    visit.setRight('use');
    await visit.wait();
    await visit.outcome(visit.live.call('use', 1, settings));
    expect(await visit.outcome(visit.page.call('send', 1, encode('hunter2\n'), true))).toBe('done');
    expect(visit.device.writes.map((bytes) => new TextDecoder().decode(bytes))).toEqual(['hunter2\n']);
    const text = await visit.text();
    expect(text).toContain('hidden, 8 bytes');
    expect(text).not.toContain('hunter2');
  });

  it('shows who else types and who uses a port, and says it in the log once a minute', async () => {
    await visit.joined();
    const other = new RemoteGuest({
      clock: visit.clock,
      secret: visit.secret,
      dial: visit.relay.dialGuest,
      name: 'Ann K.',
      onChange: () => undefined,
      onPiece: () => undefined,
      onMissing: () => undefined,
    });
    await visit.until('two guests', () => visit.host.status.guests.length === 2);
    const ids = visit.host.status.guests.map(({ id }) => id);
    const said = async () =>
      (await visit.text()).split('\n').filter((line) => line === 'Ann K. types on port 1').length;
    const all = ids.map((guest) => ({ port: 1, guest }));
    visit.host.setTypists(all);
    await visit.wait(1_000);
    expect(visit.benchTick?.typists).toMatchObject({ 1: 'Ann K.', 2: null });
    expect(await said()).toBe(1);
    visit.host.setTypists([]);
    await visit.wait(1_000);
    expect(visit.benchTick?.typists).toMatchObject({ 1: null });
    visit.host.setTypists(all);
    await visit.wait(1_000);
    expect(await said()).toBe(1);
    expect(await visit.text()).not.toContain('Grace types');
    const ann = visit.host.status.guests.find(({ name }) => name === 'Ann K.');
    visit.host.setRight(ann?.id ?? '', 1, 'use');
    await visit.until('usable', () => other.serial.portAt(1) !== null);
    await visit.outcome(Promise.resolve(other.serial.portAt(1)?.open({ baudRate: 115_200 })));
    expect(visit.benchTick?.devices[1]).toMatchObject({ user: 'Ann K.' });
    other.leave();
    await visit.wait(3_000);
    expect(visit.benchTick?.devices[1]).toMatchObject({ user: null });
  });

  it('shows at its ports which connection is away, so that no keys are sent to them', async () => {
    await visit.joined();
    visit.setRight('type');
    await visit.wait();
    expect(visit.benchTick?.devices[1]).toMatchObject({ right: 'type', away: null });
    visit.relay.isDown = true;
    visit.relay.cutGuests();
    await visit.until('away', () => visit.tick?.state === 'away');
    await visit.wait();
    expect(visit.benchTick?.devices[1]).toMatchObject({ right: 'type', away: 'guest' });
    visit.relay.isDown = false;
    await visit.until('back', () => visit.tick?.state === 'joined');
    await visit.wait();
    expect(visit.benchTick?.devices[1]).toMatchObject({ away: null });
    visit.relay.isDown = true;
    visit.relay.cutHost();
    await visit.until('the host is away', () => visit.tick?.isHostAway === true);
    await visit.wait();
    expect(visit.benchTick?.devices[1]).toMatchObject({ away: 'host' });
    visit.relay.isDown = false;
    await visit.until('all are back', () => visit.tick?.state === 'joined' && !visit.tick.isHostAway);
    await visit.wait();
    expect(visit.benchTick?.devices[1]).toMatchObject({ away: null });
  });

  it('says what was asked for, refused, given and taken back', async () => {
    await visit.joined();
    void visit.live.call('ask', 1, 'type');
    await visit.wait();
    expect(visit.tick?.ports[0]).toMatchObject({ right: 'watch', asked: 'type' });
    visit.host.refuse(visit.host.status.guests[0]?.id ?? '', 1);
    await visit.wait();
    expect(visit.tick?.ports[0]).toMatchObject({ right: 'watch', asked: null });
    visit.setRight('use');
    await visit.wait();
    visit.setRight('watch');
    await visit.wait();
    const text = await visit.text();
    expect(text).toContain('Ada has not given you the right to type on port 1.');
    expect(text).toContain('Ada lets you use port 1.');
    expect(text).toContain('Ada has taken back the right to use port 1. You may watch it.');
  });

  it('uses a port as if it were here: settings, lines, reset, and what it says once', async () => {
    await visit.joined();
    expect(await visit.outcome(visit.live.call('use', 1, settings))).toBe('You may not use port 1 now.');
    visit.setRight('use');
    await visit.wait();
    expect(await visit.outcome(visit.live.call('use', 1, { ...settings, baudRate: 9_600 }))).toBe('done');
    expect(visit.tick).toMatchObject({ using: [1], ports: [{ isYours: true }] });
    expect(visit.device.openedWith.at(-1)).toMatchObject({ baudRate: 9_600 });
    visit.device.receive(encode('hello\n'));
    await visit.wait();
    expect(await visit.exported()).toBe('hello\n');
    expect(await visit.outcome(visit.page.call('send', 1, encode('ls')))).toBe('done');
    expect(visit.device.written).toEqual([...encode('ls')]);
    expect(await visit.outcome(visit.page.call('setSignals', 1, { dtr: false }))).toBe('done');
    expect(await visit.outcome(visit.page.call('resetBoard', 1, 'run'))).toBe('done');
    expect(visit.device.calls.filter((call) => call.startsWith('lines')).length).toBeGreaterThan(3);
    expect(await visit.outcome(visit.page.call('reopen', 1, { ...settings, baudRate: 57_600 }))).toBe('done');
    expect(visit.device.openedWith.at(-1)).toMatchObject({ baudRate: 57_600 });
    expect(visit.tick?.using).toEqual([1]);
    expect(await visit.outcome(visit.live.call('giveBack', 1))).toBe('done');
    // The worker drops a request that the guest has withdrawn.
    await visit.wait();
    expect(visit.calls).toEqual(['acquire 1', 'release 1']);
    expect(visit.tick).toMatchObject({ using: [], ports: [{ isYours: false }] });
    expect(visit.port).toMatchObject({ state: 'connected', settings });
  });

  it('reports that a port is in use at the host, without advice to close programs here', async () => {
    await visit.joined();
    visit.setRight('use');
    visit.isBusy = true;
    await visit.wait();
    expect(await visit.outcome(visit.live.call('use', 1, settings))).toBe(
      'Port 1 is in use where the board is, for example by a flasher. Try again when it has let go, or ask whoever shares the bench.',
    );
    expect(visit.tick).toMatchObject({ using: [] });
    visit.isBusy = false;
    expect(await visit.outcome(visit.live.call('use', 1, settings))).toBe('done');
  });

  it('goes on watching when a port that it uses is taken back', async () => {
    await visit.joined();
    visit.setRight('use');
    await visit.wait();
    await visit.outcome(visit.live.call('use', 1, settings));
    visit.host.takeBack(1);
    await visit.wait(4_000);
    expect(visit.tick).toMatchObject({ using: [], ports: [{ right: 'type', isYours: false }] });
    expect(visit.port).toMatchObject({ state: 'connected', settings });
    visit.receive('still here\n');
    await visit.wait();
    expect(await visit.exported()).toBe('still here\n');
    expect(await visit.text()).toMatch(/^(?!.*Device disconnected).*Port 1 was taken back/s);
  });

  it('has every byte after its connection was lost for ten seconds', async () => {
    await visit.joined();
    let said = '';
    const say = (text: string) => {
      said += text;
      visit.receive(text);
    };
    say('before\n');
    await visit.wait();
    visit.relay.isDown = true;
    visit.relay.cutGuests();
    for (let second = 0; second < 10; second++) {
      say(`second ${second}\n`);
      await visit.wait(1_000);
    }
    expect(visit.tick?.state).toBe('away');
    visit.relay.isDown = false;
    say('after\n');
    await visit.until('back', () => visit.tick?.state === 'joined');
    await visit.wait(2_000);
    expect(visit.tick).toMatchObject({ state: 'joined', missing: 0 });
    expect(await visit.exported()).toBe(said);
    expect(await visit.text()).toContain('Connected to the shared bench again.');
  });

  it('says how many bytes are missing, and where, when more passed than is kept', async () => {
    await visit.joined();
    visit.receive('before\n');
    await visit.wait();
    visit.relay.isDown = true;
    visit.relay.cutGuests();
    const block = 'x'.repeat(1 << 16);
    for (let at = 0; at < 80; at++) {
      visit.receive(block);
      await visit.wait(50);
    }
    visit.relay.isDown = false;
    visit.receive('\nafter\n');
    await visit.until('back', () => visit.tick?.state === 'joined');
    await visit.wait(2_000);
    visit.receive('the end\n');
    const total = 'before\n'.length + 80 * block.length + '\nafter\nthe end\n'.length;
    const counted = () => (visit.port?.received ?? 0) + (visit.tick?.missing ?? 0);
    await visit.until('all has come, or is missed', () => counted() === total);
    const missing = visit.tick?.missing ?? 0;
    expect(missing).toBeGreaterThan(0);
    const exported = await visit.exported();
    expect(exported.length + missing).toBe(total);
    const number = new Intl.NumberFormat('en-US').format(missing);
    expect(await visit.text()).toContain(
      `${number} bytes are missing here of what port 1 received, from byte 8 of the sharing on.`,
    );
    // Long timeout: the machine's own cryptography decrypts megabytes.
  }, 180_000);

  it('says whose connection is lost when it is that of the host', async () => {
    await visit.joined();
    visit.relay.isDown = true;
    visit.relay.cutHost();
    await visit.wait(1_000);
    expect(visit.tick).toMatchObject({ isHostAway: true });
    visit.relay.isDown = false;
    await visit.until('back', () => visit.tick?.state === 'joined' && !visit.tick.isHostAway);
    await visit.wait(1_000);
    const text = await visit.text();
    expect(text).toContain('The connection of Ada is lost. Waiting for it to come back.');
    expect(text).not.toContain('Your connection');
    expect(text).toContain('Connected to the shared bench again.');
  });

  it('keeps its log when the visit ends, and closes its ports', async () => {
    await visit.joined();
    visit.receive('kept\n');
    await visit.wait();
    visit.host.expel(visit.host.status.guests[0]?.id ?? '');
    await visit.wait();
    expect(visit.tick).toMatchObject({ state: 'ended', why: 'expelled' });
    expect(visit.port?.state).toBe('disconnected');
    expect(await visit.exported()).toBe('kept\n');
    expect(await visit.text()).toContain('The person who shares the bench has ended your visit.');
  });

  it('knows who else is here', async () => {
    await visit.joined();
    visit.setRight('type');
    await visit.wait();
    expect(visit.tick).toMatchObject({
      guests: 1,
      people: [{ name: 'Grace', isYou: true, rights: [{ port: 1, right: 'type' }] }],
    });
  });
});
