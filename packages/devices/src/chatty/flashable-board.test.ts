import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { joined } from '../byte-fields.ts';
import { framed, request, syncData, words } from '../esp/testing/esp-host.ts';
import { DeviceTerminal } from '../testing/device-terminal.ts';
import { FlashableBoard } from './flashable-board.ts';

const settings = { baudRate: 115_200, dataBits: 8, stopBits: 1, parity: 'none' } as const;

async function started() {
  const clock = new VirtualClock(1_000);
  const terminal = new DeviceTerminal(new FlashableBoard({ powerUp: 'first-open' }), clock);
  terminal.open(settings);
  await clock.advance(1_000);
  const takeText = () => new TextDecoder().decode(terminal.take());
  return {
    terminal,
    takeText,
    /** Resets the board with IO0 low, or high. */
    async reset(strap: 'download' | 'flash') {
      const isLow = strap === 'download';
      terminal.wired.setLines({ dtr: false, rts: true });
      await clock.advance(100);
      terminal.wired.setLines({ dtr: isLow, rts: isLow });
      terminal.wired.setLines({ dtr: isLow, rts: false });
      await clock.advance(50);
      terminal.wired.setLines({ dtr: false, rts: false });
      await clock.advance(1_000);
      return takeText();
    },
    /** Sends a request to the bootloader, and returns whether an answer to it came. */
    async ask(opcode: number, data: Uint8Array, checksum = 0) {
      terminal.take();
      terminal.wired.send(framed(request(opcode, data, checksum)));
      await clock.advance(300);
      const answer = [...terminal.take()];
      return answer.some((byte, index) => byte === 0xc0 && answer[index + 1] === 1 && answer[index + 2] === opcode);
    },
  };
}

/** A host repeats SYNC until the bootloader is ready. */
async function synced(board: Awaited<ReturnType<typeof started>>): Promise<void> {
  await board.ask(0x08, syncData);
  expect(await board.ask(0x08, syncData)).toBe(true);
}

describe('the demo board with a shell', () => {
  it('starts its shell, also after its bootloader was entered and only read', async () => {
    const board = await started();
    expect(board.takeText()).toMatch(/^ets .*demo> $/s);
    expect((await board.reset('download')).match(/waiting for download/g)).toHaveLength(1);
    await synced(board);
    expect(await board.reset('flash')).toMatch(/^ets .*demo> $/s);
    board.terminal.type('\r');
    expect((await board.reset('download')).match(/waiting for download/g)).toHaveLength(1);
    await synced(board);
  });

  it('has lost its shell once a host has written its flash', async () => {
    const board = await started();
    await board.reset('download');
    await synced(board);
    const block = new Uint8Array(0x400).fill(0xff);
    await board.ask(0x02, words(block.length, 1, block.length, 0x1000));
    expect(await board.ask(0x03, joined(words(block.length, 0, 0, 0), block), 0xef)).toBe(true);
    const output = await board.reset('flash');
    expect(output).toMatch(/^ets /);
    expect(output).not.toContain('demo>');
  });
});
