/** A native port on a pseudo-terminal, for the contract of every `SerialPort`. Linux and macOS. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ContractCase, type ContractRig, ensure } from '../../../devices/src/testing/contract-rig.ts';
import { serialPortContract } from '../../../devices/src/testing/serial-port-contract.ts';
import { NativeSerial } from '../native-serial.ts';
import { PluggedTerminal } from './plugged-terminal.ts';

/** Items about modem lines, which a pseudo-terminal has not. */
export const casesOfLines: readonly string[] = [
  'raises DTR and RTS at open, sets them as asked, and lowers them at close',
];

/** Longest way of a byte, in milliseconds. It takes less than one, and on a busy machine some hundred. */
const BYTE_LIMIT = 10_000;

/** The other cases let time pass step by step, and have the device in their own process: both wake the event loop. */
const alone: ContractCase = {
  name: 'gives each byte at once while nothing else wakes the event loop',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'node-port-'));
    const path = join(folder, 'port');
    const socat = spawn('socat', [`pty,raw,echo=0,link=${path}`, 'EXEC:cat'], { stdio: 'ignore' });
    let late = 0;
    try {
      while (!existsSync(path)) {
        await pause(5);
      }
      const port = await new NativeSerial({ names: [path], list: async () => [] }).portNamed(path);
      await port?.open({ baudRate: 115_200 });
      const [reader, writer] = [port?.readable?.getReader(), port?.writable?.getWriter()];
      for (let byte = 0; byte < 20; byte++) {
        const limit = setTimeout(() => late++, BYTE_LIMIT);
        await writer?.write(Uint8Array.of(byte));
        const read = await reader?.read();
        clearTimeout(limit);
        ensure(read?.value?.[0] === byte, `byte ${byte} comes back`);
      }
      reader?.releaseLock();
      writer?.releaseLock();
      await port?.close();
    } finally {
      socat.kill();
      rmSync(folder, { recursive: true });
    }
    // The timer wakes a loop that sleeps, and the byte comes then.
    ensure(late === 0, `each byte comes at once, and not ${late} of them with the next timer`);
  },
};

/** Cases that a native port on a pseudo-terminal fulfils. */
export const nativeCases = [...serialPortContract.filter(({ name }) => !casesOfLines.includes(name)), alone];

/** Returns a new rig, and a function that removes it. */
export async function nativeRig(): Promise<ContractRig & { close(): Promise<void> }> {
  const terminal = await PluggedTerminal.plugged();
  const serial = new NativeSerial({ names: [terminal.path], list: async () => [] });
  const [port] = await serial.getPorts();
  if (port === undefined) {
    throw new Error('the port is there');
  }
  return {
    port,
    serial,
    deviceSends: (bytes) => terminal.send(bytes),
    deviceGot: () => Buffer.concat(terminal.got),
    lines: () => ({ dtr: false, rts: false }),
    unplug: () => terminal.unplug(),
    replug: () => void terminal.plug(),
    lineErrors: [],
    inject: () => undefined,
    elapse: async (milliseconds) => {
      await pause(milliseconds);
      await serial.refresh();
    },
    close: () => terminal.close(),
  };
}
