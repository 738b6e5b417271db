/**
 * Calls of an agent: each is logged, carried out and answered in time. Work on boards goes on between calls. Words of
 * this program stand outside of the fence, everything from outside in it.
 */
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '@wirebench/clock';
import { SessionError } from '@wirebench/serial';
import { fencedText, visibleText } from '@wirebench/serial/board-fence';
import { CommandError } from '../exit-code.ts';
import type { ActLog, CallOutcome } from './act-log.ts';
import { type AgentPort, type AgentPorts, PortFailure } from './agent-ports.ts';
import type { WorkProgress, WorkReport } from './agent-work.ts';
import { type Allowance, RequestRefused } from './allowance.ts';

/** Longest time until an answer, in milliseconds. Clients give a call up after 60 s. */
export const longestAnswer = 50_000;
/** Least time between two notes of progress, in milliseconds. */
const PROGRESS_PAUSE = 1_000;

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export interface Answer {
  readonly outcome: CallOutcome;
  /** Words of this program alone. */
  readonly said: string;
  /** Goes into a fence; missing without any. */
  readonly data?: { readonly source: string; readonly content: string | Uint8Array };
}

/** Work on a board that may take longer than an answer. */
interface BoardJob {
  readonly key: string;
  readonly done: Promise<WorkReport>;
  readonly stop: AbortController;
  /** Newest words of its progress. */
  progress: string;
}

/** Parts that all tools share. */
export interface AgentToolsOptions {
  readonly clock: Clock;
  readonly version: string;
  readonly ports: AgentPorts;
  readonly allowance: Allowance;
  readonly log: ActLog;
  /** Aborts when the program ends. */
  readonly ended: AbortSignal;
}

export class AgentCalls {
  readonly #options: AgentToolsOptions;
  readonly #jobs = new Map<AgentPort, BoardJob>();
  /** Calls without an answer yet. */
  readonly #calls = new Set<Promise<unknown>>();

  constructor(options: AgentToolsOptions) {
    this.#options = options;
  }

