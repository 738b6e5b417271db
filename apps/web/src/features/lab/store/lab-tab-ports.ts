/** Answers the other tabs of Wirebench: reports that this tab holds a board, and releases it on request. */
import { type HeldPort, type PortRequestAnswer, tabPortsOfPage } from '../../../hardware/tab-ports.ts';
import { type LabFailure, labPort } from '../../../protocol/lab-protocol.ts';
import { cancel, leave } from './lab-actions.ts';
import { getLab } from './lab-line.ts';
import { changeLab, type LabState, labNow } from './lab-store.ts';

/** Registers this tab with the others on the first call. */
export const getTabPorts = tabPortsOfPage({ held: heldPorts, asked });

/** Returns the USB ids that other tabs may ask for; null for a simulated board, because other tabs have their own. */
export function infoOf({ board, source, phase }: LabState): SerialPortInfo | null {
  if (source?.kind === 'demo' || board?.demo) {
    return null;
  }
  return phase === 'open' && board !== null ? board.port : source?.kind === 'serial' ? source.place.info : null;
}

function heldPorts(): HeldPort[] {
  const state = labNow();
  const info = infoOf(state);
  return info !== null && ['connecting', 'open', 'leaving'].includes(state.phase)
    ? [{ port: labPort, name: 'a board on the bench', info }]
    : [];
}

const givenAway: LabFailure = {
  code: null,
  message: 'The board was released: another Wirebench tab asked for it.',
  remedy: 'Connect again once that tab has left it.',
  detail: null,
};

/** Handles another tab's request. A board that is being connected is kept, because nothing is known of it yet. */
async function asked(): Promise<PortRequestAnswer> {
  const { phase } = labNow();
  if (phase === 'connecting') {
    return 'kept';
  }
  // The host answers when the port is closed, also to a second `leave`.
  const left = phase === 'leaving' ? getLab().call('leave') : leave();
  // Skips the hash of flash, which takes longer than another tab waits.
  cancel();
  await left;
  if (labNow().phase === 'idle') {
    changeLab({ failure: givenAway });
  }
  return 'released';
}
