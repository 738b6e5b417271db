/**
 * Worker side of the lab: puts a board on the bench, runs its instruments and reports events. It runs beside the bench
 * and uses the bench's devices and log, so a board is never open in both. `@wirebench/lab` has the instruments'
 * commands, and the files in this folder the user's operations.
 */
import type { Clock } from '@wirebench/clock';
import { type Lab, LabError, type LabStep, labFailureText, openLab, pinRule } from '@wirebench/lab';
import type { Bench } from '@wirebench/serial';
import type { PortSource } from '../../protocol/bench/port-part.ts';
import type { CallFailure, Channel } from '../../protocol/calls/call-protocol.ts';
import { type CallHandlers, CallServer } from '../../protocol/calls/call-server.ts';
import {
  type ConnectLab,
  type LabApi,
  type LabBoard,
  type LabFailure,
  type LabTick,
  labPort,
  nothingOpen,
} from '../../protocol/lab-protocol.ts';
import { PlaceOutdatedError, type PortDevices } from '../bench/port-devices.ts';
import { abortAfterReset } from './abort-after-reset.ts';
import { BusLog } from './bus-log.ts';
import { FlashWatch } from './flash-watch.ts';
import { InOrder } from './in-order.ts';
import { LabSession } from './lab-session.ts';

/** Rate of a demo board's own program, in baud. */
const consoleBaudRate = 115_200;
/** Factor on the time-outs for a simulated board, because it shares the computer with everything else. */
const demoPatience = 4;
/** Minimum time between two ticks, in milliseconds: levels are shown at most thirty times a second. */
const tickPause = 33;

const leftText = 'The page was left before flash could be hashed again.';
const unreachableText = 'No line resets this board, and the program that runs on it cannot hash flash.';
const missedText = 'The board was lost before its flash could be hashed again.';
const drivenText = 'A board with a supply of its own may still drive its pins: press EN.';
const pressText = 'Press EN to start its own program: no line of this board does.';

export interface LabWorkerParts {
  readonly clock: Clock;
  readonly devices: PortDevices;
  readonly bench: Bench;
}

export class LabWorker {
  readonly #parts: LabWorkerParts;
  readonly #log: BusLog;
  readonly #line: CallServer<LabApi, LabTick>;
  readonly #flash: FlashWatch;
  #session: LabSession | null = null;
  /** True: the session's board has no control line that resets it. */
  #byHand = false;
  /** Resolves when the last session has ended. Until then its port is still open. */
  #ending: Promise<void> = Promise.resolve();
  /** Parts of the ending that can be cut short. */
  #leaving: { readonly lab: Lab; readonly hashing: AbortController } | null = null;
  readonly #connects = new InOrder();
  /** Cancels the current connect. */
  #connecting: AbortController | null = null;
  #step: LabStep | null = null;
  #lost: LabFailure | null = null;

  constructor(channel: Channel, parts: LabWorkerParts) {
    this.#parts = parts;
    this.#log = new BusLog(parts.bench);
    this.#flash = new FlashWatch(parts, { log: this.#log, onChange: () => this.#line.change() });
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
        this.#leaving?.hashing.abort();
      },
      loadProgram: () => this.#open().probe.load(),
      capture: (order) => this.#open().capturing.capture(order),
      captureTransfer: (pins, meant) => this.#open().capturing.captureTransfer(pins, meant),
      cancelProgram: () => this.#session?.endWaiting(),
      setBaudRate: async (rate) => {
        const { lab } = this.#open();
        await lab.setBaudRate(rate);
        this.#log.notice('info', `The link to the board runs at ${lab.baudRate} baud`);
      },
      leave: (atOnce = false) => this.#leave(atOnce),
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
      openCounter: (counter) => this.#open().counter.open(counter),
      resetCounter: () => this.#open().counter.reset(),
      closeCounter: () => this.#open().counter.close(),
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