  /** Resolves when the calls that have come are answered. */
  async answered(): Promise<void> {
    await Promise.allSettled([...this.#calls]);
  }

  /** Resolves when no board is worked on any more. The work has to be aborted by `ended`. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#jobs.values()].map(({ done }) => done));
  }

  /** Returns a port that may be used and that no work has. */
  free(name: string): AgentPort {
    const port = this.#options.ports.named(name);
    const job = this.#jobs.get(port);
    if (job !== undefined) {
      throw new RequestRefused(
        `${port.given.label} is being worked on: ${job.progress}. Call that tool again for its end.`,
      );
    }
    return port;
  }

  /** Begins the work, or joins it, and answers when it has ended or when an answer is due. */
  async work(
    ports: readonly AgentPort[],
    { work, key }: { readonly work: string; readonly key: string },
    { _meta, sendNotification }: Extra,
    signal: AbortSignal,
    act: (progress: WorkProgress, stop: AbortSignal) => Promise<WorkReport>,
  ): Promise<Answer> {
    const { clock } = this.#options;
    const before = ports.map((port) => this.#jobs.get(port)).find((job) => job !== undefined);
    if (before !== undefined && before.key !== key) {
      for (const { given } of ports) {
        this.free(given.label);
      }
    }
    const job = before ?? this.#begin(ports, key, work, act);
    const stop = () => job.stop.abort();
    signal.addEventListener('abort', stop, { once: true });
    const answered = new AbortController();
    const token = _meta?.progressToken;
    if (token !== undefined) {
      void this.#tellProgress(job, answered.signal, (message, progress) =>
        sendNotification({ method: 'notifications/progress', params: { progressToken: token, progress, message } }),
      );
    }
    const late = clock.sleep(longestAnswer, answered.signal).then(
      () => null,
      () => null,
    );
    try {
      const report = await Promise.race([job.done, late]);
      if (report === null) {
        const said = `Not yet: ${job.progress}. Call the same tool with the same arguments again for its end.`;
        return { outcome: 'pending', said };
      }
      return reportAnswer(ports, report);
    } finally {
      answered.abort();
      signal.removeEventListener('abort', stop);
    }
  }

  #begin(
    ports: readonly AgentPort[],
    key: string,
    work: string,
    act: (progress: WorkProgress, stop: AbortSignal) => Promise<WorkReport>,
  ): BoardJob {
    const stop = new AbortController();
    const job: BoardJob = {
      key,
      stop,
      progress: 'connecting',
      done: act(
        (label, count, total) => {
          job.progress = `${label} ${total === 0 ? 0 : Math.floor((100 * count) / total)} %`;
        },
        AbortSignal.any([stop.signal, this.#options.ended]),
      ),
    };
    for (const port of ports) {
      this.#jobs.set(port, job);
    }
    const end = (outcome: CallOutcome) => {
      for (const port of ports) {
        this.#jobs.delete(port);
      }
      void this.#options.log.workEnded(labelsOf(ports), work, outcome);
    };
    job.done.then(
      ({ outcome }) => end(outcome),
      (error) => end(error instanceof RequestRefused ? 'refused' : 'failed'),
    );
    return job;
  }

  async #tellProgress(
    job: BoardJob,
    over: AbortSignal,
    tell: (message: string, progress: number) => Promise<void>,
  ): Promise<void> {
    for (let count = 1; !over.aborted; count++) {
      await this.#options.clock.sleep(PROGRESS_PAUSE, over).catch(() => 'answered');
      if (!over.aborted) {
        await tell(job.progress, count).catch(() => undefined);
      }
    }
  }

  /** Answers a call, between its two entries in the log of acts. */
  answer(
    tool: string,
    given: object,
    extra: Extra,
    act: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<CallToolResult> {
    const call = this.#carryOut(tool, given, extra, act);
    this.#calls.add(call);
    const end = () => this.#calls.delete(call);
    call.then(end, end);
    return call;
  }

  /** Carries a call out between its two entries in the log of acts. */
  async #carryOut(
    tool: string,
    given: object,
    extra: Extra,
    act: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<CallToolResult> {
    const signal = AbortSignal.any([extra.signal, this.#options.ended]);
    let end: (outcome: CallOutcome) => Promise<void> = async () => undefined;
    let answer: Answer;
    try {
      end = await this.#options.log.begin(tool, given);
      answer = await act(signal);
    } catch (error) {
      answer = failureAnswer(error, signal);
    }
    await end(signal.aborted ? 'cancelled' : answer.outcome);
    const { outcome, said, data } = answer;
    const isFailure = outcome !== 'done' && outcome !== 'pending';
    const text = data === undefined ? said : `${said}\n${fencedText(data.content, { source: data.source }).text}`;
    return { content: [{ type: 'text', text }], ...(isFailure && { isError: true }) };
  }
}

/** An answer with words of this program alone. */
export const done = (said: string): Answer => ({ outcome: 'done', said });

const labelsOf = (ports: readonly AgentPort[]): string => ports.map(({ given }) => given.label).join(', ');

function reportAnswer(ports: readonly AgentPort[], { outcome, lines, hash, said, bytes }: WorkReport): Answer {
  const words = {
    done: hash === null ? 'Done.' : `The plan is ready and its hash is ${hash}. Nothing was written yet.`,
    refused: 'Refused. A person can override some refusals with "wirebench flash", an agent cannot.',
    failed: 'Failed.',
  };
  const source = `the ${bytes === undefined ? 'work on' : 'file of'} the board at ${labelsOf(ports)}`;
  return { outcome, said: said ?? words[outcome], data: { source, content: bytes ?? lines.join('\n') } };
}

/** Words of the program itself are said as they are. Others may have parts from outside. */
function failureAnswer(error: unknown, signal: AbortSignal): Answer {
  if (signal.aborted) {
    return { outcome: 'cancelled', said: 'Cancelled.' };
  }
  if (error instanceof RequestRefused) {
    return { outcome: 'refused', said: visibleText(error.message) };
  }
  const isKnown = error instanceof CommandError || error instanceof SessionError || error instanceof PortFailure;
  const message = error instanceof Error ? error.message : String(error);
  if (!isKnown) {
    process.stderr.write(`wirebench: ${error instanceof Error ? error.stack : message}\n`);
  }
  return { outcome: 'failed', said: 'Failed.', data: { source: 'the failure', content: message } };
}
