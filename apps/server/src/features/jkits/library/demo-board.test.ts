/** The demo board's jkit against the board itself, which is served over TCP. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { demoBoard } from './demo-board.ts';

const cli = fileURLToPath(new URL('../../../../../../packages/devices/src/cli.ts', import.meta.url));

/**
 * Collects the text of a stream. The returned function waits for a text in the part that arrived since its last call.
 */
function listen(stream: NodeJS.ReadableStream) {
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  return async (wanted: string): Promise<string> => {
    while (!text.includes(wanted)) {
      await once(stream, 'data');
    }
    const heard = text;
    text = '';
    return heard;
  };
}

it('every message of the demo board’s jkit is a command that the board knows and answers', async () => {
  const board = spawn(process.execPath, [cli, 'chatty', '--tcp', '0', '--pace', 'none']);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => void board.kill('SIGKILL'));
  const said = await listen(board.stdout)('press Ctrl+C to stop');
  const socket = connect({ host: '127.0.0.1', port: Number(/:(\d+) /.exec(said)?.[1]) });
  stack.defer(() => void socket.destroy());
  const hear = listen(socket);
  await hear('demo> ');
  for (const field of demoBoard.content.fields) {
    const { content, expect: answer = '' } = typeof field === 'string' ? { content: field } : field;
    socket.write(`${content}\r\n`);
    const heard = await hear(String(answer));
    expect(heard).toContain(content);
    expect(heard).not.toMatch(/unknown command|usage:/);
  }
});
