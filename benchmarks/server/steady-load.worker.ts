/** The thread of `steady-load.ts`. */
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import type { SteadyLoad } from './steady-load.ts';

const { port, method, path, perSecond } = workerData as SteadyLoad;
const agent = new Agent({ keepAlive: true, maxSockets: 32 });
const times: number[] = [];
let failures = 0;
let open = 0;
let sent = 0;
let isStopping = false;
const start = performance.now();

function send(due: number): void {
  open++;
  const ended = (failed: boolean) => {
    times.push(performance.now() - due);
    failures += failed ? 1 : 0;
    open--;
    tellWhenDone();
  };
  const sending = request({ port, host: '127.0.0.1', method, path, agent }, (answer) => {
    answer.resume();
    answer.once('end', () => ended((answer.statusCode ?? 500) >= 300));
  });
  sending.once('error', () => ended(true));
  sending.end();
}

function tellWhenDone(): void {
  if (isStopping && open === 0) {
    parentPort?.postMessage({ times, failures });
  }
}

const timer = setInterval(() => {
  for (
    let due = start + (sent * 1_000) / perSecond;
    due <= performance.now();
    due = start + (sent * 1_000) / perSecond
  ) {
    sent++;
    send(due);
  }
}, 1);

parentPort?.once('message', () => {
  clearInterval(timer);
  isStopping = true;
  tellWhenDone();
});
parentPort?.postMessage('started');
