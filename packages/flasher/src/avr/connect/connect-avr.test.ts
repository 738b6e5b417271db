/** Connecting to what the simulated boards do not have: other bootloaders, a programmer, unknown parts. */
import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { noise } from '../../testing/program.ts';
import { runOn } from '../../testing/run-on.ts';
import { answerBy, type ScriptedAnswer } from '../../testing/scripted-answers.ts';
import type { AvrConnectOptions } from '../avr-board.ts';
import { v2Frame } from '../stk500v2/v2-driver.ts';
import { connectAvr } from './connect-avr.ts';

const inSync = '1410';
const sync: ScriptedAnswer = ['3020', inSync];
const enter: ScriptedAnswer = ['5020', inSync];
const parameter = (code: string, value: string): ScriptedAnswer => [`41${code}20`, `14${value}10`];
const versions = (hardware: string, major: string, minor: string) => [
  parameter('80', hardware),
  parameter('81', major),
  parameter('82', minor),
];
const signature = (bytes: string): ScriptedAnswer => ['7520', `14${bytes}10`];

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
/** A request of STK500 v2 and its answer, each with a sequence number. */
const v2 = (sequence: number, request: string, answer: string): ScriptedAnswer => [
  hexOf(v2Frame(sequence, Buffer.from(request, 'hex'))),
  hexOf(v2Frame(sequence, Buffer.from(answer, 'hex'))),
];

function connect(answers: readonly ScriptedAnswer[], options: Partial<AvrConnectOptions> = {}) {
  const clock = new VirtualClock(1_000);
  const port = new FakeSerialPort();
  const unanswered = answerBy(port, answers);
  const run = <Result>(work: Promise<Result>) => runOn(clock, work);
  const connecting = run(connectAvr(port, { clock, resetWindow: 0, ...options }));
  return { port, clock, unanswered, run, connecting };
}

/** Answers of a programmer. */
const programmer = [
  v2(1, '01', `010008${Buffer.from('AVRISP_2').toString('hex')}`),
  v2(2, '0391', '030001'),
  v2(3, '0392', '03000a'),
  v2(4, '0394', '030032'),
];

/** Connects to a board that answers each `request` only after `delay` milliseconds. `forget` is a reset. */
function connectLate(delay: number, request: string, answers: readonly ScriptedAnswer[]) {
  const connected = connect(answers);
  const { port, clock } = connected;
  const answer = port.onWrite;
  let resets = 0;
  port.onWrite = (bytes) => {
    const before = resets;
    const answerThen = () => before === resets && answer?.(bytes);
    clock.schedule(hexOf(bytes) === request ? delay : 0, answerThen);
  };
  const forget = () => {
    resets++;
  };
  return { ...connected, forget };
}

