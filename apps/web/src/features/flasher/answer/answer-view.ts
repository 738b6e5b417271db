/** Derives from the state of a board's flash what the answer at the top of the page says: state, sentence, numbers. */
import type { AnswerFacts, AnswerView } from './answer-facts.ts';
import {
  beforeBoardAnswer,
  connectedAnswer,
  connectingAnswer,
  nextBoardAnswer,
  waitingAnswer,
} from './connect-answers.ts';
import { planAnswer, withoutBuildAnswer } from './plan-answers.ts';
import { workingAnswer, writingAnswer } from './progress-answers.ts';
import { doneAnswer, failedAnswer } from './result-answers.ts';

export function answerView(facts: AnswerFacts): AnswerView {
  const { flash, list, changes, batchMode } = facts;
  const { phase } = flash;
  switch (phase) {
    case 'connecting':
      return connectingAnswer(facts);
    case 'writing':
    case 'restarting':
      return writingAnswer(facts);
    case 'working':
      return workingAnswer(flash);
    case 'releasing':
      return waitingAnswer('Restarting', 'The board restarts', 'Its program starts in a moment.');
    case 'done':
      return doneAnswer(facts);
    case 'failed':
    case 'cancelled':
      return failedAnswer(flash);
    case 'none':
      return batchMode ? nextBoardAnswer() : beforeBoardAnswer(facts);
    default:
      if (facts.build !== undefined) {
        return withoutBuildAnswer(facts.build, flash);
      }
      return list.length === 0 && changes.length === 0 && flash.plan === null
        ? connectedAnswer(flash, batchMode)
        : planAnswer(facts);
  }
}
