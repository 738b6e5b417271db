import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { openBytePort } from '../../byte-port.ts';
import { answerBy, type ScriptedAnswer } from '../../testing/scripted-answers.ts';
import { flashStart, pages, sectorsOf } from '../parts/flash-layout.ts';
import { stmEntries } from './entry.ts';
import { commands } from './frames.ts';
import { UartLink } from './uart-link.ts';
import { UartLoader } from './uart-loader.ts';

const ACK = '79';
const NACK = '1f';
const never = new AbortController().signal;
const nothing = () => undefined;

interface Rig {
  readonly loader: UartLoader;
  readonly port: FakeSerialPort;
  readonly clock: VirtualClock;
  readonly written: () => string[];
  /** Advances time until `work` has ended. */
  run<Result>(work: Promise<Result>): Promise<Result>;
}

async function rig(
  answers: readonly ScriptedAnswer[],
  codes: readonly number[] = [commands.get, commands.getId, commands.extendedErase],
  entry: keyof typeof stmEntries = 'manual',
): Promise<Rig> {
  const clock = new VirtualClock();
  const port = new FakeSerialPort();
  answerBy(port, answers);
  const link = new UartLink(await openBytePort(port, { baudRate: 115_200, parity: 'even' }, clock));
  const facts = { version: '3.1', commands: new Set(codes) };
  return {
    loader: new UartLoader(clock, link, stmEntries[entry], facts),
    port,
    clock,
    written: () => port.writes.map((bytes) => Buffer.from(bytes).toString('hex')),
    async run(work) {
      let ended = false;
      work.then(
        () => {
          ended = true;
        },
        () => {
          ended = true;
        },
      );
      while (!ended) {
        await clock.advance(10);
        expect(clock.now()).toBeLessThan(120_000);
      }
      return work;
    },
  };
}

const everything: readonly ScriptedAnswer[] = [
  ['11ee', ACK],
  ['21de', ACK],
  ['31ce', ACK],
  ['43bc', ACK],
  ['44bb', ACK],
  ['926d', `${ACK}${ACK}`],
  ['a15e', ACK],
  ['0800000008', ACK],
];

