/** Answers after a write: its result, or what ended it. */
import { boardStateText } from '@wirebench/flasher/core';
import { kilobytesPerSecond, sizeText } from '../../../shared/format/bytes.ts';
import type { FlashState } from '../state/flash-state.ts';
import { startText } from '../write/start-text.ts';
import type { AnswerFacts, AnswerView } from './answer-facts.ts';

export function doneAnswer({ flash, receipt, family, monitorBaudRate }: AnswerFacts): AnswerView {
  const { report, startObservation, restartByHand, board } = flash;
  const { written = 0, same = 0, duration = 0, state = 'complete' } = report ?? {};
  const nothing = written === 0;
  const verified = state === 'complete';
  const said =
    startObservation === null
      ? null
      : startText(startObservation, {
          application: receipt?.application ?? null,
          baudRate: monitorBaudRate,
          words: family.words,
          demo: receipt?.demo ?? board?.demo ?? false,
        });
  const fails = said?.tone === 'failure';
  const title = nothing ? 'Nothing to write' : verified ? 'Written and verified' : 'Written, not verified';
  const what = nothing
    ? `All ${sizeText(same)} was already there, ${family.words.proof}.`
    : `${sizeText(written)} written${same === 0 ? '' : `, ${sizeText(same)} was already there`}.`;
  const next =
    said !== null && (said.tone === 'good' || said.tone === 'waiting')
      ? said.what
      : restartByHand
        ? `The board could not be restarted from here. ${family.words.restart}`
        : 'The board was restarted.';
  const proof = verified ? '' : ` ${boardStateText.unverified}`;
  const seconds = duration / 1_000;
  return {
    region: 'Result',
    tone: fails || !verified || said?.tone === 'unsure' ? 'warning' : 'good',
    tag: fails || !verified || said?.tone === 'unsure' ? 'Done, but' : 'Done',
    title,
    text: `${what} ${next}${proof}`,
    numbers: [
      { label: 'Took', value: seconds.toFixed(1), unit: 's' },
      ...(nothing
        ? []
        : [{ label: 'Speed', value: kilobytesPerSecond(written / Math.max(seconds, 0.001)), unit: 'kB/s' }]),
    ],
    action: 'again',
    label: 'Flash again',
    primary: true,
    done: 1,
  };
}

export function failedAnswer(flash: FlashState): AnswerView {
  const { failure, progress, phase } = flash;
  const interrupted = failure?.interrupted ?? false;
  const part = progress === null || progress.total === 0 ? null : progress.done / progress.total;
  return {
    region: 'Failure',
    tone: phase === 'cancelled' && !interrupted ? 'plain' : 'bad',
    tag: phase === 'cancelled' ? 'Stopped by you' : failedTag(failure, interrupted),
    title: '',
    text: '',
    numbers:
      interrupted && part !== null ? [{ label: 'Stopped at', value: String(Math.floor(part * 100)), unit: '%' }] : [],
    action: 'way',
    label: interrupted ? 'Write the rest' : 'Try again',
    primary: true,
    ...(interrupted && part !== null && { done: part }),
  };
}

function failedTag(failure: FlashState['failure'], interrupted: boolean): string {
  return interrupted || failure?.during === 'working' ? 'Not finished' : 'Not connected';
}
