/**
 * Worker side of a shared bench, between the bench's sessions and `RemoteHost`. It connects only to the room that it
 * receives.
 */
import type { Clock } from '@wirebench/clock';
import {
  type Dial,
  dialSocket,
  formatShareLink,
  type GuestName,
  makeSecret,
  RemoteHost,
  type SharedPort,
  shownName,
  webCrypto,
} from '@wirebench/remote';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import type { PortNames } from '../../protocol/bench/port-part.ts';
import { callFailure } from '../../protocol/calls/call-failure.ts';
import type { Channel } from '../../protocol/calls/call-protocol.ts';
import { type CallHandlers, CallServer } from '../../protocol/calls/call-server.ts';
import type { ShareApi, ShareGuest, ShareRequest, ShareStatus, ShareTick } from '../../protocol/share-protocol.ts';
import type { BenchWorker } from '../bench/bench-worker.ts';
import { SessionAccess } from './session-access.ts';

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

/** Reports the bench's ports to guests: their names, whether their boards are plugged in, and their settings. */
class SharedPorts {
  readonly #host: BenchWorker;
  readonly #access: Pick<SessionAccess, 'isLost'>;
  /** The last report of each port, as JSON. */
  readonly #reported = new Map<PortNumber, string>();
  #names: PortNames;

  constructor(host: BenchWorker, access: Pick<SessionAccess, 'isLost'>, names: PortNames) {
    this.#host = host;
    this.#access = access;
    this.#names = names;
  }

  get numbers(): readonly PortNumber[] {
    return portNumbers.filter((port) => this.#reported.has(port));
  }

  rename(names: PortNames): void {
    this.#names = names;
  }

  /** Reports the changes since the last call. */
  report(setPort: (port: PortNumber, shared: SharedPort | null) => void): void {
    for (const port of portNumbers) {
      const shared = this.#describe(port);
      const text = shared === null ? undefined : JSON.stringify(shared);
      if (text !== this.#reported.get(port)) {
        if (text === undefined) {
          this.#reported.delete(port);
        } else {
          this.#reported.set(port, text);
        }
        setPort(port, shared);
      }
    }
  }

  /**
   * Returns null for a port that never had a device, for a device without a serial port, and for another user's
   * shared board.
   */
  #describe(port: PortNumber): SharedPort | null {
    const { bench, devices, toolPorts } = this.#host;
    const facts = devices.facts(port);
    if (facts === null || facts.kind === 'usb' || devices.isRemote(port)) {
      return null;
    }
    const { state, settings, info } = bench.status().ports[port];
    if (state === 'connected') {
      // A session may have reopened a board that came back as another object.
      devices.opened(port, info);
    }
    const isOurs = state === 'connected' || state === 'connecting' || state === 'disconnecting';
    const present = isOurs || (state !== 'reconnecting' && !this.#access.isLost(port) && devices.isPlugged(port));
    return {
      // Guests cannot type there until the flasher releases the port.
      name: toolPorts.isHeld(port) ? `${this.#names[port]}, in the flasher` : this.#names[port],
      info: devices.info(port) ?? info ?? {},
      isSimulated: facts.kind === 'demo',
      present,
      settings: state === 'connected' ? settings : null,
    };
  }
}

/**
 * Latin letters, by letters and digits that look like them in at least one case. From Unicode Technical Standard 39,
 * confusables.txt, limited to characters that keyboards have.
 */
const lookAlikes = new Map(
  Object.entries({
    a: 'аαɑ',
    b: 'вβ',
    c: 'сϲ',
    d: 'ԁ',
    e: 'еε',
    g: 'ɡ',
    h: 'нһηհ',
    i: 'іιıl1|ӏ',
    j: 'јϳ',
    k: 'кκ',
    m: 'мμ',
    n: 'ո',
    o: 'оο0օ',
    p: 'рρ',
    q: 'ԛ',
    s: 'ѕ',
    t: 'тτ',
    u: 'ս',
    v: 'ν',
    w: 'ԝ',
    x: 'хχ',
    y: 'уυ',
    z: 'ζ',
  }).flatMap(([letter, others]) => [...others].map((other) => [other, letter] as const)),
);

/** Names with the same key look the same: different case, width or spaces, or letters of another script. */
const keyOf = (name: string) =>
  [...name.normalize('NFKC').replace(/\s+/g, '').toLowerCase()]
    .map((letter) => lookAlikes.get(letter) ?? letter)
    .join('');

/**
 * Display names of guests. Guests write their names themselves, so they are sanitised and made unique, even among
 * look-alikes. A guest keeps its name during the visit.
 */
export class GuestNames {
  /** By the guest's id. */
  readonly #shown = new Map<string, { readonly name: string; readonly person: string | null }>();

  nameOf({ id, name, person = null }: GuestName): string {
    const known = this.#shown.get(id);
    if (known !== undefined && known.person === person) {
      return known.name;
    }
    const clean = shownName(name, 'Guest');
    // Pages of one browser count as one guest.
    const others = [...this.#shown].filter(
      ([other, shown]) => other !== id && (person === null || shown.person !== person),
    );
    const taken = new Set(others.map(([, shown]) => keyOf(shown.name)));
    let shown = clean;
    for (let count = 2; taken.has(keyOf(shown)); count++) {
      shown = `${clean} (${count})`;
    }
    this.#shown.set(id, { name: shown, person });
    return shown;
  }

  /** Frees the names of guests who have left. */
  keep(present: readonly GuestName[]): void {
    const ids = new Set(present.map(({ id }) => id));
    for (const id of this.#shown.keys()) {
      if (!ids.has(id)) {
        this.#shown.delete(id);
      }
    }
  }
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
      signed: (port, words) => remote.signed(port, words, clock.wallTime()),
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
