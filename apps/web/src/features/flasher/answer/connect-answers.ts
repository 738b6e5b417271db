/** Answers while there is no board, while one connects, and while there is nothing to write. */
import { sizeText } from '../../../shared/format/bytes.ts';
import type { FlashState } from '../state/flash-state.ts';
import { type AnswerFacts, type AnswerView, noNumbers } from './answer-facts.ts';
import { filesText, listFault, listSize } from './listed-files.ts';

export function waitingAnswer(tag: string, title: string, text: string): AnswerView {
  const label = 'Please wait';
  return { region: 'Plan', tone: 'plain', tag, title, text, numbers: noNumbers, action: 'wait', label, blocked: true };
}

export function beforeBoardAnswer({ list, family }: AnswerFacts): AnswerView {
  const common = { region: 'Plan', numbers: noNumbers, action: 'connect', label: 'Connect a board' } as const;
  if (list.length === 0) {
    return {
      ...common,
      tone: 'plain',
      tag: 'Not connected',
      title: 'Connect a board',
      text: `${family.words.connect} Nothing is written before you say so.`,
      primary: true,
    };
  }
  const fault = listFault(list, family);
  return {
    ...common,
    tone: fault === null ? 'plain' : 'warning',
    tag: 'Plan',
    title: fault === null ? `Connect a board to write ${filesText(list.length)}` : `${fault} and connect a board`,
    text: `${sizeText(listSize(list))}. Chip and room are checked as soon as it is connected.`,
    primary: true,
  };
}

export const nextBoardAnswer = (): AnswerView => ({
  region: 'Plan',
  tone: 'accent',
  tag: 'Batch',
  title: 'Plug in the next board',
  text: 'Each board that you have allowed before is written and verified by itself, up to four at a time.',
  numbers: noNumbers,
  action: 'leave-batch',
  label: 'Stop',
});

export function connectingAnswer({ flash, family }: AnswerFacts): AnswerView {
  return {
    region: 'Plan',
    tone: 'accent',
    tag: 'Connecting',
    title: family.steps[flash.step ?? 'opening'] ?? 'Opening the port',
    text: 'Only reading: nothing on the board changes.',
    numbers: noNumbers,
    action: 'cancel',
    label: 'Cancel',
    done: null,
    bar: 'Connecting',
  };
}

export function connectedAnswer({ phase, board }: FlashState, batchMode: boolean): AnswerView {
  const runs = phase === 'running';
  // Some bootloaders of Nordic boards tell nothing of what is in flash.
  const looks = board?.family === 'nrf' && board.info.slots.length === 0 ? '' : 'Or look inside the board below. ';
  return {
    region: 'Plan',
    tone: 'plain',
    tag: runs ? 'Running' : 'Connected',
    title: 'Add the files to write',
    text: runs
      ? 'The board runs its program. Write connects again by itself.'
      : `${looks}Nothing is written before you say so.`,
    numbers: noNumbers,
    action: 'choose',
    label: 'Choose files',
    primary: !batchMode,
  };
}
