/**
 * Worker side of a guest's visit to a shared bench, beside the bench of the guest's page. The shared traffic goes
 * into this page's log with its times. The guest's input goes to the shared bench, as far as the guest's rights
 * allow.
 */
import type { Clock } from '@wirebench/clock';
import {
  type BytesPiece,
  dialSocket,
  type EarlierFromHost,
  type MissingBytes,
  RemoteError,
  RemoteGuest,
  type RemoteGuestStatus,
  type ShareLink,
} from '@wirebench/remote';
import { type PortNumber, portNumbers, SessionError } from '@wirebench/serial';
import type { DeviceFacts } from '../../protocol/bench/port-part.ts';
import { callFailure } from '../../protocol/calls/call-failure.ts';
import type { CallFailure, Channel } from '../../protocol/calls/call-protocol.ts';
import { CallServer } from '../../protocol/calls/call-server.ts';
import type { LiveApi, LiveTick, SharedPortFacts } from '../../protocol/live-protocol.ts';
import type { BenchWorker } from '../bench/bench-worker.ts';
import { liveNotices } from './live-notices.ts';
import { refused } from './watched-port.ts';
import { WatchedPorts } from './watched-ports.ts';

/**
 * Tolerated difference between the host's clock and this one, in milliseconds. A larger difference is subtracted from
 * the host's times, so that lines are in order of arrival.
 */
const clockTolerance = 1_000;

const shiftOf = (ahead: number) => (Math.abs(ahead) > clockTolerance ? Math.round(ahead) : 0);

/** Shortest time between two ticks, in milliseconds. With traffic only numbers change, which no user reads faster. */
const interval = 100;

/** Creates the guest of a link. Tests replace it. */
type MakeGuest = (
  link: ShareLink,
  options: Omit<ConstructorParameters<typeof RemoteGuest>[0], 'dial' | 'secret'>,
) => RemoteGuest;

interface LiveWorkerParts {
  readonly clock: Clock;
  readonly worker: Pick<
    BenchWorker,
    'bench' | 'devices' | 'devicesChanged' | 'sign' | 'remoteKeys' | 'remoteHidden' | 'typists'
  >;
  readonly makeGuest?: MakeGuest;
}

const overSocket: MakeGuest = ({ origin, room, secret }, options) =>
  new RemoteGuest({ ...options, secret, dial: dialSocket({ origin, room, hostToken: null }) });

const noStatus: RemoteGuestStatus = {
  state: 'joining',
  why: null,
  host: '',
  isHostAway: false,
  endsAt: null,
  ports: [],
  people: [],
  canHide: false,
  guests: 0,
  typists: [],
  roundTrip: null,
  hostAhead: null,
};

export class LiveWorker {
  readonly #parts: LiveWorkerParts;
  readonly #line: CallServer<LiveApi, LiveTick>;
  /** Null while the bench shows other ports than the shared ones. */
  #ports: WatchedPorts | null = null;
  #guest: RemoteGuest | null = null;
  #status = noStatus;
  #since: number;
  #delay: number | null = null;
  #missing = 0;
  /** Time of each port's newest line by the host's clock, and the key of its shared bench. */
  #newest: { readonly secret: string; readonly times: Map<number, number> } | null = null;
  /** Milliseconds to subtract from the host's times. Null until the clocks were compared. */
  #shift: number | null = null;

