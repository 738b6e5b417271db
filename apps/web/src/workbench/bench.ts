/** The page's one bench, made when it is first asked for, and what becomes of the page when its thread ends. */
import { portInterfaces, usesUsbPorts } from '../hardware/serial-support.ts';
import { isQuiet } from '../protocol/bench/bench-tick.ts';
import type { RunningRecording } from '../protocol/bench/recording-part.ts';
import type { Channel } from '../protocol/calls/call-protocol.ts';
import { watchLife } from '../protocol/calls/thread-life.ts';
import type { ToolName, ToolRequest } from '../protocol/tool-request.ts';
import { toast } from '../shared/ui/toast.ts';
import { BenchClient, CallError } from './bench-client.ts';
import { benchLoss } from './bench-loss.ts';
import { benchStatus } from './bench-status.ts';

/** The bench as its callers see it. */
type Bench = Pick<BenchClient, 'call'>;

let bench: Bench | null = null;
/** The line to where the ports live, once it is known where that is. */
const line = Promise.withResolvers<Channel>();
/** Resolves when the thread has ended that held the ports. */
const loss = Promise.withResolvers<void>();

/** The bench; its worker starts with the first call of this. Ports stay open while one moves about inside the app. */
export function getBench(): Bench {
  if (bench === null) {
    const client = new BenchClient((tick) => benchStatus.accept(tick));
    start(client);
    bench = client;
    if (usesUsbPorts()) {
      void import('./choose-again.ts').then(({ offerToChooseAgain }) => offerToChooseAgain());
    }
  }
  return bench;
}

/** Puts another bench in its place. Null: the next `getBench` starts the worker. Only tests call it. */
export function replaceBench(other: Bench | null): void {
  bench = other;
}

/** A line of its own to the host of a tool beside the bench, in the same thread. */
export function openToolLine(tool: ToolName): Channel {
  getBench();
  const { port1, port2 } = new MessageChannel();
  const request: ToolRequest = { tool, line: port1 };
  void line.promise.then((channel) => channel.postMessage(request, [port1]));
  port2.start();
  return port2;
}

/** Calls `listener` when the thread with the ports has ended: own lines to it receive no more answers. */
export function onBenchLost(listener: () => void): void {
  void loss.promise.then(listener);
}

function start(client: BenchClient): void {
  const attach = (channel: Channel) => {
    client.attach(channel);
    line.resolve(channel);
  };
  const lose = () => {
    const { recordings } = benchStatus.tick;
    client.lose({
      pending: () => benchLoss,
      later: (call) => {
        if (!isQuiet(call)) {
          sayLost(recordings);
        }
        return benchLoss;
      },
    });
    // The page already shows the loss. An unawaited call that fails by it is not another error.
    window.addEventListener('unhandledrejection', (event) => {
      if (event.reason instanceof CallError && event.reason.code === benchLoss.code) {
        event.preventDefault();
      }
    });
    benchStatus.lose();
    loss.resolve();
    sayLost(recordings);
  };
  const worker = new Worker(new URL('../worker/bench/bench.worker.ts', import.meta.url), {
    type: 'module',
    name: 'bench',
  });
  const endWatch = watchLife(worker, lose);
  const hostOnPage = async () => {
    endWatch();
    worker.terminate();
    try {
      const { startPageBench } = await import('../worker/bench/page-bench.ts');
      attach(startPageBench());
    } catch (error) {
      console.error('Neither a worker nor the page can hold the ports.', error);
      lose();
    }
  };
  worker.addEventListener('error', hostOnPage, { once: true });
  worker.addEventListener(
    'message',
    ({ data }: MessageEvent<{ hello: { interfaces: number } }>) => {
      worker.removeEventListener('error', hostOnPage);
      if (portInterfaces() > data.hello.interfaces) {
        void hostOnPage();
      } else {
        attach(worker);
      }
    },
    { once: true },
  );
}

function sayLost(recordings: readonly RunningRecording[]): void {
  toast(benchLoss.message, {
    level: 'error',
    detail: recordings.length > 0 ? keptText(recordings.every(({ durable }) => durable)) : undefined,
    action: { label: 'Reload', onAction: () => location.reload() },
  });
}

const keptText = (durable: boolean) =>
  `What was recorded is kept${durable ? '' : ', except for the last part'}. It is offered after the reload.`;
