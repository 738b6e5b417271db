/** A host that repeats a recorded session, transaction by transaction, and says where an answer differs. */
import { createHash } from 'node:crypto';
import { VirtualClock } from '@wirebench/clock';
import { checksum, RpChip } from '../chip/rp-chip.ts';
import type { Setup } from '../rom/boot-device.ts';
import { leftOutSectors, sentBy } from './left-out-blocks.ts';
import { pattern } from './pattern.ts';
import { bytesOf, millisecondsOf, type RecordedSession, type RecordedStep } from './recorded-sessions.ts';

const flashSize = 2 * 1024 * 1024;
/** Milliseconds of a packet, as the recording host has it. */
const packetTime = 0.05;
/** Milliseconds of a control request with and without data, and of a bus reset. */
const controlTime = { in: 0.12, out: 0.08, busReset: 3 } as const;
/** Times of the emulator: its processor is slower than the flash's bus, and its oscillator fast. */
const emulatorTimes = { byte: 0.00068, exitXip: 0.28, clearMaps: 0.15 };
const emulatorBoot = { start: 0.1, attempts: 64 };
/** The emulator's timer one millisecond before a session, in microseconds. */
const timerStart = 11_333;
/** Microseconds by which a volume's serial number, which is a time, may differ. */
const timerTolerance = 4;
/** Milliseconds by which a restart may be later: it follows flash work whose time is the emulator's. */
const restartTolerance = 200;
/** The first six digits of the serial number are a register of the emulator. */
const serialDigits = 6;
const seedOfRam = 5;

export interface Difference {
  readonly step: number;
  readonly what: string;
  readonly expected: unknown;
  readonly got: unknown;
}

/** Repeats `session`. @returns What differs; nothing if the simulated ROM is equal. */
export async function replay(session: RecordedSession): Promise<Difference[]> {
  const host = new Host(session);
  return host.run();
}

interface Outcome {
  readonly result: 'ok' | 'stall' | 'nak' | 'no-answer';
  readonly data: Uint8Array;
  readonly accepted: number;
}

class Host {
  readonly #session: RecordedSession;
  readonly #clock = new VirtualClock();
  readonly #chip: RpChip;
  readonly #before: Uint8Array<ArrayBuffer>;
  readonly #toggles = new Map<number, number>();
  readonly #differences: Difference[] = [];
  #start = 0;
  #step = -1;

