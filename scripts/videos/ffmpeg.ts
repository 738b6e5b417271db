/** Finds ffmpeg and encodes WebM with VP9 and WebP stills. Only the recording of videos needs it. */
import { spawn, spawnSync } from 'node:child_process';

const howToInstall = `Recording needs ffmpeg with libvpx-vp9 and libwebp, and none was found. Install it, or set FFMPEG to its path:
  Debian, Ubuntu  sudo apt-get install ffmpeg
  macOS           brew install ffmpeg
  Windows         winget install ffmpeg`;

/**
 * Returns the command that runs ffmpeg.
 *
 * @throws Error with instructions for its installation.
 */
export function findFfmpeg(): string {
  const command = process.env['FFMPEG'] ?? 'ffmpeg';
  const { stdout } = spawnSync(command, ['-hide_banner', '-encoders'], { encoding: 'utf8' });
  if (!stdout?.includes('libvpx-vp9') || !stdout.includes('libwebp')) {
    throw new Error(howToInstall);
  }
  return command;
}

/**
 * Runs ffmpeg with `input` on its standard input.
 *
 * @throws Error with its output if it fails.
 */
export async function encode(ffmpeg: string, args: readonly string[], input: Iterable<Buffer>): Promise<void> {
  const child = spawn(ffmpeg, ['-hide_banner', '-loglevel', 'error', '-y', ...args], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  // ffmpeg may stop reading because of its own error, which is reported below.
  child.stdin.on('error', () => child.stdin.destroy());
  for (const piece of input) {
    if (child.stdin.destroyed) {
      break;
    }
    if (!child.stdin.write(piece)) {
      await Promise.race([new Promise((resolve) => child.stdin.once('drain', resolve)), ended]);
    }
  }
  child.stdin.end();
  const code = await ended;
  if (code !== 0) {
    throw new Error(`ffmpeg exited with code ${code}: ${said.trim()}`);
  }
}
