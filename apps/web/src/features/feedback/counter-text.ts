/** Text of the counter below the feedback field. */
import { feedbackLimits } from '@wirebench/contract/constants';

/**
 * Returns the number of missing characters while there are too few, without white space at the ends. Afterwards the
 * number of remaining ones.
 */
export function counterText(message: string): string {
  const missing = feedbackLimits.minLength - message.trim().length;
  return missing > 0
    ? `${characters(missing)} still needed`
    : `${characters(Math.max(0, feedbackLimits.maxLength - message.length))} left`;
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}
