/** The page of opened logs without a page: its bench and its log worker, with the calls of both. */
import { systemClock } from '@wirebench/clock';
import type { BenchTick } from '../../../protocol/bench/bench-tick.ts';
import { CallClient } from '../../../protocol/calls/call-client.ts';
import { callLine } from '../../../protocol/calls/testing/call-line.ts';
import type { LogApi, LogTick, OpenedLog } from '../../../protocol/log-protocol.ts';
import { BenchClient } from '../../../workbench/bench-client.ts';
import { BenchWorker } from '../../bench/bench-worker.ts';
import { LogWorker } from '../log-worker.ts';

const portNames = { 1: 'Port 1', 2: 'Port 2', 3: 'Port 3', 4: 'Port 4' } as const;

export class OpenedLogs {
  readonly worker: BenchWorker;
  readonly bench: BenchClient;
  readonly logs: CallClient<LogApi, LogTick>;
  tick: LogTick | null = null;
  benchTick: BenchTick | null = null;

  constructor() {
    const ports = callLine();
    this.worker = new BenchWorker(ports.bench, {
      clock: systemClock,
      openRecordingFile: () => Promise.reject(new Error('none')),
    });
    this.bench = new BenchClient((tick) => {
      this.benchTick = tick;
    });
    this.bench.attach(ports.page);
    const line = callLine();
    new LogWorker(line.bench, { clock: systemClock, worker: this.worker });
    this.logs = new CallClient<LogApi, LogTick>((tick) => {
      this.tick = tick;
    });
    this.logs.attach(line.page);
  }

  open(content: BlobPart, name = 'a.log', lastModified = 0, kept: readonly string[] = []): Promise<number> {
    return this.logs.call('open', new Blob([content]), name, lastModified, kept);
  }

  get first(): OpenedLog | undefined {
    return this.tick?.logs[0];
  }

  /** Returns the rows as `time port direction text`; the time is in milliseconds since the Unix epoch. */
  async rows(count = 1_000): Promise<readonly string[]> {
    const { rows } = await this.bench.call('rows', { layout: 'text', anchor: { position: 0 }, count });
    return rows.map(({ at, port, direction, text }) => `${at} ${port} ${direction} ${text}`);
  }

  async texts(): Promise<readonly string[]> {
    return (await this.rows()).map((row) => row.split(' ').slice(3).join(' '));
  }

  /** Returns the exported received bytes of a log. */
  async raw(log: 1 | 2 | 3 | 4 = 1): Promise<Uint8Array> {
    return new Uint8Array(await (await this.bench.call('exportFile', { kind: 'raw', port: log })).arrayBuffer());
  }

  /** Returns the lines of the exported table. */
  async csv(): Promise<readonly string[]> {
    const file = await this.bench.call('exportFile', { kind: 'csv', portNames });
    return (await file.text()).trimEnd().split('\r\n');
  }

  dispose(): Promise<void> {
    return this.worker.bench.dispose();
  }
}
