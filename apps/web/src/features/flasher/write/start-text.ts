/**
 * Words for the start of a board after a flash, and a remedy if something is wrong. They claim no more than the
 * monitor has heard.
 */
import type { BootVerdict } from '@wirebench/flasher/core';
import { wordText } from '../../../shared/format/hex.ts';
import type { PageFamily } from '../page-family.ts';
import { isListening, type StartObservation, startFailed } from '../state/start-observation.ts';

export interface StartText {
  /** `unsure`: no output shows that the program runs, or that it does not. */
  readonly tone: 'good' | 'waiting' | 'unsure' | 'failure';
  readonly what: string;
  /** Empty if there is nothing to do. */
  readonly remedy: string;
}

export interface StartFacts {
  /** Name and version in the written application: `weather-node 1.4.0`; null if it has neither. */
  readonly application: string | null;
  /** Rate of the monitor, in baud. */
  readonly baudRate: number;
  readonly words: Pick<PageFamily['words'], 'restart'>;
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
  const [what, remedy] = wordsOf(verdict, facts);
  return { tone: startFailed(observation) ? 'failure' : 'unsure', what, remedy };
}

function appText({ project, version }: Extract<BootVerdict, { kind: 'app' }>, application: string | null): StartText {
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
  verdict: Exclude<BootVerdict, { kind: 'app' }>,
  facts: StartFacts,
): readonly [what: string, remedy: string] {
  const { baudRate, words } = facts;
  switch (verdict.kind) {
    case 'silence':
      return [
        'The board was restarted and has sent nothing since.',
        `Some programs print nothing. If this one should, check the monitor’s baud rate. ${words.restart}`,
      ];
    case 'starting':
      return [
        'The bootloader starts, but the program has sent nothing yet.',
        `Some programs print nothing. If this one should, check that its console is on this port at ${baudRate} baud.`,
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
