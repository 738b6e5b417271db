import { CirclePlay } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Link } from 'react-router';
import { hasServer } from '../../shared/edition.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import styles from './card.module.css';
import { cardPath, cardText, type ToolId } from './cards.ts';
import { FlasherPreview, ReleasesPreview, TerminalPreview } from './tool-previews.tsx';
import type { CardSelection } from './use-card-selection.ts';

const tools: readonly { readonly tool: ToolId; readonly preview: ReactNode }[] = [
  { tool: 'uart', preview: <TerminalPreview /> },
  { tool: 'flasher', preview: <FlasherPreview /> },
  ...(hasServer ? [{ tool: 'releases' as const, preview: <ReleasesPreview /> }] : []),
];

interface ToolCardProps {
  readonly tool: ToolId;
  /** Drawing of the tool. */
  readonly preview: ReactNode;
  readonly selection: CardSelection;
  readonly onWatch: (tool: ToolId) => void;
  readonly onChooseFamily: () => void;
}

/** A card whose whole surface is a link. The button for the video is above the link. */
function ToolCard({ tool, preview, selection, onWatch, onChooseFamily }: ToolCardProps) {
  const { name, short, description } = cardText[tool];
  const descriptionId = `card-${tool}`;
  const control = {
    ...selection.control(tool),
    className: styles['control'],
    'aria-describedby': descriptionId,
    children: name,
  };
  return (
    <li
      className={classNames('card', styles['card'], selection.selected === tool && styles['selected'])}
      onPointerEnter={() => selection.select(tool)}
    >
      <div className={styles['preview']} aria-hidden="true">
        {preview}
      </div>
      <div className={styles['body']}>
        <h3>
          {tool === 'flasher' ? (
            <FlasherButton {...control} onClick={onChooseFamily} />
          ) : (
            <Link to={cardPath[tool]} {...control} />
          )}
        </h3>
        <p>{short}</p>
        <span id={descriptionId} hidden>
          {description}
        </span>
        <div className={styles['play']}>
          <IconButton
            variant="quiet"
            label={`Watch the ${name} video`}
            icon={<CirclePlay />}
            aria-haspopup="dialog"
            onClick={() => onWatch(tool)}
          />
        </div>
      </div>
    </li>
  );
}

interface FlasherButtonProps {
  readonly ref: Ref<HTMLButtonElement>;
  readonly onFocus: () => void;
  readonly className: string | undefined;
  readonly 'aria-describedby': string;
  readonly children: string;
  readonly onClick: () => void;
}

function FlasherButton(props: FlasherButtonProps) {
  return <button type="button" aria-haspopup="dialog" {...props} />;
}

export function ToolCards(props: Omit<ToolCardProps, 'tool' | 'preview'>) {
  return (
    <ul className={classNames(styles['cards'], !hasServer && styles['two'])} aria-label="Tools">
      {tools.map(({ tool, preview }) => (
        <ToolCard key={tool} tool={tool} preview={preview} {...props} />
      ))}
    </ul>
  );
}
