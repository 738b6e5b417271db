import { durationText, sizeText } from './quantities.ts';
import type { FlashState } from './state/flash-state.ts';
import { useFlash } from './store/flasher-store.ts';

/** Tells a screen reader each phase once. Failures are alerts of their own, and a bar speaks for itself. */
export function PhaseSpeaker() {
  const text = useFlash(phaseText);
  return (
    <div role="status" className="visually-hidden">
      {text}
    </div>
  );
}

function phaseText({ phase, board, progress, report }: FlashState): string {
  switch (phase) {
    case 'connecting':
      return 'Connecting to the board';
    case 'detected':
    case 'planning':
      return board === null ? '' : `${board.name} detected`;
    case 'writing':
      return progress?.phase === 'verifying' ? 'Verifying' : 'Writing';
    case 'restarting':
      return 'Written. The board restarts';
    case 'releasing':
      return 'The board restarts';
    case 'done':
      return report === null
        ? ''
        : `Done: ${sizeText(report.written)} written in ${durationText(report.duration)}, all verified`;
    default:
      return '';
  }
}
