import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { answerBy, type ScriptedAnswer } from '../../testing/scripted-answers.ts';
import { stmEntries } from '../an3155/entry.ts';
import type { StmBoard, StmConnectOptions } from '../stm-board.ts';
import { connectStm } from './connect-stm.ts';

const ACK = '79';
const NACK = '1f';

/** An STM32F103 of 64 KB with version 2.2 of the bootloader and the old Erase command. */
const sync: ScriptedAnswer = ['7f', ACK];
const get: ScriptedAnswer = ['00ff', `${ACK}0b22000102112131436373829279`];
const getId: ScriptedAnswer = ['02fd', `${ACK}01041079`];
const read: ScriptedAnswer = ['11ee', ACK];
/** First read, which checks for read protection. */
const flashIsReadable: readonly ScriptedAnswer[] = [
  ['0800000008', ACK],
  ['03fc', `${ACK}ffffffff`, 1],
];
const signature: readonly ScriptedAnswer[] = [
  ['1ffff7e0f7', ACK],
  ['03fc', `${ACK}4000ffff`, 2],
  // Checks for a program.
  ['03fc', `${ACK}00500020`, 2],
  ['1ffff7e8ff', ACK],
  ['03fc', `${ACK}01020304`, 2],
  ['1ffff7ecfb', ACK],
  ['03fc', `${ACK}05060708`, 2],
  ['1ffff7f0e7', ACK],
  ['03fc', `${ACK}090a0b0c`, 2],
  ['1ffff80018', ACK],
  ['0ff0', `${ACK}a55aff00ff00ff00ff00ff00ff00ff00`, 2],
];
const f103: readonly ScriptedAnswer[] = [sync, get, getId, read, ...flashIsReadable, ...signature];

interface Outcome {
  readonly board: StmBoard | null;
  readonly error: unknown;
  readonly written: readonly string[];
  readonly unanswered: readonly string[];
  readonly calls: readonly string[];
  readonly elapsed: number;
}

async function connect(
  answers: readonly ScriptedAnswer[],
  options: Partial<StmConnectOptions> = {},
  prepare?: (port: FakeSerialPort, clock: VirtualClock) => void,
): Promise<Outcome> {
  const clock = new VirtualClock(1_000);
  const port = new FakeSerialPort();
  const unanswered = answerBy(port, answers);
  prepare?.(port, clock);
  let result: { board: StmBoard | null; error: unknown } | null = null;
  connectStm(port, { clock, entry: stmEntries.manual, ...options }).then(
    (board) => {
      result = { board, error: null };
    },
    (error: unknown) => {
      result = { board: null, error };
    },
  );
  const start = clock.now();
  while (result === null) {
    await clock.advance(5);
    expect(clock.now() - start).toBeLessThan(60_000);
  }
  const { board, error } = result as { board: StmBoard | null; error: unknown };
  const written = port.writes.map((bytes) => Buffer.from(bytes).toString('hex'));
  return { board, error, written, unanswered, calls: port.calls, elapsed: clock.now() - start };
}

