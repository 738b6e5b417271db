/**
 * The lab's end of the line: puts a board on the bench, runs its instruments and tells what happens. Runs beside the bench, whose
 * devices and log it uses: a board is never open in both. What an instrument does is known to `@wirebench/lab`, what a person does
 * with one to the files beside this.
 */
import type { Clock } from '@wirebench/clock';
import { LabError, type LabStep, labFailureText, openLab, pinRule } from '@wirebench/lab';
import type { Bench } from '@wirebench/serial';
import type { PortSource } from '../../bench-protocol.ts';
import type { CallFailure, Channel } from '../../calls/call-protocol.ts';
import { type CallHandlers, CallServer } from '../../calls/call-server.ts';
import type { PortDevices } from '../../host/port-devices.ts';
import { type ConnectLab, type LabApi, type LabBoard, type LabMishap, type LabTick, labPort } from '../lab-protocol.ts';
import { BusLog } from './bus-log.ts';
import { LabSession } from './lab-session.ts';

/** What a demo board's own program talks at, in baud. */
const consoleBaudRate = 115_200;
/** Levels are shown at most thirty times a second: milliseconds between two ticks. */
const tickPause = 33;

export interface LabHostParts {
  readonly clock: Clock;
  readonly devices: PortDevices;
  readonly bench: Bench;
}

export class LabHost {
  readonly #parts: LabHostParts;
  readonly #log: BusLog;
  readonly #line: CallServer<LabApi, LabTick>;
  #session: LabSession | null = null;
  /** Ends the connect that is under way. */
  #connecting: AbortController | null = null;
  #step: LabStep | null = null;
  #lost: LabMishap | null = null;

