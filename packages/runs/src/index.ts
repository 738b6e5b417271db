/**
 * Runs: messages that are sent to a board one after the other, with waits for answers and branches. Messages, their
 * form in a JKit, the engine, and every sentence about a run.
 */
export { type BoardTest, type RunChecks, readChecks, readTest } from './board-test.ts';
export { lineText } from './came-lines.ts';
export { hasReference } from './captures.ts';
export { factsOf, type Jkit, readJkitFile } from './jkit-file.ts';
export {
  type AnswerForm,
  answerFault,
  answerForms,
  type FlowAnswer,
  goOn,
  longestAnswer,
  longestSay,
  type MessageFlow,
  maxAnswers,
  plainFlow,
  type Then,
  triesLimits,
  withRenamedLabel,
  writeFlow,
} from './message-flow.ts';
export {
  hasValuePlace,
  longestUnit,
  type MessageValue,
  nearestValue,
  sendingsLimits,
  sentNumber,
  usualValue,
  valueFault,
  withValue,
} from './message-value.ts';
export {
  boardOf,
  encodeMessage,
  expectedFault,
  type FileWay,
  filePaces,
  fileWays,
  filledMessage,
  hiddenName,
  longestFileName,
  longestLabel,
  type MessageDraft,
  type MessageFault,
  type MessageFile,
  type MessageText,
  type MessageType,
  messageFault,
  messageName,
  messageNumbers,
  newMessage,
  numbersOf,
  type PinnedMessage,
  readEntry,
  sendsTheSame,
  shownContent,
  tidy,
  waitsForAnswer,
  writeEntry,
} from './pinned-message.ts';
export { type PreparedSteps, prepareSteps, type Refusable } from './prepare-run.ts';
export { quoted } from './quoted.ts';
export { endingOf, type JkitKept, readContent, readRules, type StoredEnding, writeRules } from './read-content.ts';
export { RULE_WAIT, RuleChecks, type RuleVerdict, SETTLE, type TestRule } from './rule-checks.ts';
export {
  type CheckFault,
  hasChecks,
  passedWords,
  plainFault,
  type RunCheck,
  runChecks,
  undecided,
} from './run-checks.ts';
export { exchangeNote } from './run-notes.ts';
export { messageEndText } from './run-report.ts';
export {
  type FilePort,
  type RunEnd,
  type RunPort,
  type RunStep,
  runSteps,
  type StepResult,
} from './run-steps.ts';
export {
  checksText,
  type RunVerdict,
  verdictFacts,
  verdictNames,
  verdictOfChecks,
  verdictSentence,
} from './run-verdict.ts';
export { newId, type UnknownKeys, without } from './stored-fields.ts';
export { type Transcript, transcriptText } from './transcript.ts';
