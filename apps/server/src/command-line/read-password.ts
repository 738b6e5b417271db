/** Reads a password: at a terminal without showing it, otherwise from the standard input. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { StartError } from '../start-error.ts';

/**
 * Asks twice at a terminal, otherwise takes the first line.
 *
 * @throws StartError if the two entries differ or the input ends.
 */
export async function readNewPassword(username: string): Promise<string> {
  if (!process.stdin.isTTY) {
    return firstLine();
  }
  using terminal = openUnseen();
  const password = await terminal.ask(`Password for ${username}: `);
  if ((await terminal.ask('Repeat the password: ')) !== password) {
    throw new StartError(['The two passwords differ: nothing was changed.']);
  }
  return password;
}

async function firstLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) {
    return line;
  }
  return '';
}

/**
 * Opens a prompt that does not show typed characters: readline echoes them to its output, which discards them. It has
 * to be open before the first question, because until then the system itself echoes.
 */
function openUnseen(): Disposable & { ask(prompt: string): Promise<string> } {
  const nowhere = new Writable({ write: (_chunk, _encoding, written) => written() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  terminal.once('SIGINT', () => terminal.close());
  const ask = (prompt: string) =>
    new Promise<string>((resolve, reject) => {
      const onEnd = () => reject(new StartError(['Nothing was changed.']));
      terminal.once('close', onEnd);
      terminal.once('line', (line) => {
        terminal.off('close', onEnd);
        resolve(line);
      });
      process.stderr.write(prompt);
    }).finally(() => process.stderr.write('\n'));
  return { ask, [Symbol.dispose]: () => terminal.close() };
}
