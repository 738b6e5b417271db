/** Connects to an STM32 over UART: opens the port, synchronises with the bootloader and identifies the part. */
import { openBytePort } from '../../byte-port.ts';
import type { BootloaderFacts } from '../an3155/replies.ts';
import { synchronise } from '../an3155/synchronise.ts';
import { UartLink } from '../an3155/uart-link.ts';
import { UartLoader } from '../an3155/uart-loader.ts';
import type { StmBoard, StmConnectOptions, StmInfo } from '../stm-board.ts';
import { asStmError, StmError } from '../stm-failure.ts';
import { ConnectedStm } from './connected-stm.ts';
import { identifyUart } from './identify.ts';

/** Highest rate of every bootloader in baud (AN3155 section 2: 1,200 to 115,200). Newer ones support more. */
const usualBaudRate = 115_200;

const never = new AbortController().signal;

/**
 * Opens `device` with even parity, brings the part into its bootloader and identifies it.
 *
 * @throws StmError; the port is closed then.
 */
export async function connectStm(device: SerialPort, options: StmConnectOptions): Promise<StmBoard> {
  const { clock, signal = never, baudRate = usualBaudRate, entry, onStep } = options;
  try {
    onStep?.('opening');
    const port = await openBytePort(device, { baudRate, parity: 'even' }, clock, signal);
    try {
      const link = new UartLink(port);
      const facts = await synchroniseAtSomeRate(link, options, signal);
      const loader = new UartLoader(clock, link, entry, facts);
      onStep?.('identifying');
      const board = await identifyUart(loader, signal);
      mustBeExpected(board.info, options.expectedUniqueId);
      onStep?.('ready');
      return new ConnectedStm(loader, board);
    } catch (error) {
      await port.close();
      throw error;
    }
  } catch (error) {
    throw asStmError(error, signal);
  }
}

/**
 * Synchronises, if necessary at 115,200 baud in a second attempt. Older bootloaders cannot measure higher rates
 * (AN3155 section 2.2).
 */
async function synchroniseAtSomeRate(
  link: UartLink,
  { clock, entry, onStep }: StmConnectOptions,
  signal: AbortSignal,
): Promise<BootloaderFacts> {
  const attempt = () => synchronise(clock, link, entry, (step) => onStep?.(step), signal);
  try {
    return await attempt();
  } catch (error) {
    const isLost = error instanceof StmError && (error.code === 'no-answer' || error.code === 'in-application');
    if (!isLost || entry.kind === 'manual' || link.port.baudRate <= usualBaudRate) {
      throw error;
    }
    await link.port.reopen({ baudRate: usualBaudRate, parity: 'even' });
    return attempt();
  }
}

/**
 * Accepts a board without a readable ID, because it may be the expected one.
 *
 * @throws StmError `other-board`.
 */
function mustBeExpected({ uniqueId }: StmInfo, expected: string | undefined): void {
  if (expected !== undefined && uniqueId !== null && uniqueId !== expected) {
    throw new StmError('other-board', { detail: `${uniqueId} instead of ${expected}.` });
  }
}
