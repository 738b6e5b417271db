import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { placeIn } from '../../../hardware/permitted-ports.ts';
import { CallError } from '../../../protocol/calls/call-client.ts';
import { fakeBench } from '../../../workbench/testing/fake-bench.ts';
import { fakeLab, openBench, testBoard } from '../testing/fake-lab.ts';
import { abandon, cancel, chooseBaudRate, connect, connectAgain, demoBoards, leave } from './lab-actions.ts';
import { takeTick } from './lab-line.ts';
import { boardsOnBench, changeLab, idleLab, labNow, levelOf, noTick } from './lab-store.ts';

fakeBench();

const { source } = demoBoards[0];
const failure = { code: 'no-answer', message: 'Nothing answers.', remedy: 'Press EN.', detail: null } as const;
const asError = (detail: typeof failure | { code: 'cancelled' }) =>
  new CallError({
    name: 'LabError',
    message: 'Nothing answers.',
    code: detail.code,
    detail: { ...failure, ...detail },
  });

beforeEach(() => changeLab(idleLab));
afterEach(() => changeLab(idleLab));

it('puts a board on the bench, and leaving the page asks from then on', async () => {
  fakeLab({ connect: () => testBoard });
  const changed = vi.fn();
  const end = boardsOnBench.subscribe(changed);
  await connect(source);
  expect(labNow()).toMatchObject({ phase: 'open', board: testBoard, selected: 13 });
  expect(boardsOnBench.count()).toBe(1);
  expect(changed).toHaveBeenCalled();
  end();
});

it('says why there is none, and connects again by the same way', async () => {
  const { calls } = fakeLab({
    connect: () => {
      throw asError(failure);
    },
  });
  await connect(source);
  expect(labNow()).toMatchObject({ phase: 'idle', failure });
  await connectAgain(true);
  expect(calls.at(-1)).toEqual(['connect', source, { baudRate: 921_600, byHand: true }]);
});

it('says nothing of a connect that was cancelled', async () => {
  fakeLab({
    connect: () => {
      throw asError({ code: 'cancelled' });
    },
  });
  cancel();
  await connect(source);
  expect(labNow()).toMatchObject({ phase: 'idle', failure: null });
});

describe('Connect again', () => {
  const info = { usbVendorId: 0x10c4, usbProductId: 0xea60 };
  const portLike = () => ({ getInfo: () => info, connected: true }) as SerialPort;
  const [first, second] = [portLike(), portLike()];
  const list = (...ports: SerialPort[]) => vi.stubGlobal('navigator', { serial: { getPorts: async () => ports } });
  afterEach(() => vi.unstubAllGlobals());

  it('takes the port that was picked, wherever it stands in the list by now', async () => {
    const { calls } = fakeLab({ connect: () => testBoard });
    list(first);
    await connect({ kind: 'serial', place: placeIn([first], first) });
    changeLab({ phase: 'lost' });
    list(second, first);
    await connectAgain();
    expect(calls.at(-1)?.[1]).toEqual({ kind: 'serial', place: { index: 1, count: 2, info } });
  });

  it('leaves another board of the same kind alone where the picked one was never opened', async () => {
    const { calls } = fakeLab({
      connect: () => {
        throw asError(failure);
      },
    });
    list(first);
    await connect({ kind: 'serial', place: placeIn([first], first) });
    list(second);
    await connectAgain();
    expect(calls).toHaveLength(1);
    expect(labNow().failure).toMatchObject({
      code: 'port-gone',
      message: expect.stringContaining('not plugged in'),
    });
  });

  it('takes one that came back as another port only with the MAC of the board before', async () => {
    const { calls } = fakeLab({ connect: () => testBoard });
    list(first);
    await connect({ kind: 'serial', place: placeIn([first], first) });
    changeLab({ phase: 'lost' });
    list(second);
    await connectAgain();
    expect(calls.at(-1)).toMatchObject(['connect', { kind: 'same' }, { mac: testBoard.mac }]);
  });
});

it('says of a cancelled connect only that the board is still in its ROM', async () => {
  const detail = 'The board is still in its boot ROM: press EN to start its own program.';
  fakeLab({
    connect: () => {
      throw new CallError({
        name: 'LabError',
        message: '',
        code: 'cancelled',
        detail: { ...failure, code: 'cancelled', detail },
      });
    },
  });
  await connect(source);
  expect(labNow().failure).toMatchObject({ code: 'cancelled', detail });
});

it('a page that goes away leaves the board at once, and cancels what is under way', async () => {
  const { calls } = fakeLab();
  abandon();
  openBench();
  abandon();
  changeLab({ phase: 'connecting' });
  abandon();
  changeLab({ phase: 'leaving' });
  abandon();
  expect(calls).toEqual([['leave', true], ['cancel'], ['leave', true]]);
});

it('takes a second connect for nothing while a board is open', async () => {
  const { calls } = fakeLab();
  openBench();
  await connect(source);
  expect(calls).toEqual([]);
});

it('knows a loss from a leave', async () => {
  const tick = { ...noTick, levels: null, samples: [], cycles: [] };
  fakeLab();
  openBench();
  await leave();
  takeTick({ ...tick, lost: null });
  expect(labNow().phase).toBe('idle');
  openBench();
  takeTick({ ...tick, lost: { ...failure, code: 'unplugged' } });
  expect(labNow()).toMatchObject({ phase: 'lost', failure: { code: 'unplugged' } });
});

it('changes the rate of an open board, and remembers it for the next one', async () => {
  const { calls } = fakeLab();
  await chooseBaudRate(115_200);
  expect(calls).toEqual([]);
  openBench({}, { baudRate: 115_200 });
  await chooseBaudRate(460_800);
  expect(calls).toEqual([['setBaudRate', 460_800]]);
  expect(labNow().baudRate).toBe(460_800);
});

it('reads levels from words of 32 pins', () => {
  expect(levelOf([1 << 31, 2], 31)).toBe(true);
  expect(levelOf([1 << 31, 2], 30)).toBe(false);
  expect(levelOf([0, 2], 33)).toBe(true);
  expect(levelOf(null, 33)).toBeNull();
});
