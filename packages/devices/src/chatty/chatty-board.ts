/**
 * A simulated ESP32 behind a USB bridge with the auto-reset circuit. Its firmware logs its start in colour and then
 * offers a small shell. All output follows from its seed, its input and the clock. It enters download mode but cannot
 * be flashed; `FlashableBoard` adds that.
 */
import type { Clock } from '@wirebench/clock';
import { ResetCircuit } from '../esp/reset-circuit.ts';
import { createRandom, type Random } from '../random.ts';
import type { ControlLines, Device, DeviceLine } from '../wire/device.ts';
import { byteTime, type UartLink, uartLink } from '../wire/link.ts';
import { TimerGroup } from '../wire/timer-group.ts';
import { bootLog, downloadText, logLine, type ResetReason, romStart, romText } from './boot-log.ts';
import type { CommandBoard } from './command.ts';
import { crashText } from './crash/crash-text.ts';
import type { CrashKind } from './crash/scenes.ts';
import { panicRestart, panicText } from './panic.ts';
import { climateReading } from './sensors.ts';
import { Shell } from './shell.ts';

export interface ChattyBoardOptions {
  /** Rate of the board's UART, in baud. Default 115200. */
  readonly baudRate?: number;
  /** Seed of the readings and of the load generator's text. Default 1. */
  readonly seed?: number;
  /**
   * `attach`: the board starts when it gets power, as hardware does. `first-open`: it waits until a host opens the
   * port, so that the host receives the boot log. Default `attach`.
   */
  readonly powerUp?: 'attach' | 'first-open';
  /** True: print the sensors' readings every two seconds from the start. Default false. */
  readonly sensors?: boolean;
}

/** Size of the UART's receive FIFO in bytes. It keeps input that arrives during the boot. */
const fifoSize = 128;
const sensorInterval = 2_000;
const lineFeed = 0x0a;

/** State of the board from power on to power off. */
interface Life {
  readonly line: DeviceLine;
  readonly circuit: ResetCircuit;
  readonly timers: TimerGroup;
  readonly random: Random;
}

export class ChattyBoard implements Device {
  readonly #options: Required<ChattyBoardOptions>;
  #link: UartLink;
  #life: Life | null = null;
  /** `off` until the board has power. `held` while reset is low. `download` waits for a flasher and answers nothing. */
  #state: 'off' | 'held' | 'booting' | 'running' | 'panicking' | 'download' = 'off';
  #shell: Shell | null = null;
  #startedAt = 0;
  #resetReason: ResetReason = 'power';
  #fifo: number[] = [];
  #stopSensors: (() => void) | null = null;

  constructor({ baudRate = 115_200, seed = 1, powerUp = 'attach', sensors = false }: ChattyBoardOptions = {}) {
    this.#options = { baudRate, seed, powerUp, sensors };
    this.#link = uartLink(baudRate);
  }

  get link(): UartLink {
    return this.#link;
  }

  get state(): 'off' | 'held' | 'booting' | 'running' | 'panicking' | 'download' {
    return this.#state;
  }

  attach(line: DeviceLine): void {
    const circuit = new ResetCircuit(line.clock, {
      hold: () => this.#halt('held'),
      release: (strap) => this.#leaveReset(strap),
    });
    const timers = new TimerGroup(line.clock);
    this.#life = { line, circuit, timers, random: createRandom(this.#options.seed, 'chatty board') };
    line.setInputs({ clearToSend: true, dataSetReady: true });
    if (this.#options.powerUp === 'attach') {
      this.#leaveReset('flash');
    }
  }

  detach(): void {
    this.#halt('off');
    this.#life?.circuit.cancel();
    this.#life = null;
  }

  controlChanged(lines: ControlLines): void {
    this.#life?.circuit.setLines(lines);
  }

  /** Powers a `first-open` board. Its chip samples IO0 at once. */
  hostOpened(): void {
    if (this.#life !== null && this.#state === 'off') {
      this.#leaveReset(this.#life.circuit.bootStrap);
    }
  }

