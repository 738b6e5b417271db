/** A shared bench and the worker of one guest's page in one process, on a virtual clock and a relay in memory. */
import { VirtualClock } from '@wirebench/clock';
import { defaultPortSettings, OpenError } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { type EarlierLine, makeSecret, RemoteGuest, RemoteHost, type Right, webCrypto } from '@wirebench/remote';
import { clockAhead } from '@wirebench/remote/testing/clock-ahead';
import { TestRelay } from '@wirebench/remote/testing/relay';
import { hiddenLine, type PortNumber } from '@wirebench/serial';
import type { BenchTick } from '../../../protocol/bench/bench-tick.ts';
import { CallClient } from '../../../protocol/calls/call-client.ts';
import { askOn, passOn } from '../../../protocol/calls/testing/ask-on.ts';
import { callLine } from '../../../protocol/calls/testing/call-line.ts';
import type { LiveApi, LiveTick } from '../../../protocol/live-protocol.ts';
import { BenchClient } from '../../../workbench/bench-client.ts';
import { BenchWorker } from '../../bench/bench-worker.ts';
import { LiveWorker } from '../live-worker.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const info = { usbVendorId: 0x10c4, usbProductId: 0xea60 };

/** The host of a shared bench and the worker of a guest's page. */
export class GuestVisit {
  readonly clock = new VirtualClock(1_000_000);
  readonly relay = new TestRelay({ clock: this.clock, delay: () => 20 });
  readonly secret = makeSecret(webCrypto);
  readonly device = new FakeSerialPort(info);
  /** Calls that the host received. */
  readonly calls: string[] = [];
  /** True: the board is in use on the host's bench. */
  isBusy = false;
  /** Recorded bytes of all ports. */
  readonly recorded: number[] = [];
  /** Recorded lines. */
  recordedText = '';
  /** Lines of port 1 in the host's console. */
  earlier: readonly EarlierLine[] = [];
  readonly host: RemoteHost = new RemoteHost({
    clock: this.clock,
    dial: this.relay.dialHost,
    secret: this.secret,
    name: 'Ada',
    onChange: () => undefined,
    bench: {
      acquire: async (port) => {
        if (this.isBusy) {
          throw new OpenError('busy', null);
        }
        this.calls.push(`acquire ${port}`);
        return this.device;
      },
      release: (port) => this.calls.push(`release ${port}`),
      type: async (port, bytes) => {
        this.calls.push(`type ${port} ${new TextDecoder().decode(bytes)}`);
        this.host.tapped(port, 'sent', bytes, this.clock.now());
      },
      hidden: {
        send: async (port, bytes) => {
          this.calls.push(`hidden ${port} ${new TextDecoder().decode(bytes)}`);
          this.host.tapped(port, 'sent', hiddenLine(bytes.length), this.clock.now());
        },
        line: hiddenLine,
      },
      passed: () => undefined,
      earlier: (port) => (port === 1 ? this.earlier : []),
    },
  });
  readonly bench: BenchWorker;
  readonly page: BenchClient;
  readonly live: CallClient<LiveApi, LiveTick>;
  tick: LiveTick | null = null;
  benchTick: BenchTick | null = null;

  /** @param ahead Offset of the guest's clock, in milliseconds. Positive: fast. */
  constructor({ ahead = 0 } = {}) {
    const { relay } = this;
    const clock = clockAhead(this.clock, ahead);
    const line = callLine();
    this.bench = new BenchWorker(line.bench, {
      clock,
      openRecordingFile: async (name) => ({
        name,
        write: (bytes) => {
          if (name.endsWith('.bin')) {
            this.recorded.push(...bytes);
          } else if (name.endsWith('.txt')) {
            this.recordedText += new TextDecoder().decode(bytes);
          }
        },
        durable: true,
        flush: () => undefined,
        close: async () => undefined,
        discard: async () => undefined,
      }),
    });
    this.page = new BenchClient((tick) => {
      this.benchTick = tick;
    });
    this.page.attach(line.page);
    const liveLine = callLine();
    new LiveWorker(liveLine.bench, {
      clock,
      worker: this.bench,
      makeGuest: ({ secret }, options) => new RemoteGuest({ ...options, secret, dial: relay.dialGuest }),
    });
    this.live = new CallClient((tick) => {
      this.tick = tick;
    });
    this.live.attach(liveLine.page);
  }

  share(change: Partial<Parameters<RemoteHost['setPort']>[1] & object> = {}, port = 1): void {
    this.host.setPort(port, { name: 'Board', info, present: true, settings: defaultPortSettings, ...change });
  }

  /** @param ahead Offset of the host's clock, in milliseconds. Positive: fast. */
  receive(text: string, { port = 1, ahead = 0 } = {}): void {
    this.host.tapped(port, 'received', encode(text), this.clock.now() + ahead);
  }

  setRight(right: Right): void {
    this.host.setRight(this.host.status.guests[0]?.id ?? '', 1, right);
  }

  /** Advances time in steps, because the machine's cryptography threads encrypt and decrypt frames in between. */
  wait(duration = 400): Promise<void> {
    return passOn(this.clock, duration, 'threads');
  }

  async until(what: string, holds: () => boolean): Promise<void> {
    for (let turn = 0; !holds(); turn++) {
      if (turn === 10_000) {
        throw new Error(`Waited without result: ${what}`);
      }
      await this.wait(5);
    }
  }

  async joined(): Promise<void> {
    await this.wait();
    void this.live.call(
      'join',
      { origin: 'http://localhost', room: 'room', secret: this.secret },
      'Grace',
      true,
      'key',
    );
    await this.until('joined', () => this.tick?.state === 'joined' && this.tick.guests > 0);
    await this.wait(1_000);
  }

  /** Calls and advances time until the answer: `done`, or the text of the refusal. */
  async outcome(call: Promise<unknown>): Promise<string> {
    const settled = call.then(
      () => 'done',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    const outcome = await askOn(this.clock, settled, { stride: 5, pace: 'threads' });
    await this.wait();
    return outcome;
  }

  async text(): Promise<string> {
    const asked = this.page.call('rows', { layout: 'text', anchor: { position: 0 }, count: 1_000 });
    return (await askOn(this.clock, asked, { stride: 5, pace: 'threads' })).rows.map((row) => row.text).join('\n');
  }

  async exported(port: PortNumber = 1): Promise<string> {
    const asked = this.page.call('exportFile', { kind: 'raw', port });
    return (await askOn(this.clock, asked, { stride: 5, pace: 'threads' })).text();
  }

  get port() {
    return this.benchTick?.status.ports[1];
  }
}
