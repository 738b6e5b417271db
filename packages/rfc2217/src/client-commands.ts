/**
 * What a client's commands mean (RFC 2217, sections 2 to 5): answered at once, or put in line behind what came before.
 *
 * Changes of DTR and RTS are answered at once, so that their distances are the client's own and not the network's.
 */
import type { Clock } from '@wirebench/clock';
import { type ControlLines, linesRaised, type PortSettings } from '@wirebench/serial/port';
import type { ClientOutput } from './client-output.ts';
import { type ComPortCommand, control, encodeAnswer, parities, purge } from './com-port-commands.ts';
import { CallTime } from './line-changes.ts';
import type { WorkQueue } from './work-queue.ts';

/** pySerial takes a change of settings for refused after 3 s (`rfc2217.py`, `_network_timeout`). Milliseconds. */
const ANSWER_LIMIT = 2_000;
const signature = 'Wirebench';

const lineCommands: Readonly<Record<number, readonly ['dtr' | 'rts', boolean]>> = {
  [control.dtrOn]: ['dtr', true],
  [control.dtrOff]: ['dtr', false],
  [control.rtsOn]: ['rts', true],
  [control.rtsOff]: ['rts', false],
};

interface ClientCommandsOptions {
  readonly clock: Clock;
  readonly queue: WorkQueue;
  readonly output: ClientOutput;
  /** As the port has them. */
  readonly settings: () => PortSettings;
}

export class ClientCommands {
  readonly #options: ClientCommandsOptions;
  readonly #calls = new CallTime();
  /** As the client wants them, ahead of what has been played. */
  #lines: ControlLines = linesRaised;
  #break = false;
  /** Of answers that are given in time, done or not. */
  readonly #timers = new Set<() => void>();

  constructor(options: ClientCommandsOptions) {
    this.#options = options;
  }

  /** Milliseconds that the client takes for a call; 0 while nobody knows. */
  get callTime(): number {
    return this.#calls.time;
  }

  get isBreakOn(): boolean {
    return this.#break;
  }

  /** Something that is no command has come. */
  interrupted(): void {
    this.#calls.interrupted();
  }

  close(): void {
    for (const cancel of this.#timers) {
      cancel();
    }
    this.#timers.clear();
  }

  obey({ name, value, text }: ComPortCommand): void {
    const { output, queue, clock } = this.#options;
    if (name === 'control' || name === 'purge') {
      this.#calls.called(clock.now(), name === 'control' && lineCommands[value] !== undefined ? 'line' : name);
    } else {
      this.#calls.interrupted();
    }
    switch (name) {
      case 'signature':
        if (text === '') {
          output.answer(encodeAnswer(name, signature));
        }
        break;
      case 'baudRate':
        this.#configure(value === 0 ? {} : { baudRate: value }, ({ baudRate }) => encodeAnswer(name, baudRate));
        break;
      case 'dataSize': {
        const change = value === 7 || value === 8 ? ({ dataBits: value } as const) : {};
        this.#configure(change, ({ dataBits }) => encodeAnswer(name, dataBits));
        break;
      }
      case 'parity': {
        const wanted = parities[value] ?? null;
        const change = wanted === null ? {} : { parity: wanted };
        this.#configure(change, ({ parity }) => encodeAnswer(name, parities.indexOf(parity)));
        break;
      }
      case 'stopSize': {
        const change = value === 1 || value === 2 ? ({ stopBits: value } as const) : {};
        this.#configure(change, ({ stopBits }) => encodeAnswer(name, stopBits));
        break;
      }
      case 'control':
        this.#control(value);
        break;
      case 'lineState':
        output.answer(encodeAnswer(name, 0));
        break;
      case 'modemState':
        queue.add({ kind: 'modem' });
        break;
      case 'suspend':
        output.suspend();
        break;
      case 'resume':
        output.resume();
        break;
      case 'lineStateMask':
      case 'modemStateMask':
        output[name] = value;
        output.answer(encodeAnswer(name, value));
        break;
      case 'purge':
        this.#purge(value);
        break;
    }
  }

  #control(value: number): void {
    const { clock, output, queue } = this.#options;
    const say = (state: number) => output.answer(encodeAnswer('control', state));
    const [line, on = false] = lineCommands[value] ?? [];
    if (line !== undefined) {
      this.#lines = { ...this.#lines, [line]: on };
      queue.add({ kind: 'line', change: { line, on, at: clock.now() } });
      say(value);
      return;
    }
    switch (value) {
      case control.dtr:
        say(this.#lines.dtr ? control.dtrOn : control.dtrOff);
        break;
      case control.rts:
        say(this.#lines.rts ? control.rtsOn : control.rtsOff);
        break;
      case control.breakOn:
      case control.breakOff:
        this.#break = value === control.breakOn;
        queue.add({ kind: 'break', on: this.#break });
        say(value);
        break;
      case control.break:
        say(this.#break ? control.breakOn : control.breakOff);
        break;
      case control.flowNone:
      case control.inboundNone:
        this.#flow({ flowControl: 'none' }, value === control.inboundNone);
        break;
      case control.flowHardware:
      case control.inboundHardware:
        this.#flow({ flowControl: 'hardware' }, value === control.inboundHardware);
        break;
      default:
        // A question, or flow control that Web Serial does not have: the answer is what there is (section 3).
        this.#flow({}, value === control.inbound || value === control.inboundXon || value === control.inboundDtr);
    }
  }

  /** Web Serial has one flow control for both directions. */
  #flow(change: Partial<PortSettings>, isInbound: boolean): void {
    const [none, hardware] = isInbound
      ? [control.inboundNone, control.inboundHardware]
      : [control.flowNone, control.flowHardware];
    this.#configure(change, ({ flowControl }) => encodeAnswer('control', flowControl === 'hardware' ? hardware : none));
  }

  /** Answered when it has been done, or, in time for a client that waits, with what is going to be tried. */
  #configure(change: Partial<PortSettings>, encode: (settings: PortSettings) => Uint8Array): void {
    const { clock, output, queue, settings } = this.#options;
    let isAnswered = false;
    const answer = (now: PortSettings) => {
      if (!isAnswered) {
        isAnswered = true;
        cancel();
        this.#timers.delete(cancel);
        output.answer(encode(now));
      }
    };
    const cancel = clock.schedule(ANSWER_LIMIT, () => answer({ ...settings(), ...change }));
    this.#timers.add(cancel);
    queue.add({ kind: 'settings', change, answer: () => answer(settings()) });
  }

  /** What the port has not taken is dropped. What was received has been passed on, or waits in the port for a client that reads. */
  #purge(value: number): void {
    const { output, queue } = this.#options;
    if (value === purge.transmit || value === purge.both) {
      queue.dropData();
    }
    if (value >= purge.receive && value <= purge.both) {
      queue.add({ kind: 'mark' });
      output.answer(encodeAnswer('purge', value));
    }
  }
}