  constructor(line: Channel, parts: LiveWorkerParts) {
    this.#parts = parts;
    const { clock } = parts;
    this.#since = clock.wallTime();
    this.#line = new CallServer({
      channel: line,
      clock,
      failureOf,
      tick: () => this.#tick(),
      interval: () => interval,
      handlers: {
        join: (link, name, shown, browserKey) => this.#join(link, name, shown, browserKey),
        leave: () => this.#visit.leave(),
        ask: (port, right) => this.#visit.ask(port, right),
        use: (port, settings) => this.#shown.use(port, settings),
        giveBack: (port) => this.#shown.giveBack(port),
      },
    });
  }

  get #visit(): RemoteGuest {
    if (this.#guest === null) {
      throw new RemoteError('ended');
    }
    return this.#guest;
  }

  get #shown(): WatchedPorts {
    if (this.#ports === null) {
      throw new RemoteError('ended');
    }
    return this.#ports;
  }

  #join(link: ShareLink, name: string, shown: boolean, browserKey: string): void {
    const { clock, worker, makeGuest = overSocket } = this.#parts;
    this.#guest?.leave();
    if (shown) {
      this.#ports ??= this.#showPorts();
    }
    this.#status = noStatus;
    this.#since = clock.wallTime();
    this.#delay = null;
    this.#missing = 0;
    this.#shift = null;
    if (this.#newest?.secret !== link.secret) {
      this.#newest = { secret: link.secret, times: new Map() };
    }
    const guest: RemoteGuest = makeGuest(link, {
      clock,
      name,
      browserKey,
      onChange: () => this.#follow(guest),
      ...(shown && { onEarlier: (earlier) => this.#showEarlier(earlier) }),
      onPiece: (piece) => this.#take(piece),
      onAuthor: (port, words) => this.#ports !== null && worker.sign(port as PortNumber, words),
      onMissing: (missing) => this.#miss(missing),
    });
    this.#guest = guest;
    worker.remoteKeys = (port, keys) => guest.typeKeys(port, keys);
    const { devices } = worker;
    devices.remoteAt = (port) => guest.serial.portAt(port);
    // A shared board that restarts on its own USB returns as another port, as it does on the host.
    guest.serial.addEventListener('connect', ({ target }) => devices.appeared(target as SerialPort));
    this.#change();
  }

  #showPorts(): WatchedPorts {
    const { worker } = this.#parts;
    return new WatchedPorts({
      bench: worker.bench,
      shared: (port) => this.#shared(port),
      type: (port, bytes) => this.#visit.type(port, bytes),
      usable: (port) => this.#guest?.serial.portAt(port) ?? null,
      changed: () => this.#change(),
    });
  }

  /**
   * Adds lines from before the guest joined, between two notices. They are for reading only: they are no answers, no
   * crashes and no traffic. If a visit begins again after its end, only lines that the log lacks are added.
   */
  #showEarlier({ lines, hostAhead }: EarlierFromHost): void {
    const { clock, worker } = this.#parts;
    const times = this.#newest?.times;
    const missed = lines.filter(({ port, time }) => time > (times?.get(port) ?? Number.NEGATIVE_INFINITY));
    if (this.#ports === null || missed.length === 0) {
      return;
    }
    this.#shift ??= shiftOf(hostAhead);
    const shift = this.#shift;
    const show = (shown: typeof missed) => {
      for (const line of shown) {
        const port = line.port as PortNumber;
        const at = Math.min(line.time - shift, clock.wallTime());
        worker.bench.recordEarlier(port, { direction: line.lane, bytes: line.bytes, at, isOpen: line.isOpen });
        if (line.author !== null) {
          worker.sign(port, line.author);
        }
        times?.set(port, Math.max(line.time, times.get(port) ?? line.time));
      }
    };
    const whole = missed.filter(({ isOpen }) => !isOpen).length;
    if (whole > 0) {
      const from = `Earlier, sent by ${this.#status.host}: ${whole} ${whole === 1 ? 'line' : 'lines'} from before you came.`;
      worker.bench.notice('info', from, null);
      show(missed.slice(0, whole));
      worker.bench.notice('info', 'From here on you see what passes now.', null);
    }
    show(missed.slice(whole));
    this.#line.change();
  }

  #take({ port, lane, bytes, time }: BytesPiece): void {
    if (this.#ports === null) {
      return;
    }
    const { clock, worker } = this.#parts;
    const { hostAhead } = this.#status;
    this.#newest?.times.set(port, time);
    if (hostAhead !== null) {
      this.#delay = Math.max(0, Math.round(clock.wallTime() + hostAhead - time));
      this.#shift ??= shiftOf(hostAhead);
    }
    // Bytes that arrive before the clocks were compared are new, because a visit begins with new bytes.
    const shift = this.#shift ?? shiftOf(time - clock.wallTime());
    worker.bench.record(port as PortNumber, lane, bytes.slice(), time - shift);
    this.#line.change();
  }

  #miss({ port, lane, at, count }: MissingBytes): void {
    if (this.#ports === null) {
      return;
    }
    this.#missing += count;
    const what = lane === 'received' ? 'received' : 'was sent';
    const number = new Intl.NumberFormat('en-US').format;
    this.#parts.worker.bench.notice(
      'warning',
      `${number(count)} ${count === 1 ? 'byte is' : 'bytes are'} missing here of what port ${port} ${what}, from byte ${number(at + 1)} of the sharing on.`,
      port as PortNumber,
    );
    this.#line.change();
  }

  #follow(guest: RemoteGuest): void {
    if (guest !== this.#guest) {
      return;
    }
    const { clock, worker } = this.#parts;
    const before = this.#status;
    this.#status = guest.status;
    if (before.state !== this.#status.state || before.isHostAway !== this.#status.isHostAway) {
      this.#since = clock.wallTime();
    }
    for (const { level, text, port } of liveNotices(before, this.#status)) {
      // A flasher's boards have other numbers than the shared ports.
      worker.bench.notice(level, text, this.#ports === null ? null : port);
    }
    if (before.typists !== this.#status.typists && this.#ports !== null) {
      this.#tellTypists(this.#status.typists);
    }
    this.#change();
    this.#ports?.follow();
  }

  /** Shows who else types, and says so in the log once a minute. */
  #tellTypists(typists: RemoteGuestStatus['typists']): void {
    const { worker } = this.#parts;
    const others = typists.flatMap(({ port, name, isYou }) => (isYou ? [] : [{ port: port as PortNumber, name }]));
    for (const { port, name } of worker.typists.setNamed(others)) {
      worker.bench.notice('info', `${name} types on port ${port}`, port);
    }
  }

  /** Derives the shown ports from the shared ones. */
  #change(): void {
    const { worker } = this.#parts;
    const guest = this.#guest;
    worker.remoteHidden =
      guest !== null && this.#status.canHide ? (port, bytes) => this.#typeHidden(guest, port, bytes) : null;
    const ports = this.#ports;
    for (const port of ports === null ? [] : portNumbers) {
      const shared = this.#shared(port);
      worker.devices.setRemote(port, {
        plugged: shared?.present ?? false,
        right: shared?.right ?? null,
        isSimulated: shared?.isSimulated ?? false,
        user: shared === null || shared.isYours ? null : shared.user,
        away: this.#away,
        canHide: this.#status.canHide,
        port: ports?.device(port) ?? null,
      });
    }
    worker.devicesChanged();
    this.#line.change();
  }

  async #typeHidden(guest: RemoteGuest, port: PortNumber, bytes: Uint8Array): Promise<void> {
    try {
      await guest.typeHidden(port, bytes);
    } catch (error) {
      throw refused(error);
    }
  }

  get #away(): NonNullable<DeviceFacts['away']> | null {
    const { state, isHostAway } = this.#status;
    return isHostAway ? 'host' : state === 'away' ? 'guest' : null;
  }

  /** Returns null for all ports after the visit has ended. */
  #shared(port: PortNumber): SharedPortFacts | null {
    const { state, ports } = this.#status;
    return state === 'ended' ? null : (ports.find((shared) => shared.port === port) ?? null);
  }

  #tick(): LiveTick {
    const { hostAhead: _, typists: __, ...status } = this.#status;
    return {
      ...status,
      since: this.#since,
      delay: this.#delay,
      missing: this.#missing,
      using: this.#ports?.using ?? [],
    };
  }
}

function failureOf(error: unknown): CallFailure {
  return callFailure(error, error instanceof SessionError || error instanceof RemoteError ? error.code : null);
}
