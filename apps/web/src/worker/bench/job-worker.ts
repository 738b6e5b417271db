/**
 * Messages and jobs that take a while: answers the page's calls for them and reports their progress. A job has its port
 * to itself until it ends, or until `stop`.
 */
import type { Clock } from '@wirebench/clock';
import type { RuleChecks, RuleVerdict, TestRule } from '@wirebench/runs';
import { type Bench, byPort, type Conversation, type Hiding, type PortNumber, type SendWay } from '@wirebench/serial';
import type { BenchTick } from '../../protocol/bench/bench-tick.ts';
import type { BoardCalls } from '../../protocol/bench/board-files-part.ts';
import type { ImprovCalls } from '../../protocol/bench/improv-part.ts';
import type { JobCalls } from '../../protocol/bench/job-part.ts';
import type { ModbusCalls } from '../../protocol/bench/modbus-part.ts';
import type { CallHandlers } from '../../protocol/calls/call-server.ts';
import type { ChunkListener } from './bench-tap.ts';
import { BoardJobs } from './board/board-jobs.ts';
import { ImprovJobs } from './improv/improv-jobs.ts';
import type { ModbusSearches } from './modbus/modbus-searches.ts';
import type { RegisterPolls, RegisterPollsParts } from './modbus/register-polls.ts';
import type { PortDevices } from './port-devices.ts';
import { RunningJobs } from './running-jobs.ts';
import { PortTransfers } from './transfer/port-transfers.ts';
import { WaitTickets } from './wait-tickets.ts';

export interface JobWorkerParts extends Pick<RegisterPollsParts, 'otherMaster' | 'onPolled'> {
  readonly bench: Bench;
  readonly clock: Clock;
  readonly devices: PortDevices;
  readonly onProgress: () => void;
  /** Takes the output of code that runs on a board, for the log. */
  readonly onOutput: (port: PortNumber, bytes: Uint8Array) => void;
  readonly send: (port: PortNumber, bytes: Uint8Array, hidden: Hiding | undefined) => Promise<void>;
  /** Returns the way of hidden bytes to the host of a port; undefined for a port of this page. */
  readonly hiddenWay: (port: PortNumber) => SendWay | undefined;
  /** Throws while a guest or a tool uses the port. */
  readonly checkFree: (port: PortNumber) => void;
  /** Returns true while the bench is shared with guests. */
  readonly isShared: () => boolean;
}

interface CheckedRun {
  readonly rules: RuleChecks;
  /** Resolved when a rule that must not fire has fired, and at the end. */
  readonly broken: PromiseWithResolvers<void>;
}

const noSearches = byPort(() => null);
const noPolls = byPort(() => null);

export class JobWorker {
  readonly #parts: JobWorkerParts;
  readonly waits = new WaitTickets();
  /** Open conversations by the numbers of the page. */
  readonly #conversations = new Map<number, Conversation>();
  /** Rules of the current runs by the numbers of the page. */
  readonly #checks = new Map<number, CheckedRun>();
  readonly #jobs: RunningJobs;
  readonly #transfers: PortTransfers;
  readonly #boards: BoardJobs;
  readonly #improv: ImprovJobs;
  /** Null before the first search. */
  #modbus: ModbusSearches | null = null;
  /** Null before the first poll. */
  #polls: RegisterPolls | null = null;

  constructor(parts: JobWorkerParts) {
    this.#parts = parts;
    this.#jobs = new RunningJobs(parts);
    this.#transfers = new PortTransfers(parts);
    this.#boards = new BoardJobs(parts);
    this.#improv = new ImprovJobs(parts);
  }

