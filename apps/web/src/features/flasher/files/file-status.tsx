import { Check, Equal, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import { ProgressBar } from '../../../shared/ui/progress-bar.tsx';
import { pageFamily } from '../store/flasher-store.ts';
import type { FileProgress } from '../write/write-view.ts';
import styles from './file-status.module.css';

const texts = {
  verified: { text: 'Verified', more: 'proof', icon: <Check />, tone: 'success' },
  same: { text: 'Already there', more: 'proof', icon: <Equal />, tone: 'success' },
  unverified: { text: 'Written', more: ', not verified', icon: <TriangleAlert />, tone: 'warning' },
  waiting: { text: 'Not written', more: '', icon: null, tone: 'subtle' },
} satisfies Record<
  Exclude<FileProgress['state'], 'writing'>,
  { text: string; more: string; icon: ReactNode; tone: string }
>;

/** Shows the progress or the result of one file. */
export function FileStatus({ name, progress }: { readonly name: string; readonly progress: FileProgress | null }) {
  if (progress?.state === 'writing') {
    return (
      <span className={styles['progress']}>
        <ProgressBar label={name} done={progress.done} />
        <span>{Math.floor(progress.done * 100)} %</span>
      </span>
    );
  }
  const { text, more, icon, tone } = texts[progress?.state ?? 'waiting'];
  const { proven } = pageFamily().words;
  return (
    <span className={classNames(styles['status'], styles[tone])}>
      {icon}
      <span>
        {text}
        {more === 'proof' ? <span className={styles['more']}>, {proven}</span> : more}
      </span>
    </span>
  );
}
