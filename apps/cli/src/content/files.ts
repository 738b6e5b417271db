/** `wirebench files`: files of a board, in a file system of its flash or behind the prompt of MicroPython. */
import { isFileSystem, type Partition } from '@wirebench/flasher/esp';
import { type BoardRun, runOnBoard, showRestart } from '../board/board-run.ts';
import { onEspBoard } from '../board/esp-board.ts';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { oneOf } from '../port-options.ts';
import { printable } from '../printable.ts';
import { actionOf, type BoardFileAction } from './file-actions.ts';
import { FlashFiles } from './flash-files.ts';
import { runPythonFiles } from './python-files.ts';
import { chosenPartition, readContents } from './stored-change.ts';

export async function runFiles(given: readonly string[], options: OptionValues): Promise<ExitCode> {
  const [port = '', ...words] = given;
  const action = await actionOf(words, options);
  return wayOf(options, typeof options['simulate'] === 'string') === 'python'
    ? runPythonFiles(port, options, action)
    : runFlashFiles(port, options, action);
}

/** @throws CommandError if no option tells where the files are. */
function wayOf(options: OptionValues, isSimulated: boolean): 'flash' | 'python' {
  const wanted = oneOf(options['in'], '--in', ['flash', 'python'] as const);
  if (wanted !== null) {
    return wanted;
  }
  if (options['partition'] !== undefined || options['family'] !== undefined || isSimulated) {
    return 'flash';
  }
  throw new CommandError(
    exitCodes.refused,
    'nothing tells where the files are. Say it with --in flash (a LittleFS, SPIFFS or FAT partition of an Espressif board) or --in python (a board with MicroPython or CircuitPython).',
  );
}

/** Partitions that the table lists with a file system; others are named. */
const wanted = { isWanted: (one: Partition) => isFileSystem(one), usual: '', what: 'partition with a file system' };

function runFlashFiles(port: string, options: OptionValues, action: BoardFileAction): Promise<ExitCode> {
  oneOf(options['family'], '--family', ['esp'] as const);
  return runOnBoard(port, options, async (run) => {
    run.output.hasResultsAlone = action.isReading;
    return (await filesInFlash(run, action)) ? exitCodes.ok : exitCodes.failed;
  });
}

/** Carries an action out on the file system of a partition. Returns false if the answer is no. */
export async function filesInFlash(run: BoardRun, action: BoardFileAction): Promise<boolean> {
  const done = await onEspBoard(run, 'files in partitions', async (esp) => {
    const contents = await readContents(run, esp, chosenPartition(run, esp, wanted));
    const { name } = contents.partition;
    run.output.step('partition', { name }, `Partition ${printable(name)}`);
    return action.inFlash(new FlashFiles(run, esp, contents));
  });
  showRestart(run, done);
  return done.result;
}
