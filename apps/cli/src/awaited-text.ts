/** The text of `--until`. */
import { unescapeText } from '@wirebench/serial';
import type { OptionValues } from './commands/command.ts';
import { CommandError, exitCodes } from './exit-code.ts';

/**
 * Returns the bytes to wait for; null without the option.
 *
 * @throws CommandError for an unknown escape, and for no bytes.
 */
export function readAwaited(options: OptionValues): Uint8Array | null {
  const { until } = options;
  if (typeof until !== 'string') {
    return null;
  }
  const read = unescapeText(until);
  if (!read.ok || read.bytes.length === 0) {
    throw new CommandError(
      exitCodes.usage,
      '--until takes a text; escapes in it are \\n \\r \\t \\0 \\\\ \\xNN \\u{…}.',
    );
  }
  return read.bytes;
}
