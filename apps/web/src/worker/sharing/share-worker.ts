/**
 * Worker side of a shared bench, between the bench's sessions and `RemoteHost`. It connects only to the room that it
 * receives.
 */
import type { Clock } from '@wirebench/clock';
import { type Dial, dialSocket, formatShareLink, makeSecret, RemoteHost, webCrypto } from '@wirebench/remote';
import { callFailure } from '../../protocol/calls/call-failure.ts';
import type { Channel } from '../../protocol/calls/call-protocol.ts';
import { type CallHandlers, CallServer } from '../../protocol/calls/call-server.ts';
import type { ShareApi, ShareGuest, ShareRequest, ShareStatus, ShareTick } from '../../protocol/share-protocol.ts';
import type { BenchWorker } from '../bench/bench-worker.ts';
import { GuestNames } from './guest-names.ts';
import { SessionAccess } from './session-access.ts';
import { SharedPorts } from './shared-ports.ts';

/** Shortest time between two reports of the ports to guests, in milliseconds. */
const portsPause = 50;
/** Shortest time between two ticks, in milliseconds. Users cannot read faster updates. */
const tickPause = 100;
const hour = 3_600_000;

export interface ShareWorkerParts {
  readonly clock: Clock;
  readonly worker: BenchWorker;
  /** Opens the connection to the relay. Tests replace it. */
  readonly dial?: (request: ShareRequest) => Dial;
}

interface Sharing {
  readonly remote: RemoteHost;
  readonly ports: SharedPorts;
  readonly names: GuestNames;
}

export class ShareWorker {
  readonly #parts: ShareWorkerParts;
  readonly #line: CallServer<ShareApi, ShareTick>;
  #sharing: Sharing | null = null;
  #cancelPorts: (() => void) | null = null;

  constructor(channel: Channel, parts: ShareWorkerParts) {
    this.#parts = parts;
    const tick = () => ({ status: this.#status() });
    const interval = () => tickPause;
    const { clock } = parts;
    this.#line = new CallServer({ channel, clock, handlers: this.#handlers, tick, interval, failureOf: callFailure });
  }

  readonly #handlers: CallHandlers<ShareApi> = {
    start: (request) => this.#start(request),
    stop: () => this.#sharing?.remote.stop(),
    setPortNames: (names) => {
      this.#sharing?.ports.rename(names);
      this.#portsSoon();
    },
    showEarlier: (isShown) => this.#sharing?.remote.showEarlier(isShown),
    endAfter: (hours) => this.#sharing?.remote.endAfter(hours * hour),
    setRight: (guest, port, right) => this.#sharing?.remote.setRight(guest, port, right),
    refuse: (guest, port) => this.#sharing?.remote.refuse(guest, port),
    lowerAll: () =>
      this.#each(({ id, port, right }) => right !== 'watch' && this.#sharing?.remote.setRight(id, port, 'watch')),
    refuseAll: () => this.#each(({ id, port, asked }) => asked !== null && this.#sharing?.remote.refuse(id, port)),
    takeBack: (port) => this.#sharing?.remote.takeBack(port),
    remove: (guest) => this.#sharing?.remote.expel(guest),
  };

  /** Calls `act` for each port of each guest. */
  #each(act: (guest: ShareGuest['ports'][number] & Pick<ShareGuest, 'id'>) => void): void {
    for (const { id, ports } of this.#sharing?.remote.status.guests ?? []) {
      for (const port of ports) {
        act({ id, ...port });
      }
    }
  }

  #start(request: ShareRequest): string {
    if (this.#isOn) {
      throw new Error('This bench is shared already.');
    }
    const { clock, worker, dial = dialOf } = this.#parts;
    const { origin, room, name, hours, showsEarlier, portNames } = request;
    const names = new GuestNames();
    const onChange = () => {
      this.#portsSoon();
      this.#line.change();
    };
    const access = new SessionAccess({ clock, worker, nameOf: (guest) => names.nameOf(guest), onChange });
    const secret = makeSecret(webCrypto);
    const remote = new RemoteHost({
      clock,
      dial: dial(request),
      secret,
      name,
      bench: access,
      lasts: hours * hour,
      showsEarlier,
      onChange: () => this.#changed(),
    });
    const ports = new SharedPorts(worker, access, portNames);
    this.#sharing = { remote, ports, names };
    worker.tap = {
      bytes: (port, lane, bytes, at) => remote.tapped(port, lane, bytes, at),
      signed: (port, words) => remote.signed(port, words, clock.now()),
      changed: () => this.#portsSoon(),
    };
    this.#tellPorts();
    return formatShareLink({ origin, room, secret });
  }

  get #isOn(): boolean {
    return this.#sharing !== null && this.#sharing.remote.status.state !== 'ended';
  }

  #changed(): void {
    if (!this.#isOn) {
      this.#parts.worker.tap = null;
      this.#cancelPorts?.();
      this.#cancelPorts = null;
    }
    this.#line.change();
  }

  #portsSoon(): void {
    if (this.#isOn) {
      this.#cancelPorts ??= this.#parts.clock.schedule(portsPause, () => this.#tellPorts());
    }
  }

  #tellPorts(): void {
    this.#cancelPorts?.();
    this.#cancelPorts = null;
    const sharing = this.#sharing;
    sharing?.ports.report((port, shared) => sharing.remote.setPort(port, shared));
    sharing?.remote.setTypists(this.#parts.worker.typists.guests);
  }

  #status(): ShareStatus | null {
    if (this.#sharing === null) {
      return null;
    }
    const { remote, ports, names } = this.#sharing;
    const { status } = remote;
    names.keep(status.guests);
    const guests = status.guests.map((guest) => ({ ...guest, name: names.nameOf(guest) }));
    return { ...status, guests, ports: ports.numbers };
  }
}

function dialOf({ relay, room, hostToken }: ShareRequest): Dial {
  return dialSocket({ origin: relay, room, hostToken });
}
