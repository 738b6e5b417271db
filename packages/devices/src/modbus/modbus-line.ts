/**
 * A simulated RS-485 line at which a port listens: a controller asks a pump drive, a valve block and a flow meter, and
 * now and then a tank level that is not there. Requests and answers come in one stream, as an adapter hears them. A host
 * that sends is a second controller: the first one rests until the line was quiet for a while.
 */
import { joined, viewOf } from '../byte-fields.ts';
import { createRandom, type Random } from '../random.ts';
import type { Device, DeviceLine } from '../wire/device.ts';
import { byteTime, type UartLink, uartLink } from '../wire/link.ts';
import { TimerGroup } from '../wire/timer-group.ts';
import { answerOf, type ModbusSlave } from './modbus-slave.ts';

export interface ModbusLineOptions {
  /** Rate of the line, in baud. Default 19,200, as the specification of the serial line recommends. */
  readonly baudRate?: number;
  /** Seed of the readings and of the times that devices take. Default 1. */
  readonly seed?: number;
}

/** Silence that ends a frame, in characters (MODBUS over Serial Line V1.02, section 2.5.1.1). */
const FRAME_GAP = 3.5;
/** Shortest gap in milliseconds: that of rates above 19,200 baud (same section). */
const LEAST_GAP = 1.75;
/** Milliseconds between two pieces of a frame on their way from a host (`wire.ts` delivers every 4 ms). */
const PIECE_DELAY = 4;
/** Time from one round of the controller to the next, and from one question to the next, in milliseconds. */
const ROUND = 1_000;
const STEP = 200;
/** Silence after a host's frame until the controller asks again, in milliseconds. */
const REST = 5_000;
/** Least and most time that a device takes for its answer, in milliseconds. */
const LEAST_DELAY = 4;
const MOST_DELAY = 16;

export class ModbusLine implements Device {
  readonly link: UartLink;
  readonly #seed: number;
  #life: Life | null = null;
  #heard: Uint8Array = new Uint8Array();
  #cancelGap: (() => void) | null = null;

  constructor({ baudRate = 19_200, seed = 1 }: ModbusLineOptions = {}) {
    this.link = uartLink(baudRate);
    this.#seed = seed;
  }

  attach(line: DeviceLine): void {
    const random = createRandom(this.#seed, 'modbus line');
    const startedAt = line.clock.now();
    this.#life = {
      line,
      timers: new TimerGroup(line.clock),
      random,
      slaves: demoSlaves(random),
      startedAt,
      quietUntil: 0,
    };
  }

  detach(): void {
    this.#life?.timers.cancelAll();
    this.#life = null;
    this.#heard = new Uint8Array();
  }

  /** The controller begins soon after a host has opened the port, so that the first round is heard whole. */
  hostOpened(): void {
    const life = this.#life;
    if (life !== null) {
      life.timers.cancelAll();
      life.timers.after(STEP, () => this.#round(life, 0));
    }
  }

  hostClosed(): void {
    this.#life?.timers.cancelAll();
  }

  receive(bytes: Uint8Array): void {
    const life = this.#life;
    if (life === null) {
      return;
    }
    this.#heard = joined(this.#heard, bytes);
    life.quietUntil = life.line.clock.now() + REST;
    this.#cancelGap?.();
    this.#cancelGap = life.timers.after(this.#frameGap + PIECE_DELAY, () => {
      const frame = this.#heard;
      this.#heard = new Uint8Array();
      this.#answer(life, frame);
    });
  }

  get #frameGap(): number {
    return Math.max(LEAST_GAP, FRAME_GAP * byteTime(this.link));
  }

  #round(life: Life, number: number): void {
    const { line, timers } = life;
    if (line.clock.now() >= life.quietUntil) {
      for (const [step, request] of questionsOf(number).entries()) {
        timers.after(step * STEP, () => this.#ask(life, request));
      }
    }
    timers.after(ROUND, () => this.#round(life, number + 1));
  }

  /** Sends a question of the controller, unless a host has begun to ask since the round began. */
  #ask(life: Life, request: readonly number[]): void {
    if (life.line.clock.now() < life.quietUntil) {
      return;
    }
    const frame = withChecksum(Uint8Array.from(request));
    life.line.write(frame);
    life.timers.after(frame.length * byteTime(this.link) + this.#frameGap, () => this.#answer(life, frame));
  }

  /** Lets the device that is meant answer. Damaged frames, broadcasts and other units have no answer. */
  #answer(life: Life, frame: Uint8Array): void {
    const { line, timers, random, slaves, startedAt } = life;
    const slave = slaves.find(({ unit }) => unit === frame[0]);
    if (slave === undefined || frame.length < 4 || modbusCrc(frame) !== 0) {
      return;
    }
    const answer = answerOf(slave, frame.subarray(1, -2), line.clock.now() - startedAt);
    const delay = LEAST_DELAY + random.below(MOST_DELAY - LEAST_DELAY + 1);
    timers.after(delay, () => line.write(withChecksum(joined(Uint8Array.of(slave.unit), answer))));
  }
}