  get listeners(): readonly ChunkListener[] {
    return [this.#transfers, this.#boards, this.#improv];
  }

  get progress() {
    return {
      ...this.#jobs.progress,
      sending: byPort((port) => this.#parts.bench.sending(port)),
      ...this.#transfers.progress,
      ...this.#boards.progress,
      ...this.#improv.progress,
      modbusSearches: this.#modbus?.ports ?? noSearches,
      modbusPolls: this.#polls?.ports ?? noPolls,
    } satisfies Partial<BenchTick>;
  }

  /** Call this after each change of the bench. */
  changed(): void {
    for (const { rules } of this.#checks.values()) {
      rules.changed();
    }
  }

  /** Returns true while a search has a port open with other settings than its own, which its bytes say nothing about. */
  usesOtherSettings(port: PortNumber): boolean {
    return this.#modbus?.usesOtherSettings(port) === true;
  }

  /** Stops what runs on a port, and resolves when the port is free. */
  async stop(port: PortNumber): Promise<void> {
    await this.#transfers.stop(port);
    await this.#boards.stop(port);
    await this.#improv.stop(port);
    await this.#modbus?.stop(port);
    // A poll that goes on by itself says that the port was closed.
  }

  readonly handlers: CallHandlers<JobCalls & BoardCalls & ImprovCalls & ModbusCalls> = {
    send: (port, bytes, hidden) => this.#parts.send(port, bytes, hidden),
    openConversation: (port, conversation) => {
      const { bench, send } = this.#parts;
      this.#conversations.set(
        conversation,
        bench.converse(port, (bytes, hidden) => send(port, bytes, hidden)),
      );
    },
    exchange: (conversation, exchange, ticket) =>
      this.waits.hold(ticket, (signal) => this.#conversation(conversation).exchange(exchange, signal)),
    closeConversation: (conversation) => {
      const talk = this.#conversation(conversation);
      this.#conversations.delete(conversation);
      return talk.end();
    },
    openChecks: (port, rules, checks) => this.#openChecks(port, rules, checks),
    brokenChecks: (checks) => this.#checked(checks).broken.promise,
    closeChecks: (checks, hasPassed, ticket) =>
      this.waits.hold(ticket, (signal) => this.#closeChecks(checks, hasPassed, signal)),
    pause: (duration, ticket) =>
      // A sleep that `endWait` aborts counts as finished.
      this.waits.hold(ticket, (signal) => this.#parts.clock.sleep(duration, signal).catch(() => undefined)),
    endWait: (ticket) => this.waits.end(ticket),
    sendFile: (port, file, pace, ticket) =>
      this.waits.hold(ticket, (signal) => this.#jobs.sendFile(port, file, pace, signal)),
    transferTo: (port, files, protocol, resume, ticket) =>
      this.waits.hold(ticket, (signal) => this.#transfers.send(port, files, { protocol, resume }, signal)),
    transferFrom: (port, protocol, ticket) =>
      this.waits.hold(ticket, (signal) => this.#transfers.receive(port, protocol, signal)),
    boardJob: (port, job, mayInterrupt, ticket) =>
      this.waits.hold(ticket, (signal) => this.#boards.run(port, job, mayInterrupt, signal)),
    improvJob: (port, job, ticket) => this.waits.hold(ticket, (signal) => this.#improv.run(port, job, signal)),
    searchModbus: (port, options, ticket) => {
      this.#parts.checkFree(port);
      return this.waits.hold(ticket, async (signal) => {
        const { ModbusSearches } = await import('./modbus/modbus-searches.ts');
        this.#modbus ??= new ModbusSearches(this.#parts);
        await this.#polls?.stop(port);
        return this.#modbus.run(port, options, signal);
      });
    },
    pollModbus: async (port, choice) => {
      if (choice === null) {
        await this.#polls?.stop(port);
        return;
      }
      this.#parts.checkFree(port);
      const { RegisterPolls } = await import('./modbus/register-polls.ts');
      this.#polls ??= new RegisterPolls(this.#parts);
      this.#polls.set(port, choice);
    },
    paste: (port, paste, ticket) => this.waits.hold(ticket, (signal) => this.#jobs.paste(port, paste, ticket, signal)),
    setPieces: (port, pieces) => this.#parts.bench.setPieces(port, pieces),
    stopSending: (port) => this.#parts.bench.stopSending(port),
    repeat: (port, bytes, every, ticket) =>
      this.waits.hold(ticket, (signal) => this.#jobs.repeat(port, bytes, every, ticket, signal)),
    findBaudRate: async (port, source, settings, ticket) => {
      this.#parts.checkFree(port);
      await this.#transfers.stop(port);
      await this.#improv.stop(port);
      await this.#modbus?.stop(port);
      return this.waits.hold(ticket, (signal) => this.#jobs.findBaudRate(port, source, settings, signal));
    },
  };

  async #openChecks(port: PortNumber, rules: readonly TestRule[], checks: number): Promise<void> {
    const { RuleChecks } = await import('@wirebench/runs');
    const { bench, clock } = this.#parts;
    const broken = Promise.withResolvers<void>();
    const watched = new RuleChecks({
      clock,
      bench,
      rules,
      ports: [port],
      placeText: () => '',
      onBroken: () => broken.resolve(),
    });
    this.#checks.set(checks, { rules: watched, broken });
  }

  async #closeChecks(checks: number, hasPassed: boolean, signal: AbortSignal): Promise<readonly RuleVerdict[]> {
    const { SETTLE } = await import('@wirebench/runs');
    const { rules, broken } = this.#checked(checks);
    const over = new AbortController();
    void broken.promise.then(() => over.abort());
    const stop = AbortSignal.any([signal, over.signal]);
    await rules.awaited(stop);
    // A fatal error right after the last answer withdraws the pass.
    await this.#parts.clock.sleep(SETTLE, stop).catch(() => 'broken, or ended');
    const verdicts = rules.verdicts(hasPassed);
    rules.dispose();
    this.#checks.delete(checks);
    broken.resolve();
    return verdicts;
  }

  /** @throws RangeError if the checks are not open. */
  #checked(number: number): CheckedRun {
    const checked = this.#checks.get(number);
    if (checked === undefined) {
      throw new RangeError('The checks are not open');
    }
    return checked;
  }

  /** @throws RangeError if the conversation is not open. */
  #conversation(number: number): Conversation {
    const conversation = this.#conversations.get(number);
    if (conversation === undefined) {
      throw new RangeError('The conversation is not open');
    }
    return conversation;
  }
}