  constructor(session: RecordedSession) {
    this.#session = session;
    const { erase = 100_000, program = 20_000 } = session.times ?? {};
    this.#chip = new RpChip({
      clock: this.#clock,
      flashSize,
      flashTimes: { erase: erase / 1e6, program: program / 1e6 },
      romTimes: emulatorTimes,
      bootTimes: emulatorBoot,
      timerStart,
    });
    const seed = /^pattern\((\d+)\)$/.exec(session.flashBefore)?.[1];
    this.#before = seed === undefined ? new Uint8Array(flashSize).fill(0xff) : patternOnce(Number(seed)).slice();
    if (/valid second stage/.test(session.title)) {
      this.#before.set(secondStage());
    }
    this.#chip.flash.preload(0, this.#before);
  }

  async run(): Promise<Difference[]> {
    const isEnumeration = this.#session.kind === 'enumeration';
    this.#chip.holdBootsel(true);
    this.#chip.powerOn();
    await this.#clock.advance(1);
    this.#chip.holdBootsel(/BOOTSEL held/.test(this.#session.title));
    if (!isEnumeration) {
      this.#chip.rom?.device.control(parseSetup('0009010000000000'));
      const { map } = this.#chip.memories;
      this.#chip.memories.write(map.ramStart, pattern(seedOfRam, map.ramEnd - map.ramStart));
    }
    this.#start = this.#clock.now();
    for (const step of this.#session.steps) {
      this.#step++;
      await this.#perform(step);
    }
    await this.#clock.advance(10);
    this.#compareFlash();
    this.#expect('reboots', this.#session.reboots, this.#chip.restarts);
    this.#expect('toggleErrors', this.#session.toggleErrors, this.#chip.rom?.device.toggleErrors ?? 0);
    return this.#differences;
  }

  async #perform(step: RecordedStep): Promise<void> {
    switch (step.op) {
      case 'control':
        return this.#control(step);
      case 'out':
        return this.#compare(step, await this.#out(step, sentBy(this.#session, step), step.ep ?? 0));
      case 'in':
        return this.#compare(step, await this.#in(step));
      case 'bus-reset':
        await this.#until(step, controlTime.busReset);
        this.#chip.rom?.device.busReset();
        this.#toggles.clear();
        return this.#clock.advance(controlTime.busReset);
      case 'left-out':
        return this.#sendLeftOut();
      default:
        return this.#note(step);
    }
  }

  /** Waits until a step that takes `duration` ms would end at its recorded time. */
  async #until({ cycle = 0 }: RecordedStep, duration: number): Promise<void> {
    const due = this.#start + millisecondsOf(cycle) - duration;
    await this.#clock.advance(Math.max(0, due - this.#clock.now()));
  }

  /** Returns the time at which the recorded step ended; later ones end when they are done. */
  #deadline({ cycle = 0, result }: RecordedStep): number {
    const recorded = this.#start + millisecondsOf(cycle);
    return result === 'nak' ? recorded : Math.max(recorded, this.#clock.now()) + 300;
  }

  async #control(step: RecordedStep): Promise<void> {
    const setup = parseSetup(step.setup ?? '');
    const isIn = setup.type >= 0x80;
    const duration = isIn ? controlTime.in : controlTime.out;
    await this.#until(step, duration);
    const answer = this.#chip.rom?.device.control(setup) ?? 'no-answer';
    await this.#clock.advance(duration);
    if (typeof answer === 'string') {
      this.#expect('result', step.result, answer);
      return;
    }
    if (setup.type === 0 && setup.request === 9) {
      this.#toggles.clear();
    } else if (setup.type === 2 && setup.request === 1) {
      this.#toggles.set(setup.index, 0);
    }
    this.#expect('result', step.result, 'ok');
    this.#expect('reply', withoutSerial(step, step.reply ?? ''), withoutSerial(step, hexOf(answer)));
  }

  async #out(step: RecordedStep, data: Uint8Array, endpoint: number): Promise<Outcome> {
    const packets = Math.max(1, Math.ceil(data.length / 64));
    if (step.result !== 'nak') {
      await this.#until(step, packets * packetTime);
    }
    const deadline = this.#deadline(step);
    let accepted = 0;
    for (let packet = 0; packet < packets; packet++) {
      const bytes = data.slice(packet * 64, packet * 64 + 64);
      await this.#clock.advance(packetTime);
      let result = this.#sendPacket(endpoint, bytes);
      while (result === 'nak' && this.#clock.now() < deadline) {
        await this.#clock.advance(retryTime(step));
        result = this.#sendPacket(endpoint, bytes);
      }
      if (result !== 'ack') {
        return { result, data: new Uint8Array(), accepted };
      }
      accepted += bytes.length;
    }
    return { result: 'ok', data: new Uint8Array(), accepted };
  }

  #sendPacket(endpoint: number, bytes: Uint8Array): 'ack' | 'nak' | 'stall' {
    const toggle = this.#toggles.get(endpoint) ?? 0;
    const result = this.#chip.rom?.device.out(endpoint, bytes, toggle) ?? 'nak';
    if (result === 'ack') {
      this.#toggles.set(endpoint, toggle ^ 1);
    }
    return result;
  }

  async #in(step: RecordedStep): Promise<Outcome> {
    const { ep = 0, want = 0 } = step;
    const packets = Math.max(1, Math.ceil((step.length ?? (step.data ?? '').length / 2) / 64));
    if (step.result === 'ok') {
      await this.#until(step, packets * packetTime);
    }
    const deadline = this.#deadline(step);
    const parts: Uint8Array[] = [];
    let length = 0;
    for (;;) {
      await this.#clock.advance(retryTime(step));
      const answer = this.#chip.rom?.device.in(ep) ?? 'nak';
      const joined = () => Uint8Array.from(parts.flatMap((part) => [...part]));
      if (answer === 'stall') {
        return { result: 'stall', data: joined(), accepted: length };
      }
      if (answer === 'nak') {
        if (this.#clock.now() >= deadline) {
          return { result: 'nak', data: joined(), accepted: length };
        }
        continue;
      }
      const toggle = this.#toggles.get(ep) ?? 0;
      if (answer.toggle === toggle) {
        this.#toggles.set(ep, toggle ^ 1);
        parts.push(answer.data);
        length += answer.data.length;
        if (answer.data.length < 64 || length >= want) {
          return { result: 'ok', data: joined(), accepted: length };
        }
      }
    }
  }

  #compare(step: RecordedStep, outcome: Outcome): void {
    this.#expect('result', step.result, outcome.result);
    if (step.op === 'out') {
      if (step.accepted !== undefined) {
        this.#expect('accepted', step.accepted, outcome.accepted);
      }
      return;
    }
    if (step.sha256 === undefined) {
      this.#expect('data', step.data, hexOf(outcome.data));
      return;
    }
    this.#expect('length', step.length, outcome.data.length);
    if (step.of !== 'ROM' && !this.#isIndexFile(step) && !isSameSector(step.sha256, outcome.data)) {
      this.#expect('sha256', step.sha256, sha256(outcome.data));
    }
  }

  /** The text of INDEX.HTM is the ROM's own. */
  #isIndexFile(step: RecordedStep): boolean {
    const command = this.#session.steps[this.#session.steps.indexOf(step) - 1];
    return command?.name === 'READ(10) 292 ×1';
  }

  async #sendLeftOut(): Promise<void> {
    const before = this.#session.steps.slice(0, this.#step).filter(({ header }) => header !== undefined).length;
    const free = (name: string): RecordedStep => ({ op: 'out', name, result: 'ok' });
    for (const [index, sector] of leftOutSectors(this.#session).entries()) {
      const command = new DataView(new ArrayBuffer(31));
      command.setUint32(0, 0x4342_5355, true);
      command.setUint32(4, 0x1001 + before + index, true);
      command.setUint32(8, 512, true);
      command.setUint8(14, 10);
      command.setUint8(15, 0x2a);
      command.setUint32(17, 4_000 + before + index);
      command.setUint16(22, 1);
      const outcomes = [
        await this.#out(free('WRITE(10)'), new Uint8Array(command.buffer), 2),
        await this.#out(free('data'), sector, 2),
        await this.#in({ op: 'in', ep: 0x81, want: 13, data: ' '.repeat(26), result: 'ok' }),
      ];
      this.#expect(`results of block ${index}`, 'ok ok ok', outcomes.map(({ result }) => result).join(' '));
      this.#expect(`CSW of block ${index}`, 0, outcomes[2]?.data[12]);
    }
  }

  async #note(step: RecordedStep): Promise<void> {
    await this.#until(step, 0);
    if (step.rebooted !== undefined) {
      await this.#clock.advance(step.rebooted && this.#chip.restarts === 0 ? restartTolerance : 0);
      this.#expect('rebooted', step.rebooted, this.#chip.restarts > 0);
    }
    if (step.scratch !== undefined) {
      const got = this.#chip.scratch.map((word) => `0x${word.toString(16)}`);
      this.#expect('scratch', step.scratch.join(), got.join());
    }
    if (step.then !== undefined) {
      await this.#clock.advance(1);
      const states: Readonly<Record<string, string>> = { running: 'the program runs', bootsel: 'back in BOOTSEL' };
      this.#expect('then', step.then, states[this.#chip.state] ?? this.#chip.state);
    }
  }

  #compareFlash(): void {
    const after = this.#chip.content.read(0, flashSize);
    const { sha256: hash, changed, log } = this.#session.flash;
    this.#expect('flash', hash, sha256(after));
    const { flashBefore } = this.#session;
    const named = flashBefore === 'erased' ? new Uint8Array(flashSize).fill(0xff) : this.#before;
    const ranges = changedRanges(named, after).map(([from, to]) => `${from}–${to} ${sha256(after.subarray(from, to))}`);
    this.#expect('changed', changed.map(({ from, to, sha256: sum }) => `${from}–${to} ${sum}`).join(), ranges.join());
    const shown = this.#chip.flash.events.map((event) => {
      const { what } = event;
      if ('command' in event) {
        return { what, cmd: event.command, times: 1, ...('bytes' in event ? { bytes: event.bytes } : {}) };
      }
      return { ...event, times: 1 };
    });
    this.#expect('log', log.map(canonical).join('\n'), shown.map(canonical).join('\n'));
  }

  #expect(what: string, expected: unknown, got: unknown): void {
    if (expected !== got) {
      this.#differences.push({ step: this.#step, what, expected, got });
    }
  }
}