interface Life {
  readonly line: DeviceLine;
  readonly timers: TimerGroup;
  readonly random: Random;
  readonly slaves: readonly ModbusSlave[];
  readonly startedAt: number;
  /** Time of the clock until which the controller rests. */
  quietUntil: number;
}

/** Units of the line. `tankLevel` is asked and is not there. */
const units = { pumpDrive: 7, valveBlock: 12, flowMeter: 21, tankLevel: 9 } as const;
/** Address of the bypass valve's coil. */
const BYPASS_VALVE = 11;

/** Returns the questions of a round, from unit to last operand, without checksum. */
function questionsOf(round: number): readonly (readonly number[])[] {
  const { pumpDrive, valveBlock, flowMeter, tankLevel } = units;
  const isOpen = Math.floor(round / 3) % 2 === 1;
  return [
    [pumpDrive, 3, 0, 0, 0, 4],
    ...(round % 3 === 1 ? [[valveBlock, 5, 0, BYPASS_VALVE, isOpen ? 0xff : 0, 0]] : []),
    [flowMeter, 4, 0, 0, 0, 4],
    ...(round % 6 === 5 ? [[flowMeter, 4, 0, 10, 0, 2]] : []),
    ...(round % 8 === 7 ? [[tankLevel, 4, 0, 0, 0, 1]] : []),
  ];
}

function demoSlaves(random: Random): readonly ModbusSlave[] {
  const { pumpDrive, valveBlock, flowMeter } = units;
  const phase = random.next() * 2 * Math.PI;
  const wave = (time: number, period: number) => Math.sin((time / period) * 2 * Math.PI + phase);
  const holding = Array.from({ length: 16 }, () => 0);
  // Set speed of the drive, in revolutions a minute.
  holding[10] = 1_480;
  const coils = Array.from({ length: 16 }, () => false);
  const identity = (code: string) => ['Wirebench demo', code, '1.0'] as const;
  return [
    {
      unit: pumpDrive,
      identification: identity('pump drive'),
      tablesAt: (time) => {
        const speed = Math.round((holding[10] as number) + wave(time, 20_000) * 12);
        // Speed in 1/min, current in 0.01 A, voltage of the DC link in V, and status: ready, running.
        holding.splice(
          0,
          4,
          speed & 0xffff,
          308 + Math.round(wave(time, 9_000) * 14),
          561 + Math.round(wave(time, 31_000) * 3),
          3,
        );
        return { coils: [], discreteInputs: [], holdingRegisters: holding, inputRegisters: [] };
      },
    },
    {
      unit: valveBlock,
      identification: identity('valve block'),
      tablesAt: () => ({ coils, discreteInputs: coils.map((isOn) => !isOn), holdingRegisters: [], inputRegisters: [] }),
    },
    {
      unit: flowMeter,
      identification: identity('flow meter'),
      tablesAt: (time) => ({
        coils: [],
        discreteInputs: [],
        holdingRegisters: [],
        // Flow in l/min and the total in litres as 32-bit numbers, the low word first (`cdab`).
        inputRegisters: [
          ...lowWordFirst((view) => view.setFloat32(0, 42.5 + wave(time, 14_000) * 3)),
          ...lowWordFirst((view) => view.setUint32(0, 182_340 + Math.floor(time / 1_400))),
        ],
      }),
    },
  ];
}

/** Returns a 32-bit number as two registers, the low word first. */
function lowWordFirst(set: (view: DataView) => void): [number, number] {
  const view = new DataView(new ArrayBuffer(4));
  set(view);
  return [view.getUint16(2), view.getUint16(0)];
}

function withChecksum(frame: Uint8Array): Uint8Array {
  const whole = joined(frame, new Uint8Array(2));
  viewOf(whole).setUint16(frame.length, modbusCrc(frame), true);
  return whole;
}

/** CRC-16/MODBUS (MODBUS over Serial Line V1.02, section 6.2.2). 0 over a frame with its own checksum. */
export function modbusCrc(bytes: Uint8Array): number {
  let register = 0xffff;
  for (const byte of bytes) {
    register ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      register = (register & 1) === 1 ? (register >> 1) ^ 0xa001 : register >> 1;
    }
  }
  return register;
}