describe('connecting to an STM32', () => {
  it('reports part, flash, unique id and option bytes', async () => {
    const { board, unanswered, calls } = await connect(f103);
    expect(unanswered).toEqual([]);
    expect(calls[0]).toBe('open 115200 even 1048576');
    expect(board?.info).toMatchObject({
      productId: 0x410,
      name: 'STM32F10x medium-density',
      family: 'F1',
      model: 'stm32f',
      bootloaderVersion: '2.2',
      flashSize: 65_536,
      protection: 'none',
      uniqueId: '04030201080706050C0B0A09',
    });
    expect(board?.info.sectors).toHaveLength(64);
    expect(board?.info.optionBytes?.fields[0]).toEqual({ name: 'RDP', value: '0xA5', meaning: 'Not protected' });
  });

  it.each([
    ['a bootloader that was synchronised already', [['7f', NACK]]],
    [
      'one that takes the first byte for half a command',
      [
        ['7f', '', 1],
        ['7f', NACK],
      ],
    ],
    ['one that is not up yet', [['7f', '', 2], sync]],
    [
      'one whose first acknowledgement is lost',
      [
        ['7f', '', 2],
        ['7f', '', 1],
        ['7f', NACK],
      ],
    ],
  ] as readonly (readonly [string, readonly ScriptedAnswer[]])[])('finds %s', async (_name, first) => {
    const { board } = await connect([...first, ...f103]);
    expect(board?.info.productId).toBe(0x410);
  });

  it('pulses the reset with BOOT0 high, and leaves BOOT0 high', async () => {
    const { calls } = await connect(f103, { entry: stmEntries.direct });
    expect(calls.slice(1)).toEqual(['lines DTR -', 'lines - -']);
  });

  it('does not touch the lines for manual entry', async () => {
    expect((await connect(f103)).calls.filter((call) => call.startsWith('lines'))).toEqual([]);
  });

  it('reports that nothing answers', async () => {
    const { error, elapsed } = await connect([], { entry: stmEntries.usual });
    expect(error).toMatchObject({ name: 'StmError', code: 'no-answer', state: 'unchanged' });
    expect(elapsed).toBeLessThan(3_000);
  });

  it('waits some seconds for a person at the buttons', async () => {
    const { error, elapsed } = await connect([]);
    expect(error).toMatchObject({ code: 'no-answer' });
    expect(elapsed).toBeGreaterThan(4_000);
    expect(elapsed).toBeLessThan(8_000);
  });

  it('takes a printing program for a program, though y is an acknowledgement', async () => {
    const { error } = await connect([['7f', Buffer.from('ready, yes\r\n').toString('hex')]], {
      entry: stmEntries.usual,
    });
    expect(error).toMatchObject({ code: 'in-application' });
  });

  it('takes line errors for a program too: it prints without parity', async () => {
    const { error } = await connect([], { entry: stmEntries.usual }, (port, clock) => {
      for (let at = 100; at < 1_000; at += 100) {
        clock.schedule(at, () => port.fail('ParityError'));
      }
    });
    expect(error).toMatchObject({ code: 'in-application' });
  });

  it('recognises a protected part by its refusal to read', async () => {
    const { board } = await connect([sync, get, getId, ['11ee', NACK]]);
    expect(board?.info).toMatchObject({ protection: 'read-protected', flashSize: null, optionBytes: null });
    await expect(board?.write([{ offset: 0x0800_0000, bytes: new Uint8Array(4) }])).rejects.toMatchObject({
      code: 'read-protected',
      state: 'unchanged',
    });
    await expect(board?.read({ offset: 0x0800_0000, length: 4 })).rejects.toMatchObject({ code: 'read-protected' });
  });

  it('does not take one damaged byte for a protection', async () => {
    const { board } = await connect([sync, get, getId, ['11ee', NACK, 2], read, ...flashIsReadable, ...signature]);
    expect(board?.info.protection).toBe('none');
  });

  it('reads the signature from the start of 256 bytes if its own place is refused', async () => {
    const page = Buffer.alloc(36, 0xff);
    page.writeUInt16LE(512, 0x22);
    const f407: readonly ScriptedAnswer[] = [
      sync,
      get,
      ['02fd', `${ACK}01041379`],
      read,
      ...flashIsReadable,
      // Checks for a program.
      ['03fc', `${ACK}00500020`, 2],
      ['1fff7a20ba', NACK],
      ['1fff7a009a', ACK],
      ['23dc', `${ACK}${page.toString('hex')}`],
      ['1fff7a108a', NACK],
      ['1fff7a148e', NACK],
      ['1fff7a1882', NACK],
    ];
    const uniqueId: readonly ScriptedAnswer[] = [20, 24, 28].map((length) => [
      Buffer.of(length - 1, (length - 1) ^ 0xff).toString('hex'),
      `${ACK}${Buffer.alloc(length, length).toString('hex')}`,
    ]);
    const { board } = await connect([...f407, ...uniqueId, ['1fffc00020', NACK]]);
    expect(board?.info).toMatchObject({
      name: 'STM32F405/407/415/417',
      flashSize: 524_288,
      uniqueId: '14141414181818181C1C1C1C',
      optionBytes: null,
    });
  });

  it.each([
    ['ff', '5a'],
    ['00', '5a'],
    ['ff', 'ff'],
    ['00', '00'],
  ])('treats an identity and options of nothing but %s and %s as unknown', async (idByte, optionByte) => {
    const answers = [...f103];
    for (const at of [-8, -6, -4]) {
      answers.splice(answers.length + at + 1, 1, ['03fc', `${ACK}${idByte.repeat(4)}`, 2]);
    }
    const isBlank = optionByte !== '5a';
    answers.splice(-1, 1, ['0ff0', `${ACK}${isBlank ? optionByte.repeat(16) : 'a55aff00ff00ff00ff00ff00ff00ff00'}`, 2]);
    const { board } = await connect(answers);
    expect(board?.info).toMatchObject({ name: 'STM32F10x medium-density', flashSize: 65_536, uniqueId: null });
    expect(board?.info.optionBytes === null).toBe(isBlank);
  });

  it.each(['0000', 'ffff'])('treats the flash size %s as unknown', async (size) => {
    const answers = [...f103];
    answers.splice(
      answers.findIndex(([, answer]) => answer === `${ACK}4000ffff`),
      1,
      ['03fc', `${ACK}${size}ffff`, 2],
    );
    const { board } = await connect(answers);
    expect(board?.info).toMatchObject({ flashSize: null, protection: 'none' });
  });

  it('continues with an unknown part, and does not guess its sectors', async () => {
    const { board } = await connect([sync, get, ['02fd', `${ACK}01099979`], read, ...flashIsReadable]);
    expect(board?.info).toMatchObject({ name: 'STM32 (0x999)', family: null, sectors: [], flashSize: null });
    await expect(board?.write([{ offset: 0x0800_0000, bytes: new Uint8Array(4) }])).rejects.toMatchObject({
      code: 'unknown-part',
    });
  });

  it('refuses another board than the one that was being written', async () => {
    const { error } = await connect(f103, { expectedUniqueId: '000000000000000000000000' });
    expect(error).toMatchObject({ code: 'other-board' });
  });

  it('ends at once when it is cancelled, with the port closed', async () => {
    const abort = new AbortController();
    const { error, elapsed, calls } = await connect([], { signal: abort.signal }, (_port, clock) => {
      clock.schedule(300, () => abort.abort());
    });
    expect(error).toMatchObject({ code: 'cancelled' });
    expect(elapsed).toBeLessThanOrEqual(310);
    expect(calls.at(-1)).toBe('close');
  });

  it('reports an unplugged board', async () => {
    const { error } = await connect([sync], {}, (port, clock) => {
      clock.schedule(50, () => port.unplug());
    });
    expect(error).toMatchObject({ code: 'unplugged' });
  });

  it('never sends FF 00, which erases everything where a bootloader waits for pages', async () => {
    const { written } = await connect([sync, ['00ff', NACK]], { entry: stmEntries.usual });
    expect(written.filter((frame) => frame.startsWith('ff'))).toEqual([]);
    expect(written).toContain('00');
  });
});
