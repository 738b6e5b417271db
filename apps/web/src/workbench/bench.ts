/** The page's one bench, made when it is first asked for. */
import { hasWebSerial } from '../hardware/serial-support.ts';
import { BenchClient } from './bench-client.ts';
import { benchStatus } from './bench-status.ts';
import type { Channel } from './calls/call-protocol.ts';
import type { FamilyName } from './flasher/flash-protocol.ts';
import type { FlasherRequest } from './host/flasher-hook.ts';

let client: BenchClient | null = null;
/** The line to where the ports live, once it is known where that is. */
const line = Promise.withResolvers<Channel>();

/** The bench; its worker starts with the first call of this. Ports stay open while one moves about inside the app. */
export function getBench(): BenchClient {
  if (client === null) {
    client = new BenchClient((tick) => benchStatus.accept(tick));
    start(client);
  }
  return client;
}

/** A line of its own to the flasher of a family beside the bench, in the same thread. */
export function openFlasherLine(family: FamilyName): Channel {
  getBench();
  const { port1, port2 } = new MessageChannel();
  const request: FlasherRequest = { flasher: port1, family };
  void line.promise.then((channel) => channel.postMessage(request, [port1]));
  port2.start();
  return port2;
}

function start(bench: BenchClient): void {
  const attach = (channel: Channel) => {
    bench.attach(channel);
    line.resolve(channel);
  };
  const worker = new Worker(new URL('./host/bench.worker.ts', import.meta.url), { type: 'module', name: 'bench' });
  const hostOnPage = async () => {
    worker.terminate();
    const { startPageBench } = await import('./host/page-bench.ts');
    attach(startPageBench());
  };
  worker.addEventListener('error', hostOnPage, { once: true });
  worker.addEventListener(
    'message',
    ({ data }: MessageEvent<{ hello: { serial: boolean } }>) => {
      worker.removeEventListener('error', hostOnPage);
      if (hasWebSerial() && !data.hello.serial) {
        void hostOnPage();
      } else {
        attach(worker);
      }
    },
    { once: true },
  );
}
