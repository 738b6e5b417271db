import { sizeText } from '../../../shared/format/bytes.ts';
import { durationText } from '../../../shared/format/durations.ts';
import { ProgressBar } from '../../../shared/ui/progress-bar.tsx';
import type { CreationStep } from './create-version.ts';
import styles from './upload-progress-bar.module.css';

export interface UploadProgressBarProps {
  readonly step: CreationStep;
  /** Name of the uploaded item: `version 1.4.0`. */
  readonly what: string;
}

/** Shows the progress of a new version. In steps without a measure the bar is indeterminate. */
export function UploadProgressBar({ step, what }: UploadProgressBarProps) {
  const done = step.step === 'uploading' ? step.sent / step.total : step.step === 'storing' ? 1 : 0;
  return (
    <div className={styles['progress']}>
      <ProgressBar label={`Upload of ${what}`} done={done} />
      <p className="num">{stepText(step)}</p>
    </div>
  );
}

function stepText(step: CreationStep): string {
  switch (step.step) {
    case 'checking':
      return 'Checking the version number…';
    case 'uploading': {
      const { sent, total, bytesPerSecond } = step;
      const pace =
        bytesPerSecond === null || bytesPerSecond === 0
          ? ''
          : `, ${sizeText(Math.round(bytesPerSecond))}/s, ${durationText(((total - sent) / bytesPerSecond) * 1_000)} left`;
      return `Uploading: ${sizeText(sent)} of ${sizeText(total)}, ${Math.floor((sent / total) * 100)}\u2009%${pace}`;
    }
    case 'storing':
      return 'Storing the files…';
  }
}
