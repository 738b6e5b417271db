/**
 * Returns the announcement of a phase for screen readers. Failures, and problems of a program, are alerts of their
 * own.
 */
import { sizeText } from '../../../shared/format/bytes.ts';
import { durationText } from '../../../shared/format/durations.ts';
import type { FlashState } from '../state/flash-state.ts';
import { type StartFacts, startText } from './start-text.ts';

export function phaseText(flash: FlashState, facts: StartFacts): string {
  const { phase, board, progress, work } = flash;
  switch (phase) {
    case 'connecting':
      return 'Connecting to the board';
    case 'detected':
    case 'planning':
      return board === null ? '' : `${board.name} detected`;
    case 'working':
      return work?.label ?? '';
    case 'writing':
      return progress?.phase === 'verifying' ? 'Verifying' : 'Writing';
    case 'releasing':
      return 'The board restarts';
    case 'restarting':
      return 'Restarting the board';
    case 'done':
      return doneText(flash, facts);
    default:
      return '';
  }
}

function doneText({ report, startObservation }: FlashState, facts: StartFacts): string {
  if (report === null) {
    return '';
  }
  const { written, duration, state } = report;
  const proof = state === 'complete' ? 'all verified' : 'not verified';
  const result =
    written === 0
      ? 'Nothing to write: everything was already there'
      : `${sizeText(written)} written in ${durationText(duration)}, ${proof}`;
  const said = startObservation && startText(startObservation, facts);
  return said?.tone === 'good' || said?.tone === 'unsure' ? `${result}. ${said.what}` : result;
}
