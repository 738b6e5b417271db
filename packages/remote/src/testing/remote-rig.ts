/** A host with boards, guests, and a relay between them, on one virtual clock. */
import type { Clock, VirtualClock } from '@wirebench/clock';
import type { TapPiece } from '../frames/tap-records.ts';
import type { EarlierFromHost } from '../guest/earlier-gate.ts';
import { RemoteGuest } from '../guest/remote-guest.ts';
import type { MissingBytes } from '../guest/tap-reader.ts';
import type { BenchAccess, GuestName, SharedPort } from '../host/bench-access.ts';
import { RemoteHost } from '../host/remote-host.ts';
import { type Limits, limits as usual } from '../limits.ts';
import { makeSecret } from '../sealing/secret.ts';
import { nodeCrypto, type SealWatch } from './node-crypto.ts';
import { TestRelay, type TestRelayOptions } from './test-relay.ts';

/** Longer than the exchange of versions takes between both sides, in milliseconds. */
const GREETINGS = 200;

export interface RemoteRigOptions extends Omit<TestRelayOptions, 'clock'> {
  readonly clock: VirtualClock;
  readonly seed?: number;
  /** Name of the host. */
  readonly name?: string;
  readonly limits?: Partial<Limits>;
  /** Returns the current device of every port; null: no device. */
  readonly device?: () => SerialPort | null;
  readonly onSeal?: SealWatch;
  /** Returns lines of the host's console. Omitted: no lines. */
  readonly earlier?: BenchAccess['earlier'];
  readonly showsEarlier?: boolean;
  /** False: the host is of a version that cannot hide what guests send. */
  readonly hides?: boolean;
}

export interface GuestRig {
  readonly guest: RemoteGuest;
  readonly pieces: TapPiece[];
  readonly missing: MissingBytes[];
  /** Lines from before the guest joined, one entry for each delivery. */
  readonly earlier: EarlierFromHost[];
  /** Returns how long the guest has been away, in milliseconds; 0 while it is not away. */
  awayFor(): number;
  /** Returns the bytes of a lane that have arrived, in order. */
  lane(port: number, lane: 'received' | 'sent'): Uint8Array;
}

export class RemoteRig {
  readonly clock: VirtualClock;
  readonly relay: TestRelay;
  readonly host: RemoteHost;
  readonly secret: string;
  /** Calls of the host's bench in order: `acquire 1`, `release 1`, `type 1 text`, `hidden 1 text`, `keys 1 3`. */
  readonly calls: string[] = [];
  readonly passed: { readonly lane: string; readonly bytes: Uint8Array }[] = [];
  /** Guests named in the calls of `acquire` and `type`. */
  readonly named: GuestName[] = [];
  /** Error with which typing rejects; null: typing succeeds. */
  typeError: Error | null = null;
  readonly limits: Limits;
  readonly #options: RemoteRigOptions;
  #guests = 0;