  /** Connects a board. An earlier connect is cancelled, and releases its port first. */
  #connect(source: PortSource, request: ConnectLab): Promise<LabBoard> {
    this.#connecting?.abort();
    const connecting = new AbortController();
    this.#connecting = connecting;
    return this.#connects.run(() => this.#connectNow(source, request, connecting));
  }

  async #connectNow(source: PortSource, request: ConnectLab, connecting: AbortController): Promise<LabBoard> {
    const { signal } = connecting;
    try {
      await this.#leave(false);
      if (signal.aborted) {
        throw new LabError('cancelled');
      }
      this.#lost = null;
      const session = await this.#attach(source, (device) => this.#openSession(device, request, signal));
      const { lab } = session;
      this.#session = session;
      this.#byHand = request.byHand;
      lab.over.addEventListener('abort', () => this.#over(session));
      this.#log.notice(
        'success',
        `${lab.info.description} answers from ${lab.runsProbe ? 'the bench program in its flash' : 'its boot ROM'}. Crystal ${lab.info.crystal} MHz, ${lab.baudRate} baud, nothing is written to flash`,
      );
      const { devices } = this.#parts;
      const demo = devices.facts(labPort)?.kind === 'demo';
      return boardOf(session, demo, devices.info(labPort) ?? {});
    } catch (error) {
      const { message, detail } = labFailureOf(error);
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

  /** Opens a session and reads its pins. A failure leaves nothing open. */
  async #openSession(
    port: SerialPort,
    { baudRate, byHand, mac, checkFlash = false }: ConnectLab,
    signal: AbortSignal,
  ): Promise<LabSession> {
    const { clock } = this.#parts;
    const isDemo = this.#parts.devices.facts(labPort)?.kind === 'demo';
    const left: number[] = [];
    const onLeftPins = (gpios: readonly number[]) => {
      left.push(...gpios);
      this.#log.notice(
        'warning',
        `${outputsText(gpios, 'still ')} when this connect began, before the board was reset.`,
      );
    };
    // A demo board ends with its page, so its pins cannot be left set by an earlier page.
    const asks = isDemo ? {} : { onLeftPins };
    const hashed = checkFlash ? await this.#flash.before(port, { baudRate, byHand, mac, signal, ...asks }) : null;
    if (hashed === null) {
      this.#flash.forget();
    }
    let lab: Lab | null = null;
    try {
      // After the first hash, a chip on its own USB has come back as another port.
      const device = hashed === null ? port : await this.#portAgain();
      const ends = hashed === null || byHand ? { signal, onStep: () => undefined } : abortAfterReset(signal);
      const expectedMac = mac ?? hashed?.mac ?? null;
      lab = await openLab(device, {
        clock,
        baudRate,
        signal: ends.signal,
        entry: byHand ? 'buttons' : 'lines',
        ...(expectedMac !== null && { expectedMac }),
        ...(isDemo && { patience: demoPatience }),
        ...(hashed === null && asks),
        returned: this.#parts.devices.returning(labPort),
        onStep: (step) => {
          ends.onStep(step);
          this.#step = step;
          this.#line.change();
        },
      });
      const session = new LabSession(lab, { clock, log: this.#log, onChange: () => this.#line.change() });
      const driven = await session.start(signal);
      lab.over.throwIfAborted();
      const released = left.filter((gpio) => !driven.includes(gpio));
      this.#tellOfPins(released, driven);
      return session;
    } catch (error) {
      // Without a session, no second hash follows.
      this.#flash.forget();
      await lab?.leave();
      throw error;
    }
  }

  /**
   * Logs the pins that were outputs.
   *
   * @param released Outputs before the reset, which the reset has released.
   * @param driven Outputs that this bench has not set.
   */
  #tellOfPins(released: readonly number[], driven: readonly number[]): void {
    if (released.length > 0) {
      this.#log.notice('info', `The reset has released ${pinsText(released)}.`);
    }
    if (driven.length > 0) {
      this.#log.notice(
        'warning',
        `${outputsText(driven)} when this bench opened, and nothing on it had set them. Release them here, or press Leave.`,
      );
    }
  }

  /**
   * Opens the board through `open`. After a failure the port keeps its previous device, so a board that proved to be
   * another one is not `same` the next time.
   */
  async #attach<Result>(source: PortSource, open: (port: SerialPort) => Promise<Result>): Promise<Result> {
    try {
      return await this.#parts.devices.attach(labPort, source, consoleBaudRate, open);
    } catch (error) {
      throw source.kind === 'same' && error instanceof PlaceOutdatedError
        ? new LabError('port-gone', { cause: error })
        : error;
    }
  }

  /** Takes the port of the board again that was released just before. */
  #portAgain(): Promise<SerialPort> {
    return this.#parts.devices.take(labPort, { kind: 'same' }, consoleBaudRate);
  }

  async #leave(atOnce: boolean): Promise<void> {
    const session = this.#session;
    if (session !== null) {
      this.#session = null;
      const hashing = new AbortController();
      this.#leaving = { lab: session.lab, hashing };
      this.#ending = this.#end(session, atOnce, hashing.signal);
    } else if (atOnce) {
      this.#leaving?.hashing.abort();
      void this.#leaving?.lab.leave({ atOnce });
    }
    // The board cannot be opened before its port is closed.
    await this.#ending;
  }

  /** @param hashing Cancels the second hash. */
  async #end(session: LabSession, atOnce: boolean, hashing: AbortSignal): Promise<void> {
    const { lab } = session;
    const { baudRate, info } = lab;
    // Only a reset ends the program in RAM, and a board without reset lines cannot be brought back into its ROM.
    const isReachable = !(this.#byHand && (session.probe.running !== null || lab.runsProbe));
    const checks = this.#flash.isDue && !atOnce && isReachable;
    // Ends work that would keep the link occupied.
    session.endWaiting();
    await lab.leave({ restart: !checks, atOnce });
    const { code, message, detail } = labFailureOf(lab.over.reason);
    if (code !== 'left') {
      this.#flash.miss(missedText);
      this.#log.notice('error', [message, drivenText].join(' '));
    } else {
      this.#log.notice(
        detail === null ? 'info' : 'warning',
        [
          `The bench has left the board: ${detail ?? 'its pins were released.'}`,
          this.#byHand && !checks ? pressText : null,
        ]
          .filter(Boolean)
          .join(' '),
      );
      if (checks) {
        const device = await this.#portAgain().catch(() => null);
        if (device === null) {
          this.#flash.miss(missedText);
        } else {
          const { mac } = info;
          await this.#flash.after(device, { baudRate, byHand: this.#byHand, mac: mac || undefined, signal: hashing });
        }
        if (this.#byHand) {
          this.#log.notice('info', pressText);
        }
      } else {
        this.#flash.miss(atOnce ? leftText : unreachableText);
      }
    }
    this.#line.change();
  }

  /** Called when the board has vanished without a `leave`. */
  #over(session: LabSession): void {
    if (this.#session !== session) {
      return;
    }
    this.#session = null;
    this.#ending = session.lab.leave();
    this.#lost = labFailureOf(session.lab.over.reason);
    this.#flash.miss(missedText);
    const { code, message } = this.#lost;
    const isReset = !this.#byHand && code !== 'unplugged' && code !== 'port-failed';
    this.#log.notice('error', isReset ? message : `${message} ${drivenText}`);
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
      flash: this.#flash.check,
      lost: this.#lost,
      ...(this.#session === null ? nothingOpen : this.#session.tick()),
    };
  }
}

function boardOf({ lab }: LabSession, demo: boolean, port: SerialPortInfo): LabBoard {
  const { chip, info } = lab;
  return {
    ...info,
    demo,
    countsEdges: chip.pcnt !== null && chip.rmt !== null,
    runsProbe: lab.runsProbe,
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

/** Formats pin numbers: `GPIO 25, 26`. */
const pinsText = (gpios: readonly number[]) => `GPIO ${gpios.join(', ')}`;

const outputsText = (gpios: readonly number[], still = '') =>
  `${pinsText(gpios)} ${gpios.length === 1 ? `was ${still}an output` : `were ${still}outputs`}`;

function labFailureOf(error: unknown): LabFailure {
  if (error instanceof LabError) {
    const { code, message, detail } = error;
    return { code, message, remedy: labFailureText[code].remedy, detail };
  }
  return { code: null, message: error instanceof Error ? error.message : String(error), remedy: null, detail: null };
}

function failureOf(error: unknown): CallFailure {
  const detail = labFailureOf(error);
  const name = error instanceof Error ? error.name : 'Error';
  return { name, message: detail.message, code: detail.code, detail };
}
