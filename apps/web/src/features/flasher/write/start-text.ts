/**
 * Words for the start of a board after a flash, and a remedy if something is wrong. They claim no more than the
 * monitor has heard.
 */
import { wordText } from '../../../shared/format/hex.ts';
import type { PageFamily } from '../page-family.ts';
import { isListening, type StartObservation, type StartVerdict, startFailed } from '../state/start-observation.ts';

export interface StartText {
  /**
   * `quiet`: no output shows that the program runs or that it does not, and its file does not say that it prints.
   * `unsure`: its file says that it prints, and nothing was heard.
   */
  readonly tone: 'good' | 'waiting' | 'quiet' | 'unsure' | 'failure';
  readonly what: string;
  /** Empty if there is nothing to do. */
  readonly remedy: string;
}

export interface StartFacts {
  /** Name and version in the written application: `weather-node 1.4.0`; null if it has neither. */
  readonly application: string | null;
  /** Rate of the monitor, in baud. */
  readonly baudRate: number;
  readonly words: Pick<PageFamily['words'], 'restart' | 'bootloader'>;
  /** True: a simulated board. */
  readonly demo: boolean;
}

function completeSet({ demo }: StartFacts): string {
  const source = demo ? 'Use demo firmware adds' : 'The folder of a build contains';
  return `Write the complete set: bootloader, partition table and app. ${source} all three.`;
}

export function startText(observation: StartObservation, facts: StartFacts): StartText {
  if (isListening(observation)) {
    return { tone: 'waiting', what: 'The board was restarted. Listening to its program…', remedy: '' };
  }
  const { verdict } = observation;
  if (verdict.kind === 'app') {
    return appText(verdict, facts.application);
  }
  const { prints = null } = observation;
  const fails = startFailed(observation);
  if (prints === null && !fails && verdict.kind !== 'unreadable') {
    const { kind } = verdict;
    return { tone: 'quiet', what: quietText[kind === 'absent' || kind === 'starting' ? kind : 'silence'], remedy: '' };
  }
  const [what, remedy] = wordsOf(verdict, facts, observation);
  return { tone: fails ? 'failure' : verdict.kind === 'unreadable' ? 'quiet' : 'unsure', what, remedy };
}

/** Sentences for a start of which nothing is heard, where nothing says that it should be. */
const quietText = {
  silence: 'The board was restarted. It has printed nothing, as some programs do.',
  starting: 'The board was restarted. Its bootloader starts, and its program has printed nothing, as some do.',
  absent: 'The board was restarted. Its program opens no port, as programs without USB output do.',
} as const;

function appText({ project, version }: Extract<StartVerdict, { kind: 'app' }>, application: string | null): StartText {
  if (project === null) {
    return { tone: 'good', what: 'The board restarted and is talking.', remedy: '' };
  }
  const runs = version === null ? project : `${project} ${version}`;
  // Before the version arrives, the name may be incomplete.
  const isWritten =
    application === null || runs === application || (version === null && application.startsWith(project));
  return isWritten
    ? { tone: 'good', what: `The board restarted and runs ${runs}.`, remedy: '' }
    : otherApp(runs, application);
}

function otherApp(runs: string, application: string): StartText {
  return {
    tone: 'failure',
    what: `The board runs ${runs}, not ${application}.`,
    remedy:
      'Its bootloader selects another app partition. Select the written one in the partition of OTA data, or write to the one that is selected.',
  };
}

function wordsOf(
  verdict: Exclude<StartVerdict, { kind: 'app' }>,
  facts: StartFacts,
  { prints = null, cannotStart = null }: StartObservation,
): readonly [what: string, remedy: string] {
  const { baudRate, words } = facts;
  switch (verdict.kind) {
    case 'silence':
      return [
        `The board was restarted and has printed nothing, though its file holds ${prints}.`,
        `Check the monitor’s baud rate. ${words.restart}`,
      ];
    case 'starting':
      return [
        `The bootloader starts, but the program has printed nothing, though its file holds ${prints}.`,
        `Check that its console is on this port at ${baudRate} baud.`,
      ];
    case 'absent':
      return [
        cannotStart === null
          ? `The board did not come back, though its file holds ${prints}.`
          : 'The board did not come back: what was written cannot start on it.',
        `${cannotStart === null ? '' : `${cannotStart} `}${words.bootloader} Then connect it, and write another program.`,
      ];
    case 'unreadable':
      return [
        `The board’s output is unreadable at ${baudRate} baud.`,
        'Choose the baud rate of its program in the monitor.',
      ];
    case 'download':
      return [
        'The board is in download mode and does not start its program.',
        `Release its BOOT button, and check that nothing holds that pin low. ${words.restart}`,
      ];
    case 'invalid-header':
      return verdict.empty
        ? ['The board does not start: the flash is empty where its bootloader should be.', completeSet(facts)]
        : [
            `The board does not start: it finds no valid bootloader (invalid header: ${wordText(verdict.word)}).`,
            `${completeSet(facts)} Check the bootloader’s offset.`,
          ];
    case 'no-partition-table':
      return ['The board does not start: its bootloader finds no valid partition table.', completeSet(facts)];
    case 'no-app':
      return [
        'The board does not start: its bootloader finds no app.',
        'Check that the app is written to the start of an app partition, and that the partition table belongs to the same build.',
      ];
    case 'bad-image':
      return [
        `The board refuses to start what was written: “${verdict.line}”.`,
        'Check that all files are from one build for this chip, then write them again.',
      ];
    case 'panic':
      return [
        `The program crashed: “${verdict.line}”.`,
        'The monitor shows its output before the crash. To find the lines in your code, open the ELF file of this build in the terminal.',
      ];
    case 'brown-out':
      return [
        'The board reports a brown-out: its supply voltage drops too low.',
        'Use a shorter cable and a USB port on the computer itself, and disconnect anything that draws current.',
      ];
    case 'boot-loop':
      return [
        `The board keeps restarting${verdict.reason === null ? '' : ` (${verdict.reason})`}.`,
        'The monitor shows its output before each restart. Check that the bootloader, the partition table and the app are from one build.',
      ];
  }
}