  constructor(channel: Channel, parts: LabHostParts) {
    this.#parts = parts;
    this.#log = new BusLog(parts.bench);
    this.#line = new CallServer({
      channel,
      clock: parts.clock,
      handlers: this.#handlers(),
      tick: () => this.#tick(),
      interval: () => tickPause,
      failureOf,
    });
  }

  #handlers(): CallHandlers<LabApi> {
    return {
      connect: (source, request) => this.#connect(source, request),
      cancel: () => {
        this.#connecting?.abort();
        this.#session?.i2c.cancel();
      },
      setBaudRate: async (rate) => {
        const { lab } = this.#open();
        await lab.setBaudRate(rate);
        this.#log.notice('info', `The link to the board runs at ${lab.baudRate} baud`);
      },
      leave: () => this.#leave(),
      setPin: (gpio, use) => this.#open().setPin(gpio, use),
      releasePin: (gpio) => this.#open().releasePin(gpio),
      openI2c: (bus) => this.#open().i2c.open(bus),
      closeI2c: () => this.#open().i2c.close(),
      findBuses: () => this.#open().i2c.findBuses(),
      scan: () => this.#open().i2c.scan(),
      transfer: (address, write, read) => this.#open().i2c.transfer(address, write, read),
      recover: () => this.#open().i2c.recover(),
      openSpi: (bus) => this.#open().openSpi(bus),
      closeSpi: () => this.#open().closeSpi(),
      exchange: (bytes) => this.#open().exchange(bytes),
      openUart: (bridge) => this.#open().uart.open(bridge),
      closeUart: () => this.#open().uart.close(),
      sendUart: (bytes) => this.#open().uart.send(bytes),
      readWords: (addresses) => this.#open().readWords(addresses),
      writeWord: (address, value, mask) => this.#open().writeWord(address, value, mask),
      transferAll: (transfers, what) => this.#open().devices.transferAll(transfers, what),
      repeat: (job) => this.#open().devices.repeat(job),
      endRepeat: (address) => this.#open().devices.endRepeat(address),
      display: () => {
        this.#open();
        return this.#parts.devices.simulatedDisplay(labPort);
      },
    };
  }

  async #connect(source: PortSource, { baudRate, byHand }: ConnectLab): Promise<LabBoard> {
    this.#connecting?.abort();
    await this.#leave();
    const connecting = new AbortController();
    this.#connecting = connecting;
    this.#lost = null;
    const { clock, devices } = this.#parts;
    try {
      const device = await devices.take(labPort, source, consoleBaudRate);
      const lab = await openLab(device, {
        clock,
        baudRate,
        signal: connecting.signal,
        entry: byHand ? 'buttons' : 'lines',
        returned: (signal) => devices.returned(labPort, signal),
        onStep: (step) => {
          this.#step = step;
          this.#line.change();
        },
      });
      const session = new LabSession(lab, { clock, log: this.#log, onChange: () => this.#line.change() });
      this.#session = session;
      lab.over.addEventListener('abort', () => this.#over(session));
      await session.start();
      const demo = devices.facts(labPort)?.kind === 'demo';
      this.#log.notice(
        'success',
        `${lab.info.description} answers from its boot ROM. Crystal ${lab.info.crystal} MHz, ${lab.baudRate} baud, nothing is written to flash`,
      );
      return boardOf(session, demo, device.getInfo());
    } catch (error) {
      const { message, detail } = mishapOf(error);
      this.#log.notice('error', [message, detail].filter(Boolean).join(' '));
      throw error;
    } finally {
      if (this.#connecting === connecting) {
        this.#connecting = null;
        this.#step = null;
      }
      this.#line.change();
    }
  }

  async #leave(): Promise<void> {
    const session = this.#session;
    if (session === null) {
      return;
    }
    this.#session = null;
    await session.lab.leave();
    this.#log.notice('info', 'The bench has left the board: its pins were released, and it was reset');
    this.#line.change();
  }

  /** The board is gone, and nobody has left it. */
  #over(session: LabSession): void {
    if (this.#session !== session) {
      return;
    }
    this.#session = null;
    this.#lost = mishapOf(session.lab.over.reason);
    this.#log.notice('error', this.#lost.message);
    this.#line.change();
  }

  #open(): LabSession {
    if (this.#session === null) {
      throw new LabError('left');
    }
    return this.#session;
  }

  #tick(): LabTick {
    return {
      step: this.#step,
      open: this.#session !== null,
      lost: this.#lost,
      ...(this.#session === null ? nothingOpen : this.#session.tick()),
    };
  }
}

const nothingOpen: Omit<LabTick, 'step' | 'open' | 'lost'> = {
  baudRate: 0,
  levels: null,
  owned: [],
  looks: [],
  levelReads: 0,
  counters: { writes: 0, reads: 0, roundTrip: 0 },
  i2c: null,
  scan: null,
  stuck: false,
  found: [],
  spi: null,
  uart: null,
  samples: [],
  cycles: [],
};

function boardOf({ lab }: LabSession, demo: boolean, port: SerialPortInfo): LabBoard {
  const { chip, info } = lab;
  return {
    ...info,
    demo,
    port,
    pins: chip.pins.flatMap(({ gpio, adcChannel, pulls }) => {
      const { kind, reason } = pinRule(chip, gpio);
      return kind === 'absent' ? [] : [{ gpio, rule: kind, reason, adc: adcChannel !== null, pulls }];
    }),
    registers: chip.registers.map(({ name, registers }) => ({
      name,
      registers: registers.map(({ readTakes = false, writeOnly = false, ...register }) => ({
        ...register,
        readTakes,
        writeOnly,
      })),
    })),
  };
}

function mishapOf(error: unknown): LabMishap {
  if (error instanceof LabError) {
    const { code, message, detail } = error;
    return { code, message, remedy: labFailureText[code].remedy, detail };
  }
  return { code: null, message: error instanceof Error ? error.message : String(error), remedy: null, detail: null };
}

function failureOf(error: unknown): CallFailure {
  const detail = mishapOf(error);
  const name = error instanceof Error ? error.name : 'Error';
  return { name, message: detail.message, code: detail.code, detail };
}
