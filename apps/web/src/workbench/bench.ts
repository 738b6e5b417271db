/** The page's one bench, made when it is first asked for. */
import { hasWebSerial } from '../hardware/serial-support.ts';
import { BenchClient } from './bench-client.ts';
import { benchStatus } from './bench-status.ts';

let client: BenchClient | null = null;

/** The bench; its worker starts with the first call of this. Ports stay open while one moves about inside the app. */
export function getBench(): BenchClient {
  if (client === null) {
    client = new BenchClient((tick) => benchStatus.accept(tick));
    start(client);
  }
  return client;
}

function start(bench: BenchClient): void {
  const worker = new Worker(new URL('./host/bench.worker.ts', import.meta.url), { type: 'module', name: 'bench' });
  const hostOnPage = async () => {
    worker.terminate();
    const { startPageBench } = await import('./host/page-bench.ts');
    bench.attach(startPageBench());
  };
  worker.addEventListener('error', hostOnPage, { once: true });
  worker.addEventListener(
    'message',
    ({ data }: MessageEvent<{ hello: { serial: boolean } }>) => {
      worker.removeEventListener('error', hostOnPage);
      if (hasWebSerial() && !data.hello.serial) {
        void hostOnPage();
      } else {
        bench.attach(worker);
      }
    },
    { once: true },
  );
}