  receive(bytes: Uint8Array): void {
    if (this.#shell !== null) {
      this.#shell.receive(bytes);
    } else if (this.#state === 'booting') {
      this.#fifo.push(...bytes.subarray(0, fifoSize - this.#fifo.length));
    }
  }

  writable(): void {
    this.#shell?.writable();
  }

  #halt(state: 'off' | 'held' | 'booting' | 'panicking' | 'download'): void {
    this.#life?.timers.cancelAll();
    this.#stopSensors = null;
    this.#shell?.halt();
    this.#shell = null;
    this.#fifo = [];
    this.#state = state;
  }

  #leaveReset(strap: 'flash' | 'download'): void {
    if (strap === 'download') {
      this.#halt('download');
      this.#link = uartLink(this.#options.baudRate);
      this.#life?.timers.after(romStart, () => this.#print(downloadText));
    } else {
      this.#boot('power');
    }
  }

  #boot(reason: ResetReason): void {
    this.#halt('booting');
    if (this.#life === null) {
      return;
    }
    const { line, timers } = this.#life;
    this.#link = uartLink(this.#options.baudRate);
    this.#resetReason = reason;
    this.#startedAt = line.clock.now();
    timers.after(romStart, () => this.#print(romText(reason)));
    for (const { time, text } of bootLog) {
      timers.after(time, () => this.#print(text));
    }
    timers.after((bootLog.at(-1)?.time ?? romStart) + 1, () => this.#run());
  }

  #run(): void {
    if (this.#life === null) {
      return;
    }
    this.#state = 'running';
    this.#shell = new Shell(this.#commandBoard(this.#life));
    this.#setSensors(this.#options.sensors);
    // This LF is the second half of the CRLF after `reboot`, not another Enter.
    const typed = this.#fifo[0] === lineFeed ? this.#fifo.slice(1) : this.#fifo;
    this.#fifo = [];
    this.#shell.receive(Uint8Array.from(typed));
  }

  #panic(kind?: CrashKind): void {
    const text = kind === undefined ? panicText() : crashText(kind, this.#uptime());
    this.#halt('panicking');
    this.#print(text);
    // The panic handler waits until its output is sent: a core dump takes a while.
    const wireTime = kind === undefined ? 0 : text.length * byteTime(this.#link);
    this.#life?.timers.after(panicRestart + wireTime, () => this.#boot('software'));
  }

  #setSensors(on: boolean): void {
    this.#stopSensors?.();
    this.#stopSensors = null;
    if (on && this.#life !== null) {
      this.#stopSensors = this.#life.timers.after(sensorInterval, () => this.#readSensors());
    }
  }

  #readSensors(): void {
    if (this.#life !== null) {
      const reading = climateReading(this.#uptime(), this.#life.random);
      this.#shell?.interject(logLine('I', this.#uptime(), 'sensors', reading));
      this.#setSensors(true);
    }
  }

  #uptime(): number {
    return (this.#life?.line.clock.now() ?? 0) - this.#startedAt;
  }

  #print(text: string): void {
    this.#life?.line.write(new TextEncoder().encode(text.replaceAll(/\r?\n/g, '\r\n')));
  }

  #commandBoard({ line, random }: Life): CommandBoard {
    const board = this;
    const clock: Clock = line.clock;
    return {
      clock,
      line,
      random,
      seed: this.#options.seed,
      get link() {
        return board.#link;
      },
      get resetReason() {
        return board.#resetReason;
      },
      get uptime() {
        return board.#uptime();
      },
      print: (text) => this.#print(text),
      send: (bytes) => line.write(bytes),
      setSensors: (on) => this.#setSensors(on),
      setBaudRate: (baudRate) => {
        this.#link = uartLink(baudRate);
      },
      restart: () => this.#boot('software'),
      panic: (kind) => this.#panic(kind),
    };
  }
}