const patterns = new Map<number, Uint8Array<ArrayBuffer>>();

function patternOnce(seed: number): Uint8Array<ArrayBuffer> {
  const known = patterns.get(seed) ?? pattern(seed, flashSize);
  patterns.set(seed, known);
  return known;
}

/** Milliseconds until a refused packet is sent again. Where the recording waited in vain, fewer attempts do. */
function retryTime({ result }: RecordedStep): number {
  return result === 'nak' ? 2 : packetTime;
}

function parseSetup(hex: string): Setup {
  const view = new DataView(bytesOf(hex).buffer);
  return {
    type: view.getUint8(0),
    request: view.getUint8(1),
    value: view.getUint16(2, true),
    index: view.getUint16(4, true),
    length: view.getUint16(6, true),
  };
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Leaves out the digits of the serial number that come from a register. */
function withoutSerial({ name }: RecordedStep, reply: string): string {
  return name === 'string 3' ? reply.slice(0, 4) + reply.slice(4 + serialDigits * 4) : reply;
}

/** True if a sector with a volume's serial number is equal but for a few microseconds. */
function isSameSector(hash: string, data: Uint8Array): boolean {
  if (data.length !== 512) {
    return false;
  }
  const offset = data[510] === 0x55 ? 0x1b8 : 39;
  const serial = new DataView(data.buffer, data.byteOffset).getUint32(offset, true);
  for (let late = -timerTolerance; late <= timerTolerance; late++) {
    const copy = data.slice();
    new DataView(copy.buffer).setUint32(offset, serial + late, true);
    if (sha256(copy) === hash) {
      return true;
    }
  }
  return false;
}

/** The second stage of the recordings: it stores a word, loops, and has a valid checksum. */
function secondStage(): Uint8Array {
  const stage = new Uint8Array(256);
  stage.set(bytesOf('014802490160fee7001000200200feca'));
  new DataView(stage.buffer).setUint32(252, checksum(stage.subarray(0, 252)), true);
  return stage;
}

function canonical(entry: object): string {
  return JSON.stringify(Object.entries(entry).sort(([left], [right]) => left.localeCompare(right)));
}

/** Ranges of whole pages that differ. Neighbours are joined. */
function changedRanges(before: Uint8Array, after: Uint8Array): readonly (readonly [from: number, to: number])[] {
  const ranges: [number, number][] = [];
  for (let at = 0; at < before.length; at += 256) {
    if (Buffer.compare(before.subarray(at, at + 256), after.subarray(at, at + 256)) !== 0) {
      const last = ranges.at(-1);
      if (last !== undefined && last[1] === at) {
        last[1] = at + 256;
      } else {
        ranges.push([at, at + 256]);
      }
    }
  }
  return ranges;
}
