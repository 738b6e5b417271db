/**
 * Bench state for the page: the last tick and the rates. Published at once when a state changes, and four times a
 * second while only counters change. Components read it with `useBenchStatus`; raw ticks are for blinking and
 * painting parts.
 */
import { defaultPortSettings } from '@wirebench/port';
import { type BenchStatus, type PortNumber, type PortStatus, portNumbers } from '@wirebench/serial';
import { useMemo, useSyncExternalStore } from 'react';
import type { BenchTick } from '../protocol/bench-protocol.ts';
import { paintStep } from '../shared/paint-step.ts';
import { sameShallow } from '../shared/same-shallow.ts';
import { noRate, type Rate, RateMeter } from './rate-meter.ts';

/** Time between two looks at counters, in milliseconds. */
const counterInterval = 250;

interface PortRates {
  /** Bytes a second. */
  readonly received: Rate;
  readonly sent: Rate;
}

export interface BenchView {
  readonly status: BenchStatus;
  readonly users: BenchTick['users'];
  readonly typists: BenchTick['typists'];
  readonly devices: BenchTick['devices'];
  readonly recordings: BenchTick['recordings'];
  readonly sends: BenchTick['sends'];
  readonly transfers: BenchTick['transfers'];
  readonly transferOffers: BenchTick['transferOffers'];
  readonly boards: BenchTick['boards'];
  readonly improv: BenchTick['improv'];
  readonly baudSearches: BenchTick['baudSearches'];
  readonly exported: BenchTick['exported'];
  readonly find: BenchTick['find'];
  readonly rates: Readonly<Record<PortNumber, PortRates>>;
}

const byPort = <Value>(value: (port: PortNumber) => Value) =>
  Object.fromEntries(portNumbers.map((port) => [port, value(port)])) as Record<PortNumber, Value>;

const closedPort: PortStatus = {
  state: 'disconnected',
  settings: null,
  info: null,
  notBack: false,
  signals: { dtr: false, rts: false },
  connectedAt: null,
  received: 0,
  sent: 0,
  lines: 0,
  heldLines: 0,
  droppedLines: 0,
  errors: { framing: 0, parity: 0, overrun: 0, break: 0 },
};

const idleTick: BenchTick = {
  status: { ports: byPort(() => closedPort), revision: 0, lines: 0, droppedLines: 0, newestAt: null },
  users: byPort(() => null),
  typists: byPort(() => null),
  devices: byPort(() => null),
  recordings: [],
  sends: byPort(() => null),
  repeats: {},
  transfers: byPort(() => null),
  transferOffers: byPort(() => null),
  boards: byPort(() => ({ banner: null, job: null, isStopped: false })),
  improv: byPort(() => ({ isHeard: false, state: null, information: null, address: '', job: null, found: [] })),
  baudSearches: byPort(() => null),
  exported: null,
  plotRevision: 0,
  incidentRevision: 0,
  lookRevision: 0,
  ruleRevision: 0,
  ruleEvents: [],
  find: null,
  notices: [],
};

export class BenchStatusStore {
  #tick = idleTick;
  #view: BenchView = { ...idleTick, rates: byPort(() => ({ received: noRate, sent: noRate })) };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #publishedAt = Number.NEGATIVE_INFINITY;
  readonly #meters = byPort(() => ({ received: new RateMeter(), sent: new RateMeter() }));
  readonly #tickListeners = new Set<(tick: BenchTick) => void>();
  readonly #viewListeners = new Set<() => void>();

  get view(): BenchView {
    return this.#view;
  }

  /** The newest tick, of which the view may be behind. */
  get tick(): BenchTick {
    return this.#tick;
  }

  accept(tick: BenchTick): void {
    const urgent = !sameFacts(this.#tick, tick);
    this.#tick = tick;
    for (const listener of this.#tickListeners) {
      listener(tick);
    }
    if (urgent || performance.now() - this.#publishedAt >= counterInterval) {
      this.#publish();
    } else {
      this.#publishIn(counterInterval);
    }
  }

  /** The bench is gone: its ports are closed and nothing goes on any more. What is counted and shown of the log stays. */
  lose(): void {
    const { status, plotRevision, incidentRevision, lookRevision, ruleRevision } = this.#tick;
    const ports = byPort((port): PortStatus => {
      const { signals } = closedPort;
      return { ...status.ports[port], state: 'disconnected', notBack: false, signals };
    });
    this.accept({
      ...idleTick,
      plotRevision,
      incidentRevision,
      lookRevision,
      ruleRevision,
      status: { ...status, ports },
    });
  }

  /** Every tick, up to 60 a second: for what works outside of React. */
  readonly onTick = (listener: (tick: BenchTick) => void): (() => void) => {
    this.#tickListeners.add(listener);
    return () => this.#tickListeners.delete(listener);
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#viewListeners.add(listener);
    return () => this.#viewListeners.delete(listener);
  };

  /** Leaves alone what is due sooner. */
  #publishIn(delay: number): void {
    const dueAt = performance.now() + delay;
    if (dueAt < this.#dueAt) {
      this.#dueAt = dueAt;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#publish(), delay);
    }
  }

