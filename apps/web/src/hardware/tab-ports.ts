/**
 * Tabs of this site ask each other who holds a board, and for its release. A browser tells vendor and product of a board
 * only, so an answer means "one of that kind". Knows no bench and no screen: what is held, and what to do when another tab
 * asks for it, is told from outside.
 */
import { type Clock, systemClock } from '@wirebench/clock';
import { sameInfo } from './permitted-ports.ts';

/** A new number for every change of the messages: tabs of an older version do not understand them. */
const channelName = 'wirebench.roll-call.1';

/** After how many milliseconds it is told that nobody has answered; also a hidden tab answers within a few, a busy one later. */
export const answerPeriod = 400;
/** After how many milliseconds the tabs are asked again: one may have opened such a board since, or may have been closed. */
export const roundPeriod = 1_000;
/** A tab that is silent for so many rounds is closed, and not merely busy. */
export const missedRounds = 5;
/** How long a tab that asks its person is waited for, in milliseconds. */
export const portRequestPeriod = 60_000;

export interface HeldPort {
  /** Number of the port in the tab that holds it. */
  readonly port: number;
  readonly name: string;
  readonly info: SerialPortInfo;
}

export interface Holder extends HeldPort {
  readonly tab: string;
}

export type PortRequestAnswer = 'released' | 'kept';
export type PortRequestOutcome = PortRequestAnswer | 'no-answer';

type TabMessage =
  | { readonly kind: 'who'; readonly from: string; readonly info: SerialPortInfo }
  | { readonly kind: 'holding'; readonly from: string; readonly to: string; readonly held: HeldPort }
  | { readonly kind: 'release'; readonly from: string; readonly to: string; readonly port: number }
  | {
      readonly kind: 'answer';
      readonly from: string;
      readonly to: string;
      readonly port: number;
      readonly answer: PortRequestAnswer;
    };

/** What is used of a `BroadcastChannel`. */
export interface TabChannel {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

export interface TabPortsParts {
  readonly channel: TabChannel;
  readonly clock: Clock;
  /** Tells this tab from all others. */
  readonly tab: string;
  readonly held: () => readonly HeldPort[];
  /** Another tab asks for `port`. Must not reject. */
  readonly asked: (port: number) => Promise<PortRequestAnswer>;
}

export class TabPorts {
  readonly #parts: TabPortsParts;
  readonly #watchers = new Set<(holder: Holder) => void>();
  /** Those that wait for a tab's answer, by `waitKey`. */
  readonly #waiting = new Map<string, (answer: PortRequestAnswer) => void>();

  constructor(parts: TabPortsParts) {
    this.#parts = parts;
    parts.channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => void this.#take(data));
  }

  /**
   * Tells which other tabs hold a board like this one: first when one has answered or all had their time to, then whenever
   * it is others, also through an answer that comes late.
   * @returns ends it
   */
  watchHolders(info: SerialPortInfo, tell: (holders: readonly Holder[]) => void): () => void {
    const { clock, tab } = this.#parts;
    const answers = new Map<string, { readonly holder: Holder; readonly round: number }>();
    let round = 0;
    let reported: string | null = null;
    let endRound: () => void;
    const reportChange = () => {
      const holders = [...answers.values()].map(({ holder }) => holder);
      const current = JSON.stringify(holders);
      if (current !== reported) {
        reported = current;
        tell(holders);
      }
    };
    const note = (holder: Holder) => {
      // Answers to another question of this tab come along here.
      if (sameInfo(holder.info, info)) {
        answers.set(waitKey(holder.tab, holder.port), { holder, round });
        reportChange();
      }
    };
    const ask = (period: number) => {
      round++;
      this.#post({ kind: 'who', from: tab, info });
      endRound = clock.schedule(period, () => {
        for (const [key, last] of answers) {
          if (round - last.round >= missedRounds) {
            answers.delete(key);
          }
        }
        reportChange();
        ask(roundPeriod);
      });
    };
    this.#watchers.add(note);
    ask(answerPeriod);
    return () => {
      this.#watchers.delete(note);
      endRound();
    };
  }

  /** Asks the tab to close the port, and waits until it has done so or its person has decided. */
  askToRelease({ tab, port }: Holder): Promise<PortRequestOutcome> {
    return new Promise((resolve) => {
      const cancel = this.#parts.clock.schedule(portRequestPeriod, () => resolve('no-answer'));
      this.#waiting.set(waitKey(tab, port), (answer) => {
        cancel();
        resolve(answer);
      });
      this.#post({ kind: 'release', from: this.#parts.tab, to: tab, port });
    });
  }

  async #take(message: TabMessage): Promise<void> {
    const { tab, held, asked } = this.#parts;
    if (message.kind !== 'who' && message.to !== tab) {
      return;
    }
    switch (message.kind) {
      case 'who':
        for (const port of held().filter(({ info }) => sameInfo(info, message.info))) {
          this.#post({ kind: 'holding', from: tab, to: message.from, held: port });
        }
        break;
      case 'holding':
        for (const note of this.#watchers) {
          note({ ...message.held, tab: message.from });
        }
        break;
      case 'release': {
        const { port, from } = message;
        this.#post({ kind: 'answer', from: tab, to: from, port, answer: await asked(port) });
        break;
      }
      case 'answer':
        this.#waiting.get(waitKey(message.from, message.port))?.(message.answer);
        break;
    }
  }

  #post(message: TabMessage): void {
    this.#parts.channel.postMessage(message);
  }
}

const waitKey = (tab: string, port: number) => `${port} of ${tab}`;

/** This page's part in asking and answering, taken from the first call of what is returned and for as long as the page lives. */
export function tabPortsOfPage({ held, asked }: Pick<TabPortsParts, 'held' | 'asked'>): () => TabPorts {
  let tabPorts: TabPorts | null = null;
  return () => {
    tabPorts ??= new TabPorts({
      channel: new BroadcastChannel(channelName),
      clock: systemClock,
      tab: crypto.randomUUID(),
      held,
      asked,
    });
    return tabPorts;
  };
}
