import type { FakeSerialPort } from '@wirebench/port/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Bench } from './bench.ts';
import { utf8 } from './testing/line-channels.ts';
import { allRows, connected, type TestRig, testRig } from './testing/test-rig.ts';

const password = 'hunter2\n';
const line = 'hidden, 8 bytes';

function textOf(bench: Bench): string {
  const exported = [...bench.exportText(), ...bench.exportCsv(), ...bench.exportRaw(1)];
  const all = { from: { sequence: 0, part: 0 }, to: { sequence: 1_000, part: 100 } };
  const copied = [...bench.copyRows({ layout: 'text', ...all }), ...bench.copyRows({ layout: 'hex', ...all })];
  return [...exported.map((piece) => new TextDecoder().decode(piece)), ...copied].join('\n');
}

describe('hidden bytes', () => {
  let test: TestRig;
  let device: FakeSerialPort;
  const passedOn: string[] = [];
  beforeEach(async () => {
    passedOn.length = 0;
    test = testRig({ onSent: (_port, bytes) => passedOn.push(new TextDecoder().decode(bytes)) });
    device = await connected(test);
    await test.bench.send(1, utf8(password), { hidden: true });
  });

  it('reach the board whole, and are counted', () => {
    expect(new TextDecoder().decode(Uint8Array.from(device.written))).toBe(password);
    expect(test.bench.status().ports[1].sent).toBe(8);
    expect(test.bench.statistics(1)).toMatchObject({ sent: { bytes: 8 } });
  });

  it('are a line that says how many they are', () => {
    const [row] = allRows(test.bench).filter(({ direction }) => direction === 'sent');
    expect(new TextDecoder().decode(row?.bytes)).toBe(line);
  });

  it('are in no export, no copy, no earlier line and nothing that is passed on', () => {
    const recent = test.bench.recentLines(1, { lines: 10, bytes: 1_000, without: { received: 0, sent: 0 } });
    const all = [textOf(test.bench), ...recent.map(({ bytes }) => new TextDecoder().decode(bytes)), ...passedOn];
    expect(all.join('\n')).toContain(line);
    expect(all.join('\n')).not.toContain('hunter2');
    expect(passedOn).toEqual([`${line}\n`]);
  });

  it('with a name are a line with the name alone, everywhere', async () => {
    await test.bench.send(1, utf8('open sesame\n'), { hidden: 'login password' });
    const talk = test.bench.converse(1);
    await talk.exchange(
      { bytes: utf8('sesame 2\n'), hidden: 'PIN', answers: [], fresh: true, timeout: 0 },
      new AbortController().signal,
    );
    const log = talk.end();
    const all = [textOf(test.bench), ...passedOn, JSON.stringify(log)].join('\n');
    expect(all).toContain('[login password, hidden]');
    expect(all).toContain('[PIN, hidden]');
    expect(log.entries).toMatchObject([{ kind: 'sent', bytes: null, length: 9, name: 'PIN' }, { kind: 'ended' }]);
    expect(all).not.toContain('sesame');
    expect(all).not.toContain('12 bytes');
    expect(new TextDecoder().decode(Uint8Array.from(device.written))).toBe(`${password}open sesame\nsesame 2\n`);
  });

  it('are found by no search', () => {
    const search = test.bench.search({ terms: [{ kind: 'text', text: 'hunter2', ignoreCase: true }] });
    search.catchUp();
    expect(search.next(0)).toBeNull();
  });

  it('are refused by a port whose host records what it sends', async () => {
    test.bench.watch(1);
    await expect(test.bench.send(1, utf8(password), { hidden: true })).rejects.toMatchObject({
      code: 'hidden-from-host',
    });
    expect(device.written).toHaveLength(8);
  });

  it('go to the host of a watched port where it hides them, and are no line before it says so', async () => {
    test.bench.watch(1);
    const there: string[] = [];
    const hiddenWay = async (bytes: Uint8Array) => void there.push(new TextDecoder().decode(bytes));
    await test.bench.send(1, utf8('secret\n'), { hidden: true, hiddenWay });
    expect(there).toEqual(['secret\n']);
    expect(device.written).toHaveLength(8);
    expect(allRows(test.bench).filter(({ direction }) => direction === 'sent')).toHaveLength(1);
  });
});
