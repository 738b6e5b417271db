/** One setup of a board's Wi-Fi, step by step: asking, choosing a network, connecting. One job runs at a time. */
import type { PortNumber } from '@wirebench/serial';
import type { WifiNetwork } from '@wirebench/serial/improv';
import type { ImprovAnswer, ImprovJob } from '../../protocol/bench/improv-part.ts';
import { pageStore } from '../../shared/page-store.ts';
import { improvJob } from '../bench-waits.ts';
import { noteNetwork } from './improv-offer.ts';

type Step =
  | { readonly kind: 'asking' }
  /** The board did not answer, or the port is not free. */
  | { readonly kind: 'silent'; readonly reason: string }
  /** @property failure Why the last attempt failed; null without one. */
  | { readonly kind: 'choosing'; readonly failure: string | null }
  | { readonly kind: 'connecting'; readonly network: string }
  /** @property address As the board sent it; empty for none. */
  | { readonly kind: 'connected'; readonly network: string; readonly address: string };

interface SetupState {
  readonly step: Step;
  readonly isScanning: boolean;
  readonly networks: readonly WifiNetwork[];
  /** Says that the list is not whole, or why there is none; null for a whole list. */
  readonly scanFault: string | null;
}

/** Networks as the page needs them: what to send, and what to call it. */
export interface ChosenNetwork {
  readonly name: Uint8Array;
  readonly label: string;
  readonly password: Uint8Array;
}

const cutText = 'The end of the list did not arrive. Networks may be missing.';

export class Setup {
  readonly store = pageStore<SetupState>({
    step: { kind: 'asking' },
    isScanning: false,
    networks: [],
    scanFault: null,
  });
  readonly #port: PortNumber;
  #stop = new AbortController();
  /** Settles when no job runs. */
  #last: Promise<unknown> = Promise.resolve();
  #isOver = false;

  constructor(port: PortNumber) {
    this.#port = port;
  }

  /** Asks the board, and looks for networks if it answers. */
  async begin(): Promise<void> {
    this.#isOver = false;
    this.#show({ step: { kind: 'asking' } });
    const answer = await this.#run({ kind: 'ask' });
    if (answer === null) {
      return;
    }
    if (answer.failure !== null) {
      this.#show({ step: { kind: 'silent', reason: answer.failure.message } });
      return;
    }
    this.#show({ step: { kind: 'choosing', failure: null } });
    await this.scan();
  }

  /** Looks for networks. The networks of an earlier look stay until others are found. */
  async scan(): Promise<void> {
    this.#show({ isScanning: true, scanFault: null });
    const answer = await this.#run({ kind: 'scan' });
    if (answer === null) {
      this.#show({ isScanning: false });
      return;
    }
    const { failure, networks, isWhole } = answer;
    if (failure === null) {
      this.#show({ isScanning: false, networks, scanFault: isWhole ? null : cutText });
      return;
    }
    const scanFault =
      failure.code === 'unknown-command'
        ? 'This board does not list networks. Enter the name of yours.'
        : `No list of networks: ${failure.message}`;
    this.#show({ isScanning: false, ...(failure.code !== 'cancelled' && { scanFault }) });
  }

  async connect({ name, label, password }: ChosenNetwork): Promise<void> {
    this.#show({ step: { kind: 'connecting', network: label } });
    const answer = await this.#run({ kind: 'connect', name, password });
    if (answer === null) {
      return;
    }
    if (answer.failure !== null) {
      this.#show({ step: { kind: 'choosing', failure: answer.failure.message } });
      return;
    }
    noteNetwork(this.#port, label);
    this.#show({ step: { kind: 'connected', network: label, address: answer.address } });
  }

  /** Stops the running job. */
  stop(): void {
    this.#stop.abort();
  }

  /** Stops the running job and shows nothing any more. */
  end(): void {
    this.#isOver = true;
    this.stop();
  }

  /** Stops the job that runs and does another one. Returns null if the setup, or another job, has ended this one. */
  async #run(job: ImprovJob): Promise<ImprovAnswer | null> {
    this.stop();
    const stop = new AbortController();
    this.#stop = stop;
    const before = this.#last;
    const work = before.then(() => (stop.signal.aborted ? null : this.#answer(job, stop.signal)));
    this.#last = work;
    const answer = await work;
    return this.#isOver || stop !== this.#stop ? null : answer;
  }

  async #answer(job: ImprovJob, signal: AbortSignal): Promise<ImprovAnswer> {
    try {
      return await improvJob(this.#port, job, signal);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const failure = { code: 'closed', message } as const;
      return { information: null, state: null, address: '', networks: [], isWhole: false, failure };
    }
  }

  #show(change: Partial<SetupState>): void {
    if (!this.#isOver) {
      this.store.setState(change);
    }
  }
}
