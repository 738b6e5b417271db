/** The three tools of the tab *Frames*, one of which is shown. */
import { use } from 'react';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import styles from './frames-tools.module.css';
import { framesTools, showTool, type Tool } from './open-tool.ts';

export function FramesTools({ tool }: { readonly tool: keyof typeof framesTools & Tool }) {
  const { isReadOnly } = use(TerminalSlotsContext);
  const shown = Object.entries(framesTools) as [keyof typeof framesTools, string][];
  return (
    <div className={styles['tools']}>
      <Segmented
        label="Frames"
        value={tool}
        // Nothing can be asked in an opened log.
        options={shown.flatMap(([value, label]) => (isReadOnly && value === 'devices' ? [] : [{ value, label }]))}
        onChange={(value) => showTool(value)}
      />
    </div>
  );
}
