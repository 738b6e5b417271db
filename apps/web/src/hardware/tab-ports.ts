/**
 * Lets tabs of this site ask each other who holds a board, and ask for its release. A browser reports only vendor and
 * product of a board, so an answer means "a board of that kind". The caller supplies the held ports and the reaction
 * to a request.
 */
import { type Clock, systemClock } from '@wirebench/clock';
import { sameInfo } from './permitted-ports.ts';

/** Increases with every change of the messages: tabs of an older version do not understand them. */
const channelName = 'wirebench.roll-call.1';

/**
 * Milliseconds until a watcher reports that no tab has answered. A hidden tab answers within a few, a busy one later.
 */
export const answerPeriod = 400;
/** Milliseconds between two rounds of questions: a tab may have opened such a board since, or may have been closed. */
export const roundPeriod = 1_000;
/** A tab that misses this many rounds counts as closed, not as busy. */
export const missedRounds = 5;
/** Longest wait for a tab that asks its person, in milliseconds. */
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

/** The used part of `BroadcastChannel`. */
export interface TabChannel {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

export interface TabPortsParts {
  readonly channel: TabChannel;
  readonly clock: Clock;
  /** Identifies this tab. */
  readonly tab: string;
  readonly held: () => readonly HeldPort[];
  /** Another tab asks for `port`. Must not reject. */
  readonly asked: (port: number) => Promise<PortRequestAnswer>;
}

export class TabPorts {
  readonly #parts: TabPortsParts;
  readonly #watchers = new Set<(holder: Holder) => void>();
  /** Callbacks that wait for a tab's answer, by `waitKey`. */
  readonly #waiting = new Map<string, (answer: PortRequestAnswer) => void>();

  constructor(parts: TabPortsParts) {
    this.#parts = parts;
    parts.channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => void this.#take(data));
  }

  /**
   * Reports the other tabs that hold a board like this one: first when a tab has answered or all had time to, then
   * after each change, late answers included. Returns a function that stops it.
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
      // Answers to another question of this tab arrive here too.
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

  /** Asks the tab to close the port. Resolves when it has closed it, or when its person has decided. */
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

type PagePart = Pick<TabPortsParts, 'held' | 'asked'>;

/** Parts of this document: its terminal and its flasher, as far as they were shown. */
const pageParts = new Set<PagePart>();
let tabPorts: TabPorts | null = null;

/**
 * Returns this document's part in asking and answering. It begins with the first call of a returned function, and lasts
 * as long as the document. The pages of a document answer as one tab: a port is held by at most one of them.
 */
export function tabPortsOfPage(part: PagePart): () => TabPorts {
  return () => {
    pageParts.add(part);
    tabPorts ??= new TabPorts({
      channel: new BroadcastChannel(channelName),
      clock: systemClock,
      tab: crypto.randomUUID(),
      held: () => [...pageParts].flatMap(({ held }) => held()),
      asked: async (port) => {
        const holder = [...pageParts].find(({ held }) => held().some((one) => one.port === port));
        return holder === undefined ? 'released' : holder.asked(port);
      },
    });
    return tabPorts;
  };
}