describe('connecting to an AVR', () => {
  it('tells optiboot from ATmegaBOOT by the hardware version', async () => {
    for (const [hardware, bootloader] of [
      ['03', 'optiboot'],
      ['02', 'atmegaboot'],
      ['07', 'unknown'],
    ] as const) {
      const answers = [sync, enter, ...versions(hardware, '08', '03'), signature('1e9599')];
      const { connecting, run } = connect(answers);
      const board = await connecting;
      expect(board.info).toMatchObject({ bootloader, bootloaderVersion: '8.3', fuses: null });
      await run(board.close());
    }
  });

  it('reports the signature of an unknown part, and writes nothing to it', async () => {
    const { connecting, run } = connect([sync, enter, ...versions('03', '08', '03'), signature('1e9599')]);
    const board = await connecting;
    expect(board.info).toMatchObject({
      part: 'AVR (0x1E9599)',
      signature: '0x1E9599',
      model: null,
      flashSize: 0,
      bootloaderRange: null,
    });
    const writing = board.write([{ offset: 0, bytes: noise(4) }]);
    await expect(run(writing)).rejects.toMatchObject({ code: 'unknown-part', state: 'unchanged' });
    await run(board.close());
  });

  it('uses a signature that two readings agree on', async () => {
    const damaged: ScriptedAnswer = ['7520', '141e950e10', 1];
    const { connecting, run } = connect([sync, enter, ...versions('03', '08', '03'), damaged, signature('1e9599')]);
    const board = await connecting;
    expect(board.info.signature).toBe('0x1E9599');
    await run(board.close());
  });

  it('pulses DTR and RTS, then waits before it asks', async () => {
    const { connecting, port } = connect([]);
    await expect(connecting).rejects.toMatchObject({ code: 'no-answer', name: 'AvrError' });
    expect(port.calls).toContain('open 57600 none 1048576');
    const pulses = port.calls.filter((call) => call === 'lines - -');
    expect(pulses).toHaveLength(4);
    expect(port.calls[port.calls.indexOf('lines - -') + 1]).toBe('lines DTR RTS');
    expect(port.isOpen).toBe(false);
  });

  it('gives answers more time after one came late', async () => {
    const answers = [sync, enter, ...versions('03', '08', '03'), signature('1e9599')];
    const { connecting, run, port, forget } = connectLate(700, '3020', answers);
    const setSignals = port.setSignals.bind(port);
    port.setSignals = (signals) => {
      forget();
      return setSignals(signals);
    };
    const board = await connecting;
    expect(board.info).toMatchObject({ bootloader: 'optiboot', entered: 'lines' });
    await run(board.close());
  });

  it('gives answers more time after a board that missed one has answered again', async () => {
    const answers = [sync, enter, ...versions('03', '08', '03'), signature('1e9599')];
    const { connecting, run } = connectLate(700, '7520', answers);
    const board = await connecting;
    expect(board.info).toMatchObject({ signature: '0x1E9599' });
    await run(board.close());
  });

  it('finds a programmer whose first answers come late', async () => {
    const { connecting } = connectLate(400, hexOf(v2Frame(1, Uint8Array.of(1))), programmer);
    await expect(connecting).rejects.toMatchObject({ code: 'programmer', detail: 'AVRISP_2' });
  });

  it('does not touch the lines if the caller says that they do not reset', async () => {
    const { connecting, port } = connect([], { autoReset: false });
    await expect(connecting).rejects.toMatchObject({ code: 'no-answer' });
    expect(port.calls.filter((call) => call.startsWith('lines - -'))).toEqual([]);
  });

  it('refuses a programmer, whose Chip Erase would erase the bootloader', async () => {
    const { connecting, port } = connect(programmer);
    await expect(connecting).rejects.toMatchObject({ code: 'programmer', detail: 'AVRISP_2' });
    expect(port.isOpen).toBe(false);
  });
});

/** Answers like optiboot on an ATmega4809 (`optiboot_x.c`): addresses in bytes, flash and EEPROM apart. */
function answerAs4809(port: FakeSerialPort, flash: Uint8Array, eeprom: Uint8Array): void {
  let address = 0;
  const reply = (...data: readonly number[]) => port.receive(Uint8Array.of(0x14, ...data, 0x10));
  port.onWrite = (bytes) => {
    const [code, first = 0, second = 0, memory = 0] = bytes;
    const target = memory === 0x46 ? flash : eeprom;
    const length = (first << 8) | second;
    if (code === 0x55) {
      address = first | (second << 8);
      reply();
    } else if (code === 0x64) {
      target.set(bytes.subarray(4, 4 + length), address);
      reply();
    } else if (code === 0x74) {
      reply(...target.subarray(address, address + length));
    } else if (code === 0x41) {
      reply(first === 0x81 ? 9 : first === 0x82 ? 1 : 3);
    } else if (code === 0x75) {
      reply(0x1e, 0x96, 0x51);
    } else {
      reply();
    }
  };
}

describe('an ATmega4809 with optiboot', () => {
  it('is written behind its bootloader, by addresses in bytes', async () => {
    const clock = new VirtualClock(1_000);
    const port = new FakeSerialPort();
    const flash = noise(0xc000, 4);
    const eeprom = noise(256, 5);
    const before = flash.slice();
    answerAs4809(port, flash, eeprom);
    const run = <Result>(work: Promise<Result>) => runOn(clock, work);
    const board = await run(connectAvr(port, { clock }));
    expect(board.info).toMatchObject({
      part: 'ATmega4809',
      bootloaderVersion: '9.1',
      bootloaderRange: { offset: 0, length: 512 },
      application: { offset: 512, length: 0xbe00 },
      hasEeprom: true,
    });
    const regions = [{ offset: 512, bytes: noise(1_000, 6) }];
    const data = [{ offset: 5, bytes: noise(40, 7) }];
    await run(board.write(regions, { eeprom: data }));
    before.set(noise(1_000, 6), 512);
    expect(Buffer.compare(flash, before)).toBe(0);
    expect(eeprom.subarray(5, 45)).toEqual(noise(40, 7));
    const boot = board.write([{ offset: 0, bytes: noise(4) }]);
    await expect(run(boot)).rejects.toMatchObject({ code: 'reaches-bootloader' });
    await run(board.close());
  });
});
