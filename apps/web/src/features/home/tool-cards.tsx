import type { ReactNode } from 'react';
import { hasServer } from '../../shared/edition.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import styles from './card.module.css';
import type { ToolId } from './cards.ts';
import { ToolCard, type ToolCardProps } from './tool-card.tsx';
import { FlasherPreview, ReleasesPreview, TerminalPreview } from './tool-previews.tsx';

const tools: readonly { readonly tool: ToolId; readonly preview: ReactNode }[] = [
  { tool: 'uart', preview: <TerminalPreview /> },
  { tool: 'flasher', preview: <FlasherPreview /> },
  ...(hasServer ? [{ tool: 'releases' as const, preview: <ReleasesPreview /> }] : []),
];

export function ToolCards(props: Omit<ToolCardProps, 'tool' | 'preview'>) {
  return (
    <ul className={classNames(styles['cards'], !hasServer && styles['two'])} aria-label="Tools">
      {tools.map(({ tool, preview }) => (
        <ToolCard key={tool} tool={tool} preview={preview} {...props} />
      ))}
    </ul>
  );
}
