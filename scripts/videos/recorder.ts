/** Records a page as frames with their times, and encodes them as a video with a constant frame rate. */
import type { CDPSession, Page } from '@playwright/test';
import { encode } from './ffmpeg.ts';

/** Video size in pixels. */
export const videoSize = { width: 1_024, height: 576 } as const;
/** Frames for each second of the video. */
const frameRate = 10;

interface Frame {
  /** Browser's timestamp in seconds since the Unix epoch. */
  readonly time: number;
  readonly picture: Buffer;
}

export class Recorder {
  readonly #frames: Frame[] = [];
  readonly #session: CDPSession;
  readonly #start: number;
  /** Seconds since the start; null while recording. */
  #end: number | null = null;

  private constructor(session: CDPSession) {
    this.#session = session;
    this.#start = Date.now() / 1_000;
  }

  static async start(page: Page): Promise<Recorder> {
    const session = await page.context().newCDPSession(page);
    const recorder = new Recorder(session);
    session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
      recorder.#frames.push({ time: metadata.timestamp ?? Date.now() / 1_000, picture: Buffer.from(data, 'base64') });
      // The browser sends the next frame after this acknowledgement. The delay limits frames to the video's rate.
      setTimeout(() => {
        if (recorder.#end === null) {
          void session.send('Page.screencastFrameAck', { sessionId });
        }
      }, 1_000 / frameRate);
    });
    await session.send('Page.startScreencast', {
      format: 'png',
      maxWidth: videoSize.width,
      maxHeight: videoSize.height,
    });
    return recorder;
  }

  /** Seconds since the start of the recording. */
  get now(): number {
    return Date.now() / 1_000 - this.#start;
  }

  async stop(): Promise<void> {
    this.#end = this.now;
    await this.#session.send('Page.stopScreencast');
  }

  /** Length of the video in seconds. */
  get length(): number {
    return Math.floor((this.#end ?? this.now) * frameRate) / frameRate;
  }

  /**
   * Writes the video.
   *
   * @param quality VP9's constant rate factor, from 0 (best) to 63.
   */
  save(ffmpeg: string, path: string, quality: number): Promise<void> {
    const input = ['-f', 'image2pipe', '-framerate', String(frameRate), '-c:v', 'png', '-i', '-'];
    const output = ['-an', '-c:v', 'libvpx-vp9', '-pix_fmt', 'yuv420p', '-b:v', '0', '-crf', String(quality)];
    const effort = ['-deadline', 'good', '-cpu-used', '5', '-row-mt', '1', '-tune-content', 'screen'];
    // A key frame every five seconds for seeking.
    const { width, height } = videoSize;
    const shape = ['-vf', `scale=${width}:${height}`, '-g', String(5 * frameRate)];
    return encode(ffmpeg, [...input, ...output, ...effort, ...shape, path], this.#constantRate());
  }

  /** Writes the picture at `time` (seconds) as a still. */
  saveStill(ffmpeg: string, path: string, time: number): Promise<void> {
    const input = ['-f', 'image2pipe', '-c:v', 'png', '-i', '-'];
    const output = ['-frames:v', '1', '-c:v', 'libwebp', '-quality', '70', '-compression_level', '6', path];
    return encode(ffmpeg, [...input, ...output], [this.#pictureAt(time)]);
  }

  *#constantRate(): Generator<Buffer> {
    for (let frame = 0; frame < this.length * frameRate; frame++) {
      yield this.#pictureAt(frame / frameRate);
    }
  }

  /** Returns the last frame before `time`, or else the first frame. */
  #pictureAt(time: number): Buffer {
    const frame = this.#frames.findLast((each) => each.time - this.#start <= time) ?? this.#frames[0];
    if (frame === undefined) {
      throw new Error('The browser sent no frame.');
    }
    return frame.picture;
  }
}