  #publish(): void {
    this.#publishedAt = performance.now();
    this.#dueAt = Number.POSITIVE_INFINITY;
    clearTimeout(this.#timer);
    const { status, users, typists, devices, recordings, sends, baudSearches, exported, find } = this.#tick;
    const { transfers, transferOffers, boards, improv } = this.#tick;
    const rates = this.#measure();
    const work = { sends, transfers, transferOffers, boards, improv, baudSearches };
    this.#view = { status, users, typists, devices, recordings, ...work, exported, find, rates };
    // Without traffic there are no ticks: the rates must be looked at until they have fallen to nothing. With traffic the
    // next tick comes first.
    if (portNumbers.some((port) => rates[port].received.now > 0 || rates[port].sent.now > 0)) {
      this.#publishIn(counterInterval + paintStep);
    }
    for (const listener of this.#viewListeners) {
      listener();
    }
  }

  #measure(): BenchView['rates'] {
    const now = performance.now();
    return byPort((port) => {
      const { received, sent } = this.#tick.status.ports[port];
      const meters = this.#meters[port];
      const next = { received: meters.received.sample(received, now), sent: meters.sent.sample(sent, now) };
      const last = this.#view.rates[port];
      return sameShallow(last, next) ? last : next;
    });
  }
}

/** Everything but counters is the same. */
function sameFacts(a: BenchTick, b: BenchTick): boolean {
  return (
    sameShallow(
      a.recordings.map(({ id }) => id),
      b.recordings.map(({ id }) => id),
    ) &&
    (a.exported === null) === (b.exported === null) &&
    a.find?.complete === b.find?.complete &&
    a.find?.index === b.find?.index &&
    sameShallow(a.users, b.users) &&
    sameShallow(a.typists, b.typists) &&
    (a.status.lines === 0) === (b.status.lines === 0) &&
    (a.status.droppedLines === 0) === (b.status.droppedLines === 0) &&
    portNumbers.every((port) => {
      const before = a.status.ports[port];
      const after = b.status.ports[port];
      return (
        before.state === after.state &&
        before.connectedAt === after.connectedAt &&
        before.notBack === after.notBack &&
        (a.sends[port] === null) === (b.sends[port] === null) &&
        a.baudSearches[port]?.rate === b.baudSearches[port]?.rate &&
        (a.transfers[port] === null) === (b.transfers[port] === null) &&
        a.transferOffers[port]?.id === b.transferOffers[port]?.id &&
        a.boards[port].banner === b.boards[port].banner &&
        a.boards[port].isStopped === b.boards[port].isStopped &&
        (a.boards[port].job === null) === (b.boards[port].job === null) &&
        a.improv[port].isHeard === b.improv[port].isHeard &&
        a.improv[port].state === b.improv[port].state &&
        a.improv[port].address === b.improv[port].address &&
        a.improv[port].job === b.improv[port].job &&
        a.improv[port].found.length === b.improv[port].found.length &&
        (a.improv[port].information === null) === (b.improv[port].information === null) &&
        sameShallow(before.signals, after.signals) &&
        sameShallow(before.settings ?? defaultPortSettings, after.settings ?? defaultPortSettings) &&
        sameShallow(a.devices[port] ?? {}, b.devices[port] ?? {})
      );
    })
  );
}

/** The page's one store: it exists before there is a bench, and then says that nothing is open. */
export const benchStatus = new BenchStatusStore();

/** A part of the view. The component renders again only when that part changes, compared by its fields. */
export function useBenchStatus<Part>(select: (view: BenchView) => Part): Part {
  const read = useMemo(() => {
    let part: { readonly value: Part } | null = null;
    return () => {
      const value = select(benchStatus.view);
      part = part !== null && sameShallow(part.value, value) ? part : { value };
      return part.value;
    };
  }, [select]);
  return useSyncExternalStore(benchStatus.subscribe, read);
}
