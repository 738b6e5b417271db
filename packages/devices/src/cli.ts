/**
 * `npm run device -- <model> --tcp <port>` or `--rfc2217 <port>`: a simulated device for programs outside the
 * browser.
 */
import { systemClock } from '@wirebench/clock';
import { createModel } from './models.ts';
import { type DeviceArguments, readArguments, usage } from './serve/arguments.ts';
import { serveOverRfc2217 } from './serve/rfc2217-server.ts';
import { serveOverTcp } from './serve/tcp-server.ts';

const wrongUsage = 2;

/**
 * Rise time of EN and NRST, in ms. pySerial changes DTR and RTS one by one, 50 to 100 ms apart, so the pins must rise
 * more slowly.
 */
const enRiseTime = 130;

async function serve({ model, port, protocol, pace, seed, baudRate, download }: DeviceArguments): Promise<void> {
  const esp = { ...(protocol === 'rfc2217' && { enRiseTime }), ...(download && { powerUp: 'download' as const }) };
  const stm = {
    ...(protocol === 'rfc2217' && { nrstRiseTime: enRiseTime }),
    ...(download && { powerUp: 'bootloader' as const }),
  };
  const nrf = download ? { powerUp: 'bootloader' as const } : {};
  const avr = download ? { resetAtOpen: true } : {};
  const device = createModel(model, { seed, esp, stm, nrf, avr, ...(baudRate !== null && { baudRate }) });
  const serveOver = protocol === 'tcp' ? serveOverTcp : serveOverRfc2217;
  const service = await serveOver({ device, clock: systemClock, pace, port });
  const rate = device.link.kind === 'uart' ? `${device.link.baudRate} baud, ` : '';
  const hint =
    protocol === 'tcp'
      ? `as a serial port: socat pty,raw,echo=0,link=/tmp/${model} tcp:127.0.0.1:${service.port}`
      : `for pySerial and esptool: rfc2217://127.0.0.1:${service.port}`;
  process.stdout.write(
    `${model} is listening on 127.0.0.1:${service.port} (${rate}pace ${pace}, seed ${seed}); press Ctrl+C to stop\n${hint}\n`,
  );
  const end = () => void service.close();
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}

function fail(error: unknown, exitCode: number): void {
  const [text] = (error instanceof Error ? error.message : String(error)).split('\n');
  const hint = exitCode === wrongUsage ? ' (see --help)' : '';
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
