import { sizeText } from '../../shared/format/bytes.ts';
import { durationText } from '../../shared/format/quantities.ts';
import type { CreationStep } from './create-version.ts';
import styles from './upload-progress-bar.module.css';

export interface UploadProgressBarProps {
  readonly step: CreationStep;
  /** Name of the uploaded item: `version 1.4.0`. */
  readonly what: string;
}

/** Shows the progress of a new version. The bar does not move in steps without a measure. */
export function UploadProgressBar({ step, what }: UploadProgressBarProps) {
  const percent = step.step === 'uploading' ? Math.floor((step.sent / step.total) * 100) : null;
  const done = step.step === 'storing' ? 100 : (percent ?? 0);
  return (
    <div className={styles['progress']}>
      <div
        role="progressbar"
        aria-label={`Upload of ${what}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={done}
        className={styles['track']}
      >
        <div className={styles['bar']} style={{ width: `${done}%` }} />
      </div>
      <p className="num">{stepText(step, percent)}</p>
    </div>
  );
}

function stepText(step: CreationStep, percent: number | null): string {
  switch (step.step) {
    case 'checking':
      return 'Checking the version number…';
    case 'uploading': {
      const { sent, total, bytesPerSecond } = step;
      const pace =
        bytesPerSecond === null || bytesPerSecond === 0
          ? ''
          : `, ${sizeText(Math.round(bytesPerSecond))}/s, ${durationText(((total - sent) / bytesPerSecond) * 1_000)} left`;
      return `Uploading: ${sizeText(sent)} of ${sizeText(total)}, ${percent}\u2009%${pace}`;
    }
    case 'storing':
      return 'Storing the files…';
  }
}