  constructor(options: RemoteRigOptions) {
    const { clock, seed = 1, name = 'Ada', device = () => null, earlier, showsEarlier = false, hides = true } = options;
    this.#options = options;
    this.clock = clock;
    this.limits = { ...usual, ...options.limits };
    this.relay = new TestRelay(options);
    this.secret = makeSecret(nodeCrypto(seed));
    this.host = new RemoteHost({
      clock,
      dial: this.relay.dialHost,
      secret: this.secret,
      name,
      onChange: () => undefined,
      crypto: nodeCrypto(seed + 1_000_000, options.onSeal),
      limits: this.limits,
      showsEarlier,
      bench: {
        ...(earlier !== undefined && { earlier }),
        ...(hides && { hidden: this.#hidden }),
        acquire: async (port, { id, name }) => {
          this.named.push({ id, name });
          this.calls.push(`acquire ${port}`);
          const now = device();
          if (now === null) {
            throw new DOMException('No device.', 'NotFoundError');
          }
          return now;
        },
        release: (port, isLost) => this.calls.push(`release ${port}${isLost ? ' lost' : ''}`),
        type: async (port, bytes, { id, name }) => {
          this.named.push({ id, name });
          if (this.typeError !== null) {
            throw this.typeError;
          }
          this.calls.push(`type ${port} ${new TextDecoder().decode(bytes)}`);
        },
        passedKeys: (port, count) => this.calls.push(`keys ${port} ${count}`),
        passed: (_port, lane, bytes) => this.passed.push({ lane, bytes: bytes.slice() }),
      },
    });
  }

  get #hidden(): NonNullable<BenchAccess['hidden']> {
    const line = (count: number) => new TextEncoder().encode(`hidden, ${count} bytes`);
    return {
      line,
      send: async (port, bytes) => {
        this.calls.push(`hidden ${port} ${new TextDecoder().decode(bytes)}`);
        this.host.tapped(port, 'sent', line(bytes.length), this.clock.now());
      },
    };
  }

  /** Shares a port with a board plugged in, by default port 1. */
  share(change: Partial<SharedPort> = {}, port = 1): void {
    const info = { usbVendorId: 0x10c4, usbProductId: 0xea60 };
    this.host.setPort(port, { name: 'Board', info, present: true, settings: null, ...change });
  }

  /**
   * Opens the link as a guest.
   *
   * @param clock Clock of the guest's computer.
   */
  join(name = 'Grace', secret = this.secret, clock: Clock = this.clock, browserKey?: string): GuestRig {
    const pieces: TapPiece[] = [];
    const missing: MissingBytes[] = [];
    const earlier: EarlierFromHost[] = [];
    let awaySince: number | null = null;
    const guest: RemoteGuest = new RemoteGuest({
      clock,
      dial: this.relay.dialGuest,
      secret,
      name,
      ...(browserKey !== undefined && { browserKey }),
      onChange: () => {
        awaySince = guest.status.state === 'away' ? (awaySince ?? this.clock.now()) : null;
      },
      onEarlier: (lines) => earlier.push(lines),
      onPiece: (piece) => pieces.push({ ...piece, bytes: piece.bytes.slice() }),
      onMissing: (one) => missing.push(one),
      crypto: nodeCrypto((this.#options.seed ?? 1) + 2_000_000 + this.#guests++ * 1_000, this.#options.onSeal),
      limits: this.limits,
    });
    const lane = (port: number, name: string) => {
      const ours = pieces.filter((piece) => piece.port === port && piece.lane === name);
      return Uint8Array.from(ours.flatMap(({ bytes }) => [...bytes]));
    };
    const awayFor = () => (awaySince === null ? 0 : this.clock.now() - awaySince);
    return { guest, pieces, missing, earlier, awayFor, lane };
  }

  /**
   * Advances the clock until `holds` returns true.
   *
   * @throws Error after `limit` milliseconds of the clock.
   */
  async until(what: string, holds: () => boolean, limit = 60_000): Promise<void> {
    const end = this.clock.now() + limit;
    while (!holds()) {
      if (this.clock.now() > end) {
        throw new Error(`Waited without result: ${what}`);
      }
      await this.clock.advance(5);
    }
  }

  /** Joins and waits until the host has accepted and both sides have sent their first messages. */
  async joined(name = 'Grace', browserKey?: string): Promise<GuestRig> {
    const rig = this.join(name, this.secret, this.clock, browserKey);
    await this.until('joined', () => rig.guest.status.state === 'joined' && rig.guest.status.ports.length > 0);
    await this.clock.advance(GREETINGS);
    return rig;
  }

  /** Returns the ID of a guest at the host. */
  idOf(name: string): string {
    return this.host.status.guests.find((guest) => guest.name === name)?.id ?? 'nobody';
  }

  /** Joins a guest that may use port 1, and returns it with its port. */
  async using(name = 'Grace') {
    const rig = await this.joined(name);
    this.host.setRight(this.idOf(name), 1, 'use');
    await this.until('usable', () => rig.guest.serial.portAt(1) !== null);
    const port = rig.guest.serial.portAt(1);
    if (port === null) {
      throw new Error('There is a port.');
    }
    return { ...rig, port };
  }

  /** Advances the clock until `work` settles. */
  async run<Result>(work: Promise<Result>, limit = 120_000): Promise<Result> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    work.then(end, end);
    await this.until('work has ended', () => isOver, limit);
    return work;
  }
}
