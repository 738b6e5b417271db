/** `npm run device -- <model> --tcp <port>`: a simulated device for programs outside of the browser. */
import { systemClock } from '@wirebench/clock';
import { createModel } from './models.ts';
import { type DeviceArguments, readArguments, usage } from './serve/arguments.ts';
import { serveOverTcp } from './serve/tcp-server.ts';

const wrongUsage = 2;

async function serve({ model, port, pace, seed, baudRate }: DeviceArguments): Promise<void> {
  const device = createModel(model, { seed, ...(baudRate !== null && { baudRate }) });
  const service = await serveOverTcp({ device, clock: systemClock, pace, port });
  const rate = device.link.kind === 'uart' ? `${device.link.baudRate} baud, ` : '';
  process.stdout.write(
    `${model} listens on 127.0.0.1:${service.port} (${rate}pace ${pace}, seed ${seed}); Ctrl+C ends it\n` +
      `as a serial port: socat pty,raw,echo=0,link=/tmp/${model} tcp:127.0.0.1:${service.port}\n`,
  );
  const end = () => void service.close();
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}

function fail(error: unknown, exitCode: number): void {
  const [text] = (error instanceof Error ? error.message : String(error)).split('\n');
  const hint = exitCode === wrongUsage ? ' (--help tells more)' : '';
  process.stderr.write(`device: ${text}${hint}\n`);
  process.exitCode = exitCode;
}

try {
  const wanted = readArguments(process.argv.slice(2));
  if (wanted === 'help') {
    process.stdout.write(usage);
  } else {
    await serve(wanted).catch((error) => fail(error, 1));
  }
} catch (error) {
  fail(error, wrongUsage);
}
