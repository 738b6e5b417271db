/** Loads the stub into RAM and starts it ("Serial Protocol", sections "Initialization" and "Writing Data"). */
import type { Stub } from '../chips/chip.ts';
import { deadlines } from '../deadlines.ts';
import { EspError } from '../esp-failure.ts';
import { type CommandLink, isGreeting } from '../protocol/command-link.ts';
import { memBeginRequest, memDataRequest, memEndRequest } from '../protocol/commands.ts';
import { mustBeDone } from '../protocol/must-be-done.ts';

/** Bytes of a block that every ROM accepts into RAM, and over its own USB OTG port (esptool, `ESP_RAM_BLOCK`). */
const RAM_BLOCK = 0x1800;
const USB_OTG_RAM_BLOCK = 0x800;

export interface StubStart {
  readonly link: CommandLink;
  readonly usbOtg: boolean;
  readonly signal: AbortSignal;
}

/**
 * Loads and starts the stub, and waits for its greeting.
 *
 * @throws EspError `stub-failed` or `stopped-answering`.
 * @throws PortError, or the reason of the signal.
 */
export async function startStub(stub: Stub, { link, usbOtg, signal }: StubStart): Promise<void> {
  const blockSize = usbOtg ? USB_OTG_RAM_BLOCK : RAM_BLOCK;
  const options = { limit: deadlines.loadMemory, signal };
  const load = async (bytes: Uint8Array, address: number) => {
    const blocks = Math.ceil(bytes.length / blockSize);
    const begin = memBeginRequest({ size: bytes.length, blocks, blockSize, address });
    mustBeDone(await link.exchange(begin, options), 'stub-failed', 'begin to load the stub');
    for (let sequence = 0; sequence < blocks; sequence++) {
      const block = bytes.subarray(sequence * blockSize, (sequence + 1) * blockSize);
      const reply = await link.exchange(memDataRequest(sequence, block), options);
      mustBeDone(reply, 'stub-failed', `load block ${sequence} of the stub`);
    }
  };
  await load(stub.text, stub.textAddress);
  await load(stub.data, stub.dataAddress);
  const end = memEndRequest(stub.entry);
  link.discard();
  link.write(end.frame);
  await awaitGreeting(link, deadlines.stubStart + link.port.wireTime(end.frame.length), signal);
}

/**
 * Waits for the stub's greeting. The answer to MEM_END is ignored, because it may be lost when the stub sets up the
 * UART.
 */
async function awaitGreeting(link: CommandLink, limit: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    const frame = await link.nextFrame(limit, signal);
    if (frame === null) {
      throw new EspError('stub-failed', { detail: 'The stub was loaded, but did not report that it is running.' });
    }
    if (isGreeting(frame)) {
      return;
    }
  }
}