describe('the bootloader over UART', () => {
  it('is written block by block, each command after the acknowledgement of the one before', async () => {
    const { loader, run, written } = await rig([
      ...everything,
      ['0800010009', ACK],
      [`ff${'aa'.repeat(256)}ff`, ACK],
      [`07${'bb'.repeat(8)}07`, ACK],
    ]);
    const bytes = new Uint8Array(264).fill(0xaa, 0, 256).fill(0xbb, 256);
    const done: number[] = [];
    await run(loader.write(flashStart, bytes, never, (count) => done.push(count)));
    expect(written()).toEqual([
      '31ce',
      '0800000008',
      `ff${'aa'.repeat(256)}ff`,
      '31ce',
      '0800010009',
      `07${'bb'.repeat(8)}07`,
    ]);
    expect(done).toEqual([256, 264]);
    expect(loader.sent).toBe(written().join('').length / 2);
  });

  it('is read however its bytes are split and joined', async () => {
    const { loader, run, port, clock } = await rig([...everything, ['03fc', '']]);
    clock.schedule(20, () => port.receive(Uint8Array.of(0x79, 1)));
    clock.schedule(40, () => port.receive(Uint8Array.of(2, 3)));
    clock.schedule(60, () => port.receive(Uint8Array.of(4)));
    expect(await run(loader.read(flashStart, 4, never))).toEqual(Uint8Array.of(1, 2, 3, 4));
  });

  it('does not believe a reading with a byte too many', async () => {
    const { loader, run } = await rig([...everything, ['03fc', `${ACK}0102030405`]]);
    await expect(run(loader.read(flashStart, 4, never))).rejects.toMatchObject({ code: 'read-failed' });
  });

  it('erases pages by number, as many as one command may have', async () => {
    const { loader, run, written } = await rig([...everything, ['000200000001000201', ACK]]);
    await run(loader.erase(sectorsOf(pages(2), 6_144), never, nothing));
    expect(written()).toEqual(['44bb', '000200000001000201']);
  });

  it('erases by the old command where that is the one that it has', async () => {
    const { loader, run, written } = await rig(
      [...everything, ['01000100', ACK]],
      [commands.get, commands.getId, commands.erase],
    );
    await run(loader.erase(sectorsOf(pages(1), 2_048), never, nothing));
    expect(written()).toEqual(['43bc', '01000100']);
  });

  it('gives large sectors a command each', async () => {
    const { loader, run, written } = await rig([...everything, ['0000000000', ACK], ['0000000101', ACK]]);
    const done: number[] = [];
    await run(loader.erase(sectorsOf(pages(128), 262_144), never, (count) => done.push(count)));
    expect(written()).toEqual(['44bb', '0000000000', '44bb', '0000000101']);
    expect(done).toEqual([1, 2]);
  });

  it('erases everything by FFFF, or by FF where it is an old one', async () => {
    const extended = await rig([...everything, ['ffff00', ACK]]);
    await extended.run(extended.loader.eraseAll(never));
    expect(extended.written()).toEqual(['44bb', 'ffff00']);
    const old = await rig([...everything, ['ff00', ACK]], [commands.erase]);
    await old.run(old.loader.eraseAll(never));
    expect(old.written()).toEqual(['43bc', 'ff00']);
  });

  it('waits 35 s for that, and no longer', async () => {
    const { loader, run, clock } = await rig([...everything, ['ffff00', '']]);
    await expect(run(loader.eraseAll(never))).rejects.toMatchObject({ code: 'stopped-answering' });
    expect(clock.now()).toBeGreaterThanOrEqual(35_000);
    expect(clock.now()).toBeLessThan(36_000);
  });

  it('reports a checksum where Get has it, with polynomial and start', async () => {
    const { loader, run, written } = await rig(
      [...everything, ['0000000404', ACK], ['04c11db76f', ACK], ['ffffffff00', `${ACK}${ACK}0102030404`]],
      [commands.getChecksum],
    );
    expect(await run(loader.checksum?.({ offset: flashStart, length: 16 }, never) ?? Promise.reject())).toBe(
      0x0102_0304,
    );
    expect(written()).toEqual(['a15e', '0800000008', '0000000404', '04c11db76f', 'ffffffff00']);
    expect((await rig([])).loader.checksum).toBeNull();
  });

  it('starts a program by Go where no line is wired', async () => {
    const { loader, run, written } = await rig(everything);
    await run(loader.start(null, never));
    expect(written()).toEqual(['21de', '0800000008']);
  });

  it('starts it by the reset line with BOOT0 low where one is', async () => {
    const { loader, run, port } = await rig(everything, [], 'usual');
    await run(loader.start(null, never));
    expect(port.calls.slice(1)).toEqual(['lines DTR -', 'lines - -']);
  });

  it('removes the read protection with two acknowledgements', async () => {
    const { loader, run, written } = await rig(everything);
    await run(loader.removeReadProtection(never));
    expect(written()).toEqual(['926d']);
  });

  it('removes the write protection in the same way, where Get has the command', async () => {
    const { loader, run, written } = await rig([['738c', `${ACK}${ACK}`]], [commands.writeUnprotect]);
    await run(loader.removeWriteProtection?.(never) ?? Promise.reject());
    expect(written()).toEqual(['738c']);
    expect((await rig([])).loader.removeWriteProtection).toBeNull();
  });

  it.each([
    ['a command', [['31ce', NACK]], 'refused'],
    ['an address', [['0800000008', NACK], ...everything], 'outside-flash'],
    ['a block', [...everything, ['030000000003', NACK]], 'write-failed'],
  ] as readonly (readonly [string, readonly ScriptedAnswer[], string])[])(
    'says what it refused: %s',
    async (_name, answers, code) => {
      const { loader, run } = await rig(answers);
      await expect(run(loader.write(flashStart, new Uint8Array(4), never, nothing))).rejects.toMatchObject({ code });
    },
  );

  it('does not take a second refusal for an answer to the next command', async () => {
    const { loader, run } = await rig([['11ee', `${NACK}${NACK}`], ...everything]);
    await expect(run(loader.read(flashStart, 4, never))).rejects.toMatchObject({ code: 'refused' });
    await run(loader.start(null, never));
  });

  it('skips what is neither yes nor no', async () => {
    const { loader, run, written } = await rig([
      ['21de', `00ff${ACK}`],
      ['0800000008', ACK],
    ]);
    await run(loader.start(null, never));
    expect(written()).toEqual(['21de', '0800000008']);
  });

  it('is brought back into step wherever in a block it is', async () => {
    const { loader, run, port } = await rig([]);
    let missing = 200;
    port.onWrite = (bytes) => {
      // It takes further bytes as the rest of a block until the block is full, and refuses it.
      const rest = bytes.subarray(Math.min(missing, bytes.length));
      const isFull = missing > 0 && missing <= bytes.length;
      missing -= Math.min(missing, bytes.length);
      if (isFull) {
        port.receive(Uint8Array.of(0x1f));
      } else if (missing === 0 && Buffer.from(rest).toString('hex') === '00ff') {
        port.receive(Uint8Array.of(0x79, 3, 0x31, 0, 1, 2, 0x79));
      }
    };
    await run(loader.recover(1, never));
    expect(port.writes.length).toBeLessThan(16);
  });

  it('counts as lost when it does not come back within 2.8 s', async () => {
    for (const entry of ['manual', 'usual'] as const) {
      const { loader, run, clock } = await rig([], [], entry);
      await expect(run(loader.recover(2, never))).rejects.toMatchObject({ code: 'stopped-answering' });
      expect(clock.now()).toBeLessThanOrEqual(2_810);
    }
  });
});
