/** Answers while the board is written, erased or read. */
import { kilobytesPerSecond } from '../../../shared/format/bytes.ts';
import { clockText } from '../../../shared/format/durations.ts';
import type { FlashState } from '../state/flash-state.ts';
import { fileProgress, nowText } from '../write/write-view.ts';
import { type AnswerFacts, type AnswerView, noNumbers } from './answer-facts.ts';

export function writingAnswer({ flash, list, family }: AnswerFacts): AnswerView {
  const { progress, phase, cancelling } = flash;
  if (phase === 'restarting') {
    return {
      region: 'Progress',
      tone: 'accent',
      tag: 'Restarting',
      title: 'Everything is written',
      text: 'The board restarts.',
      numbers: noNumbers,
      action: 'stop',
      label: 'Stop',
      blocked: true,
      done: 1,
      bar: 'Written and verified',
    };
  }
  const part = progress === null || progress.total === 0 ? null : progress.done / progress.total;
  const current = list.findIndex(({ name }) => fileProgress(name, flash)?.state === 'writing');
  const place = list.length > 1 && current >= 0 ? ` ${current + 1} of ${list.length}` : '';
  const verifies = progress?.phase === 'verifying';
  return {
    region: 'Progress',
    tone: 'accent',
    tag: verifies ? `Verifying${place}` : `Writing${place}`,
    title: nowText(flash, family.addresses),
    text: 'Do not unplug the board.',
    numbers: [
      { label: 'Done', value: part === null ? '–' : String(Math.floor(part * 100)), unit: '%' },
      { label: 'Speed', value: progress?.speed == null ? '–' : kilobytesPerSecond(progress.speed), unit: 'kB/s' },
      { label: 'Left', value: progress?.remaining == null ? '–' : clockText(progress.remaining), unit: 'min' },
    ],
    action: 'stop',
    label: cancelling ? 'Stopping…' : 'Stop',
    done: part,
    bar: 'Written and verified',
  };
}

export function workingAnswer({ work, cancelling }: FlashState): AnswerView {
  const { done: bytes = null, total = null, label = '', kind = 'read' } = work ?? {};
  const part = bytes === null || total === null || total === 0 ? null : bytes / total;
  const backs = label.startsWith('Backing up');
  return {
    region: 'Progress',
    tone: 'accent',
    tag: backs ? 'Backing up' : kind === 'erase' ? 'Erasing' : 'Reading',
    title: label,
    text:
      kind === 'erase'
        ? 'Do not unplug the board.'
        : 'Only reading: nothing on the board changes. You may stop at any time.',
    numbers: [{ label: 'Done', value: part === null ? '–' : String(Math.floor(part * 100)), unit: '%' }],
    action: 'stop',
    label: cancelling ? 'Stopping…' : 'Stop',
    done: part,
    bar: label,
  };
}
