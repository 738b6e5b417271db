import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { MicroPythonBoard } from '../micropython/micropython-board.ts';
import { machineModule } from './console.ts';
import { type RpProgramKind, rpFirmware } from './firmware.ts';
import { RpBoard, type RpBoardOptions } from './rp-board.ts';

async function running(kind: RpProgramKind, options: Partial<RpBoardOptions> = {}) {
  const clock = new VirtualClock(1_000);
  const data = rpFirmware({ text: `${kind} runs\r\n`, kind });
  const board = new RpBoard({ clock, pace: 'none', content: [{ offset: 0, data }], ...options });
  await clock.advance(1_000);
  return { clock, board };
}

/** Opens the program's port and returns what it sends. */
async function listen({ board, clock }: Awaited<ReturnType<typeof running>>, baudRate = 115_200) {
  const { port } = board;
  if (port === null) {
    throw new Error('a port was expected');
  }
  await port.open({ baudRate });
  const received: string[] = [];
  const reader = port.readable?.getReader();
  const reading = (async () => {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done || value === undefined) {
        return;
      }
      received.push(new TextDecoder().decode(value));
    }
  })().catch(() => undefined);
  await clock.advance(500);
  return {
    text: () => received.join(''),
    send: async (text: string) => {
      const writer = port.writable?.getWriter();
      await writer?.write(new TextEncoder().encode(text));
      writer?.releaseLock();
      await clock.advance(500);
    },
    close: async () => {
      await reader?.cancel();
      reader?.releaseLock();
      await reading;
      await port.close();
    },
  };
}

/** Opens the port at 1200 baud and closes it, as uploaders do. */
async function touch(rig: Awaited<ReturnType<typeof running>>): Promise<string> {
  const { board, clock } = rig;
  await board.port?.open({ baudRate: 1_200 });
  await board.port?.setSignals({ dataTerminalReady: false }).catch(() => undefined);
  await clock.advance(1_000);
  return board.state;
}

describe('a program on a Pico', () => {
  it.each(['arduino', 'sdk', 'plain', 'micropython'] as const)('%s prints on its USB port', async (kind) => {
    const rig = await running(kind);
    const console = await listen(rig);
    expect(console.text()).toBe(`${kind} runs\r\n`);
  });

  it.each([
    ['arduino', 'bootsel'],
    ['sdk', 'bootsel'],
    ['plain', 'running'],
    ['micropython', 'running'],
  ] as const)('%s is in the state %s after a touch at 1200 baud', async (kind, state) => {
    const rig = await running(kind);
    expect(await touch(rig)).toBe(state);
    expect(rig.board.device?.productName ?? null).toBe(state === 'bootsel' ? 'RP2 Boot' : null);
  });

  it('leaves for BOOTSEL by the reset interface, and comes back by itself', async () => {
    const { board, clock } = await running('sdk');
    const { device } = board;
    const reset = (request: number) =>
      device?.controlTransferOut({ requestType: 'class', recipient: 'interface', request, value: 0, index: 2 }).then(
        () => 'none',
        (error: DOMException) => error.name,
      );
    await device?.open();
    expect(device?.configuration?.interfaces.map(({ alternate }) => alternate.interfaceClass)).toEqual([2, 10, 255]);
    await device?.claimInterface(2);
    const left = reset(1);
    await clock.advance(1_000);
    expect([await left, board.state]).toEqual(['NetworkError', 'bootsel']);
  });

  it('restarts into itself by the second request of the reset interface', async () => {
    const { board, clock } = await running('sdk');
    const { device } = board;
    await device?.open();
    await device?.claimInterface(2);
    const left = device
      ?.controlTransferOut({ requestType: 'class', recipient: 'interface', request: 2, value: 0, index: 2 })
      .catch((error: DOMException) => error.name);
    await clock.advance(1_000);
    expect([await left, board.state, board.device === device]).toEqual(['NetworkError', 'running', false]);
  });

  it('stalls a vendor request at the reset interface, which wants a class request', async () => {
    const { board } = await running('sdk');
    await board.device?.open();
    await board.device?.claimInterface(2);
    const setup = { requestType: 'vendor', recipient: 'interface', request: 1, value: 0, index: 2 } as const;
    expect((await board.device?.controlTransferOut(setup))?.status).toBe('stall');
  });

  it('stays silent on USB when its output is on a UART, whose port stays in BOOTSEL', async () => {
    const rig = await running('uart', { connection: 'uart' });
    const { port } = rig.board;
    const console = await listen(rig);
    rig.board.pressReset();
    await rig.clock.advance(1_000);
    expect([console.text(), rig.board.device]).toEqual(['uart runs\r\n', null]);
    rig.board.holdBootsel(true);
    rig.board.pressReset();
    await rig.clock.advance(1_000);
    expect([rig.board.state, rig.board.port === port]).toEqual(['bootsel', true]);
  });

  it('enters BOOTSEL from the REPL of MicroPython by machine.bootloader()', async () => {
    const micropython = await MicroPythonBoard.load({ files: { '/lib/machine.py': machineModule } });
    const rig = await running('micropython', { micropython });
    const console = await listen(rig);
    await console.send('print(6 * 7)\r');
    expect(console.text()).toContain('42');
    await console.send('import machine\r');
    await console.send('machine.bootloader()\r');
    await rig.clock.advance(1_000);
    expect([rig.board.state, rig.board.port]).toEqual(['bootsel', null]);
  });

  it('starts in BOOTSEL when the button is held at the plug-in, and runs without it', async () => {
    const { board, clock } = await running('plain');
    board.holdBootsel(true);
    board.replug();
    await clock.advance(1_000);
    expect(board.state).toBe('bootsel');
    board.holdBootsel(false);
    board.replug();
    await clock.advance(1_000);
    expect(board.state).toBe('running');
  });

  it('is without a program after its flash was emptied, and in BOOTSEL by itself', async () => {
    const { board } = await running('plain', { content: 'empty' });
    expect([board.state, board.program]).toEqual(['bootsel', null]);
  });
});
