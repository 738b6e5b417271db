/**
 * Executes a client's commands (RFC 2217, sections 2 to 5): some are answered at once, others wait behind earlier
 * work in the queue.
 *
 * Changes of DTR and RTS are answered at once, so that the time between them is the client's own and not the
 * network's.
 */
import type { Clock } from '@wirebench/clock';
import { type ControlLines, linesRaised, type PortSettings } from '@wirebench/port';
import type { ClientOutput } from './client-output.ts';
import { type ComPortCommand, control, encodeAnswer, parities, purge } from './com-port-commands.ts';
import { CallTime } from './line-changes.ts';
import type { WorkQueue } from './work-queue.ts';

/**
 * Longest wait for the port before a change of settings is answered anyway, in milliseconds. pySerial treats the
 * change as refused after 3 s (`rfc2217.py`, `_network_timeout`).
 */
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
  /** Returns the settings that the port has now. */
  readonly settings: () => PortSettings;
}

export class ClientCommands {
  readonly #options: ClientCommandsOptions;
  readonly #calls = new CallTime();
  /** Lines as the client has set them; the port may still be behind. */
  #lines: ControlLines = linesRaised;
  #break = false;
  /** Cancels the timers of answers that are due within `ANSWER_LIMIT`. */
  readonly #timers = new Set<() => void>();

  constructor(options: ClientCommandsOptions) {
    this.#options = options;
  }

  /** Time that the client takes for one call, in milliseconds; 0 while it is unknown. */
  get callTime(): number {
    return this.#calls.time;
  }

  get isBreakOn(): boolean {
    return this.#break;
  }

  /** Records that something other than a command has arrived. */
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
        // A question, or flow control that Web Serial does not have: answers with the current setting (section 3).
        this.#flow({}, value === control.inbound || value === control.inboundXon || value === control.inboundDtr);
    }
  }

  /** Sets or asks for the flow control. Web Serial has one setting for both directions. */
  #flow(change: Partial<PortSettings>, isInbound: boolean): void {
    const [none, hardware] = isInbound
      ? [control.inboundNone, control.inboundHardware]
      : [control.flowNone, control.flowHardware];
    this.#configure(change, ({ flowControl }) => encodeAnswer('control', flowControl === 'hardware' ? hardware : none));
  }

  /**
   * Queues a change of settings. The answer is the result; after `ANSWER_LIMIT` it is the settings that will be
   * tried.
   */
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

  /**
   * Drops bytes that the port has not taken. Received bytes need no purge: they were passed on, or wait in the port
   * until the client reads.
   */
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
