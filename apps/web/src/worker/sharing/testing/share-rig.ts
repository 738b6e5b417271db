/** A bench on a virtual clock that is shared over a relay in the same process, with boards and guests. */
import { VirtualClock } from '@wirebench/clock';
import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { parseShareLink, type RemoteGuest, type Right } from '@wirebench/remote';
import { TestRelay } from '@wirebench/remote/testing/relay';
import type { PortNumber } from '@wirebench/serial';
import { vi } from 'vitest';
import type { BenchTick } from '../../../protocol/bench/bench-tick.ts';
import type { PortNames } from '../../../protocol/bench/port-part.ts';
import { CallClient } from '../../../protocol/calls/call-client.ts';
import { askOn, pass, passOn } from '../../../protocol/calls/testing/ask-on.ts';
import { PortLines } from '../../../protocol/calls/testing/port-lines.ts';
import type { ShareApi, ShareStatus, ShareTick } from '../../../protocol/share-protocol.ts';
import { BenchClient } from '../../../workbench/bench-client.ts';
import { BenchWorker } from '../../bench/bench-worker.ts';
import type { OpenRecordingFile } from '../../recording/recording-file.ts';
import { ShareWorker } from '../share-worker.ts';
import { visitorOf } from './visitor.ts';

const standardNames: PortNames = { 1: 'Port 1', 2: 'Port 2', 3: 'Port 3', 4: 'Port 4' };

export class ShareRig {
  readonly clock = new VirtualClock(1_000_000);
  readonly settings = defaultPortSettings;
  readonly room = 'A'.repeat(22);
  relay = new TestRelay({ clock: this.clock, delay: () => 20 });
  readonly worker: BenchWorker;
  readonly bench: BenchClient;
  readonly sharing: CallClient<ShareApi, ShareTick>;
  /** The newest tick. */
  tick!: ShareTick;
  benchTick!: BenchTick;
  #secret = '';
  readonly lines = new PortLines();
  readonly #listed: SerialPort[] = [];
  /** By the name that the guest joined with. */
  readonly #guests = new Map<string, RemoteGuest>();

  /** @param openRecordingFile Default: recordings cannot be stored. */
  constructor(openRecordingFile: OpenRecordingFile = () => Promise.reject(new Error('not here'))) {
    const { clock } = this;
    const [benchLine, shareLine] = [this.lines.open(), this.lines.open()];
    this.worker = new BenchWorker(benchLine.worker, {
      clock,
      openRecordingFile,
    });
    this.bench = new BenchClient((tick) => {
      this.benchTick = tick;
    });
    this.bench.attach(benchLine.page);
    new ShareWorker(shareLine.worker, {
      clock,
      worker: this.worker,
      dial: () => this.relay.dialHost,
    });
    this.sharing = new CallClient((tick) => {
      this.tick = tick;
    });
    this.sharing.attach(shareLine.page);
    vi.stubGlobal('navigator', { serial: { getPorts: async () => [...this.#listed] } });
  }

  async dispose(): Promise<void> {
    await this.ask(this.sharing.call('stop'));
    await this.settle(4_000);
    this.lines.close();
    await this.worker.bench.dispose();
    vi.unstubAllGlobals();
  }

  get status(): ShareStatus {
    const { status } = this.tick;
    if (status === null) {
      throw new Error('Nothing has been shared yet.');
    }
    return status;
  }

  /** Advances time until `call` has ended. */
  ask<Answer>(call: Promise<Answer>): Promise<Answer> {
    return askOn(this.clock, call, { stride: 5, pace: 'threads' });
  }

  /** Advances time, so that the next ticks arrive. */
  settle(milliseconds = 300): Promise<void> {
    return passOn(this.clock, milliseconds, 'threads');
  }

  /** Advances time until `holds` returns true. Includes keys that the machine's own threads make. */
  async until(what: string, holds: () => boolean): Promise<void> {
    for (let turn = 0; !holds(); turn++) {
      if (turn === 1_000) {
        throw new Error(`Waited without result: ${what}`);
      }
      await pass('threads');
      await this.clock.advance(5);
    }
  }

  /** Prepares the server's room for the next link. */
  newRoom(): void {
    this.relay = new TestRelay({ clock: this.clock, delay: () => 20 });
  }

  async share(portNames = standardNames, showsEarlier = false): Promise<string> {
    const { room } = this;
    const origin = 'https://bench.example';
    const request = {
      room,
      hostToken: 'token',
      origin,
      relay: origin,
      name: 'Mira K.',
      hours: 8,
      showsEarlier,
      portNames,
    } as const;
    const link = await this.ask(this.sharing.call('start', request));
    this.#secret = parseShareLink(link).secret;
    await this.settle();
    return link;
  }

  /** Plugs in a board and connects it. */
  async plugIn(port: PortNumber): Promise<FakeSerialPort> {
    const device = new FakeSerialPort();
    this.#listed.push(device);
    this.worker.deviceAppeared(device);
    const place = { index: this.#listed.length - 1, count: this.#listed.length, info: device.getInfo() };
    await this.ask(this.bench.call('connect', port, { kind: 'serial', place }, this.settings));
    return device;
  }

  /** Reconnects a board. A board that was unplugged returns as another object. */
  async comeBack(before: FakeSerialPort): Promise<FakeSerialPort> {
    const device = new FakeSerialPort();
    this.#listed.splice(this.#listed.indexOf(before), 1, device);
    this.worker.deviceAppeared(device);
    return device;
  }

  /** Opens the link as a new guest. */
  newGuest(name: string) {
    const visitor = visitorOf({ clock: this.clock, dial: this.relay.dialGuest, secret: this.#secret, name });
    this.#guests.set(name, visitor.guest);
    return visitor;
  }

  async join(name: string) {
    const joined = this.newGuest(name);
    const before = this.status.guests.length;
    await this.until(
      `${name} has joined`,
      () => joined.guest.status.state === 'joined' && this.status.guests.length > before,
    );
    await this.settle();
    return joined;
  }

  idOf(name: string): string {
    return this.status.guests.find((guest) => guest.name === name)?.id ?? 'nobody';
  }

  async setRight(name: string, port: PortNumber, right: Right): Promise<void> {
    await this.ask(this.sharing.call('setRight', this.idOf(name), port, right));
    const known = () => this.#guests.get(name)?.status.ports.find((one) => one.port === port)?.right;
    await this.until(`${name} knows its right`, () => known() === right);
    await this.settle();
  }

  async rows() {
    const { rows } = await this.ask(this.bench.call('rows', { layout: 'text', anchor: { position: 0 }, count: 1_000 }));
    return rows;
  }

  async notices(): Promise<string[]> {
    return (await this.rows()).filter(({ direction }) => direction === 'notice').map(({ text }) => text);
  }
}
