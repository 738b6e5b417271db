import { VirtualClock } from '@wirebench/clock';
import { fileHash } from '@wirebench/frames/decoder-file';
import { defaultPortSettings } from '@wirebench/port';
import { parseFilterField } from '@wirebench/serial';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BenchTick } from '../../protocol/bench/bench-tick.ts';
import type { FrameLook } from '../../protocol/bench/row-part.ts';
import { callLine } from '../../protocol/calls/testing/call-line.ts';
import { BenchClient } from '../../workbench/bench-client.ts';
import { BenchWorker } from './bench-worker.ts';

const settings = { ...defaultPortSettings, baudRate: 19_200 };
const line = { kind: 'demo', model: 'modbus-line' } as const;

describe('frames of a port', () => {
  let clock: VirtualClock;
  let worker: BenchWorker;
  let client: BenchClient;
  let ticks: BenchTick[];

  beforeEach(() => {
    clock = new VirtualClock(1_000_000);
    const { page, bench } = callLine();
    worker = new BenchWorker(bench, { clock, openRecordingFile: () => Promise.reject(new Error('none')) });
    ticks = [];
    client = new BenchClient((tick) => ticks.push(tick));
    client.attach(page);
  });
  afterEach(async () => {
    const closing = worker.bench.dispose();
    await clock.advance(10_000);
    await closing;
  });

  /** Calls, and advances virtual time until the answer arrives. */
  const ask = async <Answer>(call: Promise<Answer>, duration = 1_000): Promise<Answer> => {
    for (let turn = 0; turn < 20; turn++) {
      await new Promise((resolve) => setTimeout(resolve));
      await clock.advance(duration / 20);
    }
    return call;
  };
  const wait = (duration: number) => ask(Promise.resolve(), duration);
  const rows = async (frames?: FrameLook) => {
    const query = {
      layout: 'text',
      anchor: { position: 0 },
      count: 1_000,
      channels: ['received-1', 'sent-1'],
    } as const;
    return (await client.call('rows', query, frames === undefined ? {} : { frames })).rows;
  };
  const connect = () => ask(client.call('connect', 1, line, settings));
  const decode = () => ask(client.call('setDecoder', 1, 'modbus'));

  it('are offered for a line whose bytes are some, and the rate is not called wrong', async () => {
    await connect();
    // The code that knows frames is loaded in real time.
    await vi.waitUntil(async () => {
      await wait(1_000);
      return ticks.at(-1)?.advice[1].frames !== null;
    }, 10_000);
    expect(ticks.at(-1)?.advice[1]).toMatchObject({ frames: { decoder: 'modbus', broken: 0 }, rate: null });
    const { right = 0, since } = ticks.at(-1)?.advice[1].frames ?? {};
    expect(right).toBeGreaterThan(2);
    expect((await rows()).map(({ at }) => at)).toContain(since);
    expect(ticks.at(-1)?.devices[1]).toEqual({ kind: 'demo', plugged: true, isLine: true });
  });

  it('are not offered for a board that writes text', async () => {
    await ask(client.call('connect', 1, { kind: 'demo' }, settings));
    await wait(5_000);
    expect(ticks.at(-1)?.advice[1].frames).toBeNull();
  });

  it('are rows with who, words and the time since the question; the bytes stay as they came', async () => {
    await connect();
    await decode();
    const before = (await rows()).length;
    await wait(4_000);
    const plain = await rows();
    const framed = await rows({ opened: null });
    expect(framed.map(({ sequence }) => sequence)).toEqual(plain.map(({ sequence }) => sequence));
    const answers = framed.slice(before).filter(({ frame }) => frame?.aside !== '' && frame?.who === '07');
    expect(answers.length).toBeGreaterThan(2);
    for (const { text, frame } of answers) {
      expect(text).toMatch(/^read 0–3: \d{4}, \d{3}, \d{3}, 3$/);
      expect(frame?.aside).toMatch(/^\d+(\.\d)? ms$/);
      expect(frame?.state).toBe('right');
    }
    const whole = await ask(client.call('exportFile', { kind: 'raw', port: 1 }), 0);
    expect(whole.size).toBe(ticks.at(-1)?.status.ports[1].received);
  });

  it('are taken apart from the first byte that came before the decoder was chosen, and lines again without it', async () => {
    await connect();
    await wait(4_000);
    const lines = await rows();
    expect(await decode()).toEqual({ kind: 'applied', from: 1 });
    const framed = await rows({ opened: null });
    expect(framed[0]?.sequence).toBe(lines[0]?.sequence);
    expect(framed.length).toBeGreaterThan(lines.length);
    expect(framed.filter(({ frame }) => frame?.state === 'right').length).toBeGreaterThan(6);
    await ask(client.call('setDecoder', 1, null), 0);
    const again = await rows();
    // The line has no end yet and has grown.
    expect(again.map(({ text }) => text).join('')).toContain(lines.map(({ text }) => text).join(''));
  });

  it('are those of the newest choice when several are made at once', async () => {
    await connect();
    await wait(4_000);
    const calls = [client.call('setDecoder', 1, 'ubx'), client.call('setDecoder', 1, 'modbus')];
    await ask(Promise.all(calls));
    const framed = await rows({ opened: null });
    expect(framed.filter(({ frame }) => frame?.state === 'right').length).toBeGreaterThan(6);
  });

  it('include what this side asks, in the same conversation', async () => {
    await connect();
    await decode();
    await ask(client.call('send', 1, Uint8Array.of(0x0c, 0x05, 0x00, 0x0b, 0xff, 0x00, 0xfc, 0xe5)));
    const asked = (await rows({ opened: null })).filter(({ frame }) => frame?.who === '12');
    expect(asked.slice(-2).map(({ direction, text }) => [direction, text])).toEqual([
      ['sent', 'write coil 11: on'],
      ['received', 'wrote coil 11: on'],
    ]);
  });

  it('say when no answer came, and which register does not exist', async () => {
    await connect();
    await decode();
    await wait(12_000);
    const framed = await rows({ opened: null });
    const silent = framed.filter(({ frame }) => frame?.state === 'silent');
    expect(silent.map(({ frame }) => frame?.who)).toContain('09');
    expect(silent[0]?.frame?.aside).toBe('no answer in 1000 ms');
    const refused = framed.filter(({ frame }) => frame?.state === 'exception');
    expect(refused.map(({ frame }) => frame?.who)).toEqual(expect.arrayContaining(['21']));
  });

  it('open with each byte in a box, and each box explained', async () => {
    await connect();
    await decode();
    await wait(3_000);
    const answer = (await rows({ opened: null })).find(({ frame, text }) => frame?.who === '07' && text.includes(':'));
    const opened = (await rows({ opened: answer?.sequence ?? null })).filter(({ frame }) => frame?.detail);
    expect(opened.map(({ sequence }) => sequence)).toEqual([answer?.sequence]);
    const detail = opened[0]?.frame?.detail;
    const bytes = detail?.boxes.map((box) => box.bytes).join(' ') ?? '';
    expect(bytes.split(' ')).toHaveLength(answer?.lineLength ?? 0);
    const named = detail?.boxes.filter(({ row }) => row !== null) ?? [];
    for (const { name, row } of named) {
      expect(detail?.rows[row ?? -1]?.name).toBe(name);
    }
    expect(named.map(({ name }) => name)).toContain('unit');
  });

  it.each([
    ['unit:7', (who: string) => who === '07'],
    ['modbus.unit:21', (who: string) => who === '21'],
    ['modbus.unit:21 function:4', (who: string) => who === '21'],
    ['kind:exception', (who: string) => who === '21'],
    ['unit>200', () => false],
  ])('are found by their fields: %s', async (find, isMeant) => {
    await connect();
    await decode();
    await wait(9_000);
    const field = parseFilterField(find);
    const terms = field.ok ? field.query.terms : [];
    const all = (await rows({ opened: null })).filter(({ frame }) => frame !== undefined);
    await ask(client.call('find', { scope: {}, terms, matchesOnly: true }), 100);
    const found = await rows({ opened: null });
    const expected = all.filter(
      ({ frame }) => isMeant(frame?.who ?? '') && (find !== 'kind:exception' || frame?.state === 'exception'),
    );
    expect(found.map(({ sequence }) => sequence)).toEqual(expected.map(({ sequence }) => sequence));
  });

  it('are counted by unit and function, with what each row finds', async () => {
    await connect();
    await decode();
    expect(await ask(client.call('frameOverview', 2))).toBeNull();
    await wait(12_000);
    const overview = await vi.waitUntil(() => ask(client.call('frameOverview', 1), 0));
    const framed = (await rows({ opened: null })).filter(({ frame }) => frame !== undefined);
    const isRight = ({ frame }: (typeof framed)[number]) => !['broken', 'left-over'].includes(frame?.state ?? '');
    const { totals } = overview;
    expect(totals.frames).toBe(framed.filter(isRight).length);
    expect(totals.exceptions).toBe(framed.filter(({ frame }) => frame?.state === 'exception').length);
    expect(totals.unanswered).toBe(framed.filter(({ frame }) => frame?.state === 'silent').length);
    expect(totals.errors).toBe(framed.filter(({ frame }) => frame?.state === 'broken').length);
    expect(Math.min(totals.exceptions, totals.unanswered)).toBeGreaterThan(0);
    expect(overview).toMatchObject({ moreRows: 0, omitted: 0, missed: 0, isBehind: false });
    for (const { find, count } of overview.rows) {
      const field = parseFilterField(find);
      const terms = field.ok ? field.query.terms : [];
      await ask(client.call('find', { scope: {}, terms, matchesOnly: true }), 100);
      expect([find, (await rows({ opened: null })).filter(({ frame }) => frame !== undefined).length]).toEqual([
        find,
        count,
      ]);
    }
    const pump = overview.rows.find(({ find }) => find === 'unit:7 function:3');
    expect(pump).toMatchObject({ who: '07', message: 'read holding registers', lost: 0, exceptions: 0 });
    expect(pump?.words).toMatch(/^read 0–3: \d{4}, \d{3}, \d{3}, 3$/);
    expect(pump?.bytes.map(({ text }) => text).join(' ')).toMatch(/^07 03 08( [\dA-F]{2}){10}$/);
    expect(pump?.bytes[0]?.isChanged).toBe(false);
    expect(pump?.bytes.some(({ isChanged }) => isChanged)).toBe(true);
    const device = overview.devices.find(({ who }) => who === '07');
    expect(device?.answers).toBeGreaterThan(2);
    expect(device?.shortest).toBeLessThanOrEqual(device?.mean ?? 0);
    expect(device?.mean).toBeLessThanOrEqual(device?.longest ?? 0);
    expect(overview.devices.find(({ who }) => who === '09')).toMatchObject({ answers: 0, mean: null });
  });

  it('are counted once, again from a new connection, and not with another decoder', async () => {
    await connect();
    await decode();
    await wait(4_000);
    const counts = async () => (await ask(client.call('frameOverview', 1), 0))?.totals.frames ?? null;
    const first = await counts();
    expect(first).toBeGreaterThan(4);
    expect(await counts()).toBe(first);
    await ask(client.call('disconnect', 1));
    await connect();
    const again = await counts();
    expect(again).toBeGreaterThan(0);
    expect(again).toBeLessThan(first ?? 0);
    await ask(client.call('setDecoder', 1, null), 0);
    expect(await counts()).toBeNull();
  });

  it('are saved as a table with a column for each field', async () => {
    await connect();
    await decode();
    await wait(4_000);
    const names = { 1: 'Line', 2: 'Port 2', 3: 'Port 3', 4: 'Port 4' };
    const file = await ask(client.call('exportFile', { kind: 'csv', portNames: names }), 100);
    const [head = '', ...lines] = (await file.text()).trimEnd().split('\r\n');
    expect(head).toMatch(/^time,epoch_ms,port,direction,text,who,message,state,unit,function,/);
    const column = (name: string) => head.split(',').indexOf(name);
    const answers = lines
      .map((line) => line.split(','))
      .filter((cells) => cells[column('holding.0')] !== '' && cells[5] === '07');
    expect(answers.length).toBeGreaterThan(2);
    for (const cells of answers) {
      expect(cells[4]).toMatch(/^07 03 08( [\dA-F]{2}){10}$/);
      expect(Number(cells[column('holding.3')])).toBe(3);
    }
    // A question has no values: its cells are empty, not 0.
    expect(lines.some((line) => line.split(',')[5] === '07' && line.split(',')[column('holding.0')] === '')).toBe(true);
  });

  it('become curves of their fields, by device and with gaps', async () => {
    await connect();
    await decode();
    await ask(client.call('plot', { port: 1, format: 'any' }));
    await wait(6_000);
    const picture = await client.call('plotPicture', { width: 100, hidden: [], from: null, span: null });
    const names = picture?.series.map(({ name }) => name) ?? [];
    expect(names).toContain('07 holding.0');
    expect(names.some((name) => name.includes('unit') || name.includes('function'))).toBe(false);
    const speed = picture?.series.find(({ name }) => name === '07 holding.0');
    expect(speed?.last).toBeGreaterThan(1_400);
  });

  describe('with a decoder of a person’s own', () => {
    const dbc = 'VERSION ""\nBO_ 256 Motor: 2 ECU\n SG_ Speed : 0|16@1+ (0.5,0) [0|0] "rpm" Panel\n';
    const sha256 = fileHash(new TextEncoder().encode(dbc));
    const files = [{ use: 'dbc', name: 'motor.dbc', sha256 }] as const;
    const text = (more: object) =>
      JSON.stringify({
        name: 'can',
        title: 'Motor bus',
        framing: { kind: 'step', longest: 144 },
        steps: ['slcan'],
        ...more,
      });
    const own = (content: string, given: readonly (readonly [string, Blob])[] = []) => ({
      id: 'own:1',
      content,
      files: new Map(given),
    });
    const choose = (decoder: Parameters<typeof client.call<'setDecoder'>>[2]) =>
      ask(client.call('setDecoder', 1, decoder), 100);
    const cut = () => worker.bench.frames(1) !== null;

    it('are cut with the file that it names, and not before it is given', async () => {
      expect(await choose('modbus')).toEqual({ kind: 'applied' });
      expect(await choose(own(text({ files })))).toEqual({ kind: 'missing', files });
      expect(cut()).toBe(false);
      // Another file under that hash is not the one that is named.
      const other = own(text({ files }), [[sha256, new Blob([`${dbc}\n`])]]);
      expect(await choose(other)).toMatchObject({ kind: 'missing' });
      expect(await choose(null)).toEqual({ kind: 'applied' });
      expect(await choose(own(text({ files }), [[sha256, new Blob([dbc])]]))).toEqual({ kind: 'applied' });
      expect(cut()).toBe(true);
    });

    it('have the names of a table of registers', async () => {
      const table = 'name,address,unit\nspeed,0,rpm\n';
      const hash = fileHash(new TextEncoder().encode(table));
      const modbus = {
        name: 'pump',
        title: 'Pump',
        framing: { kind: 'step', longest: 256, ms: 100 },
        steps: ['modbus'],
        files: [{ use: 'registers', name: 'pump.csv', sha256: hash }],
      };
      await connect();
      const chosen = await choose(own(JSON.stringify(modbus), [[hash, new Blob([table])]]));
      expect(chosen).toEqual({ kind: 'applied', from: 1 });
      await wait(4_000);
      const texts = (await rows({ opened: null })).filter(({ frame }) => frame?.who === '07').map(({ text }) => text);
      expect(texts).toContainEqual(expect.stringMatching(/speed.*\d{4} rpm/));
    });

    it('are refused with a part that this version does not know, by its name', async () => {
      expect(await choose(own(text({ teleport: 1 })))).toEqual({
        kind: 'refused',
        reason: 'The decoder has an unknown entry: teleport.',
      });
      expect(await choose(own(text({ steps: ['teleport'] })))).toMatchObject({
        reason: expect.stringMatching(/^Step 1 cannot be teleport: this version knows at, /),
      });
      expect(cut()).toBe(false);
    });

    it('go on while its next content is wrong, and end when another decoder is refused', async () => {
      await choose(own(text({})));
      const frames = worker.bench.frames(1);
      expect(await choose(own('{'))).toMatchObject({ kind: 'refused' });
      expect(worker.bench.frames(1)).toBe(frames);
      expect(await choose({ ...own('{'), id: 'own:2' })).toMatchObject({ kind: 'refused' });
      expect(cut()).toBe(false);
    });

    it('start over only with another content', async () => {
      await choose(own(text({})));
      const frames = worker.bench.frames(1);
      await choose(own(text({})));
      expect(worker.bench.frames(1)).toBe(frames);
      await choose(own(text({ title: 'Bus' })));
      expect(worker.bench.frames(1)).not.toBe(frames);
    });

    it('have the last one of several that are chosen at once', async () => {
      const [first, last] = await Promise.all([choose(own(text({ files }))), choose(own(text({})))]);
      expect([first, last]).toEqual([{ kind: 'applied' }, { kind: 'applied' }]);
      expect(cut()).toBe(true);
    });
  });

  it('have files that are read before a decoder names them', async () => {
    const file = new Blob(['name,address\nspeed,0\n']);
    expect(await ask(client.call('readDecoderFile', 'pump.csv', file), 100)).toMatchObject({
      use: 'registers',
      summary: '1 register',
    });
    const refused = expect(client.call('readDecoderFile', 'pump.csv', new Blob(['x']))).rejects.toThrow(
      'pump.csv is no DBC file, no message definitions in XML and no table of registers.',
    );
    await wait(100);
    await refused;
  });

  it('end with the decoder: what was cut are lines again, and so is what comes later', async () => {
    await connect();
    await decode();
    await wait(3_000);
    expect((await rows({ opened: null })).some(({ frame }) => frame !== undefined)).toBe(true);
    await ask(client.call('setDecoder', 1, null), 0);
    await wait(2_000);
    const later = await rows({ opened: null });
    expect(later.length).toBeGreaterThan(0);
    expect(later.every(({ frame }) => frame === undefined)).toBe(true);
  });

  it('belong together on two ports, and are counted with the port that asks', async () => {
    await ask(client.call('setDecoder', 3, 'modbus', 4));
    const hear = async (port: 3 | 4, hex: string) => {
      worker.bench.record(port, 'received', Uint8Array.from(Buffer.from(hex, 'hex')), clock.wallTime());
      await wait(20);
    };
    await hear(3, '070300000001846c');
    await hear(4, '07030200e7700e');
    expect(await ask(client.call('frameOverview', 3), 0)).toMatchObject({
      totals: { frames: 2, errors: 0, leftOver: 0 },
      devices: [{ who: '07', questions: 1, answers: 1 }],
    });
    expect(await ask(client.call('frameOverview', 4), 0)).toBeNull();
    await ask(client.call('setDecoder', 3, 'modbus', null));
    expect(worker.bench.frames(4)).toBeNull();
  });
});
