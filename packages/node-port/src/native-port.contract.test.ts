/** The contract of every `SerialPort`, on a pseudo-terminal of socat. Linux and macOS. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { ContractRig } from '../../devices/src/testing/contract-rig.ts';
import { canCall, socatCall } from '../../devices/src/testing/pseudo-terminal.ts';
import { serialPortContract } from '../../devices/src/testing/serial-port-contract.ts';
import { NativeSerial } from './native-serial.ts';
import { PluggedTerminal } from './testing/plugged-terminal.ts';

const closers: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) {
    await close();
  }
});

async function nativeRig(): Promise<ContractRig> {
  const terminal = await PluggedTerminal.plugged();
  closers.push(() => terminal.close());
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
  };
}

/** Items about modem lines, which a pseudo-terminal has not. */
const ofTheLines = ['raises DTR and RTS at open, sets them as asked, and lowers them at close'];
const cases = serialPortContract.filter(({ name }) => !ofTheLines.includes(name));

describe.runIf(canCall(socatCall))('a native port', () => {
  it.each(cases.map((contractCase) => [contractCase.name, contractCase] as const))(
    '%s',
    async (_sentence, contractCase) => contractCase.run(await nativeRig()),
  );

  it('leaves out no case but those of the modem lines', () => {
    expect(serialPortContract.length - cases.length).toBe(ofTheLines.length);
  });
});
