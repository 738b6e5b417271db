import { releaseLimits } from '@wirebench/contract';
import { useServerLimits } from '../../../shared/config/use-server-limits.ts';
import { memoryText } from '../../../shared/format/bytes.ts';
import styles from './quick-guide.module.css';

/** Explains the release manager in three steps. */
export function QuickGuide() {
  const { projects, versions } = useServerLimits();
  const steps = [
    {
      title: 'Create a project',
      text: `One project per firmware, with its chip family and model. You can keep ${projects}.`,
    },
    {
      title: 'Add a version',
      text: `Up to ${releaseLimits.files} .bin files of ${memoryText(releaseLimits.fileSize)}, each with its flash offset. A project holds ${versions} versions.`,
    },
    {
      title: 'Make it public, share',
      text: 'The link opens a page that flashes your files. If you make the project private, the link stops working.',
    },
  ];
  return (
    <section aria-label="Quick guide" className={`card ${styles['guide']}`}>
      {steps.map(({ title, text }, index) => (
        <div key={title}>
          <b aria-hidden="true">{index + 1}</b>
          <h2>{title}</h2>
          <p>{text}</p>
        </div>
      ))}
    </section>
  );
}
