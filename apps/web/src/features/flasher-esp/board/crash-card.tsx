/** The crash that was read from a board last: why it crashed, its tasks and their stacks, as the terminal shows a core dump. */
import { useCoreDumps } from '../../../workbench/crash/symbol-files.ts';
import { DumpView } from '../../../workbench/crash/view/dump-view.tsx';
import { SymbolFilesBar } from '../../../workbench/crash/view/symbol-files-bar.tsx';
import { Card } from '../../../workbench/flasher/card.tsx';

export function CrashCard() {
  const [newest] = useCoreDumps();
  return newest === undefined ? null : (
    <Card title="Crash read from a board">
      <SymbolFilesBar canDrop={false} />
      <DumpView key={newest.id} dump={newest} canDrop={false} />
    </Card>
  );
}
